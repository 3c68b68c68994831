"""The ledger as a PDF, read back with a reader that others wrote.

The scripts need fonts: `scripts/ensure_fonts.sh` installs them where it may.
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from contextlib import closing
from importlib.util import find_spec

import pypdfium2
import pytest
import typst
from tests.ledger.export.samples import LEAVE, entry, evidence, ledger, of_texts

from veridical.errors import MissingExtraError, ProcessingError
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.export import pdf as pdf_module
from veridical.ledger.export.pdf import MOST_CHARS, MOST_CLAIMS, export_pdf, left_out, template_data
from veridical.ledger.export.pdf_worker import missing_notice, pdf_of, typeset, undrawable
from veridical.reports.texts import visible
from veridical.sources.document import DEFAULT_LIMITS


def pages(data: bytes) -> list[str]:
    with closing(pypdfium2.PdfDocument(data)) as document:
        found = []
        for page in document:
            text = page.get_textpage()
            found.append(text.get_text_range().replace("\r\n", "\n"))
            text.close()
            page.close()
        return found


def text_of(made: EvidenceLedger) -> str:
    return squeezed(" ".join(pages(export_pdf(made).data)))


def squeezed(text: str) -> str:
    """Without white space and break marks: where lines end is the typesetter's matter."""
    return re.sub(r"[\s\u200b\ufffe\u00ad]+", "", text)


def test_the_example_of_the_specification() -> None:
    said = text_of(LEAVE)
    for words in (
        "50% supported: 2 of 4 claims evidence coverage 75% (supported or weak)",
        "○ Not Found 1 25%",
        "Missing Evidence High",
        "2 Leave requests must be submitted 2 weeks in advance Policy ✓ Supported Leave_Guidelines",
        "4 Maximum carryover is 5 days Numeric ○ Not Found -",
        "? Weak Confidence: 65% (moderate)",
        "Nearest passages: they do not bear the claim out",
        "1. Upload additional policy documents covering leave carryover limits",
        f"SHA-256 {'ab' * 32}",
        "Page 1 of 2",
    ):
        assert squeezed(words) in said
    details = said[said.index(squeezed("Claims in detail")) :]
    places = [details.index(squeezed(each.claim.text)) for each in LEAVE.entries]
    assert places == sorted(places)


def test_the_table_breaks_over_pages_under_a_repeated_header() -> None:
    made = export_pdf(of_texts(*[f"Rule {n} holds for this office." for n in range(120)]))
    heads = [page for page in pages(made.data) if re.search(r"#\s+Claim\s+Type\s+Verdict", page)]
    assert len(heads) >= 2


# --- scripts -------------------------------------------------------------------------------------

SCRIPTS = {
    "accents": "Zoë’s naïve café, Łódź, Øresund, Ångström, 15 €",
    "cyrillic": "Сотрудникам положено 15 дней",
    "chinese": "员工每年有十五天的年假，必须提前两周申请。",
    "korean": "연차 휴가는 십오일입니다",
    "hebrew": "לעובדים מגיעים ימי חופשה",
    "arabic": "يحق للموظفين الحصول على إجازة",
    "emoji": "Great 👍 news 🎉",
}
REQUIRED = os.environ.get("CI") or os.environ.get("REQUIRE_FONTS")
NEEDS_FONTS = pytest.mark.skipif(
    not REQUIRED and bool(undrawable(set("年ひ가عאअ😀"), typst.Fonts())),
    reason="fonts are missing: run scripts/ensure_fonts.sh",
)


@NEEDS_FONTS
@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_is_drawn_and_can_be_read_back(name: str) -> None:
    made = export_pdf(of_texts(SCRIPTS[name]))
    assert made.warnings == (), "run scripts/ensure_fonts.sh"
    said = squeezed(" ".join(pages(made.data)))
    # Readers give Arabic letters in the shapes that they have in a word.
    said = unicodedata.normalize("NFKC", said)
    for word in unicodedata.normalize("NFKC", SCRIPTS[name]).split():
        assert word in said


@NEEDS_FONTS
@pytest.mark.parametrize("text", [SCRIPTS["hebrew"], SCRIPTS["arabic"]])
def test_text_from_the_right_starts_at_the_right(text: str) -> None:
    made = export_pdf(ledger(title="Leave", query=text))
    with closing(pypdfium2.PdfDocument(made.data)) as document:
        page = document[0]
        words = page.get_textpage()
        places = [
            words.get_charbox(n)[2]
            for n in range(words.count_chars())
            if words.get_text_range(n, 1) > "\u0590"
        ]
        margin = page.get_width() - max(places)
        words.close()
        page.close()
    assert 56 <= margin <= 60  # two centimetres


