"""The search is complete: checked against an alignment with the whole text."""

from __future__ import annotations

import pytest
from tests.matching import oracle

from veridical.matching import locate as module
from veridical.matching.align import MOST_INEXACT, Needle
from veridical.matching.locate import Place, locate, locate_damaged, locate_near
from veridical.matching.seeds import DEFAULT_POLICY, SearchPolicy
from veridical.sources.document import Document, Span
from veridical.text import folded
from veridical.text.folded import FoldedText

CASES = 1_500
TEXTS = 140
REPORTED = MOST_INEXACT // 4
"""Places of a needle from which on more of them need not be reported."""

CHUNKS = (300, 512, 4096)


def check(needle: str, text: str, places: list[Place]) -> None:
    budget = DEFAULT_POLICY.complete_edits(len(needle))
    true = oracle.truth(needle, text, budget)
    best = places[0].edit_distance if places else None
    if best is not None and best > budget:
        best = None
    assert best == true.distance, (needle, text)
    for place in places:
        found = text[place.span.start : place.span.end]
        assert oracle.distance(needle, found) <= place.edit_distance, (needle, found)
    complete = true.distance is not None and true.distance <= DEFAULT_POLICY.max_edit_distance
    if complete and len(places) < REPORTED:
        for end in true.ends:
            start = max(0, end + 1 - len(needle) - (true.distance or 0))
            around = Span(start, end + 1)
            assert any(place.span.overlap(around) for place in places), (needle, text, end)


@pytest.mark.no_cover
@pytest.mark.parametrize("small_texts_are_scanned", [False, True])
@pytest.mark.parametrize("chunk", CHUNKS)
def test_no_place_is_missed(
    chunk: int, small_texts_are_scanned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folded, "CHUNK_CHARS", chunk)
    if not small_texts_are_scanned:
        monkeypatch.setattr(module, "FULL_SCAN_WORK", 0)
        monkeypatch.setattr(module, "SHORT_SCAN_CHARS", 0)
    cases = 0
    for text, needles in oracle.texts(chunk + small_texts_are_scanned, TEXTS):
        document = Document("text", text)
        places = locate(FoldedText(document), [Needle(needle) for needle in needles])
        for needle, found in zip(needles, places, strict=True):
            check(needle, text, found)
            cases += 1
    print(f"{cases} cases")
    assert cases >= CASES


def test_places_stand_at_the_characters_they_came_from() -> None:
    text = "Zwölf  ﬁne\u00ad ca\u0301fés,\r\n\u200bnicht dreizehn."
    needles = [Needle("zwolf fine"), Needle("cafes nicht"), Needle("fine cafez")]
    found = locate(FoldedText(Document("d", text)), needles)
    shown = [text[places[0].span.start : places[0].span.end] for places in found]
    assert shown == ["Zwölf  ﬁne", "ca\u0301fés,\r\n\u200bnicht", "ﬁne\u00ad ca\u0301fés"]
    assert [places[0].edit_distance for places in found] == [0, 0, 1]


def test_all_occurrences_are_given_and_overlaps_too() -> None:
    (places,) = locate(FoldedText(Document("d", "abababab")), [Needle("abab")])
    assert [place.span for place in places] == [Span(0, 4), Span(2, 6), Span(4, 8)]


def test_no_more_places_than_the_policy_allows() -> None:
    policy = SearchPolicy(max_places=5)
    text = FoldedText(Document("d", "needle in hay " * 50))
    (places,) = locate_near(text, [Needle("needle in hay")], policy=policy)
    assert [place.span.start for place in places] == [0, 14, 28, 42, 56]


def test_below_the_floor_nothing_is_a_place() -> None:
    text = FoldedText(Document("d", "abcdefghij klmnop"))
    (near,) = locate_damaged(text, [Needle("abxxefxxij")])
    (far,) = locate_damaged(text, [Needle("zyxwvutsrq")])
    assert near[0].similarity == pytest.approx(0.6)
    assert far == []


def test_a_stop_ends_the_search() -> None:
    class Stop(Exception):
        pass

    def stop() -> None:
        raise Stop

    text = FoldedText(Document("d", "text"))
    for search in (locate_near, locate_damaged):
        with pytest.raises(Stop):
            search(text, [Needle("text")], check=stop)


@pytest.mark.parametrize("count", [260, 600])
def test_a_needle_of_more_characters_than_fit_a_byte(count: int) -> None:
    script = "".join(chr(0x4E00 + 7 * index) for index in range(count))
    text = "天地玄黄" * 20 + script + "宇宙洪荒" * 20
    changed = script[:50] + "天" + script[51:]
    exact, near = locate(FoldedText(Document("d", text)), [Needle(script), Needle(changed)])
    assert [(p.edit_distance, p.span) for p in exact] == [(0, Span(80, 80 + count))]
    assert near[0].edit_distance == 1
    assert near[0].span.overlap_ratio(Span(80, 80 + count)) > 0.9
