"""PDFs whose headings are known, made from code by several programs and in many styles.

A text is a list of blocks; a look says how it is set. `LOOKS` are those that the reader was made
with, `HELD_OUT` those that it was measured on afterwards.
"""

from __future__ import annotations

import html
import json
import re
import textwrap
from dataclasses import dataclass

from tests.sources.builders import Pdf, show, stream

Block = tuple[str, str | list[str] | list[list[str]]]
"""A kind and its words: h1 to h3, p (with **bold** words), ol, table, caption, note."""


@dataclass(frozen=True)
class Look:
    """How a text is set. Sizes are in points, `heads` those of h1, h2 and h3."""

    name: str
    text: str
    body: float = 10.5
    heads: tuple[float, float, float] = (18, 14, 11.5)
    weight: str = "bold"
    family: str = "Liberation Serif"
    head_family: str = "Liberation Serif"
    numbered: bool = True
    dot: str = ""
    caps: str = ""
    spacing: float = 0.0
    italic_third: bool = False
    colour: str = "#000000"
    columns: int = 1
    running: str = ""
    bookmarks: bool = False
    justified: bool = False
    centred: bool = False
    extra_css: str = ""


_STAFF: list[Block] = [
    ("h1", "Scope and purpose"),
    (
        "p",
        (
            "This handbook applies to **all permanent employees** of the company and to temporary "
            "staff where a rule says so. It replaces every earlier version, and whoever signs it "
            "confirms that they have read it."
        ),
    ),
    ("h1", "Annual leave"),
    (
        "p",
        (
            "Employees receive 25 days of annual leave per year. **Part-time employees receive a "
            "share of these days that follows from their agreed weekly hours, rounded up to half a "
            "day in every calendar year.** Leave that is not taken lapses."
        ),
    ),
    ("h2", "Requests"),
    ("p", "Requests are sent to the line manager:"),
    ("ol", ["Check the team calendar", "Fill in the form", "Wait for the reply"]),
    ("p", "The manager replies within five working days."),
    (
        "h2",
        (
            "Carry-over to the next year and payment of days that could not be taken for reasons "
            "of the business"
        ),
    ),
    ("p", "At most five days are carried over."),
    ("caption", "Table 1: Days of leave by length of service"),
    (
        "table",
        [
            ["Years of service", "Days", "Carry-over"],
            ["Up to 2", "25", "5"],
            ["3 to 5", "27", "5"],
            ["More than 5", "30", "10"],
        ],
    ),
    ("h1", "Sick leave"),
    (
        "p",
        (
            "Sickness is reported **before 9 a.m.** on the first day. A doctor's note is needed "
            "from the fourth day on."
        ),
    ),
    ("h2", "Return to work"),
    (
        "p",
        (
            "After four weeks a talk takes place. It is led by Human Resources, and what is said "
            "in it stays **confidential**"
        ),
    ),
    ("h1", "Remote work"),
    ("p", "Up to three days a week may be worked from home. Equipment is lent for that purpose."),
    ("note", "Ask before you travel abroad with a company laptop."),
    ("h1", "Expenses"),
    ("p", "Receipts are handed in within 30 days. **Meals** are paid up to 40 euros a day."),
    ("h3", "Hotels"),
    ("p", "Hotels are paid up to 120 euros a night, breakfast not included."),
    ("h1", "Final provisions"),
    ("p", "This handbook takes effect on 1 January. It ends when a new one is issued."),
]
_PLANT: list[Block] = [
    ("h1", "Introduction"),
    (
        "p",
        (
            "The pump station moves up to 400 litres a minute. Read these pages **before** the "
            "first start, and keep them near the machine."
        ),
    ),
    ("h1", "Safety"),
    ("note", "High voltage. Only electricians open the cabinet."),
    ("p", "Switch the main breaker off and lock it. **Never** reach into the coupling."),
    ("h2", "Protective equipment"),
    ("p", "Gloves, goggles and safety shoes are worn at all times in the pump room."),
    ("h2", "Emergency stop"),
    ("p", "There are two red buttons. Either stops both motors within two seconds."),
    ("h1", "Start-up"),
    (
        "ol",
        [
            "Open valve V1",
            "Prime the pump with two litres",
            "Press Start",
            "Read the pressure after one minute",
        ],
    ),
    (
        "p",
        (
            "The pressure must lie between 3 and 5 bar. **Figure 2 shows where the gauge is, and "
            "what the coloured marks on it stand for.**"
        ),
    ),
    ("caption", "Figure 2. Gauge and marks"),
    ("h1", "Maintenance"),
    ("p", "Filters are changed every 500 hours."),
    (
        "table",
        [
            ["Part", "Interval", "Spare part"],
            ["Filter", "500 h", "F-20"],
            ["Seal", "2,000 h", "S-7"],
            ["Oil", "1,000 h", "ISO 46"],
        ],
    ),
    ("h2", "Oil"),
    ("p", "Use ISO VG 46 only. Dispose of used oil as the law says."),
    ("h3", "Draining"),
    ("p", "Drain while the oil is warm. It takes about ten minutes."),
    ("h3", "Filling"),
    ("p", "Fill up to the upper mark, wait, and check again."),
    ("h1", "Troubleshooting"),
    ("p", "If the pump makes noise, check for air in the suction line."),
    ("h1", "Technical data"),
    ("p", "Weight 85 kg, power 4 kW, protection IP 55."),
]
_LEASE: list[Block] = [
    ("h1", "Parties"),
    (
        "p",
        (
            "This agreement is made between **Northfield Homes Ltd** (the Landlord) and **Anna "
            "Keller** (the Tenant)."
        ),
    ),
    ("h1", "Term"),
    (
        "p",
        (
            "The term begins on 1 March 2025 and runs for two years. It is then renewed from month "
            "to month unless either party gives notice of three months in writing."
        ),
    ),
    ("h1", "Rent"),
    ("p", "The rent is 1,450 pounds a month, due on the first day of each month."),
    ("h2", "Late payment"),
    (
        "p",
        (
            "Interest of 4 percent a year is due from the eighth day on. **The Landlord sends a "
            "reminder first.** Costs of the reminder are 15 pounds."
        ),
    ),
    ("h2", "Review"),
    ("p", "The rent is reviewed once a year, by at most 3 percent."),
    ("h1", "Deposit"),
    ("p", "The deposit is 2,900 pounds and is returned within 30 days after the end."),
    ("table", [["Item", "Amount", "Due"], ["Rent", "1,450", "1st"], ["Deposit", "2,900", "Start"]]),
    ("h1", "Use of the premises"),
    (
        "p",
        (
            "The premises are used as a home. Pets need consent, which is not refused without "
            "reason. Subletting is not allowed."
        ),
    ),
    ("ol", ["No open fire on the balcony", "No bicycles in the hall", "Quiet hours from ten"]),
    ("h1", "Repairs"),
    ("p", "The Landlord keeps the structure in repair. The Tenant reports damage **at once**."),
    ("h1", "Governing law and place of jurisdiction"),
    ("p", "The law of England applies."),
]
_STUDY: list[Block] = [
    ("h1", "Background"),
    (
        "p",
        (
            "Night shifts disturb sleep. Earlier trials (**Miller 2019; Sato 2021**) were small, "
            "and none of them lasted for more than six weeks, so that effects of habit went unseen."
        ),
    ),
    ("h1", "Methods"),
    ("p", "We followed 212 nurses over one year in four hospitals."),
    ("h2", "Participants"),
    (
        "p",
        (
            "Nurses of 25 to 60 years took part. **Exclusion criteria** were pregnancy and treated "
            "sleep disorders."
        ),
    ),
    ("h2", "Measures"),
    ("p", "Sleep was measured with a wrist sensor on 14 nights per quarter. Mood was rated daily."),
    ("h3", "Wrist sensor"),
    ("p", "The sensor weighs 31 grams and stores 40 days."),
    ("h1", "Results"),
    ("p", "Mean sleep rose from 5.9 to 6.4 hours (p = 0.01)."),
    ("caption", "Table 2. Hours of sleep by group"),
    ("table", [["Group", "Start", "End"], ["Light", "5.9", "6.4"], ["Control", "6.0", "6.0"]]),
    ("h1", "Discussion"),
    (
        "p",
        (
            "The effect is moderate and held all year. It was largest in summer. What the "
            "lamps cost was not looked at, and neither was what nurses thought of them at home."
        ),
    ),
    ("h2", "Limits"),
    ("p", "Only day-long sensors were used. The hospitals volunteered."),
    ("h1", "Conclusion"),
    ("p", "Light helps. A larger trial should follow."),
    ("h1", "References"),
    ("p", "Miller A. Sleep at work. 2019. Sato K. Lamps and shifts. 2021."),
]

