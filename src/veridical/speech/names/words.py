"""Words that decide whether something is a person's name. Keys as `names.text.name_key` makes them.

Each list is the one place for its words.
"""

from __future__ import annotations

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

KIN = frozenset(
    """
    aunt boss boyfriend brother buddy colleague cousin coworker dad daughter father fiance fiancee
    friend girlfriend grandfather grandma grandmother grandpa grandson granddaughter husband mentor
    mom mother mum neighbor neighbour nephew niece partner roommate sister son teammate twin uncle
    wife
    """.split()
)
"""Those of them behind which an unknown word is a name in a text without capitals."""

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

PRONOUNS = frozenset(
    """
    anybody anyone anything each every everybody everyone everything he her him his i it its me mine
    my no nobody one our ours she some somebody someone something that the their them there these
    they this those us we what where which who whose you your yours yourself a all an any both how
    another when
    """.split()
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
