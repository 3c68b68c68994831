"""Sentences of speeches for each rule of praise: those it must see, and those it must let pass."""

from __future__ import annotations

SEEN = {
    "story": """
        When I was eleven, I fell off the roof of our barn.
        Three winters ago I sold my car and bought a bicycle.
        One quiet night we carried the piano up four floors.
        When I was nine, I lost my father's watch.
        Four years ago, on a wet Tuesday, I stood in my kitchen.
        One cold morning we packed the van and left the city.
        Last summer I walked across the hills with a friend.
        I still remember the day I met my first teacher.
        Yesterday I sat beside an old man on the bus.
        As a child I climbed the wall behind the bakery.
        Twenty years ago, we drove to the sea in a borrowed car.
    """,
    "question": """
        What would your grandmother say about that?
        Have you ever sat in a room where nobody spoke?
        How do we learn to trust again?
        What would you do with one more hour?
        Have you ever thrown something away because of one small part?
        When was the last time you wrote a letter?
        Why do we wait until it is too late?
        How many doors have you walked past without knocking?
        So what keeps us from asking for help?
        Who taught you to ride a bicycle?
        But is your old bicycle really at its end?
    """,
    "contrast": """
        It is not the years that count, it is the days.
        We do not teach children, we teach people.
        They built not a prison but a garden.
        It was not a broken kettle, it was a loose wire.
        It is not the fall that hurts, it is the floor.
        We do not repair things, we repair the moment.
        You do not need a workshop, you need a table.
        It's not about the money, it's about the people.
        She wasn't a guest, she was a friend.
        They gave me not a map but a compass.
        He came not with answers but with hope in his heart.
        I don't want to win, I want to play.
    """,
    "triad": """
        We walked, we talked about it, we cried.
        Every child can draw, every child can sing, every child can dance.
        We opened it, we cleaned it, and we closed it again.
        We packed the van, we drove all night, and we sang.
        I came, I saw it, I laughed.
        Every door was open, every lamp was lit, every table was laid.
        With one pen, with one book, with one hour.
        There is hope, there is bread, there is music.
    """,
    "call": """
        This evening, when you get home, call your sister.
        Plant one tree before the spring comes.
        So try it once, and share it with a friend.
        So this week, before you throw anything away, take it apart and look inside.
        Look for the loose wire, ask a neighbour, and give it ten minutes.
        So tonight, call the friend that you have been missing.
        Please write a letter to somebody who taught you something.
        I invite you to plant a tree with your neighbours.
        Let's build a bridge over that river.
        Do not throw the old radio away.
        Tomorrow you can knock on a door that you never knocked on.
        You should visit the library on a Saturday.
        When you get home, open the box in the cellar.
    """,
}