_FILLER = (
    "Further details are set out in the annex and in the circular letters that the office sends "
    "every quarter. They are kept for ten years, and copies may be asked for at the front desk. "
)
TEXTS = {"staff": _STAFF, "plant": _PLANT, "lease": _LEASE, "study": _STUDY}
TITLES = {
    "staff": "Staff Handbook",
    "plant": "Pump Station PS-400: Operating Manual",
    "lease": "Residential Lease Agreement",
    "study": "Bright Light and Sleep in Night Nurses",
}


def numbered(look: Look) -> list[Block]:
    """The blocks of a look's text as they are printed, with more text between them."""
    counts = [0, 0, 0]
    made: list[Block] = []
    for kind, words in TEXTS[look.text]:
        if kind in ("h1", "h2", "h3") and isinstance(words, str):
            level = int(kind[1])
            counts[level - 1] += 1
            counts[level:] = [0] * (3 - level)
            number = ".".join(str(each or 1) for each in counts[:level])
            words = f"{number}{look.dot} {words}" if look.numbered else words
            words = words.upper() if look.caps == "upper" else words
        made.append((kind, words))
        if kind == "p":
            made.append(("p", _FILLER * 2))
    return made


def headings(look: Look) -> list[str]:
    """The headings that a reader of the PDF sees, the title first."""
    return [
        TITLES[look.text],
        *(str(words) for kind, words in numbered(look) if kind in ("h1", "h2", "h3")),
    ]


