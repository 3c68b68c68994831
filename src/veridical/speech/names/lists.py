"""Known names of people, places and organisations. Keys as `names.text.name_key` makes them.

A modest list of our own, over many cultures. It need not be complete: unknown names are found by
how people introduce, thank and address each other, and a user can list more.
"""

from __future__ import annotations

GIVEN_NAMES = frozenset(
    """
    aaliyah aaron abbas abdallah abdul abdullah abdulrahman abel abena abhishek abigail abraham
    achim ada adaeze adalyn adam addison adebayo adele adelina adenike adina aditi aditya adnan
    adrian adriana adrien afonso agata agatha agnes agnieszka agustin ahmad ahmed ahmet aida aidan
    aiko aileen ainhoa aino aisha aishwarya aisling aiyana ajay ajit akash akihiko akiko akira
    akosua akram akua alaa alain alan alana alba albert alberto alec alejandra alejandro aleksander
    aleksandra aleksei alena alessandra alessandro alessia alessio alex alexander alexandra
    alexandre alexei alexey alexia alexis alfonso alfred alfredo ali alice alicia alina alisa alisha
    alison alistair allan allison alondra aloysius alphonse althea alva alvaro alyssa amal amanda
    amandine amani amara ambrose amelia amelie amina aminata amir amira amit amos amrita amy ana
    anand ananya anastasia anaya anders andre andrea andreas andreea andrei andres andrew andrey
    andrius andrzej aneta angela angelica angelina angelique angelo angus anik anika anil anisa
    anita anja anjali anke ann anna annabel anne anneke anneliese annelise annemarie annette annie
    annika anouk ansel anthea anthony antoine antoinette anton antonella antonia antonin antonio
    anush anya aoife aparna aram aranza archana archie ariana arianna ariel arif aristide arjun
    arlene arlo armand armando armin arnaldo arnaud arnav arne arnold artem arthur arturo arun arvid
    arvind asha ashley ashok asim aslan asmaa assia astri astrid asuka atsuko atticus aubrey aude
    audrey augustine augusto aurelia aurelie aurelien aurelio ava avery avi axel ayaka ayan ayanda
    ayesha aylin ayodele ayse aysha ayumi azadeh aziz babatunde baptiste barbara barbora barnaby
    barney bartosz bashir bastian bautista beata beatrice beatrix beatriz becky belinda benedetta
    benedikt benicio benjamin benny benoit berit bernadette bernard bernardo bernd bernice bertha
    beth bethan bethany bettina betty beverly bharat bhavna bianca bilal birgit bjorn blanka bodil
    bogdan bogumila bojan bonnie boris borja boubacar bozena braden brady brandon branko braulio
    breanna brenda brendan brennan brent bret brian brianna bridget brielle brigid brigitte britta
    brittany bronwen bronwyn bryan brynn byron caitlin caleb callum cameron camila camille camilo
    candice carina carl carla carlos carlotta carlton carmela carmen carmine carole caroline carolyn
    carsten cassandra cassidy cassius catalina catarina caterina catherine cathy catriona cayetano
    cecile cecilia cecily cedric celeste celia celina celine cesar chaim chandra chantal charlene
    charles charlie charlotta chaya chelsey cheryl chester chiamaka chiara chidi chinedu chinonso
    chioma chiyo chloe chris christa christel christiane christina christine christoph christophe
    christopher christos chuka chukwudi chun ciara cillian cindy cinzia claire clara clarence
    clarissa clarisse claude claudette claudia claudine claudio clelia clemens clementine clifford
    clive clyde colette colin colleen colm conall concetta connie connor conor constantin consuelo
    cordelia corentin corey corinne cormac cornelia cornelius corrado cosima courtney craig cristian
    cristina curtis cynthia cyril daan dafne dafydd dagmar dagny dahlia daisuke dalia damaris damian
    damien damir damon dana danica daniel daniela danielle danilo danna danny daphne daria dario
    darius dariusz darlene darnell darrell darren darya dashiell dave david davide dayana dayo
    deandre deanna deanne debbie debora deborah declan deepa deepak deirdre delphine delroy
    demetrius denis denise deniz dennis denzel derek desmond devi devin dhruv diana diane diarmuid
    didier diederik diego dieter dietmar dilek dilip dilnoza dimitri dimitrios dina dinesh dionne
    dipti dirk divya dmitri dmitry dominic dominik dominika dominique donal donald donatella donna
    donovan doreen dorian doris dorotea dorothea dorothy douglas dragan duarte duncan dunja dusan
    dustin dwayne dwight dylan eamon eamonn ebba ece edgar edison edith edmund edna edouard eduardo
    edvard edward edwin edwina efosa efrain efua egon eileen eilidh einar eirik eitan eka ekaterina
    ekow elaina elaine eleanor elena eleni eleonora elhadj eliana elias elif elijah elina elio elisa
    elisabeth elise eliska eliza elizabeth elke ella ellen ellie elliot elliott elmer elodie eloisa
    eloise elsa elsie elvira elwood emanuel emanuele emeka emeline emerson emi emiko emil emilia
    emiliano emilie emilio emily emine emir emma emmanuel emmeline emre ena endre enid enrico
    enrique enzo eoin erez eric erica erich erik erika erin ernestine ernesto errol erwin esmeralda
    esra esteban estefania estela estelle esther ethan etienne etta euan eugene eugenia eugenio
    eunice eva evan evangeline evelina evelyn everett ewa ewan ezekiel ezra fabian fabio fabrice
    fadi faisal farah farhan farid farouk fatima fatimah fatma fatou fausto fawzia faye federica
    federico felicia felicitas felicite felicity felipe ferdinand fergus fernanda fernando ferran
    fikret filip filippo fintan fiona flavia flavio florencia florent florian folake folasade fran
    franca francesca francesco francine francois francoise franz frauke freddie frederic frederick
    frederik freya frida frieda friederike friedrich fritz frode fumiko gabriel gabriela gabriele
    gabriella gabrielle gaetan gaetano gaia galina ganesh gareth garrett gaspard gaurav gauthier
    gavin gemma genevieve gennaro geoff geoffrey george georges georgina georgios geraint gerald
    geraldine gerard gerd gerhard germaine gerrit gertrude ghada giacomo gianluca gianna gideon
    gilbert gilberto giles gillian gina ginevra gino giorgio giovanna giovanni gisela gita giulia
    giulio giuseppe gladys glenda gloria godfrey godwin gonzalo gopal goran gordon graciela graham
    greer greg gregor gregorio gregory greta gretchen grigory griselda grzegorz guadalupe gudrun
    guido guilherme guillaume guillermo gulsen gunilla gunnar gunther gurpreet gustav gustavo gwen
    gwendoline gwendolyn gwyn gwyneth habib hadi hadiza hadley hakan hakeem hakim haley halima halle
    hamid hamza hana hanna hannah hanne hannes hanno hans harald hari harish harlan harold harpreet
    harriet hartmut haruka haruki haruko harvey hasan hassan havard hayley hector hedda hedwig hege
    heidi heidrun heike heiko heinrich heinz helen helena helene helga helmi helmut heloise hendrik
    henning henri henrietta henrik henry herbert herman hermann herve hideki hideo hikaru hilary
    hilda hilde hildegard himanshu hinata hiroko hiroshi hitomi hoda holger hollis horst hortense
    howard hubert huda hugh hugo humphrey husain huseyin hussein iago ian ianthe ibrahim ibrahima
    ida idris ifeoma ignacio ignatius igor ihsan ikechukwu iker ikram ilaria ilia ilona ilse ilya
    iman imani imogen imran inaki inbal inderjit ines inga inge ingeborg ingrid ingrun inigo ioan
    ioana ioannis iolanda iqbal irena irene irfan iria irina irma isaac isabel isabella isabelle
    isadora isaiah isaias iseult ishaan ishita isidore ismail isolde istvan itamar itziar ivan ivana
    ivar ivo ivonne iwona izabela jaakko jacek jacinta jacinto jackie jacob jacqueline jacques jada
    jadwiga jaida jaime jairo jakob jakub jalen jamaal jamal james jameson jamie jamila jana janae
    janek janelle janet janice janina janis jannik janusz jared jaromir jaroslav jarrod jason
    jaswinder javed javier jaya jayden jayla jayne jeanette jeannette jeannie jedediah jeff jeffrey
    jelena jelle jemima jenifer jenna jennie jennifer jenny jens jeong jeremiah jeremy jerome jerzy
    jessica jessie jiho jill jimena jimmy jiri jitka joachim joakim joanna joanne joao joaquin
    jocelyn jochen jody joel joelle joerg johan johann johanna johannes john johnathan johnny
    jolanda jolene jon jonas jonathan jorg jorge jorgen jose josef josefina josefine joseph
    josephine joshua josie josue jovana joyce juan juana juanita judit judith judy jules julia
    julian juliana juliane julie julien juliet juliette julio julius juma junichi junko jurgen
    justin justine justyna jutta kabir kaede kahlil kai kaito kalpana kamal kamala kamila kamran
    kanako kaoru kara kareem karen karim karin karina karl karla karolina karthik kasia kasper
    katarina katarzyna kate katerina kateryna katharina katherine kathleen kathrin kathryn kathy
    katie katja katrin katrina katsuki katya kaveh kavita kavya kayla kaylee kazuki kazuko keanu
    keegan keiko keira keisha keith kelechi kellen kelly kemal kendra kendrick kenji kenneth kenny
    kenta kerem keren kerry kerstin keshia ketan kevin keziah khadija khaled khalid khalil kian
    kiara kieran kimberley kimberly kimiko kiran kirk kirsi kirsten kirsty kiyoshi klara klaudia
    klaus knut kofi kohei koji kojo konrad konstantin kostas kris krishna krista kristen kristi
    kristian kristin kristina kristof krystal krzysztof kseniya kunal kurt kurtis kwabena kwaku
    kwame kwesi kyle kylie kyoko lachlan laila lakshmi lalita lamar lamine lana laney lani lara
    larissa larry lars lasse laszlo latisha latoya laura lauren laurence laurent lauri lauryn
    lavinia lawrence layla leah leandra leandro leda leif leighton leila leland lena lennart lennox
    lenora leo leon leonard leonardo leonel leonid leonie leonor leonora leopold leopoldo leroy
    leslie leticia levi lewis liam liana lidia lidija liesel lieselotte lila lilian liliana lillian
    lina linda lindiwe lindsay lindsey linnea linus lionel lior lisa lisbeth liselotte liv livia
    liza lizzie ljiljana ljubica logan loic lois lorena lorenzo loretta loris lorraine lothar lotte
    louis louisa louise lourenco lowri luan luc luca lucas lucca lucia luciana luciano lucie lucien
    lucinda lucio lucretia lucy ludmila ludovic ludovica ludwig luigi luis luisa luka lukas lukasz
    lukman lulu lupita lutz lydia lyle lynn lyra lyudmila mabel maciej maddie madeleine mads mael
    maeve magda magdalena magnus mahesh mahmoud mahnoor maia mairead maisie maite maja makoto malak
    malala malcolm malgorzata malik malin mallory malte mamadou mandy manfred manish manoj manolo
    manon manpreet mansour manuel manuela mara marcel marcela marcelina marcella marcello marcelo
    marcia marcin marco marcos marcus mareike marek maren margaret margarita margaux margit margot
    marguerite maria mariaelena mariam mariana marianne mariano maribel marie mariel marietta marija
    marika marilyn mario marisa marisol marissa marit marita marius mariusz marjolein marjorie marko
    markus marlene marlon marta martha martijn martin martina marvin mary maryam maryann maryna
    masako masha massimiliano massimo mateo mateus mateusz mathias mathieu mathilde matias matilda
    matteo matthew matthias matthieu maud maura maureen maurice mauricio mauro maxime maximilian
    maximiliano maximo maxine maya mayra mbali meera megan mehdi mehmet melanie melina melinda
    melissa melvin meredith merete merle mervyn meryem meryl mette miah micaela micah michael
    michaela michal micheal michel michele michelle michiko midori miguel miguelina mihaela mikael
    mikaela mikhail miki mikko mila milena milica millicent millie milo milos milton mimi mina
    minato mindy minh minna mirela miriam mirko miroslav misha mitchell mitra mitsuko mohamed
    mohammad mohammed mohan mohit mohsen moira moises monica monika monique morgane morten moses
    moshe moustapha muhammad muriel murray mustafa mustapha mylene myles myra myriam myrna myrtle
    nabil nader nadezhda nadia nadim nadine nadja naim najwa nanami nancy nandini nanna naoki naoko
    naomi narendra narges nasir nasreen nasser natalia natalie nataliya natasha nathalie nathan
    nathanael nathaniel naveed naveen navid nawal nayeli neel neha neil nelly nelson nestor nettie
    nevena neville ngoc ngozi nia niamh nicanor nichola nicholas nicholle nicky nico nicola nicolas
    nicole nicolette niels nigel nigora nikhil nikita niklas nikola nikolai nikolaos nikolas nils
    nilufar nina nino nisha nisreen nitin nkechi nkosi noah nobuko noel noelia noelle noemi noemie
    nokuthula nola nolan noor noora nora norah norbert noreen noriko norma norman norris noura nuno
    nura nuria nyasha oana obinna oceane octavio odalys odette odile odin oisin oksana ola olaf oleg
    oleksandr olena olga oliver olivia olivier olu olumide oluwaseun oluwaseyi omar omari onur orhan
    oriana orsolya orville osagie oscar oskar osman oswald othman otieno ottavia ottilie otto
    ottoline ousmane owen ozan pablo padma paloma pamela pankaj paola paolina paolo parisa parvati
    pascal patrice patricia patrick patrik patrizia patryk paul paula paulette paulin paulina
    pauline paulo pavel pawel payal payton pedro peggy penelope pernille perrine petar peter petr
    petra petronella petros phil philip philipp philippa philippe phillip philomena phoebe phyllis
    pia pierre pieter pietro pinar piotr piyush polina pooja porfirio prabhakar pradeep prakash
    pranav pranay prasad prashant pratik preeti prisca priscila priscilla priya priyanka qasim
    quentin rabia rachael rachel rachid radek radha radka radoslaw rafael rafaela rafal rafiq raghav
    ragnar ragnhild rahul raina raj rajeev rajesh rajiv raju rakesh ralf ralph ramesh ramiro ramon
    ramona ramya randall rania ranjit raoul raphael raquel rasheed rashid rashida rasmus raul ravi
    raymond raymundo raynard razvan rebecca reece reem reena refilwe reiko reilly reina reinaldo
    reiner reinhard rekha remy renata renate renato rene renee reuben reyna rhea rhiannon rhoda
    rhona rhonda rhys rian ricarda ricardo riccardo richard rico risa rishi rita ritika ritu ritva
    riya roald robbie robert roberta roberto robyn rocco rocio roderick rodney rodolfo rodrigo
    rogelio roger rohan rohit roisin roland rolando rolf romain romana romy ronald ronan ronda ronja
    ronnie rosalia rosalie rosalind rosalyn rosanna rosaria rosemarie rosie roslyn ross roxana
    roxanne roya ruben rudi rudolf rufus runa rupal rupert rute rutger ruth ryan ryo sabine sabrina
    sabrine sachiko sachin sadia sadie saeed sahar sajid sakina sakura salim salma salman salome
    salvatore samaira samantha samara sami samir samira sampson samson samuel sana sanaa sandeep
    sander sandra sandro sanja sanjana sanjay sanna santino santosh saoirse sara sarah sarai sarita
    sascha sasha saskia satoshi satya saverio scott sean sebastian sebastien segun selena selim
    selma semra senan serena serge sergei sergey sergio serhiy seth seung severine shabnam shahid
    shamika shanelle shania shankar shannon shantel shaquille sharif sharmila sharon shaun shauna
    shawn shay shayla sheena sheila sheldon shelley sherrie sherry shinji shiori shira shirin
    shirley shivani shoshana shreya shruti shyam sibylle siddharth sidney sidra siegfried sigrid
    sigrun sigurd silas silke silvana silvia silvio simon simona simone simran sinead siobhan sipho
    siti sixten skylar slavko slobodan smita sneha sofia soledad solene solomon solveig sonali
    sondra sonia sonja sophia sophie soraya sorcha soren sota souad spyros stacey stacy stanislav
    stanley stavros stefan stefani stefania stefano steffen steffi stelios stephan stephane
    stephanie stephen stephon steve steven stig stuart subhash subramaniam sudha sufian sujata suman
    sumaya sumit sunanda sunil sunita suren suresh susan susanna susanne susie suzanna suzanne
    suzette sven svenja sverre svetlana swapnil swati sybil sybille syed sylvain sylvester sylvia
    sylvie tabitha tadeusz taha tahir taina taiwo takashi takeshi takumi talia tallulah talya tamar
    tamara tamas tamika tamsin tania tanisha tanja tanvi tanvir tanya tapio tara tarek tariq tarun
    taryn tasha tasneem tatiana tatsuya tayo tekla temi temitope tendai teodor teodora terence
    teresa teresita teri terrance terrence terry thabo thaddeus thais thandi thandiwe thea thekla
    theo theodor theodora theodore theresa therese thiago thibault thierry thijs thilo thom thomas
    thora thorben thorsten tiago tiana tiberiu tiberius tiffany tilda tillie tim timea timo timon
    timothy timur tina tinashe tiziana tobiah tobias tobin todd tolga tom tomas tomasz tomi tomislav
    tomoko toni tonia tony tonya torben torsten toru tove tracey tracie tracy travis trevor tristan
    trond trudie trudy tsering tunde tuomas turgut tyrone ubaldo uchenna ulf ulla ulrich ulrike umar
    umut unai uriah uriel ursel ursula usha uwe uzma vaclav vadim valentin valentina valeria valerie
    valeriy vanessa vanja varun vasil vasiliki vasily vaughn veena velma venkat verena verna vernon
    veronica veronika vesna vicente vicky viggo vijay vijaya vikas vikram viktor viktoria vimal
    vinay vince vincent vincenzo vinicius vinod violeta violetta virginie vishal vito vitor vittoria
    vittorio vivek vivian viviana viviane vivienne vlad vladimir vladislav vojtech volker vusi wafa
    wahid waldemar waleed walter waltraud wambui wanda wangari wanjala wanjiru warren warwick wasim
    wassim wayne wenceslas wendell wendy werner wiebke wilbur wilfred wilfried wilhelm wilhelmina
    william wilma wilson wim winfried winifred winnie winston wiremu wladyslaw wojciech wolfgang
    wyatt xander xanthe xavier xenia xiaolu ximena xiomara xochitl yaa yael yahya yair yakov yanira
    yannick yara yaroslav yash yasir yasmin yasmine yasuko yasuo yehuda yesenia yetunde yevgeny
    yiannis yitzhak ylva yogesh yoko yolanda yolande yosef yoshiko yosuke younes yousef yousra yuki
    yuko yuliya yumiko yuri yuriko yusra yusuf yuta yuval yves yvette yvonne zac zachary zahra zaid
    zain zainab zaira zaki zander zanele zara zayn zbigniew zdenek zdenka zelda zena zenobia zev
    zeynep zhanna ziad zina zita ziva zlatan zoe zoey zofia zofka zohra zoltan zora zoran zsofia
    zuri zuzana zuzanna
    """.split()
)

