"""`veridical ledger citations`: it passes only what was checked, all of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.harness import invoke
from tests.cli.ledger_desk import set_up

FIRST = "Full-time staff are entitled to 27 days of annual leave in each leave year."
QUOTE = {"type": "TextQuoteSelector", "exact": FIRST}
XPATH = {"type": "XPathSelector", "value": "/p"}
LINK = "https://a.org/leave.md"


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_up(tmp_path, monkeypatch)


def citations(data: object, *more: str) -> Any:
    Path("given.json").write_text(json.dumps(data), "utf-8")
    return invoke("ledger", "citations", "given.json", "--documents", "docs", *more)


def annotation(*selectors: object, **more: object) -> dict[str, Any]:
    return {"type": "Annotation", "target": {"source": "leave.md", "selector": selectors}, **more}


def reply(*texts: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text} for text in texts]


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (annotation(QUOTE), 0, f"1: held, “{FIRST}”: leave.md, line 3"),
        (annotation(QUOTE, XPATH), 0, "leave.md, line 3 (not checked: XPathSelector)"),
        (annotation(XPATH), 1, "1: not checked, it quotes nothing"),
        (
            {"type": "AnnotationPage", "items": [annotation(QUOTE)], "next": f"{LINK}/2"},
            1,
            "2: not checked, annotations: there are more pages than are given here",
        ),
    ],
)
def test_what_is_not_checked_is_told(data: object, code: int, line: str) -> None:
    done = citations(data)
    assert line in done.stdout
    assert done.exit_code == code


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (reply("One.", "Two."), "there is no citation; texts of the answer that carry none: 2"),
        ({"rows": []}, "there is no citation"),
        ({"target": LINK}, "1 annotation of a whole document: no words to be checked"),
    ],
)
def test_nothing_to_check_passes_only_where_that_is_allowed(data: object, told: str) -> None:
    for form in ("table", "json"):
        done = citations(data, "--format", form)
        assert done.exit_code == 1
        assert told in done.stderr
    assert citations(data, "--allow-none").exit_code == 0


def test_a_wrong_citation_never_passes() -> None:
    assert citations(annotation(XPATH), "--allow-none").exit_code == 1


def test_an_annotation_of_a_whole_document_is_told_beside_others() -> None:
    done = citations([annotation(QUOTE), {"target": LINK}])
    assert done.exit_code == 0
    assert "1 annotation of a whole document" in done.stderr


def test_the_data_tells_what_is_not_checked() -> None:
    link = {"target": f"{LINK}#top"}
    (told,) = json.loads(citations(link, "--format", "json").stdout)
    assert (told["status"], told["cited_text"]) == (None, None)
    assert told["not_checked"] == ["the fragment “top”"]
