"""Words that put a question and say nothing on what it is about."""

from __future__ import annotations

ASKING_WORDS = frozenset(
    """
    quickly promptly
    much many long often soon far please tell me know want like just get got give given go going
    happen happens thing things way ways there here what's who's where's when's how's it's i'm i've
    i'd i'll we're we've you're they're don't doesn't isn't aren't can't won't let lets s t re ve m
    ll d don doesn isn aren im ive id does did doing done say says said ask asks asking question
    questions answer answered answers
    wonder wondering need needs needed someone something anything anyone somebody
    whether exactly actually really ever still also only too very other same else now hi hello
    dear thanks thank kindly explain describe mean means meant show find out up
    allow allowed able possible sure make makes take takes taking use uses used using
    apply applies applied our ours mine my myself not no if q why while whats whos wheres whens hows
    another become becomes became made went been being fast high large big back available involved
    after before during between through over under until within without because even though yet once
    both each every more less most than such per part everything everyone however above below
    doesnt isnt arent cant wont havent hasnt didnt thats theres youre theyre weve youve
    """.split()
)

FOREIGN_ASKING = frozenset(
    """
    wie viel viele was wer wen wem wo wann warum wieso welche welcher welches welchen
    combien quel quelle quels quelles quand qui comment pourquoi quoi
    cuánto cuántos cuánta cuántas cuál cuáles cuándo quién dónde cómo
    quanti quanto quanta quante quale quali quando dove chi hoeveel wanneer welke waar hoe
    """.split()
)
"""Words with which other languages ask."""

FOREIGN_WORDS = FOREIGN_ASKING | frozenset(
    """
    der die das den dem des ein eine einen einem einer ist sind hat habe haben ich wir sie er es
    mein meine unser lang lange im in am an auf aus bei beim mit nach von vom zu zum zur und oder
    nicht für muss müssen darf dürfen kann kann können wird werden pro gibt jahr
    le la les un une du de d au aux et ou est sont ai a ont je nous mon ma mes notre par pour dans
    sur avec il elle on ne pas y
    el los las una unos del al y o es son tengo tiene hay mi por para con en que se
    il lo gli i uno della dei di e ho ha ci sono mio mia per con het een van zijn heb ik mijn op
    """.split()
)
"""Small words of other languages, left out of a question that asks in one of them."""
