"""Everyday words of English, for telling an unknown name in a text without capitals from a word."""

from __future__ import annotations

from functools import lru_cache

from veridical.speech.names.words import NATIONAL_ENDINGS, NATIONALS, NOT_NAMES, NUMBERS, ORDINARY

COMMON = NUMBERS | frozenset(
    """
    ability able absolute absence accept accident account ache achieve across act action active
    actor actual add address admire admit adult adventure advice affect afford afraid age agree aid
    aim air alarm alive allow alone aloud amaze amount amuse ancient anger angle angry animal ankle
    announce annoy answer anxiety anxious apart apologize appeal appear appetite applaud applause
    apple apply appreciate approach approve argue arm army arrange arrive arrow art article
    articulate artist ask asleep assume attach attack attempt attend attention attitude attract
    autumn avoid awake aware away awful awkward baby back bad bag bake balance ball banana band bang
    bar bare bark barn base basic basket bat bath battle bear beat beautiful beauty beaten bed bee
    beef beer beg began begin begun behave behind belief believe belong belt bench bend bent best
    bet better bicycle big bike bird birth birthday bit bite bitter blame blank blanket bled bleed
    bless blew blind block blood bloom blow blown board boat body bold bone book boot border bore
    born borrow bother bottle bottom bought bounce bow bowl box brain brake branch brave bread break
    breakfast breath breathe brick bridge brief bright brilliant bring broad broke broken brought
    bruise brush bucket budget build built bullet bump bunch burn burst bury bus bush business busy
    button buy cable cage cake calm camera camp cancel cancer candle capital capture car card care
    career careful carry cart case cash cast cat catch caught cause celebrate cell chain challenge
    change chapter character charge charm chase chat cheap check cheer cheese chest chew chicken
    chief child childhood children choice choose chose chosen circle city civil claim clap clarity
    class clean clear clever client climb clock close cloth clothes cloud coach coal coast coat code
    coffee coin cold collapse collect color colour column combine comfort command comment commit
    common communicate communication company compare compete complain complete complex compliment
    computer concentrate concept concern conclude conclusion condition confess confidence confident
    confuse connect connection consider consist contact contain content contest continue contrast
    contribute control conversation convince cook cool copy corner correct cost cough count country
    couple courage course cover crack craft crash crawl crazy create creative credit creep crept
    crime crisis critic critical cross crowd cruel cry crystal culture cup cure curious curl current
    curtain curve customer cut cute cycle daily damage dance danger dark data date day dead deal
    dealt death debate debt decide decision deck deep defeat defend define degree delay delight
    deliver delivery demand deny depend depth describe deserve design desire desk detail determine
    develop device diamond diary dictionary die differ difference different difficult dig dinner
    direct direction dirt disagree disappear discover discuss disease dish distance distant divide
    divorce dog dollar door double doubt drag drama drank draw drawn dream dress drew drift drill
    drink drive driven drop drove drown drug drum drunk dry duck dull dumb during dust duty each
    eager ear early earn earth ease easily east easy eat eaten echo edge edit educate education
    effect effort egg elbow elect elephant else embarrass embrace emotion emotional emphasis employ
    empty enable encourage encouragement end enemy energy engage engine enjoy enormous enough enter
    enthusiasm entire entry envelope envy equal error escape especially essay even event ever
    evidence evil exact exam example excellent except exchange excite excuse exercise exhaust exist
    expect expensive experience expert explain explanation explore express expression extra eye face
    fact fade fail failure fair faith fall fallen false fame familiar family famous fancy far farm
    fashion fast fat fate fault favorite favourite fear feature fed feed feedback feel feet fell
    felt fence fever few field fight figure file fill film filler final find fine finger finish fire
    fit fix flag flame flat flavor flee flew flight float flood floor flow flower fly focus fold
    folk follow food fool foot force foreign forest forever forget forgave forgive forgot forgotten
    form formal fort forth fortune forty forward fought found frame free freeze frequent fresh
    friend friendly frighten front froze frozen fruit fuel fulfill full fun funny future gain game
    gap garage garden gas gate gather gave gear generous gentle gesture ghost giant gift girl glad
    glance glass goal gold gone good grab grade gradual grain grand grandmother grandfather grass
    grateful gratitude grave great green greet grew grief grip ground group grow grown growth guard
    guess guide guilty gun habit hair half hall hammer hand handle hang happen happiness happy hard
    harm hat hate head heal health healthy hear heard heart heat heavy height held hello help hid
    hidden hide high hill hint hire history hit hold hole holiday home honest honor hope horn
    horrible horse hospital hot hotel hour house hug huge human humor humour hundred hung hungry
    hunt hurry hurt ice idea identify ignore ill image imagery imagination imagine impact important
    impossible impress improve inch include income increase incredible inform insist inspire instead
    intend interest interested interview introduce introduction invent invite iron island issue itch
    item jacket job join joke journey joy jump jungle junior jury keen kept key kick kill kind
    kindness kiss kitchen kite knee knew knife knock knot know knowledge known label lack ladder
    lady laid lake lamp land language large last late laugh laughter launch law lawyer lay lazy lead
    leader leadership leaf lean learn leather leave led left leg legal lemon lend lent lesson letter
    level liar liberty lie life lift light like limit line lip list listen lit literally little live
    lively loan local lock logic lonely long loose lord lose loss lost lot loud love low loyal luck
    lucky lunch lung machine mad magic mail main make manage manner map march mark market marriage
    married marry master match material math matter meal mean meant measure meat media medicine
    meditate meet melt member memorable memory men mention mess message met metal metaphor middle
    midnight mile milk million mind miracle mirror miss mistake mix model modern moment money monkey
    month mood moon moral more morning most motion motivate mountain mouse mouth move movement movie
    mud muscle museum music mystery nail naked narrow national natural nature neck neat necessary
    need nerve nervous net nice night nine nobody nod noise none noon normal north nose note notes
    notice novel number nurse nut obvious occasion ocean odd offer office often oil okay old open
    opening operate opinion opportunity opposite option orange order ordinary organize original
    outcome outside oven overcome overall own owner pace pack page paid pain paint pair pale pan
    panic paper parent park part partner party pass passage passion passionate past path patience
    patient patterns pattern pause pay peace pen pencil people percent perfect perform performance
    perhaps period permit person personal personality persuade phone photo phrase physical piano
    pick picture piece pile pill pillow pin pink pipe pitch place plan plane plant plastic plate
    play please pleasure plenty plus pocket poem poet point poison police policy polite pool poor
    pop popular position positive possible post pot potential pound pour power powerful practice
    practise praise pray prayer precious predict prefer prepare preparation presence present
    presentation preserve press pressure pretend pretty prevent price pride primary print prison
    private prize problem process produce product professional profit program progress project
    promise proof proper protect proud prove provide public pull pump punch punish pure purple
    purpose purse push put puzzle quality quarter quarterly question quick quiet quit quite quote
    race radio rage rain raise ran random rang range rapid rare rate rather reach react read ready
    real realize reason recall receive recent recognize recommend record recover reduce refer
    reflect refuse regard regret regular rehearse reject relate relation relationship relax release
    rely remain remark remember remind remove rent repair repeat repetition replace reply report
    represent request rescue research resist respect respond response responsible rest result retire
    return reveal review reward rhythm rice rid ride right ring rise risk ritual river road roar rob
    robot rock rode role roll roof room root rope rough round routine row rubber rude ruin rule run
    rush sacrifice sad safe said sail salad salary salt sand sandwich sang sat satisfy sauce save
    saw scale scar scare scene schedule school science score scream screen sea search season seat
    second secret section secure seed seek seem select self sell send sense sensitive sentence
    separate series serious serve service session set settle seven severe shade shadow shake shall
    shame shape share sharp shed shelter shift shine ship shirt shock shoe shone shook shoot shop
    shore short shot shoulder shout show shown shut shy sick side sight sign signal silence silent
    silly similar simple sing single sink sister sit situation size skill skin skip sky sleep slept
    slide slight slip slow small smart smell smile smoke smooth snake snow soap social society sock
    soft soil sold soldier solid solve song soon soothe sorry sort soul sound soup source south
    space spare speak speaker special speech speed spell spend spent spin spirit spoke spoken spoon
    sport spot spread spring stage stair stand star stare start state statement station stay steady
    steal step stick stiff still stir stock stole stolen stomach stone stood stop store storm story
    storytelling straight strange stranger strategy stream street strength stress stretch strict
    strike string strip strong struck structure struggle stuck student studio study stuff stupid
    style subject succeed success successful sudden suffer sugar suggest suggestion suit sum summer
    sun supper support suppose sure surface surgery surprise surround survive suspect swam swear
    sweat sweep sweet swell swept swim swing switch sword swore sympathy system table tail take
    taken talent talk tall tap target task taste taught tax tea teach team tear technique technology
    teenage teeth television tell temper tempo ten tend tender tension term terrible terrify test
    thank theme theory thick thin thing think third thirty thought thousand thread threat threw
    throat throw thrown thumb ticket tidy tie tight till time tiny tip tire title toast today toe
    together told tomorrow tone tongue tonight took tool tooth top topic torn total touch tough tour
    tower town toy track trade tradition traffic train transform transition translate trap travel
    treasure treat tree tremble trial trick trip trouble truck true trust truth try tune turn twelve
    twenty twice twist type ugly umbrella uncle understand understood uniform union unique unit
    universe upset urge use useful usual vague valley value variety various vary vast vegetable
    verse very video view village violence vision visit visual vivid vocabulary vocal voice volume
    volunteer vote vulnerable wage wait wake walk wall wallet wander want war warm warn warning wash
    waste watch water wave weak wealth wear weather web wedding week weep weigh weight weird went
    wept west wet wheel whisper white whole wide wife wild win wind window wine wing winner winter
    wipe wire wisdom wise wish wit witness woke wolf won wonder wonderful wood wooden word wore work
    world worry worse worst worth wound wrap wrist write written wrong wrote yard year yell yellow
    yesterday young youth zero zone ago anymore anyway apparently basically certainly clearly
    definitely eventually exactly finally generally honestly hopefully immediately mostly nearly
    obviously probably quickly recently simply slowly suddenly usually tonight email hobby host
    audience grammar topics ted lately became become will may rose drew can ever did does been her
    gonna wanna gotta kinda yeah hmm um uh er ah oh hey bye okay mic podium lectern stage handout
    """.split()
)

