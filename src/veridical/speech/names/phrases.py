"""Phrases behind which a name comes, and how they are looked up."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.speech.names.text import NameWord

Phrases = dict[str, tuple[tuple[str, ...], ...]]
"""Phrases by their last word, each as its words from last to first."""

_CALLS = """
thank you/thanks/many thanks/thank you so much/thank you very much/thanks so much/thanks a lot
thanks again/thank you again/thank you dear/well done/good job/great job/nice work/good work
congratulations/congrats/bravo/welcome/welcome back/please welcome/sorry/happy birthday/good luck
hi/hello/hey/dear/good morning/good afternoon/good evening/good night/goodbye/bye/hi there
hello again/thank you once again/thanks to/thank you to/over to you/back to you/over to
give it up for/hear it for/applause for/hand for/hands together for/to the stage/handing over to
hand over to/i give you/i present to you/i present/up next/next up/next up is/up next is
the floor is yours/take it away/go ahead/like to thank/want to thank/courtesy of/on behalf of
the name of/presented by/introduced by/hosted by/a shout out to/shout out to/credit to
danke/vielen dank/danke schon/hallo/guten tag/guten abend/guten morgen/willkommen/liebe/lieber
merci/merci beaucoup/bonjour/bonsoir/salut/cher/chere/bienvenue
gracias/muchas gracias/hola/buenos dias/buenas tardes/buenas noches/bienvenido/bienvenida/querido
querida/grazie/ciao/obrigado/obrigada
"""
_INTRODUCTIONS = """
my name is/my names/his name is/her name is/his name was/her name was/whose name is/whose name was
mein name ist/ich heisse/je appelle/me llamo/mi nombre es/mi chiamo/il mio nome e/meu nome e
"""
_PRESENTED = """
i am/im/meet/met/call me/named/with me is/known as/with/ich bin/je suis/soy
"""
_MENTIONED = """
reminded me of/thought of/story of/memory of/picture of/instead of/because of/proud of
afraid of/think of/this is/here is/heres/called/by/and/for/from/to/about
that/when/das ist/like/saw/see/miss/missed/as
"""


def _by_last_word(table: str) -> Phrases:
    phrases: dict[str, list[tuple[str, ...]]] = {}
    for phrase in table.replace("\n", "/").split("/"):
        if words := phrase.split():
            phrases.setdefault(words[-1], []).append(tuple(reversed(words)))
    return {last: tuple(found) for last, found in phrases.items()}


CALLS = _by_last_word(_CALLS)
"""Thanks, greetings and handing over: a name follows on the same line."""

INTRODUCTIONS = _by_last_word(_INTRODUCTIONS)
PRESENTED = _by_last_word(_PRESENTED)
MENTIONED = _by_last_word(_MENTIONED)
"""What makes names of words that are names and something else too."""


def ends_phrase(phrases: Phrases, words: Sequence[NameWord], last: int) -> bool:
    """Whether `words[last]` is the last word of one of the phrases."""
    return any(_backwards(words, last, phrase) for phrase in phrases.get(words[last].key, ()))


def _backwards(words: Sequence[NameWord], last: int, phrase: Sequence[str]) -> bool:
    if last + 1 < len(phrase):
        return False
    return all(words[last - step].key == key for step, key in enumerate(phrase))