_BOLD = re.compile(r"\*\*(.+?)\*\*")


def as_html(look: Look) -> str:
    """The text as a page for a browser or another program that prints HTML."""
    caps = "font-variant: small-caps;" if look.caps == "small" else ""
    heads = "".join(f"h{level}{{font-size:{size}pt;}}" for level, size in enumerate(look.heads, 1))
    margin = ""
    if look.running:
        margin = (
            f"@top-center{{content:'{look.running}';font-size:8pt;font-weight:bold}}"
            "@bottom-right{content:'Page ' counter(page);font-size:8pt}"
        )
    css = (
        f"@page{{size:A4;margin:22mm 20mm;{margin}}}"
        f"body{{font:{look.body}pt '{look.family}';"
        f"text-align:{'justify' if look.justified else 'left'}}}"
        f".t{{font-size:{look.heads[0] * 1.4}pt;font-weight:bold;margin:0 0 20pt;"
        f"font-family:'{look.head_family}'}}"
        f"main{{column-count:{look.columns};column-gap:8mm}}"
        f"h1,h2,h3{{font-family:'{look.head_family}';font-weight:{look.weight};"
        f"letter-spacing:{look.spacing}em;color:{look.colour};{caps}"
        f"text-align:{'center' if look.centred else 'left'};break-after:avoid}}"
        f"{heads}{'h3{font-style:italic;font-weight:normal}' if look.italic_third else ''}"
        "table{border-collapse:collapse;width:100%;margin:8pt 0}td,th{padding:2pt 6pt;"
        "border-bottom:1px solid #999;text-align:left}.c{font-size:9pt;font-weight:bold}"
        f".n{{font-weight:bold;border:1px solid;padding:4pt}}{look.extra_css}"
    )
    body = "".join(_html_block(kind, words) for kind, words in numbered(look))
    title = html.escape(TITLES[look.text])
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title>"
        f"<style>{css}</style><p class=t>{title}</p><main>{body}</main></html>"
    )


