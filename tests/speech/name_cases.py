"""Sentences in which names must go, and sentences of which nothing may go.

A name stands in square brackets. The rest of the sentence must stay as it is.
"""

from __future__ import annotations

import re

_MARKED = re.compile(r"\[([^\]]+)\]")

GO = """
Thank you, [Maria], for that kind introduction.
My name is [Jon Smith] and I build bridges.
my name is [jon smith] and i build bridges
Please welcome [Anna Lopez] to the stage.
My brother [Tom] drove us to the lake.
my brother [tom] taught me to swim
Our colleague [Tom Church] wrote the report.
I saw [Mrs. O’Brien] in the garden.
We thanked [Dr. Anna van der Berg] twice.
then [mr patel] closed the shop
[Prof. Nakamura] disagreed with me.
Good evening, [Zbigniew].
[Will] told me to wait.
I asked [Grace] for help.
Over to you, [Sam].
Let's hear it for [Chioma]!
I learned this from [Maria] and [Zdenka].
[José]’s voice trembled.
I met [Mark Davis] on a train.
[Siobhan] never gave up.
With me is [Charlotte], who needs no introduction.
I'm [Austin], and I am afraid of heights.
Call me [Georgia].
A girl named [Wren] lived next door.
His name is [Björk].
a big hand for [priya patel] please
thank you [mark] and good evening
Vielen Dank, [Jürgen], und guten Abend.
Mein Name ist [Anke Vogel].
[Frau Schneider] hat gelacht.
Je m'appelle [Loïc].
Me llamo [Itziar].
You were right, [Catherine], all along.
Evaluated by [Kwame], timed by [Yuki].
My mentor [J. R. Halloran] knew better.
please welcome [anna lopez] to the stage
thank you [mister rodriguez] and hello to you all
[Karim], you asked me a question last week, and I owe you an answer.
Then the nurse, a woman named [Ottilie], held my hand.
We lost [Sanjana] in the spring.
My best friend [Faye] and I built a raft.
as doctor [nguyen] says breathe first
thank you [josephine] for that wonderful speech
[Tanvi Deshpande] was the first to stand up.
Mi abuela [Consuelo] cocinaba para todos.
I promised [Marguerite] that I would finish the race.
I owe everything to [Coach Brannigan].
The doctor, [Dr. Szymanska], smiled.
I still hear Abuela [Rosa] singing.
Can we hear a round of applause for [Hyun-woo]?
We named her [Eloise].
i was sitting next to [ahmed] on the bus
a special thank you to [fatima] and [george]
her name was [ottoline] and she was ninety
Ich heiße [Torben Hagedorn].
Fellow members, honoured guests, and especially you, [Rutger], welcome.
[Kwabena] and [Esi] have been married for fifty years.
Let me tell you about [Marisol Vega].
[rebecca] and i were sitting on the porch
my manager [dan] gave me the project
In the words of [Amara Ndiaye], begin anyway.
It reminded me of [Jack], my first dog walker.
Ich möchte [Katharina] danken.
THANK YOU [SIOBHAN MCALLISTER] FOR THAT
uncle [bob] and aunt [sue] came too
my brother [zbyszek] drove us home
my best friend [tuan] was late
My kids, [Caspian], [Ophelia] and [Lysander], were asleep.
My best friend's name is [Tuan].
They called him [Bobo].
It was [Gwenllian] who called.
Then [Lord Ashcombe] stood up.
I wrote to [Dame Ottway].
Then [Captain Quimby] gave the order.
I read [J. R. R. Tolkien] as a child.
Thank you, [GWENLLIAN-MAE].
Thank you, [Siobhan]. Write to [siobhan.mcallister@example.com] or [@siobhan_mc] today.
Thank you, [Gwenllian Pugh]. I posted it at [#GwenllianPugh] and [gwenllianpugh] too.
We dedicated the bench to [Marguerita Oyelowo].
Her twins are called [Peregrine] and [Ottilia].
[Bhavesh] taught me chess.
then aunt [prudence] poured the tea
And that man was [Augustin Thorne].
"[Radoslav], are you coming?" he called.
You should have seen [Mirembe]'s face.
Everybody loved [Pip].
A colleague of mine, [Rajnish], quit his job that day.
[Thandeka] never gave up, and [Oddny] knew it.
uncle [obadele] came too
my name is [tuan vuong] and i build bridges
""".strip().splitlines()