_LEAST_STEM = 3


@lru_cache(maxsize=16 * 1024)
def is_common(key: str) -> bool:
    """Whether a word, or what it is an inflection of, is an everyday word of English."""
    return key in COMMON or key in NOT_NAMES or key in ORDINARY or any(map(_listed, _stems(key)))


def is_national(key: str) -> bool:
    """Whether a word is a nationality, a language or a faith."""
    return key in NATIONALS or key.endswith(NATIONAL_ENDINGS)


def _listed(stem: str) -> bool:
    return len(stem) >= _LEAST_STEM and (stem in COMMON or stem in NOT_NAMES)


def _stems(key: str) -> tuple[str, ...]:
    """What a regular ending may stand behind: `tries`, `danced`, `stopping`, `quickly`."""
    if key.endswith(("ies", "ied")):
        return (f"{key[:-3]}y",)
    if key.endswith("ing"):
        return key[:-3], f"{key[:-3]}e", key[:-4]
    if key.endswith(("ed", "er")):
        return key[:-2], key[:-1], key[:-3]
    if key.endswith("est"):
        return key[:-3], key[:-2], key[:-4]
    if key.endswith(("es", "ly")):
        return key[:-2], key[:-1]
    return (key[:-1],) if key.endswith(("s", "y")) else ()
