"""Words that decide whether something is a person's name. Keys as `names.text.name_key` makes them.

Each list is the one place for its words.
"""

from __future__ import annotations

from functools import lru_cache

COURTESY = frozenset(
    "mr mister mrs ms mx miss dr prof professor herr frau monsieur madame mme mlle senor senora"
    " senorita signor signora".split()
)
"""Forms of address that go with the name."""

RANKS = frozenset(
    "brother captain coach dame doctor father imam judge lady lord miss senator sir sister".split()
)
"""Titles that are words of their own: they announce a name only with a capital."""

ELDERS = frozenset("auntie aunt uncle".split())

TITLES = COURTESY | RANKS | ELDERS | frozenset("reverend rev rabbi dona".split())
"""What stands before a name only."""

SHOWN_TITLES = TITLES - RANKS - frozenset("aunt uncle frau".split())
"""Titles that announce a name in lower case too."""

PARTICLES = frozenset(
    "van von der den de la le del della di da dos das do du el al bin ibn y".split()
)

KIN = frozenset(
    """
    aunt boss boyfriend brother buddy colleague cousin coworker dad daughter father fiance fiancee
    friend girlfriend grandfather grandma grandmother grandpa grandson granddaughter husband mentor
    mom mother mum neighbor neighbour nephew niece partner roommate sister son teammate twin uncle
    wife
    """.split()
)
"""Relations behind which an unknown word is a name in a text without capitals."""

ROLES = KIN | frozenset(
    """
    abuela abuelo ami amie amiga amigo assistant author bruder captain chair chairman chairwoman
    champion classmate coach colega colleagues collegue editor esposa esposo evaluator femme fille
    founder frere freund freundin godfather godmother grammarian guest hermana hermano hija hijo
    host kollege kollegin leader madre manager mann mari member mentee mere mutter nurse oma onkel
    opa padre pal pastor pere presenter president priest principal schwester secretary soeur sohn
    speaker sponsor stepdaughter stepfather stepmother stepson student supervisor tante teacher tia
    timer tio toastmaster tochter treasurer tutor vater winner
    """.split()
)
"""What people are to each other: a name may follow."""

GROUPS = frozenset(
    """
    boys brothers children colleagues cousins daughters friends girls grandchildren grandparents
    kids mentors neighbors neighbours nephews nieces parents partners sisters sons students teachers
    twins uncles aunts
    """.split()
)
"""Several people, whose names may follow: my kids, Caspian and Lysander."""

POSSESSIVES = frozenset("my our your his her their whose".split())

ANNOUNCED = frozenset(
    "speaker guest toastmaster evaluator timer presenter host mentor teacher winner champion"
    " president".split()
)
"""Roles after which `is` brings a name: our next speaker is ..."""

PEOPLE = frozenset("boy girl man woman lady gentleman guy student child kid person".split())

SPEECH_VERBS = frozenset(
    """
    answered asked asks dijo explained fragte hugged laughed meinte mentioned nodded pregunto
    reminded replied sagte said says shouted showed smiled suggested taught tells told whispered
    """.split()
)
TOLD = frozenset(
    "told tell asked ask thanked thank married hugged introduce introduced introducing met"
    " meet".split()
)
CALLED = frozenset(
    "called phoned texted emailed married hugged kissed adored believed trusted helped lost".split()
)
OBJECT_VERBS = TOLD | frozenset(
    """
    called congratulated emailed helped hired interviewed invited kissed phoned saw tell texted
    visited welcomed
    """.split()
)
"""Verbs whose object may be a person that a user has listed, in lower case too."""

CALLERS = frozenset("i he she we they you who everybody everyone nobody".split())