VERB_LIKE = frozenset(
    "will may drew rose chase sue grant mark art rich don chip josh rob ward wade norm drake lance"
    " red hunter can pat peg val sol star sky winter summer river reed sage noble max les al jan"
    " april august june bill hope".split()
)
"""Word names that no pattern makes names of in lower case unless it says "my name is"."""

THING_LIKE = frozenset(
    "star sky red river summer winter autumn rich justice art trinity harmony melody aurora angel"
    " candy cherry coral crystal destiny eden flora ginger holly honor hope ivy jade laurel lily"
    " olive opal pearl rose ruby violet willow sage rocky sunny grant noble sterling roman nova"
    " luna aria ford lincoln june may april august victor".split()
)
"""Word names that begin names of things too (Rose Garden): people only before a known surname."""

WORD_NAMES = THING_LIKE | frozenset(
    """
    abby adelaide al alma amber amin basil bella ben bert bill billy blanche bob bobby brad brook
    brooke bruce bruno buck bud carol casey chad charity chase chip christian chuck clay clement
    cliff cole daisy dale dan dawn dean devon dexter dick dolly dolores don dora dot drake drew duke
    earl eddie ernest eve faith felix fern frances francis frank franklin fred gail gale garth gary
    gene glen glenn grace guy hank harper harrison harry hazel heath heather herb hunter iris isla
    jack jake jan jane jasmine jasper jay jean jerry jesse jewel jim jo joan joe josh joy kelvin kit
    lance lane lee les lola lou luke mae marc marin marina mark marsha marshall mason mats matt max
    maxim mercy merry mia mickey mike miles molly nat ned nell nick nikki norm paige pat patience
    patty paz peg penny percy perla pete pilar pip piper polly poppy quinn raven ray reed reggie rex
    rick ricky riley rob robin rod ron rory rosa rosario rosemary rowan roy russell rusty sally sam
    sandy saul scarlett shane shelly skye sol sonny spencer stella sue tad taylor tess tessa tia
    tish toby troy tucker tyler val vera viola wade wallace wally ward wes wesley will wolf wren
    zack zen
    """.split()
)
"""Given names that are words of their own too: names only where the sentence says so."""

