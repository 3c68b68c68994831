"""HTML: what a browser prints is read, what it does not print is masked, and offsets hold."""

from __future__ import annotations

import html

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.errors import DocumentParsingError
from veridical.sources.document import Document, Format, SourceLimits, Span
from veridical.sources.html import read_html


def read(text: str) -> Document:
    return read_html(text, "page.html", size_bytes=len(text))


def reading(text: str) -> str:
    """What a reader sees, with white space folded."""
    return " ".join(read(text).shown(Span(0, len(text))).split())


def unseen_words(text: str) -> list[str]:
    return [text[mask.start : mask.end] for mask in read(text).masks if mask.unseen]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain words", "plain words"),
        ("in<b>ter</b>nal", "internal"),
        ("<table><tr><td>1<td>2<tr><th>3</table>", "1 2 3"),
        ("<ul><li>a<li>b</ul>", "a b"),
        ("a<img alt='not here'>b", "a b"),
        ("a <!-- no --> b", "a b"),
        ("a<!-->b<!--->c<!-- --!>d", "abcd"),
        ("<a title='a > b' href=x>link</a>", "link"),
        ("<textarea><b>&amp;</textarea>x", "<b>& x"),
        ("<xmp><b>&amp;</xmp>", "<b>&amp;"),
        ("<script><!-- <script> </script> still script </script>x", "x"),
        ("<style>p > a {}</style>x", "x"),
        ("<head><title>T</title>words without a body tag", "T words without a body tag"),
        ("<svg><title>no</title><path/><text>yes</text></svg>", "yes"),
        ("<svg><![CDATA[a <b> c]]></svg>", "a <b> c"),
        ("<?xml version='1.0'?><html><script src='x'/><p>seen</p></html>", "seen"),
        ("<div/>not closed</div> x", "not closed x"),
        ("words <a href='never closed>more", "words"),
    ],
)
def test_reads_what_a_browser_prints(text: str, expected: str) -> None:
    assert reading(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("&amp;&lt;&quot;&#65;&#x42;&nbsp;x", '&<"AB x'),
        ("&notit; &notin; &bogus; &;", "¬it; ∉ &bogus; &;"),
        ("&#0; &#xD800; &#99999999999999999999;", "\ufffd \ufffd \ufffd"),
        ("&CounterClockwiseContourIntegral;", "∳"),
    ],
)
def test_character_references_as_browsers_resolve_them(text: str, expected: str) -> None:
    assert reading(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10<sup>2</sup>5 units", "10^2 5 units"),
        ("x<sup>2</sup> and 5 m<sup>2</sup>", "x^2 and 5 m^2"),
        ("word<sup>1</sup> next", "word 1 next"),
        ("word<sup><a href='#n'>[1]</a></sup>.", "word [1]."),
        ("<b>10</b><sup>2</sup>", "10^2"),
        ("1<sup>st</sup> of May, 2<sup>e</sup>", "1st of May, 2e"),
        ("M<sup>lle</sup>", "Mlle"),
        ("note<sup>a</sup>", "note^a"),
        ("<sup>1</sup>Department of Physics", "1 Department of Physics"),
        ("H<sub>2</sub>O and CO<sub>2</sub>", "H2O and CO2"),
        ("10<sub>2</sub>", "10_2"),
    ],
)
def test_raised_and_lowered_digits_do_not_make_new_numbers(text: str, expected: str) -> None:
    assert reading(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<p hidden>no<p>yes", "yes"),
        ("<ul><li hidden>no<li>yes</ul>", "yes"),
        ("<table><tr hidden><td>no<tr><td>yes</table>", "yes"),
        ("<dl><dt hidden>no<dd>yes</dl>", "yes"),
        ("<select><option hidden>no<option>yes</select>", "yes"),
        ("<div hidden>no<div>no</div>no</div>yes", "yes"),
        ("<div hidden><p>no</div>yes", "yes"),
        ("<div hidden><table><tr><td></div>no</table>no</div>yes", "yes"),
        ("<div><span hidden>no</div>yes", "yes"),
        ("<span HIDDEN=''>no</span>yes", "yes"),
        ("<p style='color:red; display : NONE'>no</p>yes", "yes"),
        ("<p style='display:none!important;display:block'>no</p>yes", "yes"),
        ("<p style='display:none;display:block'>yes</p>", "yes"),
        ("<p style='display&#58;none'>no</p>yes", "yes"),
        ("<p style='display:/* */none'>no</p>yes", "yes"),
        ("<p style='dis/* */play:none'>yes</p>", "yes"),
        ("<p style='visibility:hidden'>no</p>yes", "yes"),
        ("<p title='hidden' style='color:none'>yes</p>", "yes"),
        ("<input hidden>yes", "yes"),
        ("<template><p>no</p></template>yes", "yes"),
        ("<noscript><p>no</p></noscript>yes", "yes"),
        ("<video>no</video>yes", "yes"),
        ("yes<div hidden>no", "yes"),
    ],
)
def test_hidden_elements_end_where_a_browser_ends_them(text: str, expected: str) -> None:
    assert reading(text) == expected
    assert not any("yes" in words for words in unseen_words(text))
    assert (">no" in text) == any("no" in words for words in unseen_words(text) if ">" in words)


