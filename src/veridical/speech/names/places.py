"""Words that make a place or an organisation of a name. Keys as `names.text.name_key` makes them.

Each list is the one place for its words.
"""

from __future__ import annotations

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

    aberdeen abuja accra adelaide aleppo algiers almaty anchorage andorra angola ankara antwerp
    arabia aruba athlone auckland aviv azerbaijan bahamas bahrain baku bali baltimore barbados basel
    basra beijing belarus belgrade belize benin bergen bern bhutan bilbao blackpool bogota bologna
    bolton bordeaux bosnia botswana bournemouth bradford brasilia bratislava bremen brisbane brno
    bruges brunei bucharest buffalo burgundy burundi calais calgary cameroon canberra canterbury
    caracas cardiff caribbean casablanca chengdu chennai chernobyl chisinau colombo congo cordoba
    cork cornwall coventry crimea cyprus dakar dalian darwin daegu dhabi dhaka djibouti doha
    dominica donetsk dortmund dresden durban dusseldorf eindhoven eritrea essex exeter fiji freetown
    galway gambia gaza gdansk genoa ghent gibraltar gothenburg granada graz grenada grenoble guam
    guangzhou guinea guyana haiti halifax hangzhou hanoi hanover harare harbin hiroshima hobart
    honduras hong huddersfield hyderabad ibadan ibiza innsbruck inverness islamabad izmir jakarta
    jeddah jersey juneau kabul kampala kathmandu kazakhstan kharkiv khartoum kiev kigali kinshasa
    kolkata kong kosovo krakow kuala kuwait kyiv kyrgyzstan lahore lanka laos las latvia lausanne
    leipzig lesotho liberia libreville lille lisburn ljubljana lome los louisville luanda lucknow
    lumpur lusaka luxor lviv macau macedonia madagascar mainz malawi maldives mali malmo managua
    manila mannheim maputo marrakesh mauritania mauritius mersey middlesbrough milwaukee minsk
    mogadishu moldova monaco mongolia montenegro montevideo montpellier mozambique muscat myanmar
    nagasaki nagoya namibia nanjing nantes nashville newark nicaragua nicosia niger norwich
    nottingham nuremberg odessa omaha oman orleans osaka oxfordshire palermo paraguay perth phnom
    plovdiv plymouth porto portsmouth potsdam poznan pretoria pune pyongyang qatar queensland quito
    rabat rangoon reykjavik riga rijeka riyadh rotterdam rwanda saigon salisbury salzburg samoa
    sarajevo saskatoon saudi savoy senegal seville seychelles sheffield shenzhen siberia sicily
    skopje southampton springfield srebrenica stalingrad strasbourg stuttgart suez suriname surrey
    swansea swaziland tacoma taipei tajikistan tallinn tampa tampere tasmania tbilisi tenerife
    thessaloniki tibet tijuana timbuktu tirana togo tonga toulouse trieste trinidad tripoli tucson
    tunis turkmenistan turku tuscany uppsala uruguay utrecht uzbekistan vatican vegas vilnius
    vladivostok volgograd wellington winnipeg wolverhampton wroclaw wuhan yemen yerevan yokohama
    york yorkshire zanzibar zealand
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