PLACE_NAMES_OF_PEOPLE = frozenset(
    """
    alexandria austin brooklyn carolina charlotte chelsea cheyenne dakota dallas florence georgia
    houston india israel jackson jordan kenya london lourdes madison milan orlando paris phoenix
    preston santiago savannah sienna sydney valencia victoria vienna virginia
    """.split()
)
"""Given names that are places too."""

SURNAMES = frozenset(
    """
    abbott abdi acosta adams adeyemi aguilar ahmed akhtar ali allen alonso alvarez andersen anderson
    andrade armstrong arnold ashworth bailey banerjee barbosa barnes bauer becker begum bennett
    bergmann bernard bianchi black blanco boateng brown bryant burns cabrera campbell carter
    castillo castro chan chang chatterjee chaudhary chavez chen cheng choi chopra chowdhury clark
    cohen coleman collins colombo contreras cooper costa cox cruz davies davis delgado desai diallo
    dias diaz dominguez dubois dupont edwards eriksson esposito evans fernandes fernandez ferrari
    ferreira fischer flores foster fournier garcia garrido gibson gomes gomez gonzales gonzalez
    graham greene griffin guerrero gupta gutierrez guzman hall hamilton hansen hansson harris hassan
    hayes henderson hernandez herrera hoffmann huang hughes hussain hussein ibrahim ito ivanov iyer
    jackson jansen jenkins jensen jimenez johansson johnson jones joshi kang kapoor kaur kelly khan
    kim klein kobayashi koch kowalski krause kumar kuznetsov larsen larsson laurent lefebvre lehmann
    leroy lewis liu lopes lopez mahmoud malik marino marquez martinez martins mbeki mccarthy
    mcdonald mehta mendes mendez mendoza meyer miller mitchell molina morales moreau moreno morgan
    morris mueller muller munoz murphy murray nair nakamura narayan navarro nelson nguyen nielsen
    novak nowak nunez obrien oconnor okafor okonkwo oliveira olsen olsson ortega ortiz osei owens
    park parker patel pereira perez peters petersen peterson petrov pham phillips pillai popescu
    popov powell price ramirez ramos rao reddy reyes reynolds ribeiro ricci richardson richter
    rivera roberts robinson rodrigues rodriguez rojas romano romero rossi rousseau ruiz russo ryan
    salazar sanchez santos sato schmidt schneider schroeder schulz schulze schwarz shah sharma silva
    simmons simpson singh smirnov smith soto sousa stewart sullivan suzuki svensson takahashi tanaka
    taylor thomas thompson torres tran turner vargas vasquez vazquez verma vogel wagner walker wang
    washington watson weber werner white williams wilson wong wright wu yadav yamamoto yang yilmaz
    zhang zhao zhou zimmermann
    """.split()
)
"""Surnames that are taken along where they follow a given name in lower case."""


