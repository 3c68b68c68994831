"""Which words in angle brackets are tags: those that name an element. All others are words.

A browser hides `<not>` as well, but whoever writes "may <not> work" means to be read, and a text
that is shown as it is written shows it. So it must not be lost.
"""

from __future__ import annotations

from veridical.sources.html import HtmlScanner

STANDARD_NAMES = frozenset(
    """
    a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink
    blockquote body br button canvas caption center cite code col colgroup command content data
    datalist dd del details dfn dialog dir div dl dt element em embed fencedframe fieldset
    figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i
    iframe image img input ins isindex kbd keygen label legend li link listing main map mark marquee
    menu menuitem meta meter multicol nav nextid nobr noembed noframes noscript object ol optgroup
    option output p param picture plaintext portal pre progress q rb rp rt rtc ruby s samp script
    search section select selectedcontent shadow slot small source spacer span strike strong style
    sub summary sup table tbody td template textarea tfoot th thead time title tr track tt u ul var
    video wbr xmp
    """.split()
)
"""The elements of the HTML standard, those with it that it calls obsolete."""

_FOREIGN_NAMES = frozenset(
    """
    svg animate animatemotion animatetransform circle clippath defs desc ellipse feblend
    fecolormatrix fecomposite fedropshadow feflood fegaussianblur feimage femerge femergenode
    feoffset filter foreignobject g line lineargradient marker mask metadata mpath path pattern
    polygon polyline radialgradient rect set stop switch symbol text textpath tspan use view
    math annotation maction menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded
    mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr
    munder munderover none semantics
    """.split()
)
"""Elements of SVG and MathML, which are tags inside `svg` and `math` only."""

_ROOTS = ("svg", "math")


class MarkdownTags(HtmlScanner):
    """Reads the tags of a Markdown text; words in angle brackets that name no element stay."""

    def tag(self, start: int, name_end: int, name: str, *, closing: bool, limit: int) -> int:
        """See `HtmlScanner.tag`. What is no tag is read on behind its first word."""
        if not self.is_tag(name):
            return name_end
        return super().tag(start, name_end, name, closing=closing, limit=limit)

    def is_tag(self, name: str) -> bool:
        """Whether a name is that of an element here. Those with a hyphen are anybody's own."""
        name = name.lower()
        if name in STANDARD_NAMES or name in _ROOTS or "-" in name:
            return True
        return name in _FOREIGN_NAMES and any(map(self.stack.is_open, _ROOTS))