def _html_block(kind: str, words: str | list[str] | list[list[str]]) -> str:
    if kind == "ol":
        return "<ol>" + "".join(f"<li>{html.escape(str(one))}</li>" for one in words) + "</ol>"
    if kind == "table":
        rows = [list(row) for row in words]
        cells = ["".join(f"<th>{cell}</th>" for cell in rows[0])]
        cells += ["".join(f"<td>{cell}</td>" for cell in row) for row in rows[1:]]
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"
    shown = _BOLD.sub(r"<b>\1</b>", html.escape(str(words)))
    tag, close = {"caption": ("p class=c", "p"), "note": ("p class=n", "p")}.get(kind, (kind, kind))
    return f"<{tag}>{shown}</{close}>"


def as_typst(look: Look) -> str:
    """The text for typst. Its headings are set by hand: without bookmarks unless asked for."""
    style = (
        f'size: {{size}}pt, font: "{look.head_family}", fill: rgb("{look.colour}"), '
        f"tracking: {look.spacing}em"
    )
    weight = "bold" if look.weight == "bold" else "regular"
    lines = [
        f'#set text(font: "{look.family}", size: {look.body}pt, lang: "en")',
        f"#set par(justify: {json.dumps(look.justified)}, spacing: 1.1em)",
        _typst_page(look),
        (
            f'#block(below: 2em, text(size: {look.heads[0] * 1.4}pt, weight: "bold", '
            f'font: "{look.head_family}", {json.dumps(TITLES[look.text])}))'
        ),
        f"#columns({look.columns})[" if look.columns > 1 else "",
    ]
    for kind, words in numbered(look):
        if kind in ("h1", "h2", "h3"):
            level = int(kind[1])
            is_italic = level == 3 and look.italic_third
            given = style.format(size=look.heads[level - 1])
            given += f', weight: "{"regular" if is_italic else weight}"'
            given += ', style: "italic"' if is_italic else ""
            shown = json.dumps(words, ensure_ascii=False)
            shown = f"smallcaps({shown})" if look.caps == "small" else shown
            shown = f"heading(level: {level}, {shown})" if look.bookmarks else shown
            align = "center" if look.centred else "left"
            lines.append(
                f"#align({align}, block(above: 1.6em, below: 0.8em, sticky: true, "
                f"{{set par(justify: false); show heading: it => it.body; "
                f"text({given}, {shown})}}))"
            )
        else:
            lines.append(_typst_block(kind, words))
    lines.append("]" if look.columns > 1 else "")
    return "\n".join(lines)


def _typst_page(look: Look) -> str:
    if not look.running:
        return '#set page(paper: "a4", margin: 2cm)'
    return (
        '#set page(paper: "a4", margin: 2.2cm, header: text(size: 8pt, weight: "bold", '
        f"{json.dumps(look.running)}), footer: context text(size: 8pt, "
        '"Page " + counter(page).display()))'
    )