NOT_NAMES = frozenset(
    """
    man woman old young

    about above across after again against ago almost alone along already although always am among
    around away below beneath beside besides between beyond cannot cant come coming couldnt didnt
    doesnt done dont down during eight enough except far finally five four full further get give
    given go going got hadnt half happen happily hasnt havent having hence heres hes hopefully id
    ill im imagine inside instead isnt itll itself ive keep know lets listen little look luckily
    made make many may mean meanwhile might mine mustnt near nearly need neither nine off often onto
    otherwise own part per plus possibly put quite rather ready really remember sadly same say see
    seen seven shall shant shes shouldnt similarly since six somehow somewhere stand start stop
    suddenly take tell ten than thats theirs themselves therefore theres theyre theyve think time
    too toward towards truly try unless unlike us usually wait wasnt way well were werent weve whats
    wheres whos within wont wouldnt youd youll youre youve

    a all also an and another any anybody anyone are as at be because been before being both but by
    can could dear did do does each either else even ever every everybody everyone everything few
    first for from good great had has have he hello her here hers hey hi him his how however i if in
    indeed into is it its just last later let like long maybe me more most much my myself never next
    no nobody none nor not nothing now of oh ok okay on once one only or other others our ours out
    over perhaps please right second several she should so some somebody someone something sometimes
    soon sorry still such sure thank thanks that the their them then there these they third this
    those though through thus to today together tomorrow tonight two under until up upon very was we
    welcome what whatever when where whether which while who whoever whom whose why with without
    would wow yes yesterday yet you your yours yourself

    afternoon allah alle amigos amis area audience baby beaucoup bien board boss boys brother
    brothers buddha buenas buenos bye captain chair chairman chairperson chairwoman children christ
    christmas citizens class claus club coach colleagues committee contest contestants council
    country dad daddy damen darling daughter director district division doctor dr du earth emcee et
    euch evaluator evaluators evening father fellow folks freunde friends general gentleman
    gentlemen girls god goodbye goodness governor grammarian grandma grandpa granny guests guys
    happy heaven herren honey host ich ici ihnen internet je jesus judge judges kids king ladies
    lady leute lord maam madam madame major mayor member members men merry mesdames messieurs
    minister ministers miss mister mom mommy monsieur morning mother mr mrs ms muchas mum mummy
    mundo nation nature neighbor neighbors new night officer officers parents pastor people por
    prasident prasidentin president presidenta presidente prince princess prof professor queen
    reverend santa secretary senator senoras senores sergeant sie sir sister sisters son speaker
    speakers students sweetheart teachers team timer toastmaster toastmasters todas todos tous tout
    toutes treasurer und universe vous welt women world y year yo zusammen

    december diwali easter fall february friday halloween hanukkah january july march monday
    november october ramadan saturday september spring sunday thanksgiving thursday tuesday
    wednesday

    alfa amen apollo bravo capcom commander copy delta diary echo foxtrot hallelujah pilot sierra
    tango tongue wilco yankee zulu

    african american arab asian australian black brazilian british buddhist canadian catholic
    chinese christian danish democrat democratic dutch english european finnish french german greek
    hindu indian irish italian japanese jewish korean latin mexican muslim norwegian pakistani
    polish portuguese protestant republican russian scottish spanish swedish swiss turkish ukrainian
    welsh white
    """.split()
)
"""Capitalised or not, no pattern makes a name of these."""

DATE_NAMES = frozenset("may april june august".split())
DATE_BEFORE = frozenset(
    "in since until till last next this every early late mid of during before after and or"
    " to".split()
)

ORDINARY = frozenset(
    """
    archer baker ball banks bean bell best bill bird bishop black bliss bloom blue bond bright brook
    brooks brown bush butcher butler cannon carpenter case castle chance chapman church clay cook
    cross dancer day dove dream driver east english farmer field fields fisher flower flowers ford
    forest fox french frost fry garden gardener gates gentle glass gold golden good goodman gray
    green grey hall hardy hart hawk hill hills house hunt hunter jobs judge keen kind king knight
    lake lamb law little long lord love low lucky major mark marsh mason may meadow merchant miller
    moody moon moore noble north page painter parish park payne person pope porter post potter power
    price pride prince queen rain rice rich ring rivers rock rush savage sell sharp shepherd short
    silver singer skinner small smart snow son song south spring star stone storm street strong
    summer sun sung sweet swift tailor temple town trainer true turner underwood walker wall waters
    weaver well wells west white wild wise wolf wood woods young
    """.split()
)
"""Surnames and the like that are everyday words: in lower case they mean what they say."""

NOT_HYPHENED = frozenset("led based like style made born type size free inspired and or y".split())
"""What is hyphened to a name without being part of it: a Maria-led team."""

