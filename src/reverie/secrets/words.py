"""Secrets that a word announces: a password, a PIN, a key or token that a sentence or a setting gives away.

A label is followed by a link and a value, and the three together decide. Prose about passwords is far more common
than passwords, so after a verb a value must look like one (letters with digits or signs), and only after `:` or `=`
may it be a single plain word. Stand-ins (`<token>`, `${TOKEN}`, `os.environ[…]`, `********`) are never secrets. Plain
words without quotation marks are a pass phrase where they are called so, are four to eight, end a line or sentence,
and none of them is one that sentences are made of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from reverie.secrets.labels import (
    CHANGING,
    DIRECT,
    LABELS,
    LINE_CLOSES,
    NAMED,
    ONLY_ASSIGNED,
    OVER,
    POSSESSED,
    REVERSED,
    TOWARDS,
    Link,
)  # fmt: skip
from reverie.secrets.numbers import YEAR, card_code, means_no_secret, one_time_code, pin
from reverie.secrets.shapes import across_lines, looks_random
from reverie.secrets.spans import Span

_SHOWN = {"key": "api key", "passphrase": "password"}
"""Kinds that differ only in how they are found."""

_PASSWORDS = ("password", "passphrase")
_QUOTED = re.compile(r"[\"'`«“„‘]([^\"'`»”“’\r\n]{1,200})[\"'`»”“’]")
_BARE = re.compile(r"[^\s\"'`<>«»“”„，。；、！？：「」（）《》|]{1,400}")
_TRAILING = ".,:;!?)]}*_…"
_IN_QUERY = re.compile(r"[?&][\w.=-]{0,50}=$")
_EAST = re.compile(r"[\u0e00-\u0e7f\u2e80-\u9fff\uac00-\ud7af]")
_FIRST_UNSPACED = "\u0530"
"""Scripts from here on may join a label to the words around it (Chinese) or prefix it (Hebrew, Arabic)."""

_STAND_IN = re.compile(
    r"[\[<{*•…(#@/\\]|\$[\[({]|\$[A-Za-z_]+$|\$[A-Z_][A-Z0-9_]*$|%[\w({]|\.{2}|x{4}|X{4}|_{3}|-{3}|\?{2}|~/|https?:|op://|vault:|arn:|!secret"
    r"|(?i:your[-_ ]|example|dummy|fake|placeholder|change[-_]?me|insert|redacted|hidden|todo|tbd)"
    r"|(?i:null|none|nil|true|false|undefined)$|(?i:1password|keepass|bitwarden|lastpass|dashlane|keychain)"
)
_CODE = re.compile(
    r"[A-Za-z_]\w{0,60}[(\[]|[A-Za-z_]{1,60}\d{0,2}(?:\.[A-Za-z_]{1,60}\d{0,2}){1,8}$|[A-Z]{1,30}(?:_[A-Z]{1,30}){1,8}(?:_\d+)?$"
    r"|[\w-]{1,60}[-_]here$|[\w./-]{1,80}/[\w-]{1,60}\.\w{1,5}$"
)
_TERM = re.compile(
    r"(?i)(?:sha|md|utf|oauth|base|rs|es|hs|ed|aes|rsa|ecdsa|bcrypt|argon|scrypt|pbkdf|pkcs|iso|rfc|cve|nist|https?|ipv|"
    r"wpa|tls|ssl|windows|python|php|web)[-_.]?\d[\w.+-]{0,30}$|[pvx]\d+(?:\.\d+){0,3}$|u\+[0-9a-f]{4,6}$"
    r"|\d+[-_]?(?:bit|byte|char|day|digit|hour|min|month|week|year|символ|знак|цифр|дн|час|stellig|zeichen)\w*$"
    r"|\d+-?(?:st|nd|rd|th|й|го|му|ый|я|е)$"
)
_TICKET = re.compile(r"[A-Z]{2,10}-\d{1,6}$")
_DATE = re.compile(r"\d{1,4}[-./]\d{1,2}(?:[-./]\d{1,4})?(?:T[\d:.+Z-]{0,30})?$|\d{4}-W\d{2}$|\d{1,2}:\d{2}")
_STATE = re.compile(
    r"(?i)(?:required|optional|changed|reset|expired?s?|string|str|text|none|missing|unknown|same|yes|no|set|unset|secret|"
    r"invalid|wrong|weak|strong|empty|default|bytes|int|varchar|number|any|see|stored|saved|encrypted|hashed|mandatory|"
    r"disabled|enabled|rotated|revoked|needed|forgotten|forgot|lost|pending|ok|done|later|never|bearer|basic|field|"
    r"passwords?|passwd|tokens?|input|prompt|data|value|нужен|нет|есть|забыта?|измен[её]н|смен[её]н|тот|прежний|обязателен|"
    r"неизвестен|пустой|старый|новый|строка|скрыт|над[её]жный|слабый|сложный|пароль|erforderlich|geändert|requise?|.*(?:ть|ться|чь))$"
)
_PROSE = re.compile(r"(?i)\b(?:must|be|at|least|too|is|not|the|invalid|or|and|in|to|for|не|или|на|по)\b")
_LONG_KEY = re.compile(r"[A-Za-z0-9_+=-]{20,400}")
_PUBLIC = re.compile(r"(?i)(?:public|открыт\w\w|öffentlich\w{0,2}|publique)[ _-]$")
_SEED = re.compile(r"(?:[a-z]{3,8}[ ,\t\r\n]{1,3}){11,23}[a-z]{3,8}(?![a-z])")
_PHRASE = re.compile(r"[^\W\d_]{3,12}(?:[ -][^\W\d_]{3,12}){3,7}(?![\w'’-]| [\w'’])")
_FUNCTION_WORDS = (
    "the and for are was were not but with from that this these those have has had our your his her its you she they them can will must "
    "should could would may might never always only also very too than then when where which who whom what why how all any some every "
    "each more most less few same other into onto over under about after before between because until again still just now stored kept "
    "known changed shared written saved used needed required given made long short strong weak easy easily hard secret somewhere "
    "что как для это был была они нас вас при или без над под все его еще ещё уже только тоже очень там где когда который которая "
    "хранится записана лежит известна длинная нужна должна можно нельзя нужно"
)
_SENTENCE = frozenset(_FUNCTION_WORDS.split())
"""Words that a sentence about a pass phrase has, and pass phrases made by dice have not."""

_BEFORE = 100


def labelled(text: str) -> Iterator[Span]:
    """The secrets that a label announces; spans may overlap."""
    lowered = _lowered(text)
    taken: set[int] = set()
    for label, kind in LABELS.items():
        start = lowered.find(label)
        while start >= 0:
            end = start + len(label)
            if start not in taken and _stands_alone(text, start, end):
                taken.update(range(start, end))
                if span := _announced(text, start, end, kind):
                    yield Span(*span, _SHOWN.get(kind, kind))
            start = lowered.find(label, end)


def is_stand_in(value: str) -> bool:
    """Whether a value only holds the place of a secret: `<token>`, `${TOKEN}`, `os.environ[…]`, `****`."""
    return bool(_STAND_IN.match(value) or _CODE.match(value))


def _announced(text: str, start: int, end: int, kind: str) -> tuple[int, int] | None:
    label = text[start:end]
    if kind == "key" and _PUBLIC.search(text[max(0, start - 20) : start]):
        return None
    only_assigned = label.lower() in ONLY_ASSIGNED
    for pattern in (DIRECT, OVER, NAMED) if kind in _PASSWORDS else (DIRECT, OVER):
        found = pattern.match(text, end)
        link = _link(text, start, found) if found else None
        if not found or not link or (only_assigned and link != "assigned"):
            continue
        if label == "pin" and link == "bare":  # a pin of a chip, or a pinned thing
            continue
        span = _VERDICTS[kind](text, found.end(), link)
        if span and not (kind == "pin" and means_no_secret(text, start, span)):
            return span
    return None if only_assigned else _said_before(text, start, kind)


def _link(text: str, start: int, found: re.Match[str]) -> Link | None:
    sign, verb = found["sign"] or "", found["verb"].strip().lower()
    if found.re is NAMED or found["break"]:
        return "far" if sign in (":", "：", "=") else None
    if sign:
        return "said" if sign in "—–-|" else "assigned"
    if verb in TOWARDS:
        return "said" if CHANGING.search(text[max(0, start - _BEFORE) : start]) else None
    if verb or POSSESSED.match(found[0]):
        return "said"
    if found.end() == found.start() or text[found.end() - 1] not in " \t":
        return None
    return "assigned" if text[max(0, start - 2) : start] == "--" else "bare"


def _value(text: str, position: int) -> tuple[int, int, bool]:
    """The span of the value at a position, and whether it stands in quotation marks."""
    if quoted := _QUOTED.match(text, position):
        return *quoted.span(1), True
    bare = _BARE.match(text, position)
    value = bare[0] if bare else ""
    if value[:1].isascii() and (east := _EAST.search(value)):
        value = value[: east.start()]
    if _IN_QUERY.search(text[max(0, position - 60) : position]):
        value = re.split("[&#]", value, maxsplit=1)[0]
    return position, position + len(value.rstrip(_TRAILING)), False


def _password(text: str, position: int, link: Link) -> tuple[int, int] | None:
    start, end, quoted = _value(text, position)
    value = text[start:end]
    if len(value) < 3 or _is_term(value) or _STATE.match(value):
        return None
    if link in ("bare", "far"):
        fits = any(_strong(part, 8) and (link == "far" or _mixed(part)) for part in value.split("/"))
        return (start, end) if fits else None
    if quoted:
        return None if _PROSE.search(value) else (start, end)
    closes = LINE_CLOSES.match(text, end) is not None
    if value.isdecimal():
        fits = len(value) >= 4 and (closes or link == "assigned" or text[end : end + 1] in ".,;!?)")
    elif link == "assigned":
        fits = _strong(value, 5) or (closes and value.isalpha() and len(value) >= 5)
    else:
        fits = any(_strong(part, 6) for part in value.split("/"))  # `is ISO/2024` joins two ordinary words
    return (start, end) if fits else None


def _passphrase(text: str, position: int, link: Link) -> tuple[int, int] | None:
    """Some plain words, or what a password may be."""
    found = _PHRASE.match(text, position) if link in ("assigned", "said") else None
    if found:
        words = re.split("[ -]", found[0].lower())
        ends = LINE_CLOSES.match(text, found.end()) or text[found.end() : found.end() + 1] in (".", ";", ",", "!", "?", ")")
        if ends and not any(word in _SENTENCE or _STATE.match(word) for word in words):
            return found.span()
    return _password(text, position, link)


def _key(text: str, position: int, link: Link) -> tuple[int, int] | None:
    start, end, _ = _value(text, position)
    value = text[start:end]
    if " " in value or _is_term(value) or _STATE.match(value):
        return None
    if looks_random(value):
        end, extra = across_lines(text, end)
        value += extra
    least = {"assigned": 8, "said": 12, "far": 16, "bare": 20}[link]
    return (start, end) if _strong(value, least) and any(character.isdigit() for character in value) else None


def _any_key(text: str, position: int, link: Link) -> tuple[int, int] | None:
    """What is only called a key: it has to be long and of all kinds of characters, which no hash or name is."""
    start, end, _ = _value(text, position)
    value = text[start:end]
    if link != "assigned" or not _LONG_KEY.fullmatch(value) or _is_term(value):
        return None
    return (
        (start, end)
        if all(any(map(test, value)) for test in (str.isdigit, str.isupper, str.islower))
        else None
    )


def _seed(text: str, position: int, link: Link) -> tuple[int, int] | None:
    found = _SEED.match(text, position)
    return found.span() if found and link != "bare" else None


_VERDICTS: dict[str, Callable[[str, int, Link], tuple[int, int] | None]] = {
    "password": _password, "passphrase": _passphrase, "pin": pin, "card code": card_code, "one time code": one_time_code,
    "api key": _key, "token": _key, "key": _any_key, "seed phrase": _seed,
}  # fmt: skip


def _said_before(text: str, start: int, kind: str) -> tuple[int, int] | None:
    """The secret of `… is my password`."""
    first = max(0, start - _BEFORE)
    found = REVERSED.search(text[first:start])
    if not found or kind not in (*_PASSWORDS, "pin", "one time code"):
        return None
    value = found["value"].rstrip(_TRAILING)
    span = first + found.start("value"), first + found.start("value") + len(value)
    if kind in _PASSWORDS:
        fits = _strong(value, 6) and not _is_term(value)
    else:
        fits = value.isdecimal() and 4 <= len(value) <= 8 and not YEAR.match(value)
        fits = fits and not (kind == "pin" and means_no_secret(text, start, span))
    return span if fits else None


def _is_term(value: str) -> bool:
    return is_stand_in(value) or any(pattern.match(value) for pattern in (_TERM, _TICKET, _DATE))


def _strong(value: str, least: int) -> bool:
    """Whether a value looks made up: digits with letters, signs within letters, or four words joined by hyphens."""
    letters = any(character.isalpha() for character in value)
    digits = any(character.isdigit() for character in value)
    signs = any(character in "!@#$%^&*?+=~" for character in value)
    return len(value) >= least and letters and (digits or signs or value.count("-") >= 3)


def _mixed(value: str) -> bool:
    """Whether a value has capitals with small letters, or signs: more than a model number or a plain word."""
    cases = any(c.isupper() for c in value) and any(c.islower() for c in value)
    return cases or any(not c.isalnum() for c in value)


def _lowered(text: str) -> str:
    """Lower case with the offsets of the text."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a label is a word of its own, or ends `DB_PASSWORD` or `dbPassword`; it does not begin `password_hash`."""
    before, after = text[start - 1 : start], text[end : end + 2]
    if (
        text[start] < _FIRST_UNSPACED
        and before.isalnum()
        and not (before.islower() and text[start].isupper())
    ):
        return False
    if text[end - 1] < _FIRST_UNSPACED and after[:1].isalnum():
        return False
    return not (after[:1] in ("_", "-") and after[1:].isalnum())
