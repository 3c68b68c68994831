"""Sentences of speeches for each rule of praise: those it must see, and those it must let pass."""

from __future__ import annotations

SEEN = {
    "story": """
        When I was eleven, I fell off the roof of our barn.
        Three winters ago I sold my car and bought a bicycle.
        One quiet night we carried the piano up four floors.
        When I was nine, I lost my father's watch.
        I still remember the day I met my first teacher.
    """,
    "question": """
        What would your grandmother say about that?
        Have you ever sat in a room where nobody spoke?
        So what keeps us from asking for help?
        But is your old bicycle really at its end?
    """,
    "contrast": """
        It is not the years that count, it is the days.
        We do not teach children, we teach people.
        They built not a prison but a garden.
        It was not a broken kettle, it was a loose wire.
        It is not the fall that hurts, it is the floor.
        We do not repair things, we repair the moment.
        It's not about the money, it's about the people.
        She wasn't a guest, she was a friend.
        They gave me not a map but a compass.
    """,
    "triad": """
        We walked, we talked about it, we cried.
        Every child can draw, every child can sing, every child can dance.
        We opened it, we cleaned it, and we closed it again.
        We packed the van, we drove all night, and we sang.
        Every door was open, every lamp was lit, every table was laid.
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
        Last year our revenue grew by nine percent.
        I remember that the minutes were not approved.
        Twenty years ago there was no bridge here.
        One day robots will cook for all of us.
        When I was asked to speak, I said yes.
        My grandmother said that one day I took her keys.
        When I was preparing this talk, I looked at my books.
        Last month I showed you the slides of our trip.
        When I was nine, I lost my watch, or did I?
        Yesterday I gave you the handout for tonight.
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
        May I start with a short remark?
        Who are you to tell me that?
        Do you know what I mean by that?
        Shall we go on with the next part?
    """,
    "contrast": """
        I was not hungry, I was told to eat.
        It was not far, but it was steep.
        She did not sing, she hummed.
        I am not an expert, I am afraid.
        I can not find my notes, I am sorry.
        I did not sleep, I did not eat.
        It is not clear, it is not safe.
        He does not like you, he told me that himself.
        We didn't have them on the downlink but we copied them.
        We did not lose a game but found a team.
        It was not a success but the children loved it.
        I do not know, I do the cooking at home.
        I don't think so, I think it was Monday.
        This is not the right slide, this is the old one.
        They were not ready, they needed a week.
        I have not a penny but a bank is near where we live.
        It did not rain, it was a dry year.
        It was not a good idea, was it?
        I did not go but my sister went.
        We can't stay, we have a train to catch.
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
        I was there, I was tired, I was late.
        I know that, I know them, I know how.
        I like it, I like like it, I like tea.
        We packed the van, the road was long, and I sang.
    """,
    "call": """
        Help was far away that night.
        Read the room, as they say.
        Try as I might, I never found it.
        Tomorrow I have to go to the dentist at nine.
        This week the council voted against the plan.
        Lets face it, nobody here is going to do anything.
        Let me tell you about my cat and her habits.
        Let's see what is on the next slide.
        Let us move on to the second point of the evening.
        Give me a minute to find my notes.
        Take my brother, he is never on time.
        Call it what you like, I call it luck.
        Share prices fell on Monday and nobody knew why.
        You can see the river from here.
        You could buy a loaf for a penny in those days.
        I asked you to write a letter last week.
        You should have seen the look on her face.
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
    """,
    "question": """
        Why are we so afraid of silence?
    """,
    "contrast": """
    """,
    "triad": """
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
        I was nine when the shop closed, or so my mother says.
        I remember it well, and it still makes me laugh.
    """,
    "question": """
        Is anybody sitting here?
        What page are we on now?
        Is there any water left in that jug over there?
    """,
    "contrast": """
        I did not bring it, I forgot.
        He was not the chair but the room was his.
        I am not a morning person, so forgive me.
    """,
    "triad": """
        I forgot it, I forgot that, I forgot everything.
    """,
    "call": """
        You can imagine how I felt on that stage.
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
