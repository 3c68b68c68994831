"""Generated documents: the scripts, marks and line ends that trip up offsets."""

from __future__ import annotations

from hypothesis import strategies as st

from veridical import Document, Format, document_from_text

WORDS = (
    "The committee met on Friday",
    "staff may not leave",
    "unable to pay",
    "within 15 days",
    "$1,200.50",
    "naïve café",
    "cafe\u0301 au lait",
    "e\u0301\u0323te\u0301",
    "the ﬁne oﬃce",
    "Straße",
    "İstanbul",
    "ſeveral",
    "😀",
    "👩\u200d👩\u200d👧 and 🇩🇪",
    "שָׁלוֹם עולם",
    "مرحبا بالعالم",
    "السَّلامُ عليكم",
    "漢字仮名交じり文です。",
    "東京都の人口",
    "한국어 문장",
    "हिन्दी में लिखा",
    "ภาษาไทย",
    "co\u00adop\u00aderation",
    "multi-\nline words",
    "well-known",
    "“quoted words”",
    "don’t",
    "it's",
    "x²",
    "H₂O",
    "½",
    "Ⅳ",
    "①",
    "１２",
    "٣",
    "µm",
    "\u200b",
    "\ufeff",
    "—",
    "…",
    "(in brackets)",
    "[1]",
    "a_b",
    "**bold words**",
    "_slanted_",
    "`code here`",
    "[a link](http://x.y/z)",
    "<b>strong</b>",
    "<!-- a comment -->",
    "&amp;",
    "&nbsp;",
    "<p>",
    "<",
    "&",
    "*",
    "~",
    "#",
    "|",
    "\\",
    "end.",
)
SPACES = ("", " ", " ", " ", "  ", "\t", "\n", "\r\n", "\n\n", "\u00a0", "\u3000", ". ", ", ")

texts = st.lists(
    st.tuples(st.sampled_from(WORDS) | st.text(max_size=6), st.sampled_from(SPACES)),
    min_size=3,
    max_size=40,
).map(lambda parts: "".join(word + space for word, space in parts))

formats = st.sampled_from([Format.PLAIN_TEXT, Format.MARKDOWN, Format.HTML])


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """A document of one of the three formats of text."""
    text = draw(texts.filter(lambda text: text.replace("\ufeff", "").strip()))
    return document_from_text(text, "generated", draw(formats))
