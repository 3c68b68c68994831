"""Sentences in which names must go, and sentences of which nothing may go.

A name stands in square brackets. The rest of the sentence must stay as it is.
"""

from __future__ import annotations

import re

_MARKED = re.compile(r"\[([^\]]+)\]")

GO = """
Thank you, [Maria], for that kind introduction.
thank you [maria] and good evening everyone
thanks [jose] for the feedback
My name is [Jon Smith] and I build bridges.
my name is [jon smith] and i build bridges
Please welcome [Anna Lopez] to the stage.
Our next speaker, [Xiaolu], has never given a speech.
Our next speaker is [Wanjala Otieno].
My brother [Tom] drove us to the lake.
My sister [Zofka] was not amused.
My friend [Grace] laughed.
my brother [tom] taught me to swim
my friend [jack] was late
Our colleague [Tom Church] wrote the report.
[Mr. Patel] opened the door.
I saw [Mrs. O’Brien] in the garden.
We thanked [Dr. Anna van der Berg] twice.
then [mr patel] closed the shop
[Prof. Nakamura] disagreed with me.
Hi, [Priya], how are you?
Hello [Oluwaseun], come in.
Good evening, [Zbigniew].
[Will] told me to wait.
I asked [Grace] for help.
[Mark] said no.
Then [Tendai] said something that I never forgot.
Over to you, [Sam].
Back to you, [Ngozi], in the studio.
Give it up for [Ravi Shankar Rao]!
Let's hear it for [Chioma]!
Well done, [Anneliese].
Congratulations, [Tuomas], on your award.
I learned this from [Maria] and [Zdenka].
Between us, [Anne-Marie] was right.
[Maria]'s story moved me.
[José]’s voice trembled.
I remember [James]'s laugh.
I remember what [Deepak Mehta] wrote to me.
I met [Mark Davis] on a train.
[Jennifer] and I went to school together.
We owe this to [Fatima Al Hassan].
[Siobhan] never gave up.
It was [Hiroshi] who called the doctor.
Dear [Björn], I wrote, come home.
With me is [Charlotte], who needs no introduction.
I'm [Austin], and I am afraid of heights.
Call me [Georgia].
A girl named [Wren] lived next door.
A man called [Ivo] sat down.
Her name was [Rosa Parks].
His name is [Björk].
his name is [gunnar]
I would like to thank [Svetlana] and [Piotr Nowak].
a big hand for [priya patel] please
Thank you very much, [Mr. Okonkwo].
thank you [mark] and good evening
thank you [will] for that
Vielen Dank, [Jürgen], und guten Abend.
Mein Name ist [Anke Vogel].
[Frau Schneider] hat gelacht.
Merci beaucoup, [Amélie].
Je m'appelle [Loïc].
Gracias, [Joaquín], muy amable.
Me llamo [Itziar].
Mi hermana [Nuria] vive lejos.
Happy birthday, [Tamsin]!
You were right, [Catherine], all along.
Evaluated by [Kwame], timed by [Yuki].
[MARIA LOPEZ] SPOKE FIRST AND WE ALL LISTENED TO HER.
So I said: "[Oliver], this is the end."
My mentor [J. R. Halloran] knew better.
My daughter [Saoirse] is six.
I introduced [Kelechi] to the club.
please welcome [anna lopez] to the stage
our timer [sanjay] will show the cards
so [maria] and [jack] went home
thank you [mister rodriguez] and hello to you all
Last Tuesday [Gwendoline] and [Pete] came to my door.
Before I begin, let me thank our president, [Adaora Eze], and our sponsor, [Milo].
[Karim], you asked me a question last week, and I owe you an answer.
Then the nurse, a woman named [Ottilie], held my hand.
I'd like to introduce [Bartholomew Finch].
Next up is [Quinn].
We lost [Sanjana] in the spring.
The winner is [Ludovica Conti]!
Dad never said it, but [Uncle Raymond] did.
My best friend [Faye] and I built a raft.
It was [Joel]'s idea to paint the fence.
and that is how [patrick] became my best friend
as doctor [nguyen] says breathe first
my wife [elena] and our son [mateo] are here tonight
ladies and gentlemen please welcome [david kim]
thank you [josephine] for that wonderful speech
You know [Greg]; he never stops talking.
Ask [Yusuf] and he will tell you.
[Tanvi Deshpande] was the first to stand up.
Maybe [Theo], maybe nobody.
[Herr Baumann] war mein Lehrer.
Mi abuela [Consuelo] cocinaba para todos.
Bonsoir, [Thibault].
The first time I saw [Ingeborg], she was carrying a ladder.
I promised [Marguerite] that I would finish the race.
Our area director [Tobias Lindqvist] is with us.
[Nobuko]'s hands were always warm.
I owe everything to [Coach Brannigan].
He looked at me and said, [Darnell], you can do better.
So [Emeka] and [Folake] opened a tiny shop.
The doctor, [Dr. Szymanska], smiled.
I still hear Abuela [Rosa] singing.
My neighbour, [Mrs. Oyelaran], brought soup.
Can we hear a round of applause for [Hyun-woo]?
[Ruth] and [Naomi] taught me loyalty.
We named her [Eloise].
then uncle [bob] showed up with a goat
good morning [katherine] and hello everyone
i was sitting next to [ahmed] on the bus
this is my friend [luis garcia]
a special thank you to [fatima] and [george]
[dr ramirez] told us the truth
her name was [ottoline] and she was ninety
Evaluate [Sven] gently, he is new.
Bonjour, je m'appelle [Solène].
Ich heiße [Torben Hagedorn].
Hola, [Ximena], gracias por venir.
When [Hannah] walked in, the room went quiet.
Fellow members, honoured guests, and especially you, [Rutger], welcome.
The contest master, [Lindiwe Dlamini], shook my hand.
That is what [Dr. Okafor] taught me about patience.
[Kwabena] and [Esi] have been married for fifty years.
As my grandmother [Beatrix] used to say, eat first, worry later.
I called [Sunil] and he picked up at once.
Let me tell you about [Marisol Vega].
She is the reason I am here: [Tomasz Zielinski].
so i told [marcus] that i would try again
[rebecca] and i were sitting on the porch
big thanks to [nikhil] for running the lights
and then [sarah] looked at me and cried
my manager [dan] gave me the project
this one is for you [claire]
Thank you, Toastmaster [Hughes].
In the words of [Amara Ndiaye], begin anyway.
It reminded me of [Jack], my first dog walker.
[Ms. Ferreira] gave me a red pen.
When I was nine, [Coach Daniels] cut me from the team.
Ich möchte [Katharina] danken.
C'est [Mathieu] qui a gagné.
thank you [siobhan mcallister] for that
THANK YOU [SIOBHAN MCALLISTER] FOR THAT
so [siobhan mcallister] told us the truth
thank you [gwenllian] and good evening
uncle [bob] and aunt [sue] came too
my brother [zbyszek] drove us home
my best friend [tuan] was late
My kids, [Caspian] and [Lysander], were asleep.
My kids, [Caspian], [Ophelia] and [Lysander], were asleep.
I'm [Tadhg] and this is [Caoimhe].
My best friend's name is [Tuan].
They called him [Bobo].
Can you turn on the lights, [Gwenllian]?
Please dim the lights, [Gwenllian].
It was [Gwenllian] who called.
I met [Xiulan] at work.
We saw [Lady Bracknell] there.
Then [Lord Ashcombe] stood up.
I wrote to [Dame Ottway].
[Sir Penhaligon] bowed.
It was [Judge Abernethy] at last.
Then [Captain Quimby] gave the order.
I trusted [Father Ignatzio].
We loved [Sister Benedikta].
I read [J. R. R. Tolkien] as a child.
Thank you, [GWENLLIAN-MAE].
Thank you, [Mаria], for this.
Thank you, [Siobhan]. Write to [siobhan.mcallister@example.com] or [@siobhan_mc] today.
Thank you, [Gwenllian Pugh]. I posted it at [#GwenllianPugh] and [gwenllianpugh] too.
Let me introduce our keynote, [Thaddea Wolfe-Barry].
We dedicated the bench to [Marguerita Oyelowo].
"Sit down, [Calixta]," she whispered.
Go on, [Leofric], tell them.
Her twins are called [Peregrine] and [Ottilia].
[Bhavesh] taught me chess.
then aunt [prudence] poured the tea
And that man was [Augustin Thorne].
"[Radoslav], are you coming?" he called.
You should have seen [Mirembe]'s face.
""".strip().splitlines()