PLACES = frozenset(
    """
    aberdeen abuja accra adelaide afghanistan africa alabama alaska albania alberta aleppo algeria
    algiers almaty america amsterdam anchorage andorra angola ankara antarctica antwerp apollo
    arabia argentina arizona arkansas aruba asia athens athlone atlanta atlantic auckland australia
    austria aviv azerbaijan baghdad bahamas bahrain baku bali baltimore bangalore bangkok bangladesh
    barbados barcelona basel basra beijing beijing beirut belarus belfast belgium belgrade belize
    benin bergen berlin bern bhutan bilbao birmingham blackpool bogota bolivia bologna bolton
    bordeaux bosnia boston botswana bournemouth bradford brasilia bratislava brazil bremen brexit
    brighton brisbane bristol britain brno broadway bruges brunei brussels bucharest budapest
    buffalo bulgaria burgundy burundi cairo calais calcutta calgary california cambodia cambridge
    cameroon canada canberra canterbury caracas cardiff caribbean casablanca chengdu chennai
    chernobyl chicago chile china chisinau cincinnati cleveland cologne colombia colombo colorado
    columbia congo connecticut copenhagen cordoba cork cornwall coventry crimea croatia cuba cyprus
    daegu dakar dalian damascus darwin delaware delhi denmark denver detroit dhabi dhaka djibouti
    doha dominica donetsk dortmund dresden dubai dublin durban dusseldorf ecuador edinburgh egypt
    eindhoven england eritrea essex estonia ethiopia europe exeter fiji finland florida france
    frankfurt freetown galway gambia gaza gdansk geneva genoa germany ghana ghent gibraltar glasgow
    gothenburg granada graz greece grenada grenoble guam guangzhou guatemala guinea guyana haiti
    halifax hamburg hangzhou hanoi hanover harare harbin harvard havana hawaii heathrow helsinki
    hiroshima hobart hollywood honduras hong honolulu houston huddersfield hungary hyderabad ibadan
    ibiza iceland idaho illinois indiana indonesia innsbruck inverness iowa iran iraq ireland
    islamabad istanbul italy izmir jakarta jamaica japan jeddah jersey jerusalem johannesburg juneau
    jupiter kabul kampala kansas karachi kathmandu kazakhstan kentucky kharkiv khartoum kiev kigali
    kinshasa kolkata kong kosovo krakow kuala kuwait kyiv kyoto kyrgyzstan lagos lahore lanka laos
    las latvia lausanne lebanon leeds leicester leipzig lesotho liberia libreville libya lille
    lisbon lisburn lithuania liverpool ljubljana lome los louisiana louisville luanda lucknow lumpur
    lusaka luxembourg luxor lviv lyon macau macedonia madagascar madrid maine mainz malawi malaysia
    maldives mali malmo malta managua manchester manhattan manila mannheim maputo marrakesh mars
    marseille maryland massachusetts mauritania mauritius mecca melbourne memphis mercury mersey
    mexico miami michigan middlesbrough milwaukee minneapolis minnesota minsk mississippi missouri
    mogadishu moldova monaco mongolia montana montenegro montevideo montpellier montreal morocco
    moscow mozambique mumbai munich muscat myanmar nagasaki nagoya nairobi namibia nanjing nantes
    naples nashville nebraska nepal netherlands nevada newark newcastle nicaragua nicosia niger
    nigeria norway norwich nottingham nuremberg oakland odessa ohio oklahoma omaha oman oregon
    orleans osaka oslo ottawa oxford oxfordshire pacific pakistan palermo palestine panama paraguay
    pennsylvania perth peru philadelphia philippines phnom pittsburgh plovdiv plymouth poland
    portland porto portsmouth portugal potsdam poznan prague pretoria princeton pune pyongyang qatar
    quebec queensland quito rabat rangoon reykjavik riga rijeka riyadh romania rome rotterdam russia
    rwanda sacramento sahara saigon salisbury salzburg samoa sarajevo saskatoon saturn saudi savoy
    scandinavia scotland seattle senegal seoul serbia seville seychelles shanghai sheffield shenzhen
    siberia sicily singapore skopje slovakia slovenia somalia southampton spain springfield
    srebrenica stalingrad stanford stockholm strasbourg stuttgart sudan suez suriname surrey swansea
    swaziland sweden switzerland syria tacoma taipei taiwan tajikistan tallinn tampa tampere
    tanzania tasmania tbilisi tehran tenerife tennessee texas thailand thessaloniki tibet tijuana
    timbuktu tirana togo tokyo tonga toronto toulouse trieste trinidad tripoli tucson tunis tunisia
    turin turkey turkmenistan turku tuscany uganda ukraine uppsala uruguay utah utrecht uzbekistan
    vancouver vatican vegas venezuela venice venus vermont vietnam vilnius vladivostok volgograd
    wales warsaw washington wellington winnipeg wisconsin wolverhampton wroclaw wuhan wyoming yale
    yemen yerevan yokohama york yorkshire zagreb zambia zanzibar zealand zimbabwe zurich
    """.split()
)
"""Countries, states and large cities that are hardly ever somebody's given name."""