DETERMINERS = frozenset("the a an my our your his her their this that".split())

NOT_NAME_ENDINGS = ("tion", "ness", "ment", "ings", "ists", "ians", "ship", "ology")
NATIONAL_ENDINGS = ("ish", "ese")
NATIONALS = frozenset(
    """
    afghan albanian algerian argentinian armenian asian australian austrian belgian bolivian
    bosnian brazilian bulgarian californian cambodian canadian caribbean chilean christian colombian
    croatian cuban egyptian elizabethan estonian ethiopian european floridian georgian ghanaian
    greek hawaiian hungarian indian indonesian iranian iraqi israeli italian jamaican jordanian
    kenyan korean latvian lebanese libyan lithuanian malaysian mediterranean mexican mongolian
    moroccan nigerian norwegian palestinian parisian persian peruvian presbyterian roman romanian
    russian serbian shakespearean siberian slovenian syrian tanzanian texan thai tunisian ugandan
    ukrainian venezuelan victorian zambian zimbabwean african american arabic cantonese mandarin
    hebrew hindi urdu bengali tamil telugu farsi swahili yoruba igbo zulu tagalog malay
    """.split()
)

GENERIC_LABELS = frozenset(
    """
    affairs agent all announcer assistant attorney audience both caller capsule chair chairman
    chairwoman channel client cohost commander communicator control counsel crowd customer director
    doctor evaluator female first flight guest host interviewee interviewer judge left main male man
    mic microphone moderator music narrator one operator other others panel panelist participant
    patient person pilot presenter president public reporter right second secretary speaker speech
    spk student talk teacher third three timer toastmaster two unknown user voice witness woman
    """.split()
)
"""Labels of speakers that name nobody."""

ARTICLES = frozenset("a an the".split())

NUMBERS = frozenset("two three four five six seven eight nine ten eleven twelve twenty".split())

PREPOSITIONS = frozenset(
    """
    about across after against along around as at before behind below beside between beyond by down
    during for from in inside into near of off on onto out outside over past through to toward
    towards under until up upon with within without
    """.split()
)

PRONOUNS = (
    DETERMINERS
    | CALLERS
    | POSSESSIVES
    | frozenset(
        """
    anybody anyone anything each every everything him it its me mine no one ours some somebody
    someone something them there these those us what where which yours yourself all any both how
    another when
    """.split()
    )
)
"""Pronouns and determiners. After an everyday word that begins a sentence they show that it is one:
Mark two places, Will you, Grace under pressure."""

RADIO = frozenset(
    """
    alfa alpha bravo charlie commander copy delta echo foxtrot golf hotel houston india juliet kilo
    lima mike november oscar over papa quebec roger romeo sierra tango uniform victor whiskey wilco
    xray yankee zulu
    """.split()
)
"""Words of radio talk."""

RADIO_SIGNS = frozenset("bravo capcom commander copy downlink houston omni uplink wilco".split())
"""Two of these in a text make radio talk of it."""

NO_INITIALS = frozenset(("u s", "u k", "u n", "d c", "a m", "p m", "e g", "i e", "p s", "e u"))
"""Letters that abbreviate other things than given names."""

PETS = frozenset("dog cat horse puppy pet baby".split())

AFTER_ORDINARY = PRONOUNS | PREPOSITIONS | NUMBERS | {"not", "be"}
"""What follows an everyday word that begins a sentence: Will you, Mark two places."""

AFTER_CALL = frozenset("and for that so good i we very its it this what your you ladies".split())
AFTER_CALL_OF_A_VERB = AFTER_CALL - {"your", "this", "it"}
"""What may follow a name in lower case behind a call: thank you mark for that."""

CALLED_VERBS = frozenset("may art drew sue rose chase".split())
"""Names that no call makes names of in lower case: thank you may i."""

PLACE_HEADS = frozenset("city state capital people streets north south".split())
"""What is `of` a place: the city of Paris."""

CLOSE = frozenset("best big close dear good little old older oldest younger youngest".split())
"""What stands between "my" and a relation: my best friend."""

NAMING_VERBS = frozenset("call called calls name named nicknamed".split())