def _typst_block(kind: str, words: str | list[str] | list[list[str]]) -> str:
    if kind == "ol":
        return "\n" + "\n".join(f"+ #{json.dumps(one)}" for one in words) + "\n"
    if kind == "table":
        rows = [list(row) for row in words]
        head = ", ".join(f"strong({json.dumps(cell)})" for cell in rows[0])
        rest = ", ".join(json.dumps(cell) for row in rows[1:] for cell in row)
        return f"#table(columns: (1fr,) * {len(rows[0])}, {head}, {rest})"
    parts = _BOLD.split(str(words))
    made = " + ".join(
        f"strong({json.dumps(part)})" if at % 2 else json.dumps(part)
        for at, part in enumerate(parts)
    )
    if kind == "caption":
        return f'#par(text(size: 9pt, weight: "bold", {made}))'
    if kind == "note":
        return f'#block(stroke: 1pt, inset: 5pt, text(weight: "bold", {made}))'
    return f"#par({made})"


_SANS, _SERIF, _DEJA = "Liberation Sans", "Liberation Serif", "DejaVu Sans"
LOOKS = [
    Look("bold-numbered-same-size", "staff", heads=(10.5, 10.5, 10.5)),
    Look("larger", "plant", numbered=False, family=_SANS, head_family=_SANS),
    Look("larger-not-bold", "lease", weight="normal", head_family=_SANS, dot="."),
    Look("small-caps", "study", caps="small", numbered=False),
    Look("outline", "staff", bookmarks=True, running="Northfield Homes Ltd"),
    Look("spaced", "plant", spacing=0.12, family=_SANS, head_family=_SANS),
    Look("two-columns", "study", columns=2, body=9.5, heads=(12, 10.5, 10), justified=True),
    Look("running", "lease", running="Residential Lease Agreement", heads=(12, 11, 11)),
    Look("capitals", "staff", caps="upper", numbered=False, heads=(10.5, 10.5, 10.5)),
    Look("italic-third", "plant", italic_third=True, dot=".", heads=(15, 12, 10.5)),
]
HELD_OUT = [
    Look("bold-dotted-sans", "lease", dot=".", heads=(10.5, 10.5, 10.5), head_family=_SANS),
    Look("bold-unnumbered-same-size", "plant", numbered=False, heads=(11, 11, 11), body=11),
    Look("blue-larger", "staff", weight="normal", colour="#1f4e9d", heads=(16, 13, 12)),
    Look("small-caps-centred", "lease", caps="small", centred=True, heads=(13, 12, 11)),
    Look("two-columns-numbered", "staff", columns=2, body=9, heads=(11, 10, 9), running="HR 4/25"),
    Look("outline-columns", "study", columns=2, bookmarks=True, numbered=False, body=9.5),
    Look(
        "spaced-capitals",
        "lease",
        caps="upper",
        spacing=0.15,
        numbered=False,
        weight="normal",
        heads=(12, 11, 11),
    ),
    Look("deja", "plant", family=_DEJA, head_family=_DEJA, body=9, heads=(13, 11, 9)),
    Look(
        "running-same-size",
        "study",
        running="Sleep Research 12 (2025)",
        heads=(11, 10.5, 10.5),
        justified=True,
    ),
    Look("capitals-numbered", "plant", caps="upper", dot=".", heads=(12, 11, 10.5)),
]

_P = (
    "<p>The provider keeps the system available for 99.5 percent of each month, measured at the "
    "router. Outages that were announced two days before do not count towards this share, provided "
    "they end by six.</p>"
)
_Q = (
    "<p>Nothing in this part limits rights that cannot be limited by law, and a waiver on one "
    "occasion is no waiver on another. Notices are sent by letter or by e-mail to the persons who "
    "are named below.</p>"
)


def _h(tag: str, words: str) -> str:
    return f"<{tag} data-h>{words}</{tag}>"


def _each(tag: str, titles: list[str], after: str = _P + _Q) -> str:
    return "".join(_h(tag, title) + after for title in titles)