BRANDS = frozenset(
    """
    accenture adidas adobe aeroflot airbnb airbus aldi alexa alibaba allianz alphabet amazon amtrak
    android anthropic apple audi barclays basf bbc bloomberg bmw boeing bosch bundesbank burberry
    cadbury canva carrefour caterpillar chanel chatgpt chevron chrysler cisco citibank citigroup cnn
    cocacola comcast costco deepmind dell deloitte deutschebank disney dropbox ebay emirates
    ericsson etsy excel exxon facebook fedex ferrero fiat ford gallup gazprom gemini gillette github
    glaxo gmail goldman google gpt grammarly groupon gucci heineken hermes hilton hitachi honda hsbc
    hulu hyatt hyundai ibm ikea infosys instagram intel iphone jaguar kellogg kickstarter kodak kpmg
    lego lehman lenovo lexus linkedin lloyds loreal lufthansa lyft maersk marriott mastercard mazda
    mcdonalds mckinsey mercedes meta michelin microsoft mitsubishi monsanto motorola natwest nestle
    netflix nike nikon nintendo nissan nokia novartis nvidia openai oracle outlook panasonic paypal
    peloton pepsi petrobras peugeot pfizer philips pinterest pixar porsche prada primark qantas
    qualcomm reddit renault reuters roche rolex ryanair safeway sainsburys salesforce samsung sanofi
    santander sap shell shopify siemens siri skoda skype slack snapchat sony spacex spotify
    starbucks stripe subaru suzuki target tencent tesco tesla tiktok toyota twitch twitter uber ubs
    unilever verizon vimeo visa vodafone volkswagen volvo walmart wells whatsapp whisper wikipedia
    xerox yahoo youtube zara zoom
    """.split()
)
"""Companies and what they make."""

