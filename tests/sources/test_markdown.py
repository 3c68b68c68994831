"""Markdown: markup that readers do not see is masked, everything else stays, sections are found."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.errors import DocumentParsingError
from veridical.sources.document import Document, Format, Span
from veridical.sources.markdown import read_markdown


def read(text: str) -> Document:
    return read_markdown(text, "page.md", size_bytes=len(text))


def reading(text: str) -> str:
    """What a reader sees, with white space folded."""
    return " ".join(read(text).shown(Span(0, len(text))).split())


def outline(text: str) -> list[tuple[str, int, int]]:
    return [(section.title, section.level, section.line) for section in read(text).sections]


def unseen_words(text: str) -> list[str]:
    return [text[mask.start : mask.end] for mask in read(text).masks if mask.unseen]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a *b* **c** ***d*** _e_ __f__ ~~g~~", "a b c d e f g"),
        ("in**ter**nal", "internal"),
        ("**bold *and* italic**, *it **bo***", "bold and italic, it bo"),
        ("*over\nlines*", "over lines"),
        ("**a*", "*a"),
        # What has no partner, or may not pair, stays.
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("2*3*4 and 2**3**4", "2*3*4 and 2**3**4"),
        ("*one\n\ntwo*", "*one two*"),
        ("**note:**text", "**note:**text"),
        ("~5 to ~6 ~~7", "~5 to ~6 ~~7"),
        (r"\*not\* \_this\_ \a", r"*not* _this_ \a"),
    ],
)
def test_emphasis(text: str, expected: str) -> None:
    assert reading(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("use `*args*` here", "use *args* here"),
        ("``a`b`` `c", "a`b `c"),
        ("`a*b` *c*", "a*b c"),
        ("```py *x*\n*a* [b](c)\n```\n*d*", "*a* [b](c) d"),
        ("- x\n  ```\n  *a*\n  ```\n- *b*", "- x *a* - b"),
        ("- ```\n  *a*\n*b*", "- *a* b"),
        ("> ```\n> *a*\n*b*", "*a* b"),
        ("para\n\n    *code*\n\npara *x*", "para *code* para x"),
        ("- item\n\n    *still the item*", "- item still the item"),
        ("# H\n\npara\n    # *none*\n\nx", "H para # none x"),
        ("# H\n\npara\n    ```\n    *no fence*\n\nx", "H para ``` no fence x"),
        ("-     *code*\n- x", "- *code* - x"),
    ],
)
def test_code_is_shown_as_written(text: str, expected: str) -> None:
    assert reading(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[text](http://x.y/z_w_)", "text"),
        ("[a *b*](<u v> \"t\") [c](u (t)) [d](u 't') [e]()", "a b c d e"),
        ("[a](b(c)d) [e](f\\)g)", "a e"),
        ("[a](b c) [d] (e) [f", "[a](b c) [d] (e) [f"),
        ("*[a*](b)", "*a*"),
        ("[![alt](i.png)](u) z", "z"),
        ("[a][r] [R][] [r] [no] [b][no]\n\n[r]: http://x.y 't'", "a R r [no] [b][no]"),
        ("![alt][r] b\n\n[r]: u", "b"),
        ('[r]: <u v>\n  "title"\n\n[r]', "r"),
        ("text\n[r]: stays in its paragraph", "text [r]: stays in its paragraph"),
        ("word[^1] next[^n].\n\n[^1]: The *note*.\n[^n]: x", "word next . The note. x"),
        ("<https://x.y/a_b_c> <me@x.y>", "https://x.y/a_b_c me@x.y"),
        ("https://x.y/a_b_c", "https://x.y/a_b_c"),
    ],
)
def test_links_and_images(text: str, expected: str) -> None:
    assert reading(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <b>b</b> <!-- c --> d", "a b d"),
        ("a < b, c<d and List<String>", "a < b, c<d and List<String>"),
        ("may <not>\n*work*", "may <not> work"),
        ("may <my-note>not</my-note> <SPAN>work</SPAN>", "may not work"),
        ("<g>may</g> <svg><g></g></svg>work", "<g>may</g> work"),
        ("a <!-- open", "a <!-- open"),
        ("<!-- open\n\n*never* closed", ""),
        ("<div>\n*raw*\n\n*not raw*\n</div>", "*raw* not raw"),
        ("<div hidden>\n\nno *no*\n\n# no\n\n</div>\n\n*yes*", "yes"),
        ("<script>\nno\n\nno\n</script>\n*yes*", "yes"),
        ("<details>\n<summary>S</summary>\n\n*yes*\n\n</details>", "S yes"),
        ("&amp; &#42;a&#42; &copy &nope;", "& *a* &copy &nope;"),
        ("10<sup>2</sup>", "10^2"),
        ("<p>one<p>two", "one two"),
    ],
)
def test_raw_html_and_character_references(text: str, expected: str) -> None:
    assert reading(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("> a *b\n> c* d\n>> e\nlazy", "a b c d e lazy"),
        ("- a *b\n  c*\n* d\n+ e\n1. f\n2) g", "- a b c * d + e 1. f 2) g"),
        ("* * *\n*a*\n\n___\n- - -", "a"),
        ("| a | *b* |\n|---|:-:|\n| c \\| x | d*e |\n| f* | g |\n\n*z*", "a b c | x d*e f* g z"),
        ("a | b\n- | -\nc | d", "a b c d"),
        ("a | b\nc | d", "a | b c | d"),
        ("a\r\nb *c\r\nd*\r\n\r\n# *H*\r\nx", "a b c d H x"),
    ],
)
def test_blocks(text: str, expected: str) -> None:
    assert reading(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "# One\n## Two ##\n###\tThree *x*\n####### no\n#no",
            [("One", 1, 1), ("Two", 2, 2), ("Three x", 3, 3)],
        ),
        ("One\n===\n\nTwo *x*\nlines\n---", [("One", 1, 1), ("Two x lines", 2, 4)]),
        ("- item\n---\n\nx\n\n---", []),
        ("```\n# no\n```\n    # no\n# yes", [("yes", 1, 5)]),
        ("> # Quoted\n\n- # In a list", [("Quoted", 1, 1), ("In a list", 1, 3)]),
        ("<h2>Raw</h2>\n\n# Plain", [("Raw", 2, 1), ("Plain", 1, 3)]),
        ("# [Link](u) and `code`", [("Link and code", 1, 1)]),
        ("#\n\n# ![](only-an-image.png)", []),
        ("<!-- # no -->\n\n<!--\n# no\n-->", []),
    ],
)
def test_headings(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert outline(text) == expected


def test_a_section_knows_its_place_path_and_number() -> None:
    text = "# Handbook\n\nx\n\n## Section 3.2: *Leave* #\n\ny\n\n### Kinds\n\nz\n\n## 4. Pay\n"
    document = read(text)
    assert document.format is Format.MARKDOWN
    top, leave, kinds, pay = document.sections
    assert text[leave.heading.start : leave.heading.end] == "Section 3.2: *Leave*"
    assert (leave.title, leave.number) == ("Section 3.2: Leave", "3.2")
    assert kinds.path == ("Handbook", "Section 3.2: Leave", "Kinds")
    assert pay.path == ("Handbook", "4. Pay")
    assert pay.number == "4"
    assert [section.end for section in document.sections] == [
        leave.heading.start,
        kinds.heading.start,
        pay.heading.start,
        len(text),
    ]
    assert document.section_at(text.index("y")) is leave
    assert document.section_at(0) is None
    assert top.line == 1


@pytest.mark.parametrize(
    "text",
    [
        "\n    # One\n    \n    Some *words*.\n    \n    ## Two  \n    more\n    ",
        "# One\n    \n    Some *words*.\n\n    ## Two\n    more\n",
        "\n    # One\nSome *words*.\n\n    ## Two\n\nmore",
    ],
)
def test_a_text_that_is_indented_as_a_whole_is_read_as_if_it_were_not(text: str) -> None:
    assert [title for title, _, _ in outline(text)] == ["One", "Two"]
    assert reading(text) == "One Some words. Two more"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "---\ntitle: no\nlist:\n  - no\n# no\n---\n# Yes",
            "---\ntitle: no\nlist:\n  - no\n# no\n---\n",
        ),
        ("---\r\na: b\r\n...\r\nyes", "---\r\na: b\r\n...\r\n"),
        ("+++\na = 'b'\n+++\nyes", "+++\na = 'b'\n+++\n"),
    ],
)
def test_front_matter_is_unseen(text: str, words: str) -> None:
    assert unseen_words(text) == [words]
    assert reading(text).lower() == "yes"


@pytest.mark.parametrize(
    "text", ["---\nwords\n---\nx", "---\na: b\n\nno end", "---\n---\nx", "x\n---"]
)
def test_rules_and_underlines_are_no_front_matter(text: str) -> None:
    assert unseen_words(text) == []


def test_only_words_that_are_never_shown_are_unseen() -> None:
    text = "[a](u) ![b](u) *c* <b>d</b> <!-- e -->\n\n[r]: /u 'f'\n"
    assert unseen_words(text) == ["<!-- e -->", "[r]: /u 'f'"]


def test_deep_html_is_refused_and_unclosed_inline_tags_are_not_deep() -> None:
    with pytest.raises(DocumentParsingError, match=r"page\.md.*deep"):
        read("<div>\n" * 5_000)
    assert reading("an <a name='x'>anchor\n\n" * 5_000).startswith("an anchor an anchor")


PIECES = st.sampled_from(
    "* ** _ ~~ ` `` ``` [ ] ( ) ![ [a] [a]: (u) \\ < > <b> </b> <!-- --> <i\thidden> </i> "
    "<div> &amp; | |-| # ## === --- > - 1. word a é \r \n \n\n \t ~~~ <http://x.y> [^1] "
    "[^1]: \U0001f600".split(" ")
)


@pytest.mark.no_cover
@given(st.lists(PIECES | st.just(" ") | st.just("    ") | st.text(max_size=4)).map("".join))
@settings(max_examples=150)
def test_any_text_can_be_read(text: str) -> None:
    document = read(text)
    end = 0
    for mask in document.masks:
        assert end <= mask.start < mask.end <= len(text)
        end = mask.end
    assert document.text == text
    for section in document.sections:
        assert 0 <= section.heading.start <= section.heading.end <= section.end <= len(text)


@pytest.mark.parametrize("first", ["**Leave policy**", "*Note*", "-5 degrees", "1.5 million"])
def test_only_an_item_keeps_what_is_indented_below_it(first: str) -> None:
    text = f"{first}\n\n    Staff get [27 days](https://example.org) of leave."
    assert "Staff get 27 days of leave." in read(text).shown(Span(0, len(text)))


WORDS = st.text(alphabet="ab 1é.*_`[]()<>&#!|~\\-+'\"", max_size=40).map(lambda text: f"w{text}w")


@given(WORDS)
def test_escaped_text_is_read_as_itself(text: str) -> None:
    escaped = re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)
    assert read(escaped).shown(Span(0, len(escaped))) == text


@given(st.text(alphabet="ab 1é.,;", min_size=1), st.sampled_from(["*", "**", "_", "`", "~~"]))
def test_marking_words_does_not_change_the_reading(text: str, mark: str) -> None:
    words = text.strip(" .,;") or "w"
    marked = f"before {mark}{words}{mark} after"
    assert read(marked).shown(Span(0, len(marked))) == f"before {words} after"


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "piece",
    "< [ * ` <!-- & ]( []( [a]( ![ *a\t a* *a\t_b\t > - -\t 1.\t # |a |- \\ <a\t <? \n [a] "
    "[a]:\n".split(" "),
)
def test_long_hostile_text_is_read(piece: str) -> None:
    text = "w" + piece * 20_000
    assert read(text).text == text
