"""Words that a reader does not see are not held, also where the quote runs on into one that is."""

from __future__ import annotations

import pytest

from veridical import Format, check_given_citations, document_from_text, read_cited

HIDDEN = {
    "a comment of Markdown": (
        "<!-- Employees get 99 days of leave --> Visible words.",
        Format.MARKDOWN,
        "Employees get 99 days of leave --> Visible",
    ),
    "a comment of HTML": (
        "<p><!-- Employees get 99 days of leave --> Visible words.</p>",
        Format.HTML,
        "Employees get 99 days of leave --> Visible",
    ),
    "front matter": (
        "---\nnote: the secret bonus is 9000 euros\n---\nStaff work here.",
        Format.MARKDOWN,
        "secret bonus is 9000 euros\n---\nStaff",
    ),
}


@pytest.mark.parametrize(("text", "form", "quote"), HIDDEN.values(), ids=HIDDEN)
def test_hidden_words_are_not_held(text: str, form: Format, quote: str) -> None:
    document = document_from_text(text, "d", form)
    reply = {
        "content": [
            {
                "type": "text",
                "text": "So it is.",
                "citations": [
                    {
                        "type": "char_location",
                        "cited_text": quote,
                        "document_index": 0,
                        "document_title": "d",
                        "start_char_index": text.index(quote),
                        "end_char_index": text.index(quote) + len(quote),
                    }
                ],
            }
        ]
    }
    (check,) = check_given_citations(read_cited(reply), [document])
    assert not check.ok