BODIES = frozenset(
    """
    amnesty brexit congress eu fbi fifa greenpeace interpol kremlin labour medicare mensa nasa nato
    oxfam parliament pentagon probus redcross rotary samaritans senate tories ted toastmasters un
    unesco unicef vatican ymca
    """.split()
)
"""Organisations that are no companies."""

THINGS = frozenset(
    """
    bible bitcoin bluetooth brexit chromebook corona coronavirus covid critics diary english
    ethernet excel experts fortran headquarters history internet java javascript karma kubernetes
    legend linux macintosh olympics photoshop powerpoint python quran research sars science
    scientists society surface technology tongue torah tradition ubuntu unix wifi windows wordpress
    """.split()
)
"""Other things that are written with a capital, or begin with one where a speaker stresses them."""

LOWER_INSTITUTIONS = frozenset(
    "street avenue boulevard airport hospital university college cathedral foundation stadium"
    " cemetery elementary river".split()
)
"""Institutions that make one in lower case too."""

INSTITUTIONS = LOWER_INSTITUTIONS | frozenset(
    """
    academy act agency airlines arena association ave award awards bakery bank banks bay beach bowl
    bridge bros brothers building cafe canyon castle center centre chapel chocolates church city
    clinic club co company consulting corp corporation county creek crescent cup day department
    desert disease district drive effect enterprises equation estate falls forest fund games garden
    gardens gmbh group hall harbor harbour highway holdings hospitals hotel house inc industries inn
    institute institution island islands lab laboratories laboratory labs lake lane law library llc
    ltd market medal medical memorial monument mosque motors mount mountain mountains museum
    observatory palace park partners peninsula pharmaceuticals pier plaza port press primary
    principle prize province rd records republic restaurant road school shop society sons springs
    square st state station store stores syndrome temple terrace territory theater theatre theorem
    theory tower towers town trust tunnel valley zoo
    """.split()
)
"""What makes a place or an organisation of the capitalised words before it."""

