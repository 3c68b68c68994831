"""Words that a page shows struck through, and words that it does not show at all."""

from __future__ import annotations

import pytest

from veridical.sources.document import Document, Span
from veridical.sources.html import read_html
from veridical.sources.markdown import read_markdown


def struck(document: Document) -> list[str]:
    return [document.text[span.start : span.end] for span in document.struck]


def shown(document: Document) -> str:
    return " ".join(document.shown(Span(0, len(document.text))).split())


def markdown(text: str) -> Document:
    return read_markdown(text, "a.md", size_bytes=len(text))


def html(text: str) -> Document:
    return read_html(text, "a.html", size_bytes=len(text))


@pytest.mark.parametrize(
    ("text", "words", "visible"),
    [
        ("~~out~~ in", ["out"], "out in"),
        ("~out~ in", ["out"], "out in"),  # GitHub Flavored Markdown: one tilde or two
        ("~~a ~b~ c~~ d", ["a ~b~ c"], "a b c d"),
        ("~a~~ ~~~b~~~", [], "~a~~ ~~~b~~~"),
        ("~5 to ~6, 2~3~4, ~ a ~", [], "~5 to ~6, 2~3~4, ~ a ~"),
        ("\\~a~ b", [], "~a~ b"),
        ("in <del>out", ["out"], "in out"),
        ("[home](http://x.y/~me) [b](c~~d) e", [], "home b e"),
        ("~~~\ncode\n~~~\nafter", [], "code after"),
        ("| a | b |\n|---|---|\n| ~c~ | d |", ["c"], "a b c d"),
        ("in <del>out\n\nin", ["out"], "in out in"),
        ("in <s>out\n\nout</s> in", ["out\n\nout"], "in out out in"),
        (
            "<i style='text-decoration:line-through'>\n\nx\n\n</i>\n\nin",
            ["\n\nx\n\n"],
            "x in",
        ),
        ("a <b style='font-size:0'>x *y*</b> b\n\nc", [], "a b c"),
    ],
)
def test_markdown(text: str, words: list[str], visible: str) -> None:
    document = markdown(text)
    assert struck(document) == words
    assert shown(document) == visible


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<del>out</del> in", ["out"]),
        ("<s>a <strike>b</strike> c</s> in", ["a <strike>b</strike> c"]),
        ("<p><del>out</p><p>in", ["out"]),
        ("<p><s>out</p><p>out</s> in", ["out</p><p>out"]),
        ("<strike>out<p>to the end", ["out<p>to the end"]),
        ("<table><tr><td><s>out<td>in</table>in", ["out"]),
        ("<ul><li><del>out<li>in</ul>", ["out"]),
        ("<p style='text-decoration: line-through'>out<p>in", ["out"]),
        ('<p style="TEXT-DECORATION-LINE: underline Line-Through">out</p>in', ["out"]),
        ("<p style='text-decoration: line&#45;through'>out</p>in", ["out"]),
        ("<p style='text-decoration:line-through; text-decoration:none'>in</p>", []),
        ("<div style='text-decoration:line-through'>a<div hidden>b</div>c</div>d",
         ["a<div hidden>b</div>c"]),
        ("<samp>in</samp> <section>in</section>", []),
        ("<!-- <del> -->in", []),
    ],
)  # fmt: skip
def test_html(text: str, words: list[str]) -> None:
    assert struck(html(text)) == words


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        ("<p style='opacity:0'>x</p>y", "y"),
        ("<p style='opacity: 0.0 !important'>x</p>y", "y"),
        ("<p style='opacity:0.5'>x</p>y", "x y"),
        ("<p style='font-size:0'>x &amp; <!-- --> <b>x</b></p>y", "y"),
        ("<p style='font-size:0px'>x<b style='font-size:12px'>z</b>x</p>y", "z y"),
        ("<p style='font-size:0'>x<b style='font-size:2em'>x</b></p>y", "y"),
        ("<p style='font-size:0.8em'>x</p>y", "x y"),
        ("<p style='font-size:0'>x", ""),
    ],
)
def test_what_has_no_ink_or_no_size_is_not_shown(text: str, visible: str) -> None:
    document = html(text)
    assert shown(document) == visible
    assert bool(document.warnings) == (not visible)