PAGES = {
    "contract": (
        "body{font:11pt 'Liberation Serif'}h5{font-size:11pt;margin:14pt 0 2pt}",
        _h("h5", "SERVICE AGREEMENT")
        + _each("h5", ["1. Definitions.", "2. Scope of Services.", "3. Fees and Payment."]),
    ),
    "articles": (
        "body{font:10.5pt 'DejaVu Serif'}h5{font-size:10.5pt;text-align:center}",
        _each(
            "h5",
            ["Bylaws of the Club", "Article I – Name and seat", "Article II – Dues"],
            _P + "<p><b>(a)</b> Members pay dues.</p><p><b>(b)</b> Guests do not.</p>" + _Q,
        ),
    ),
    "letter": (
        "body{font:11pt 'Liberation Sans'}h5{font-size:11pt}",
        "<p>Harbour Insurance plc<br>12 Dock Road<br>Leeds</p><p>Ms J. Doe<br>4 Hill Street</p>"
        + _h("h5", "Your claim of 12 April")
        + f"<p>Dear Ms Doe,</p>{_P}{_Q}<p>Yours sincerely,</p><p>A. Smith<br>Claims</p>",
    ),
    "invoice": (
        "body{font:10pt 'Liberation Sans'}h1{font-size:22pt}table{width:100%}th{text-align:left}",
        _h("h1", "Invoice 2025-118")
        + "<p><b>Date:</b> 3 May 2025<br><b>Customer:</b> 4711</p><table><tr><th>Item<th>Quantity"
        "<th>Price<tr><td>Paper<td>20<td>80.00<tr><td><b>Total</b><td><td><b>80.00</b></table>"
        + _each("h2", ["Payment terms"]),
    ),
    "questions": (
        "body{font:10pt 'Liberation Sans'}h1{font-size:20pt}h3{font-size:10pt;margin:12pt 0 2pt}",
        _h("h1", "Questions and answers")
        + _each("h3", ["What is covered?", "How do I make a claim?", "Can I cancel?"]),
    ),
    "german": (
        (
            "body{font:10.5pt 'Liberation Sans'}h1{font-size:18pt}h2{font-size:12pt;color:#234}"
            "h3{font-size:10.5pt;font-style:italic;font-weight:normal;margin:14pt 0 4pt}"
        ),
        _h("h1", "Betriebsvereinbarung zur Arbeitszeit")
        + _each("h2", ["§ 1 Geltungsbereich", "§ 2 Arbeitszeit", "§ 3 Überstunden"])
        + _each("h3", ["Ausnahmen für Schichten"])
        + f"<p><b>Abbildung 1: Verlauf der Stunden</b></p>{_Q}",
    ),
    "paper": (
        (
            "body{font:9.5pt 'Liberation Serif';text-align:justify}main{column-count:2}"
            "h1{font-size:20pt;font-weight:normal;text-align:center}h2{font-size:9.5pt;"
            "font-weight:normal;text-align:center;font-variant:small-caps;margin:10pt 0 4pt}"
            "h3{font-size:9.5pt;font-style:italic;font-weight:normal;margin:8pt 0 3pt}"
        ),
        _h("h1", "Cooling of Battery Packs in Small Boats")
        + "<main><p><b><i>Abstract</i>—We cool packs with river water and a heat exchanger. The "
        "method holds cells below 40 degrees in all runs that we made over two summers.</b></p>"
        + _each("h2", ["I. Introduction", "II. Related Work"])
        + _each("h3", ["A. Test rig", "B. Sensors"])
        + "<p style='font-size:8pt;text-align:center'>Fig. 1. Temperature</p>"
        + _each("h2", ["III. Results"])
        + "</main>",
    ),
    "contents": (
        (
            "body{font:10.5pt 'Liberation Serif'}h1{font-size:17pt}h2{font-size:13pt}"
            "table{width:100%;font-weight:bold}td+td{text-align:right}"
        ),
        _h("h1", "Data protection guideline")
        + _h("h2", "Contents")
        + "<table><tr><td>1 Purpose<td>2<tr><td>2 Principles<td>3<tr><td>3 Rights<td>4</table>"
        + _each(
            "h2",
            ["1 Purpose", "2 Principles", "3 Rights"],
            _P + "<ol><li><b>Tell the officer</b><li><b>Write it down</b></ol>" + _Q,
        ),
    ),
    "run-in": (
        (
            "body{font:10.5pt 'Liberation Serif';text-align:justify}h1{font-size:15pt}"
            "h2{font-size:11.5pt}"
        ),
        _h("h1", "Terms of carriage")
        + _each(
            "h2",
            ["1. Parcels", "2. Letters", "3. Freight"],
            "<p><b>Who pays.</b> The sender pays.</p><p><b>Claims against the carrier for loss, "
            "damage or delay of parcels that were handed over in good order</b> expire after one "
            f"year.</p>{_P}",
        ),
    ),
    "quoted": (
        (
            "body{font:11pt 'Liberation Serif'}h1,h2{font-family:'Liberation Sans';"
            "font-weight:normal}h1{font-size:24pt}h2{font-size:13pt;letter-spacing:.08em}blockquote{font-style:italic}"
        ),
        _h("h1", "Annual Report of the Library")
        + _each(
            "h2",
            ["READERS", "COLLECTIONS", "FINANCES"],
            _P + "<blockquote>A library is a room with a view on everything</blockquote>" + _Q,
        ),
    ),
}
"""Pages with what is easily taken for a heading: style sheet and body."""