SURNAMES_TOO = frozenset(
    "park church lake hall banks rivers street lane hill house day law drive bridge garden"
    " forest castle town".split()
)
"""Institutions that are surnames where someone is introduced: my colleague Tom Church."""

PLACE_BEFORE = frozenset(
    "saint st sainte ste sankt san santa santo sao mount mt lake fort cape port puerto rue calle"
    " avenida via plaza piazza hurricane storm typhoon camp university college hotel".split()
)

LOWER_PLACE_BEFORE = frozenset(
    "saint st san santa santo sao mount hurricane rue calle avenida boulevard".split()
)

LOCATIVES = frozenset(
    "in from near around across outside through throughout toward towards inside downtown visit"
    " visited visiting leaving reached greater northern southern eastern western north south east"
    " west central into via at climbed hiked toured crossed".split()
)

MOTION = frozenset(
    """
    back came come coming drive driving drove emigrated flew flight flown fly flying go goes going
    gone journey move moved moving next relocated return returned road train travel traveled
    travelled trip way welcome went
    """.split()
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

PARTNERSHIPS = frozenset("sons son daughters daughter co company partners associates bros".split())
"""What follows `&` in the name of a firm: Smith & Sons."""

PLACE_NOUNS = frozenset(
    """
    album airport beach book bridge brand bureau capital chain church city coast college company
    country county district film firm hometown hospital hotel island lake language model mountain
    movie nation neighborhood neighbourhood newspaper novel organisation organization paper place
    planet poem product program programme project region restaurant river road school ship software
    song state station street suburb town tribe university valley village
    """.split()
)
"""What has a name without being a person: the town, Ardara."""
