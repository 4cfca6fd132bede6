"""Secrets that are plain numbers: PINs, the codes of cards, and codes that are sent to be typed in once.

A number of four digits is also a year, a door or a price, so only a label makes it a secret; and a label that means
something else does not: the pin of a chip, or India's postal PIN (six digits that do not begin with 0 or 9).
"""

from __future__ import annotations

import re

from reverie.secrets.labels import LINE_CLOSES, Link

YEAR = re.compile(r"(?:19|20)\d\d$")

_DIGITS = re.compile(r"[\"'`«*]{0,3}(\d{3,8})(?![\w@/]|[.,:-]\d)")
_LINE = re.compile(r"[\r\n;]")
_BEFORE, _AFTER = 60, 30
_NEAR = 24
_OWNED = re.compile(r"(?i)\b(?:cards?|bank|sim|phone|account|app|door|alarm|lock|safe|login|atm)\b")
_HARDWARE = re.compile(
    r"(?i)\b(?:gpio|spi|i2c|uart|adc|pwm|vcc|gnd|chip|board|connector|header|jumper|socket|mcu|microcontroller|arduino|esp32|esp8266"
    r"|raspberry|input|output|analog|digital|interrupt|reset|clock)\b"
)
_POSTAL = re.compile(
    r"(?i)\b(?:city|town|village|area|district|locality|region|state|address|road|street|nagar|postal|post|zip|delivery|ship|shipping"
    r"|india|delhi|mumbai|bengaluru|bangalore|chennai|kolkata|hyderabad|pune|kerala|karnataka|maharashtra|gujarat|rajasthan)\b"
)
_INDIAN = re.compile(r"[1-8]\d{5}$")


def pin(text: str, position: int, link: Link) -> tuple[int, int] | None:
    """The span of a PIN at a position."""
    found = _DIGITS.match(text, position)
    if not found or len(found[1]) < 4 or (link in ("bare", "far") and YEAR.match(found[1])):
        return None
    return found.span(1)


def card_code(text: str, position: int, link: Link) -> tuple[int, int] | None:
    """The span of a card's three or four digits at a position."""
    found = _DIGITS.match(text, position)
    return found.span(1) if found and len(found[1]) <= 4 else None


def one_time_code(text: str, position: int, link: Link) -> tuple[int, int] | None:
    """The span of a one-time code at a position; a short one has to end its sentence or line."""
    found = pin(text, position, link)
    if found is None or found[1] - found[0] >= 6 or link == "assigned":
        return found
    ends = LINE_CLOSES.match(text, found[1]) or text[found[1] : found[1] + 1] in (".", ",", ";", "!", "?", ")")
    return found if ends else None


def means_no_secret(text: str, start: int, span: tuple[int, int]) -> bool:
    """Whether the words around the label at `start` say that its PIN is one of a chip or of a postal address."""
    first, last = min(start, span[0]), max(start, span[1])
    before = _LINE.split(text[max(0, first - _BEFORE) : first])[-1]
    after = _LINE.split(text[last : last + _AFTER])[0]
    around = f"{before}{text[first:last]}{after}"
    if _OWNED.search(around):
        return False
    if _HARDWARE.search(f"{before[-_NEAR:]}{text[first:last]}"):
        return True
    return bool(_INDIAN.match(text[span[0] : span[1]]) and _POSTAL.search(around))
