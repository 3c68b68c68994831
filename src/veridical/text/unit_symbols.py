"""The short forms of units and magnitudes, and what they are in words: the one place for them.

Case tells Mb from MB and m from M. The words are those of `lexicon.UNITS`, in the plural.
"""

from __future__ import annotations


def _table(entries: str) -> dict[str, str]:
    """From "full name: symbols", parted by semicolons, to a mapping of each symbol to its name."""
    pairs = (entry.strip().partition(": ") for entry in entries.split(";"))
    return {symbol: name for name, _, symbols in pairs for symbol in symbols.split()}


SYMBOLS = _table("""
    grams: g gr; kilograms: kg Kg KG; milligrams: mg; micrograms: \u03bcg \u00b5g ug mcg;
    nanograms: ng; tonnes: t; pounds: lb lbs; ounces: oz; meters: m; kilometers: km Km;
    centimeters: cm; millimeters: mm; micrometers: \u03bcm \u00b5m; nanometers: nm; feet: ft;
    inches: in; yards: yd yds; miles: mi; hectares: ha; seconds: s sec secs; milliseconds: ms msec;
    microseconds: \u03bcs \u00b5s us; nanoseconds: ns; minutes: min mins; hours: h hr hrs; days: d;
    weeks: wk wks; months: mo mos mth mths; years: y yr yrs; liters: l L; milliliters: ml mL;
    centiliters: cl cL; deciliters: dl dL; microliters: \u03bcl \u00b5l \u03bcL \u00b5L; watts: W;
    kilowatts: kW; megawatts: MW; gigawatts: GW; kilowatthours: kWh; megawatthours: MWh; volts: V;
    kilovolts: kV; millivolts: mV; amperes: A; milliamperes: mA; joules: J; kilojoules: kJ;
    megajoules: MJ; kilocalories: kcal; newtons: N; kilonewtons: kN; newtonmeters: Nm; kelvins: K;
    hertz: Hz; kilohertz: kHz; megahertz: MHz; gigahertz: GHz; pascals: Pa; kilopascals: kPa;
    megapascals: MPa; decibels: dB; bytes: B; kilobytes: kB KB kb; megabytes: MB mb;
    gigabytes: GB gb; terabytes: TB tb; petabytes: PB pb; bits: b; kilobits: Kb Kbit kbit;
    megabits: Mb Mbit; gigabits: Gb Gbit; terabits: Tb Tbit; kibibytes: KiB; mebibytes: MiB;
    gibibytes: GiB; percentage points: pp
""")
"""Units by their symbols, which are read behind a number only."""

CASELESS = {"kgs": "kilograms", "kms": "kilometers", "hrs": "hours", "mcg": "micrograms"}
"""Symbols that are read in any case."""

SPEEDS = _table("""
    kilometers per hour: kmh kph; miles per hour: mph; kilobits per second: kbps Kbps kbit/s;
    megabits per second: Mbps mbps Mbit/s; gigabits per second: Gbps gbps Gbit/s
""")

JOINED = frozenset({"in"})
"""Symbols that are words as well: units where nothing parts them from their number, or where a
word behind them says so.
"""

ALONE = frozenset("t m s h d l b y A B C K L N V W J".split())
"""Letters that name a part or a type after a hyphen: 5-A."""

MAGNITUDES = {
    "k": "thousand", "K": "thousand", "tsd": "thousand",
    "m": "million", "M": "million", "mn": "million", "mio": "million", "MM": "million",
    "b": "billion", "B": "billion", "bn": "billion", "Bn": "billion", "BN": "billion",
    "t": "trillion", "T": "trillion", "tn": "trillion",
}  # fmt: skip
"""What stands behind a number, and most of it only behind a price."""

PER = {
    **_table("""
        kilogram: kg; gram: g; milligram: mg; liter: l L; milliliter: ml mL; deciliter: dl dL;
        meter: m; kilometer: km; second: s sec; minute: min; hour: h hr; day: d; week: wk w;
        month: mo mth; year: y yr a
    """),
    **{
        word: word
        for word in (
            "second minute hour day night week fortnight month quarter year person head user seat "
            "employee capita unit item page mile kilometer kilometre liter litre dose tenant guest "
            "child adult room visit call request file order case share square"
        ).split()
    },
}
"""What may stand behind the stroke of a rate: $500/day, 5 mg/kg."""

REFERENCES = tuple(
    (
        "section sec article art rule para paragraph schedule annex appendix clause no number part "
        "table figure fig item step chapter page room grade level form class type group gate "
        "platform building unit zone category exhibit option phase line floor bus route size model "
        "version flat apartment question point note box list plan team band"
    ).split()
)
"""Words after which a letter behind a number names a part: section 3 A."""

UNIT_NAMES = {
    "%": "percent", "percentage": "percent", "pct": "percent", "$": "dollar", "usd": "dollar",
    "€": "euro", "eur": "euro", "£": "pound", "gbp": "pound", "¥": "yen", "jpy": "yen",
    "workday": "day", "weekday": "day", "hr": "hour", "min": "minute", "sec": "second",
    "kilometer": "km", "kilometre": "km", "meter": "m", "metre": "m", "kilogram": "kg",
    "gram": "g", "gramme": "g", "centimeter": "cm", "centimetre": "cm", "millimeter": "mm",
    "millimetre": "mm", "milligram": "mg", "liter": "l", "litre": "l", "milliliter": "ml",
    "millilitre": "ml", "feet": "foot", "amp": "ampere", "lbs": "lb",
    "kb": "kilobyte", "mb": "megabyte", "gb": "gigabyte", "tb": "terabyte", "pb": "petabyte",
    "megawatthour": "mwh", "kilowatthour": "kwh",
}  # fmt: skip
"""Units that are the same by another name."""