STAY = """
The Maria Street bridge is closed.
She was born at St. Mary's Hospital.
We met at King's College in the spring.
He studied at Johns Hopkins University.
We flew to Washington in the morning.
I love Paris in the rain.
We walked through Florence for hours.
They moved to Austin, Texas.
I grew up in Charlotte.
In Jordan the desert is red.
He came back from Georgia a changed man.
The Martin Luther King Memorial Library was full.
She works for Wells Fargo.
I banked with Morgan Stanley.
We had Ben & Jerry's for dessert.
The Rockefeller Foundation paid for it.
We camped by Lake Victoria.
Mount Everest is high, and so is Mount Elbert.
Santa Maria is a town in California.
San Diego was sunny.
Saint Peter's Square was crowded.
The Thomas Jefferson High School band played.
Anderson Consulting hired me.
The Catherine Wheel Inn burned down.
He sailed from Port Elizabeth.
We visited Fort William on the way.
Prince Edward Island is green.
The Victoria Falls took my breath away.
Hurricane Maria took our roof.
Will you come with me?
I will mark my words.
May I ask you a question?
In May we planted roses.
On May 5th everything changed.
April was cold and June was colder.
By August we had hope.
Hope is not a strategy.
Grace under pressure is rare.
There is joy in small things.
The bill was paid, and the art was sold.
We chase dreams and we drew maps.
Mark my words.
Rose bushes grew along the wall.
You can bank on it.
A rich man is not always happy.
Frank talk helps.
He is a victor, not a victim.
Summer came late that year.
The robin sang at dawn.
Thank you, Madam Chair.
Thank you, Toastmasters and guests.
Good evening, ladies and gentlemen.
Good evening, everyone.
Hello world.
Hi, everybody!
Mr. President, I disagree.
Thank God it was Friday.
Thank you. Today I want to talk about fear.
Welcome to London.
Welcome back to Toastmasters.
I am American.
My friend is Canadian.
I'm Irish on my mother's side.
Google said it would help.
Microsoft asked us to wait.
People told me to give up.
Scientists said that it was safe.
Nobody asked me.
Then NASA called.
This is Microsoft Word.
Mother Nature has other plans.
Back to Boston we went.
Thanks to Oxford University, I learned to read.
thank you will be the last thing i say
thank you for the rose
i will be there in may and so will you
she rose and she will chase the art of the deal
i was born in paris near the river
we met at st mary's hospital in the rain
my boss will call and my friend may come
The College of William and Mary is old.
The University of Notre Dame won.
We watched the Stanley Cup.
The Bank of America tower is tall.
Ich liebe Berlin im Mai.
Danke, Leute!
J'adore Paris.
Bonjour à tous.
Buenos días a todos.
Nobel Prize winners sat there.
The Hudson River was frozen.
We ate at Olive Garden every Sunday.
I read Vogue and the Economist on the plane.
Jackson Hole is in Wyoming.
The April rain kept falling on the grant committee.
Why chase a dream that will never come true?
She works at Goldman Sachs in Frankfurt.
I said thank you, but nobody heard.
Mrs. and Mr. are short forms.
The Tower of London opened its gates.
We crossed the Brooklyn Bridge at dawn.
He drew a rose on the old stone wall.
We welcome change, hope, and faith.
As for grace, I had none.
i will never forget the day i left georgia
welcome to the june meeting of our club
my hope is that you will join us
The Harris County Courthouse burned in 1910.
Our flight to Santiago was late.
She sang at Carnegie Hall.
Star Wars changed my life.
The Victor Hugo Museum was closed.
I have faith in you, and joy in my heart.
Congress said nothing.
Toastmasters International was founded in California.
On Monday I drove to Lake Forest.
Grant me one wish.
I rose at dawn and drew the curtains.
Dear Toastmasters, dear guests, welcome.
The Nelson Mandela Foundation invited us.
you will miss the bus if you chase the cat
we went to saint petersburg in the winter
my dream is to open a cafe in paris
dean of the faculty, frank and fair
The Roman Empire fell.
We sat in the Rose Garden.
The Charles River froze in January.
We stayed at the Hilton in downtown Denver.
He reads the Guardian and the Washington Post.
The Emily Dickinson Museum is in Amherst.
I was lost between hope and faith.
Bill after bill arrived, and still we paid.
They robbed the bank on Elizabeth Street.
I run a bakery in Victoria, British Columbia.
Our company, Baker and Sons, closed in June.
Never pat a burning dog.
to be frank i was terrified
she will sue you if you drew on the wall
Dear friends, thank you.
Good morning, Vietnam!
Hello, darkness, my old friend.
My doctor said I should rest.
The Dean of students called me in.
thank you Rotterdam
Thank you, Aberdeen!
Thank you, Greenpeace.
I met my sponsor Barclays.
We asked my partner Deloitte.
Apple and Amazon and Ford are companies.
We walked down the rue Victor Hugo.
This is thanks to Linux.
thanks to Covid we stayed in
Dear Diary, it rained.
My mother Tongue is Welsh.
OMNI Bravo is next, Houston.
Roger, Houston. Bravo. 1, 2, 3. Copy.
Roger. We copy, Houston. Go ahead, Commander.
We bought it at Smith & Sons.
my brother was late
my sister works in london
my friend hopes you agree
my mother passed away in spring
my uncle will call and my aunt may come
We moved to a small town, Ardara.
I'm Catholic.
This is Microsoft.
We sang, Hallelujah.
The U.S. Army left.
We climbed Machu Picchu at dawn.
The village is called Ardara.
Lawyers said that it was over.
We drove from Lincoln, Nebraska, to Denver.
Unfortunately, you were late.
Moreover, you smiled.
We saw Kilimanjaro's peak.
""".strip().splitlines()

STAY_ON_THE_NEXT_LINE = (
    "thank you\nQuarterly results were fine.",
    "Thank you\nQuestions are welcome",
    "thank you\n\nRehearsals begin at nine.",
)
"""A line ends what announces a name."""

UNANNOUNCED = """
Everybody loved [Pip].
A colleague of mine, [Rajnish], quit his job that day.
""".strip().splitlines()
"""Unknown names that nothing announces: the patterns miss them, and a user lists them."""


def written(case: str) -> str:
    """The sentence as somebody writes it."""
    return _MARKED.sub(r"\1", case)


def without_names(case: str, phrase: str) -> str:
    """The sentence with the phrase in the place of each name."""
    return _MARKED.sub(phrase, case)
