"""Words that decide whether something is a person's name. Keys as `names_text.name_key` makes them.

Each list is the one place for its words.
"""

from __future__ import annotations

COURTESY = frozenset(
    "mr mister mrs ms mx miss dr prof professor herr frau monsieur madame mme mlle senor senora"
    " senorita signor signora".split()
)
"""Forms of address that go with the name."""

TITLES = COURTESY | frozenset(
    "doctor sir reverend rev rabbi imam captain senator coach auntie aunt uncle dona".split()
)
"""What stands before a name only."""

SHOWN_TITLES = TITLES - frozenset("miss coach captain doctor sir aunt uncle imam frau".split())
"""Titles that announce a name in lower case too."""

PARTICLES = frozenset(
    "van von der den de la le del della di da dos das do du el al bin ibn y".split()
)

ROLES = frozenset(
    """
    abuela abuelo ami amie amiga amigo assistant aunt author boss boyfriend brother bruder buddy
    captain chair chairman chairwoman champion classmate coach colega colleague colleagues collegue
    cousin coworker dad daughter editor esposa esposo evaluator father femme fiance fiancee fille
    founder frere freund freundin friend girlfriend godfather godmother grammarian granddaughter
    grandfather grandma grandmother grandpa grandson guest hermana hermano hija hijo host husband
    kollege kollegin leader madre manager mann mari member mentee mentor mere mom mother mum mutter
    neighbor neighbour nephew niece nurse oma onkel opa padre pal partner pastor pere presenter
    president priest principal roommate schwester secretary sister soeur sohn son speaker sponsor
    stepdaughter stepfather stepmother stepson student supervisor tante teacher teammate tia timer
    tio toastmaster tochter treasurer tutor twin uncle vater wife winner
    """.split()
)
"""What people are to each other: a name may follow."""

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
    "told tell asked ask thanked thank married hugged introduce introduced introducing".split()
)
CALLED = frozenset(
    "called phoned texted emailed married hugged kissed adored believed trusted helped lost".split()
)
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

    african american arab asian australian black brazilian british buddhist canadian catholic
    chinese christian danish democrat democratic dutch english european finnish french german greek
    hindu indian irish italian japanese jewish korean latin mexican muslim norwegian pakistani
    polish portuguese protestant republican russian scottish spanish swedish swiss turkish ukrainian
    welsh white
    """.split()
)
"""Capitalised or not, no pattern makes a name of these."""

PLACES = frozenset(
    """
    afghanistan africa alabama alaska albania alberta algeria america amsterdam antarctica apollo
    argentina arizona arkansas asia athens atlanta atlantic australia austria baghdad bangalore
    bangkok bangladesh barcelona beijing beirut belfast belgium berlin birmingham bolivia boston
    brazil brexit brighton bristol britain broadway brussels budapest bulgaria cairo calcutta
    california cambodia cambridge canada chicago chile china cincinnati cleveland cologne colombia
    colorado columbia connecticut copenhagen croatia cuba damascus delaware delhi denmark denver
    detroit dubai dublin ecuador edinburgh egypt england estonia ethiopia europe finland florida
    france frankfurt geneva germany ghana glasgow greece guatemala hamburg harvard havana hawaii
    heathrow helsinki hollywood honolulu houston hungary iceland idaho illinois indiana indonesia
    iowa iran iraq ireland istanbul italy jamaica japan jerusalem johannesburg jupiter kansas
    karachi kentucky kyoto lagos lebanon leeds leicester libya lisbon lithuania liverpool louisiana
    luxembourg lyon madrid maine malaysia malta manchester manhattan mars marseille maryland
    massachusetts mecca melbourne memphis mercury mexico miami michigan minneapolis minnesota
    mississippi missouri montana montreal morocco moscow mumbai munich nairobi naples nebraska nepal
    netherlands nevada newcastle nigeria norway oakland ohio oklahoma oregon oslo ottawa oxford
    pacific pakistan palestine panama pennsylvania peru philadelphia philippines pittsburgh poland
    portland portugal prague princeton quebec romania rome russia sacramento sahara saturn
    scandinavia scotland seattle seoul serbia shanghai singapore slovakia slovenia somalia spain
    stanford stockholm sudan sweden switzerland syria taiwan tanzania tehran tennessee texas
    thailand tokyo toronto tunisia turin turkey uganda ukraine utah vancouver venezuela venice venus
    vermont vietnam wales warsaw washington wisconsin wyoming yale zagreb zambia zimbabwe zurich
    """.split()
)

BRANDS = frozenset(
    """
    adobe airbnb alexa alibaba alphabet amazon amtrak android anthropic apple bbc bitcoin bloomberg
    boeing chanel chatgpt cisco cnn cocacola congress costco critics disney ebay excel experts
    facebook fedex fifa ford gallup gemini github gmail goldman google gpt headquarters history
    honda ibm ikea instagram intel iphone kodak legend lego lehman linkedin lufthansa mcdonalds
    mercedes meta microsoft nasa nato netflix nike nokia nvidia openai oracle outlook parliament
    paypal pepsi pfizer pixar research reuters rotary samsung sap science scientists senate shell
    siri skype slack sony spotify starbucks suzuki ted tesla tiktok toyota tradition twitter uber
    ubs unesco unicef verizon volkswagen walmart wells whatsapp whisper wikipedia xerox yahoo
    youtube zoom
    """.split()
)

INSTITUTIONS = frozenset(
    """
    academy act agency airlines airport arena association ave avenue award awards bakery bank banks
    bay beach boulevard bowl bridge bros brothers building cafe canyon castle cathedral cemetery
    center centre chapel chocolates church city clinic club co college company consulting corp
    corporation county creek crescent cup day department desert disease district drive effect
    elementary enterprises equation estate falls forest foundation fund games garden gardens gmbh
    group hall harbor harbour highway holdings hospital hospitals hotel house inc industries inn
    institute institution island islands lab laboratories laboratory labs lake lane law library llc
    ltd market medal medical memorial monument mosque motors mount mountain mountains museum
    observatory palace park partners peninsula pharmaceuticals pier plaza port press primary
    principle prize province rd records republic restaurant river road school shop society sons
    springs square st stadium state station store stores street syndrome temple terrace territory
    theater theatre theorem theory tower towers town trust tunnel university valley zoo
    """.split()
)
"""What makes a place or an organisation of the capitalised words before it."""

LOWER_INSTITUTIONS = frozenset(
    "street avenue boulevard airport hospital university college cathedral foundation stadium"
    " cemetery elementary river".split()
)
"""Those that do so in lower case too."""

SURNAMES_TOO = frozenset(
    "park church lake hall banks rivers street lane hill house day law drive bridge hospital garden"
    " forest castle town".split()
) - {"hospital"}
"""Institutions that are surnames where someone is introduced: my colleague Tom Church."""

PLACE_BEFORE = frozenset(
    "saint st sainte ste sankt san santa santo sao mount mt lake fort cape port puerto rue calle"
    " avenida via plaza piazza hurricane storm typhoon camp university college hotel".split()
)
LOWER_PLACE_BEFORE = frozenset("saint st san santa santo sao mount hurricane".split())

LOCATIVES = frozenset(
    "in from near around across outside through throughout toward towards inside downtown visit"
    " visited visiting leaving reached greater northern southern eastern western north south east"
    " west central into via at".split()
)
MOTION = frozenset(
    """
    back came come coming drive driving drove emigrated flew flight flown fly flying go goes going
    gone journey move moved moving next relocated return returned road train travel traveled
    travelled trip way welcome went
    """.split()
)

DATE_NAMES = frozenset("may april june august".split())
DATE_BEFORE = frozenset(
    "in since until till by last next this every early late mid of during before after for from and"
    " or to".split()
)

ORGANISATIONS = frozenset(
    tuple(phrase.split())
    for phrase in """
    johns hopkins/wells fargo/morgan stanley/mercedes benz/louis vuitton/calvin klein/ralph lauren
    harley davidson/tommy hilfiger/john deere/trader joe/jack daniel/ernst young/carnegie mellon
    johnson johnson/ben jerry/levi strauss/uncle sam/jp morgan/merrill lynch/charles schwab
    eli lilly/dolce gabbana/marks spencer/jimmy choo/warner bros/procter gamble/papa john
    william mary/victoria secret/dr pepper/stanley cup/oscar night/rolls royce
    """.replace("\n", "/").split("/")
    if phrase.split()
)
"""Organisations that are named after people and say so by nothing else."""

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

AFTER_ORDINARY = frozenset(
    "you we they he she it i the this that these those my your our his her their there a an anyone"
    " someone somebody anybody everyone anything something of to for in on with not be".split()
)
"""What follows an everyday word that begins a sentence: Will you, May we, Mark my words."""

NOT_NAME_ENDINGS = ("tion", "ness", "ment", "ings", "ists", "ians", "ship", "ology")
NATIONAL_ENDINGS = ("ian", "ean", "ish", "ese")

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