ADHERENTS = frozenset(
    """
    aries aquarius atheist autistic capricorn cancer democrat gemini gryffindor hufflepuff libra
    libertarian marxist mormon pisces quaker ravenclaw republican sagittarius scorpio sikh slytherin
    taurus texan vegan vegetarian virgo yorker
    """.split()
)
"""What people say that they are, with a capital, and that is no name."""

MAY_FOLLOW_NAMES = frozenset(
    """
    agrees already also and always became began brought called came can could deserves did does felt
    gave gets gets had has helped is knew knows laughed learned likes looked loved loves made makes
    may might must needs never often really seemed should showed spoke stood teaches thinks thought
    took tried used waited walked wanted wants was went who will would
    """.split()
)
"""What follows a name that begins a sentence."""

WRITTEN_WITH_CAPITALS = frozenset(
    """
    accordingly additionally agenda altogether arc aside bullet buddhism bullets chronological
    climax cliche cliches closings conclusion consequently cons crescendo cue cues decibels dialogue
    diction easter enunciation ethos eye filler fillers furthermore gestures hook hooks humour
    icebreaker inflection intonation islam judaism kudos lectern logos lords meanwhile metaphors
    monotone moreover namely narrative nevertheless nonetheless notably openings openness overall
    parallel pathos pathways pauses posture presenters prologue props pros punchline punchlines
    recap rhetorical rhyme rhymes roadmap roleplay rule segue segues sequence silences similes
    simile slide slides soundbite stanza suspense syllable syllables tableau takeaway takeaways
    thesis thrice timing timings transitions triad triads twofold usage verb verbs vowel vowels
    whereas wording
    """.split()
)
"""Words that evaluations begin with, or write with a capital, and that are no names."""

AFTER_ADDRESS = frozenset(
    """
    are can come could did do have how listen look tell thank thanks what when where why will would
    you your
    """.split()
)
"""What a sentence goes on with behind the name of the one it is said to."""

OWNED = frozenset(
    """
    advice apartment arm arms birthday brother car courage dad daughter desk door ears eyes face
    father feet friend friends funeral garden grandfather grandmother hair hand hands heart house
    husband idea job joke kids kindness kitchen laugh letter life mom mother name parents phone
    question room sister smile son speech story table tears voice wedding wife words
    """.split()
)
"""What people have: an unknown word that owns it is a person."""