NOT_SEEN = {
    "story": """
        Last spring the river flooded our cellar.
        I was born forty years ago in a small town.
        One day I will tell you the whole tale.
        Two years ago we increased the fee to thirty euros.
        Last year our revenue grew by nine percent.
        I remember that the minutes were not approved.
        We were founded sixty years ago by the town council.
        Last month we met in the committee to talk about the budget.
        Twenty years ago there was no bridge here.
        One day robots will cook for all of us.
        When I was asked to speak, I said yes.
        I will tell you about last summer.
        Last week I told you about my plan.
        A year ago I said that I would stop.
        My neighbour moved away two years ago.
        If I walked in one day, nobody would know me.
        My grandmother said that one day I took her keys.
        When I was preparing this talk, I looked at my books.
        Last night I did not sleep at all.
        I remember my password for once.
        In the summer of that year the prices rose.
        Last month I showed you the slides of our trip.
        This morning the train was late again.
        Years ago people wrote letters by hand.
        When I was nine, I lost my watch, or did I?
        Yesterday I gave you the handout for tonight.
        Three weeks ago we elected a new treasurer.
        As a student I was rather lazy.
    """,
    "question": """
        Is this my water or yours?
        Shall I wait until you are all back?
        What were you thinking when you built this ugly hall?
        What is the time, please, how long do I have left?
        Sorry, what was the question that you asked me again?
        How stupid do you people have to be to vote for that?
        Can everybody at the back hear me?
        Are there any questions before I go on?
        Is this microphone on at all now?
        Could you please pass me the water?
        Where are my notes, can anybody see my notes anywhere?
        How are you all doing this evening?
        What is wrong with you people today?
        May I start with a short remark?
        Who are you to tell me that?
        He asked me, where do you come from?
        Can you see the next slide from there?
        Do you know what I mean by that?
        How much time do I still have?
        It was a long way, was it not?
        Is the window open over there?
        Would you mind if I sat down?
        Shall we go on with the next part?
        Who do you think you are to laugh?
        Am I loud enough for the last row of seats?
        What the hell were they all thinking of?
        You were there too, right?
    """,
    "contrast": """
        I was not hungry, I was told to eat.
        It was not far, but it was steep.
        She did not sing, she hummed.
        I am not an expert, I am afraid.
        I can not find my notes, I am sorry.
        I am not sure, I am a bit lost.
        I did not sleep, I did not eat.
        It is not clear, it is not safe.
        He does not like you, he told me that himself.
        We didn't have them on the downlink but we copied them.
        We did not lose a game but found a team.
        It was not a success but the children loved it.
        It was not late, it was dark already.
        I do not know, I do the cooking at home.
        I don't think so, I think it was Monday.
        This is not the right slide, this is the old one.
        They were not ready, they needed a week.
        I have not a penny but a bank is near where we live.
        She is not here, she is at home.
        It did not rain, it was a dry year.
        You are not alone, you have us.
        It was not a good idea, was it?
        I did not go but my sister went.
        We do not have a microphone, we have a loud voice.
        We can't stay, we have a train to catch.
        That was not me, I promise.
        No, I was not there, I was never asked.
        It isn't easy, but it works.
    """,
    "triad": """
        He said yes, he said no, he said maybe.
        It was, it was late, it was very late.
        I think so, I think it was, I think maybe.
        I did not sleep, I did not eat, I did not wash.
        Um, um I went, um I left.
        I was, I was in, I was in town.
        I came late, I am tired, I will go.
        The car was red, the dog barked, the sky was blue.
        No sorry, no wait, no I mean it.
        You know it was, you know we were, you know how.
        So we went, so we ate, so we left.
        Sorry about this, sorry about that, sorry about me.
        A cat came, a letter arrived, a year passed.
        I mean it, I mean that, I mean well.
        The slides are old, the slides are dark, the slides are gone.
        One, two, three.
        We met, we talked about the budget of the whole year in great detail, we left.
        Well I ran, well I fell, well I cried.
        He was ill, he took a bus, he has a dog.
        It is cold, it rained, it gets dark.
        I was there, I was tired, I was late.
        I know that, I know them, I know how.
        I like it, I like like it, I like tea.
        We packed the van, the road was long, and I sang.
        Nobody came, nobody called, nobody wrote.
    """,
    "call": """
        Help was far away that night.
        Read the room, as they say.
        Try as I might, I never found it.
        Next year I will be forty years old and rather tired.
        Tomorrow I have to go to the dentist at nine.
        This week the council voted against the plan.
        Before you ask, no, I was not there.
        Next time I will not come here to talk to you.
        The boss told us, write the report, and we wrote it.
        Lets face it, nobody here is going to do anything.
        Let me tell you about my cat and her habits.
        Let's see what is on the next slide.
        Let us move on to the second point of the evening.
        Work at the bank was dull for all of us.
        Give me a minute to find my notes.
        Take my brother, he is never on time.
        Call it what you like, I call it luck.
        Share prices fell on Monday and nobody knew why.
        You can see the river from here.
        You could buy a loaf for a penny in those days.
        Visit any museum and you will find such a clock.
        Give a man a fish, and he will eat for a day.
        Ask anyone in my street about the dog.
        Please take your seats for the second half.
        Could you close the window, please.
        Take a look at this picture of my house.
        Give a warm welcome to our next speaker.
        He said, open the door, and I opened the door.
        Turn to page nine of the handout.
        Thank you all for coming tonight.
        I asked you to write a letter last week.
        Put it this way, it was no success.
        Make no mistake, it was cold.
        Take the case of my aunt in Porto.
        My teacher always wanted me to read the book.
        You should have seen the look on her face.
        Excuse me, I lost my place.
        Hold the line, they told me at the office.
        Would you open the box or leave it?
    """,
}