def page_html(name: str) -> str:
    """One of `PAGES`, whole."""
    css, body = PAGES[name]
    return f"<!doctype html><meta charset=utf-8><style>@page{{margin:20mm}}{css}</style>{body}"


def page_headings(name: str) -> list[str]:
    """The headings of one of `PAGES`."""
    return re.findall(r" data-h>(.*?)</", PAGES[name][1])


def as_operators(look: Look) -> bytes:
    """The text as a report generator writes it: lines broken by count, each shown by an operator
    of its own in one of the fonts that every reader has.
    """
    pdf = Pdf()
    bold = pdf.add(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>")
    title, level = TITLES[look.text], {f"h{n}": size for n, size in enumerate(look.heads, 1)}
    room, pages = 0.0, list[list[bytes]]()
    for kind, words in [("title", title), *numbered(look)]:
        is_head = kind in level or kind == "title"
        size = look.heads[0] * 1.4 if kind == "title" else level.get(kind, look.body)
        lines, above = (
            _operator_lines(kind, words, round(920 / size)),
            size if is_head else 0.5 * size,
        )
        if room < above + 1.2 * size * len(lines) + (40 if is_head else 0):
            room = 740
            pages.append([b"50 800 Td"])
        room -= above + 1.2 * size * len(lines)
        pages[-1].append(b"0 -%.1f Td" % above)
        heavy = kind in ("title", "caption", "note") or (is_head and look.weight == "bold")
        for line in lines:
            pages[-1].append(b"0 -%.1f Td" % (1.2 * size))
            for at, part in enumerate(_BOLD.split(line)):
                font = b"B" if at % 2 or heavy else b"F"
                pages[-1].append(b"/%s %.1f Tf %s Tj" % (font, size, show(part)) if part else b"")
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 850]/Contents %d 0 R/Resources<</Font"
    for shown in pages:
        body = pdf.add(stream(b"BT " + b" ".join(shown) + b" ET"))
        pdf.page_numbers.append(pdf.add(page % body + b"<</F 3 0 R/B %d 0 R>>>>>>" % bold))
    return pdf.build()


def _operator_lines(kind: str, words: str | list[str] | list[list[str]], width: int) -> list[str]:
    if isinstance(words, str):
        # A stretch in bold that runs over the end of a line is in bold in both.
        joined = _BOLD.sub(lambda found: " ".join(f"**{w}**" for w in found[1].split()), words)
        return textwrap.wrap(joined, width, break_long_words=False, break_on_hyphens=False)
    if kind == "ol":
        return [f"{number}. {one}" for number, one in enumerate(words, 1)]
    return ["    ".join(row) for row in words]