def test_what_no_font_can_draw_is_told_and_stands_on_the_cover() -> None:
    made = export_pdf(of_texts("Egyptian \U00013000\U00013001 and private \U0010ff00"))
    (warning,) = made.warnings
    assert "3 characters: U+13000, U+13001, U+10FF00" in warning
    said = squeezed(pages(made.data)[0])
    assert squeezed(warning.partition(" (Debian")[0]) in said


# --- text that stays text ------------------------------------------------------------------------

MARKUP = (
    '#eval("1 + 1") #read("/etc/passwd") #sys.inputs #pagebreak() #include "x"',
    "= heading == two - item + item / term: what // comment /* block */ $x^2$ @ref <label> *bold*",
    "\\ \\# \\u{41} ~ -- --- ... 'single' \"double\" [content] #[block] #{code} `raw`",
    '"}) #panic("out") ({"',
    "\u202eright\u202c \x00 \x1b[31m \u200b",
)


@pytest.mark.parametrize("text", MARKUP)
def test_nothing_of_a_text_is_typst(text: str) -> None:
    piece = evidence(text, heading_path=(text,))
    each = entry(text, Verdict.WEAK, evidence=(piece,), near=(piece,), notes=text)
    said = text_of(ledger(each, title=text, query=f"{text}?", actions=(text,), warnings=(text,)))
    shown = squeezed(visible(text)).replace("\ufffd", "")
    assert said.replace("\ufffd", "").count(shown) >= 8


def test_the_template_can_read_and_fetch_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for source in ('#read("/etc/passwd")', '#import "@preview/cetz:0.3.0"', '#image("/x.png")'):
        monkeypatch.setattr(pdf_module, "asset", lambda *_, source=source: source)
        with pytest.raises(ProcessingError, match="could not be made"):
            export_pdf(LEAVE)


# --- bounds --------------------------------------------------------------------------------------


def test_of_very_many_claims_the_worst_are_printed_and_long_texts_are_cut() -> None:
    rows = [entry(f"{n}", Verdict.SUPPORTED) for n in range(MOST_CLAIMS + 5)]
    rows[-1] = entry("last", Verdict.CONTRADICTED)
    made = ledger(*rows)
    data = template_data(made)
    assert len(data["entries"]) == MOST_CLAIMS
    numbers = [each["number"] for each in data["entries"]]
    assert numbers == [*range(1, MOST_CLAIMS), MOST_CLAIMS + 5]
    assert left_out(made) == (
        "5 claims of 2,005 left out (5 supported): a PDF holds 2,000, the worst verdicts before "
        "the others. The other forms of this ledger hold every claim."
    )
    assert left_out(LEAVE) is None
    long = template_data(of_texts("word " * MOST_CHARS))["entries"][0]["claim"]
    assert long.endswith("[… 12,000 more characters]")


def test_a_run_that_takes_too_long_is_stopped() -> None:
    with pytest.raises(ProcessingError, match=r"could not be made within 0\.01 seconds"):
        export_pdf(LEAVE, max_seconds=0.01)


def test_without_typst_the_error_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veridical.errors.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"veridical\[export\]"):
        export_pdf(LEAVE)
    assert find_spec("typst") is not None


def test_typst_itself_says_what_it_cannot_draw() -> None:
    """In this process, and not in the worker: what is asked of typst, and how it answers."""
    fonts = typst.Fonts(include_system_fonts=False)
    asked = {"a", "é", "中", "\U00013000", "\u200d", "\ufe0f", "\u00a0", '"', "\\"}
    assert undrawable(asked, fonts) == ["中", "\U00013000"]
    request = {
        "template": "#json(bytes(sys.inputs.ledger)).notices.join()",
        "data": {"notices": [], "claim": "中"},
        "fonts": ["No Such Font", "Libertinus Serif"],
        "mono": ["DejaVu Sans Mono"],
        "timestamp": 0,
        "home": "/nowhere",
    }
    reply = typeset(json.dumps(request).encode(), "", DEFAULT_LIMITS)
    assert pdf_of(reply).startswith(b"%PDF-")
    assert reply["warnings"] in ([], [missing_notice("中")])