STAY = """
The Maria Street bridge is closed.
She was born at St. Mary's Hospital.
We flew to Washington in the morning.
They moved to Austin, Texas.
He came back from Georgia a changed man.
The Martin Luther King Memorial Library was full.
I banked with Morgan Stanley.
We had Ben & Jerry's for dessert.
We camped by Lake Victoria.
Mount Everest is high, and so is Mount Elbert.
Santa Maria is a town in California.
The Thomas Jefferson High School band played.
Anderson Consulting hired me.
We visited Fort William on the way.
Hurricane Maria took our roof.
May I ask you a question?
April was cold and June was colder.
Grace under pressure is rare.
We chase dreams and we drew maps.
You can bank on it.
He is a victor, not a victim.
Thank you, Madam Chair.
Good evening, everyone.
Mr. President, I disagree.
Thank God it was Friday.
Welcome back to Toastmasters.
I am American.
Google said it would help.
Microsoft asked us to wait.
Nobody asked me.
Mother Nature has other plans.
Thanks to Oxford University, I learned to read.
thank you will be the last thing i say
i will be there in may and so will you
we met at st mary's hospital in the rain
The College of William and Mary is old.
The University of Notre Dame won.
The Bank of America tower is tall.
J'adore Paris.
Bonjour à tous.
Buenos días a todos.
We ate at Olive Garden every Sunday.
The April rain kept falling on the grant committee.
I said thank you, but nobody heard.
We crossed the Brooklyn Bridge at dawn.
As for grace, I had none.
my hope is that you will join us
She sang at Carnegie Hall.
I have faith in you, and joy in my heart.
On Monday I drove to Lake Forest.
Dear Toastmasters, dear guests, welcome.
we went to saint petersburg in the winter
The Roman Empire fell.
We stayed at the Hilton in downtown Denver.
I was lost between hope and faith.
I run a bakery in Victoria, British Columbia.
Our company, Baker and Sons, closed in June.
she will sue you if you drew on the wall
Hello, darkness, my old friend.
thank you Rotterdam
I met my sponsor Barclays.
We asked my partner Deloitte.
Apple and Amazon and Ford are companies.
thanks to Covid we stayed in
OMNI Bravo is next, Houston.
Roger, Houston. Bravo. 1, 2, 3. Copy.
Roger. We copy, Houston. Go ahead, Commander.
my sister works in london
my friend hopes you agree
my mother passed away in spring
my uncle will call and my aunt may come
This is Microsoft.
The U.S. Army left.
The village is called Ardara.
Lawyers said that it was over.
We drove from Lincoln, Nebraska, to Denver.
Unfortunately, you were late.
Moreover, you smiled.
""".strip().splitlines()

STAY_ON_THE_NEXT_LINE = (
    "thank you\nQuarterly results were fine.",
    "Thank you\nQuestions are welcome",
    "thank you\n\nRehearsals begin at nine.",
)
"""A line ends what announces a name."""

UNANNOUNCED = """
then [pip] laughed and we all went home
i learned all of this from [rajnish] last year
""".strip().splitlines()
"""Unknown names without a capital that nothing announces: a user lists them."""


def written(case: str) -> str:
    """The sentence as somebody writes it."""
    return _MARKED.sub(r"\1", case)


def without_names(case: str, phrase: str) -> str:
    """The sentence with the phrase in the place of each name."""
    return _MARKED.sub(phrase, case)