def test_only_words_that_are_never_shown_are_unseen() -> None:
    text = "a <!-- c --> <b title='t'>d</b> &amp; <script>s</script> e"
    assert unseen_words(text) == ["<!-- c -->", "<script>s"]


def test_headings_are_sections() -> None:
    text = "<h1>Hand<i>book</i></h1>\n<p>a</p>\n<h2>3.2\n Leave</h2>b<h3></h3><h2 hidden>x</h2>"
    document = read(text)
    assert document.format is Format.HTML
    titles = [(section.title, section.level, section.line) for section in document.sections]
    assert titles == [("Handbook", 1, 1), ("3.2 Leave", 2, 3)]
    first, second = document.sections
    assert second.path == ("Handbook", "3.2 Leave")
    assert second.number == "3.2"
    assert first.end == second.heading.start
    assert second.end == len(text)
    assert text[first.heading.start : first.heading.end] == "Hand<i>book</i>"


def test_a_page_without_shown_text_says_so() -> None:
    assert read("<script>x</script><div hidden>y</div>").warnings
    assert not read("<p>x</p>").warnings


@pytest.mark.parametrize("element", ["div", "span", "x-y", "b"])
def test_deep_nesting_is_refused_with_advice(element: str) -> None:
    with pytest.raises(DocumentParsingError, match=r"page\.html.* more than 1000 deep.*[Ss]ave"):
        read(f"<{element}>" * 100_000)


def test_nesting_up_to_the_limit_is_read() -> None:
    text = "<div>" * 10 + "x" + "</div>" * 10
    assert read_html(text, "n", size_bytes=1, limits=SourceLimits(max_nesting=10)).masks
    with pytest.raises(DocumentParsingError):
        read_html(text, "n", size_bytes=1, limits=SourceLimits(max_nesting=9))


def test_many_elements_side_by_side_are_not_deep() -> None:
    assert reading("<p>a<li>b<option>c<a>d" * 3_000).startswith("a b c")


HTML_PIECES = st.sampled_from(
    "< > </ /> <!-- --> <p> <p\thidden> </p> <div> </div> <table> <td> </table> <sup> </sup> ' \" "
    "= <a\tb=' &amp; &# &lt ; 1 <script> </script> <title> </title> <head> <h1> </h1> <svg> <br/> "
    "<li> <b> </b> <template> <![CDATA[ ]]> word \r é \U0001f600".split(" ")
)


@pytest.mark.no_cover
@given(st.lists(HTML_PIECES | st.text(max_size=5)).map("".join))
@settings(max_examples=300)
def test_any_text_can_be_read(text: str) -> None:
    document = read(text)
    end = 0
    for mask in document.masks:
        assert end <= mask.start < mask.end <= len(text)
        end = mask.end
    assert document.text == text
    for section in document.sections:
        assert 0 <= section.heading.start <= section.heading.end <= section.end <= len(text)


@given(st.text())
def test_escaped_text_is_read_as_itself(text: str) -> None:
    escaped = html.escape(text)
    assert read(escaped).shown(Span(0, len(escaped))) == text


@given(st.text(alphabet="abc &<>\"'éß", min_size=1), st.data())
def test_inline_tags_do_not_change_the_reading(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    tagged = html.escape(text[:at]) + "<b class='x'>" + html.escape(text[at:]) + "</b>"
    assert read(tagged).shown(Span(0, len(tagged))) == text


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "piece", "< <a <a\t <a\tb=' <!-- <![ & &amp </ <? <script> <p>1<sup>1 <title>".split(" ")
)
def test_long_hostile_text_is_read(piece: str) -> None:
    assert read(piece * 20_000).text.startswith(piece)