COMMON = (
    NUMBERS
    | NOT_NAMES
    | frozenset(
        """
    ability able absolute absence accept accident account ache achieve act action active actor
    actual add address admire admit adult adventure advice affect afford afraid age agree aid aim
    air alarm alive allow aloud amaze amount amuse ancient anger angle angry animal ankle announce
    annoy answer anxiety anxious apart apologize appeal appear appetite applaud applause apple apply
    appreciate approach approve argue arm army arrange arrive arrow art article articulate artist
    ask asleep assume attach attack attempt attend attention attitude attract autumn avoid awake
    aware awful awkward back bad bag bake balance ball banana band bang bar bare bark barn base
    basic basket bat bath battle bear beat beautiful beauty beaten bed bee beef beer beg began begin
    begun behave behind belief believe belong belt bench bend bent best bet better bicycle big bike
    bird birth birthday bit bite bitter blame blank blanket bled bleed bless blew blind block blood
    bloom blow blown boat body bold bone book boot border bore born borrow bother bottle bottom
    bought bounce bow bowl box brain brake branch brave bread break breakfast breath breathe brick
    bridge brief bright brilliant bring broad broke broken brought bruise brush bucket budget build
    built bullet bump bunch burn burst bury bus bush business busy button buy cable cage cake calm
    camera camp cancel cancer candle capital capture car card care career careful carry cart case
    cash cast cat catch caught cause celebrate cell chain challenge change chapter character charge
    charm chase chat cheap check cheer cheese chest chew chicken chief child childhood choice choose
    chose chosen circle city civil claim clap clarity clean clear clever client climb clock close
    cloth clothes cloud coal coast coat code coffee coin cold collapse collect color colour column
    combine comfort command comment commit common communicate communication company compare compete
    complain complete complex compliment computer concentrate concept concern conclude conclusion
    condition confess confidence confident confuse connect connection consider consist contact
    contain content continue contrast contribute control conversation convince cook cool corner
    correct cost cough count couple courage course cover crack craft crash crawl crazy create
    creative credit creep crept crime crisis critic critical cross crowd cruel cry crystal culture
    cup cure curious curl current curtain curve customer cut cute cycle daily damage dance danger
    dark data date day dead deal dealt death debate debt decide decision deck deep defeat defend
    define degree delay delight deliver delivery demand deny depend depth describe deserve design
    desire desk detail determine develop device diamond dictionary die differ difference different
    difficult dig dinner direct direction dirt disagree disappear discover discuss disease dish
    distance distant divide divorce dog dollar door double doubt drag drama drank draw drawn dream
    dress drew drift drill drink drive driven drop drove drown drug drum drunk dry duck dull dumb
    dust duty eager ear early earn ease easily east easy eat eaten edge edit educate education
    effect effort egg elbow elect elephant embarrass embrace emotion emotional emphasis employ empty
    enable encourage encouragement end enemy energy engage engine enjoy enormous enter enthusiasm
    entire entry envelope envy equal error escape especially essay event evidence evil exact exam
    example excellent exchange excite excuse exercise exhaust exist expect expensive experience
    expert explain explanation explore express expression extra eye face fact fade fail failure fair
    faith fallen false fame familiar family famous fancy farm fashion fast fat fate fault favorite
    favourite fear feature fed feed feedback feel feet fell felt fence fever field fight figure file
    fill film filler final find fine finger finish fire fit fix flag flame flat flavor flee flew
    flight float flood floor flow flower fly focus fold folk follow food fool foot force foreign
    forest forever forget forgave forgive forgot forgotten form formal fort forth fortune forty
    forward fought found frame free freeze frequent fresh friend friendly frighten front froze
    frozen fruit fuel fulfill fun funny future gain game gap garage garden gas gate gather gave gear
    generous gentle gesture ghost giant gift girl glad glance glass goal gold gone grab grade
    gradual grain grand grandmother grandfather grass grateful gratitude grave green greet grew
    grief grip ground group grow grown growth guard guess guide guilty gun habit hair hall hammer
    hand handle hang happiness hard harm hat hate head heal health healthy hear heard heart heat
    heavy height held help hid hidden hide high hill hint hire history hit hold hole holiday home
    honest honor hope horn horrible horse hospital hot hotel hour house hug huge human humor humour
    hundred hung hungry hunt hurry hurt ice idea identify ignore image imagery imagination impact
    important impossible impress improve inch include income increase incredible inform insist
    inspire intend interest interested interview introduce introduction invent invite iron island
    issue itch item jacket job join joke journey joy jump jungle junior jury keen kept key kick kill
    kind kindness kiss kitchen kite knee knew knife knock knot knowledge known label lack ladder
    laid lake lamp land language large late laugh laughter launch law lawyer lay lazy lead leader
    leadership leaf lean learn leather leave led left leg legal lemon lend lent lesson letter level
    liar liberty lie life lift light limit line lip list lit literally live lively loan local lock
    logic lonely loose lose loss lost lot loud love low loyal luck lucky lunch lung machine mad
    magic mail main manage manner map mark market marriage married marry master match material math
    matter meal meant measure meat media medicine meditate meet melt memorable memory mention mess
    message met metal metaphor middle midnight mile milk million mind miracle mirror mistake mix
    model modern moment money monkey month mood moon moral motion motivate mountain mouse mouth move
    movement movie mud muscle museum music mystery nail naked narrow national natural neck neat
    necessary nerve nervous net nice nod noise noon normal north nose note notes notice novel number
    nurse nut obvious occasion ocean odd offer office oil open opening operate opinion opportunity
    opposite option orange order ordinary organize original outcome outside oven overcome overall
    owner pace pack page paid pain paint pair pale pan panic paper parent park partner party pass
    passage passion passionate past path patience patient patterns pattern pause pay peace pen
    pencil percent perfect perform performance period permit person personal personality persuade
    phone photo phrase physical piano pick picture piece pile pill pillow pin pink pipe pitch place
    plan plane plant plastic plate play pleasure plenty pocket poem poet point poison police policy
    polite pool poor pop popular position positive possible post pot potential pound pour power
    powerful practice practise praise pray prayer precious predict prefer prepare preparation
    presence present presentation preserve press pressure pretend pretty prevent price pride primary
    print prison private prize problem process produce product professional profit program progress
    project promise proof proper protect proud prove provide public pull pump punch punish pure
    purple purpose purse push puzzle quality quarter quarterly question quick quiet quit quote race
    radio rage rain raise ran random rang range rapid rare rate reach react read real realize reason
    recall receive recent recognize recommend record recover reduce refer reflect refuse regard
    regret regular rehearse reject relate relation relationship relax release rely remain remark
    remind remove rent repair repeat repetition replace reply report represent request rescue
    research resist respect respond response responsible rest result retire return reveal review
    reward rhythm rice rid ride ring rise risk ritual river road roar rob robot rock rode role roll
    roof room root rope rough round routine row rubber rude ruin rule run rush sacrifice sad safe
    said sail salad salary salt sand sandwich sang sat satisfy sauce save saw scale scar scare scene
    schedule school science score scream screen sea search season seat secret section secure seed
    seek seem select self sell send sense sensitive sentence separate series serious serve service
    session set settle severe shade shadow shake shame shape share sharp shed shelter shift shine
    ship shirt shock shoe shone shook shoot shop shore short shot shoulder shout show shown shut shy
    sick side sight sign signal silence silent silly similar simple sing single sink sit situation
    size skill skin skip sky sleep slept slide slight slip slow small smart smell smile smoke smooth
    snake snow soap social society sock soft soil sold soldier solid solve song soothe sort soul
    sound soup source south space spare speak special speech speed spell spend spent spin spirit
    spoke spoken spoon sport spot spread stage stair star stare state statement station stay steady
    steal step stick stiff stir stock stole stolen stomach stone stood store storm story
    storytelling straight strange stranger strategy stream street strength stress stretch strict
    strike string strip strong struck structure struggle stuck student studio study stuff stupid
    style subject succeed success successful sudden suffer sugar suggest suggestion suit sum summer
    sun supper support suppose surface surgery surprise surround survive suspect swam swear sweat
    sweep sweet swell swept swim swing switch sword swore sympathy system table tail taken talent
    talk tall tap target task taste taught tax tea teach tear technique technology teenage teeth
    television temper tempo tend tender tension term terrible terrify test theme theory thick thin
    thing thirty thought thousand thread threat threw throat throw thrown thumb ticket tidy tie
    tight till tiny tip tire title toast toe told tone took tool tooth top topic torn total touch
    tough tour tower town toy track trade tradition traffic train transform transition translate
    trap travel treasure treat tree tremble trial trick trip trouble truck true trust truth tune
    turn twice twist type ugly umbrella uncle understand understood uniform union unique unit upset
    urge use useful usual vague valley value variety various vary vast vegetable verse video view
    village violence vision visit visual vivid vocabulary vocal voice volume volunteer vote
    vulnerable wage wake walk wall wallet wander want war warm warn warning wash waste watch water
    wave weak wealth wear weather web wedding week weep weigh weight weird went wept west wet wheel
    whisper whole wide wife wild win wind window wine wing winner winter wipe wire wisdom wise wish
    wit witness woke wolf won wonder wonderful wood wooden word wore work worry worse worst worth
    wound wrap wrist write written wrong wrote yard yell yellow youth zero zone anymore anyway
    apparently basically certainly clearly definitely eventually exactly generally honestly
    immediately mostly obviously probably quickly recently simply slowly email hobby grammar topics
    ted lately became become will rose drew gonna wanna gotta kinda yeah hmm um uh er ah mic podium
    lectern stage handout
    """.split()
    )
)

_LEAST_STEM = 3


@lru_cache(maxsize=16 * 1024)
def is_common(key: str) -> bool:
    """Whether a word, or what it is an inflection of, is an everyday word of English."""
    return key in COMMON or key in ORDINARY or any(map(_listed, _stems(key)))


def is_national(key: str) -> bool:
    """Whether a word is a nationality, a language or a faith."""
    return key in NATIONALS or key.endswith(NATIONAL_ENDINGS)


def _listed(stem: str) -> bool:
    return len(stem) >= _LEAST_STEM and stem in COMMON


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