PLAIN = """
    Thank you, and good evening to all of you.
    My name is on the list, I believe.
    The library is open on Saturdays from nine to five.
    It took us three Saturdays to finish the work.
    I like to walk, and my brother likes to swim.
    Our club has thirty members and two cats.
    There is a story behind every chair in this house.
    The second reason is the price of bread.
    I brought a box with me, and it is heavy.
    People often say that time is money.
    Next week the hall is closed for repairs.
    I was tired, so I went home.
"""

FRESH_SEEN = {
    "story": """
        When I was seven, I planted a coin in the garden.
        Last autumn we sailed along the coast for nine days.
        Many years ago I met a man who could not read.
        Ten years ago I planted a cherry tree behind our house.
        When I was sixteen, I quit school and found a job on a boat.
        One rainy evening I opened a letter that changed our family.
    """,
    "question": """
        What would you say to your younger self?
        Why does nobody talk about the second year?
        Which of your habits would you give away for nothing?
        What did you want to be when you were six?
        How would your street look without a single car?
        Why are we so afraid of silence?
    """,
    "contrast": """
        We do not build houses, we build homes.
        It is not a wall, it is a door.
        We do not sell shoes, we sell courage.
        She offered not a lecture but a song.
    """,
    "triad": """
        We failed, we learned from it, we tried again.
        More trust, more time for each other, more songs.
        We planted it, we watered it, we waited.
        Some people shout, some people whisper, some people sing.
    """,
    "call": """
        Ask your neighbour for help this week.
        Find one person tomorrow and tell them what you learned.
        Tonight, before you sleep, write down three good things.
        Go home and hug your children.
        So please, visit a neighbour this weekend.
    """,
}
"""Written when the rules stood, as are these: what they got wrong has led to some mends."""

FRESH_NOT_SEEN = {
    "story": """
        Last week the projector broke.
        Years ago our founder had a dream.
        I was nine when the shop closed, or so my mother says.
        We met last year to talk about members and fees.
        Two months ago our supplier raised the rent again.
        I remember it well, and it still makes me laugh.
        One day you will thank your parents for that.
        Last winter was the coldest in my life.
    """,
    "question": """
        Is anybody sitting here?
        What page are we on now?
        Can we start, or do you want to wait a bit?
        Is there any water left in that jug over there?
        Did somebody leave a blue car in front of the gate?
        Should I hold it closer to my mouth, or is it fine?
    """,
    "contrast": """
        I did not bring it, I forgot.
        It is not my fault, it is raining.
        We are not many, we know.
        He was not the chair but the room was his.
        I am not a morning person, so forgive me.
        We did not win, we came second.
        It was not the money but they left anyway.
    """,
    "triad": """
        I forgot it, I forgot that, I forgot everything.
        So this is it, so this is the end, so goodbye.
        We have members, we have fees, we have no hall.
        I went there, I go there, I know there.
        And then, and then we, and then we left.
    """,
    "call": """
        Hope is a plant that grows at night.
        Keep the change, said the driver.
        Next week we meet at nine in the small hall.
        Next month my daughter starts school in another town.
        Start of the season was difficult for everyone.
        You can imagine how I felt on that stage.
        Open the fridge at our place and you get a surprise.
    """,
}

MISSED = {
    "contrast": """
        They are not lazy, they are tired.
        It was not luck, it was work.
    """,
    "call": """
        Do not wait for a better day, call them tonight.
        Hand your neighbour a book and a cake.
    """,
    "question": """
        What is courage made of?
    """,
}
"""The price of being strict: an adjective cannot be told from a noun, and no list has all verbs."""
