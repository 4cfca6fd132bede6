"""Secrets of accounts: payment cards, bank accounts, and credentials in links and request headers.

Numbers count only when their own arithmetic agrees, so that order numbers, telephone numbers and tracking codes
stay: the check digit of Luhn (ISO/IEC 7812-1) with a payment network's prefix and length, or the remainder modulo
97 (ISO 13616) with the length of the country. A link keeps all but its password.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reverie.secrets.shapes import across_lines, looks_random
from reverie.secrets.spans import Span
from reverie.secrets.words import is_stand_in

_SEP = "[ \u00a0\u2009\u202f\u2010\u2011-]"
_CARD = re.compile(
    rf"(?<![\w#№+$€£.])(?<!\d{_SEP})(?<![A-Z]{{2}}-)(?:\d{{4}}({_SEP})\d{{4}}\1\d{{4}}\1\d{{4}}(?:\1\d{{3}}(?!\d))?(?!\1\d{{4}})"
    rf"|\d{{4}}({_SEP})\d{{6}}\2\d{{4,5}}|\d{{14,19}})(?![\w@/]|[.,]\d)"
)
_NETWORKS = (  # first digits from, to; lengths. ISO/IEC 7812 issuer ranges as the networks publish them
    (4, 4, (16, 19)), (51, 55, (16,)), (2221, 2720, (16,)), (34, 34, (15,)), (37, 37, (15,)), (6011, 6011, (16, 19)),
    (644, 659, (16, 19)), (3528, 3589, (16, 19)), (300, 305, (14,)), (36, 36, (14,)), (38, 39, (14,)),
    (2200, 2204, (16, 19)), (62, 62, (16, 17, 18, 19)), (81, 81, (16,)), (5018, 5018, (16,)), (5020, 5020, (16,)),
    (5038, 5038, (16,)), (6304, 6304, (16,)), (6759, 6763, (16,)), (9792, 9792, (16,)), (9112, 9112, (16,)),
)  # fmt: skip
_OTHER_NUMBER = re.compile(
    r"(?i)(?:orders?|заказ\w{0,2}|tracking|трек|parcel|посылк\w|invoice|imei|isbn|ean|ticket|bestell\w{0,8}|commande|pedido)"
    r"(?:[ \t-]{0,2}(?:number|nummer|code|номер|no\.?|nr\.?|id|№|#))?[ \t]{0,3}(?:is|was|это)?[ \t:=#№—-]{0,4}$"
)
_BEFORE = 40

_IBAN = re.compile(r"(?<![A-Za-z0-9])([A-Z]{2})\d{2}(?=[ -]?[A-Z0-9])")
_IBAN_LENGTHS = {
    country: int(length)
    for length, countries in {
        "15": "NO", "16": "BE", "18": "DK FI FO GL NL SD", "19": "MK SI", "20": "AT BA EE KZ LT LU XK MN",
        "21": "CH CR HR LI LV", "22": "BG BH DE GB GE IE ME RS VA", "23": "AE GI IL IQ OM TL SO",
        "24": "AD CZ DZ ES MD PK RO SA SE SK TN VG", "25": "LY PT ST", "26": "IS TR", "27": "BI DJ FR GR IT MC MR SM",
        "28": "AL AZ BY CY DO GT HU LB NI PL SV", "29": "BR EG PS QA UA", "30": "JO KW MU YE", "31": "MT SC", "32": "LC",
        "33": "RU",
    }.items()
    for country in countries.split()
}  # fmt: skip
"""Length of an IBAN by country: the IBAN registry of ISO 13616."""

_LINK = re.compile(
    r"://[^\s:/@?#]{0,200}:(?:([^\s/\"'<>]{1,200})|((?!\d{1,5}[/?#])[^\s\"'<>]{1,200}?))@(?=[\w\[.-])"
)
_PORT = re.compile(r"\d{1,5}[?#]")
_HEADER = re.compile(
    r"(?i)authorization[\"'`*]{0,3}[ \t]{0,4}[:=][ \t]{0,4}[\"'`*]{0,3}(?:(bearer|basic|token|digest|api-?key)[ \t]{1,4})?([^\s\"'`,;]{6,2000})"
)
_BEARER = re.compile(r"(?<!\w)(?:[Bb]earer|BEARER|Basic)[ \t]{1,4}([A-Za-z0-9_\-.+/=~]{16,2000})")
_CURL = re.compile(r"(?<!\S)(?:-u|--user)[ =]{1,3}[\"']?[^\s:\"']{1,100}:([^\s\"']{1,200})")
_QUERY = re.compile(
    r"(?i)[?&](?:key|sig|signature|auth|hmac|x-(?:amz|goog)-(?:signature|security-token))=([^&#\s\"'`<>)\]]{12,2000})"
)
_COOKIE = re.compile(
    r"(?i)(?<![a-z])(?:session(?:_?id)?|sid|connect\.sid|phpsessid|jsessionid)=([A-Za-z0-9%._-]{16,500})"
)


def accounts(text: str) -> Iterator[Span]:
    """The cards, bank accounts and credentials of a text; spans may overlap."""
    for match in _CARD.finditer(text):
        end = _card_end(match)
        if end and not _OTHER_NUMBER.search(text, max(0, match.start() - _BEFORE), match.start()):
            yield Span(match.start(), end, "card number")
    for match in _IBAN.finditer(text):
        if end := _iban_end(text, match):
            yield Span(match.start(), end, "bank account")
    if "://" in text:
        for match in _LINK.finditer(text):
            word = match[1] or match[2]
            if not is_stand_in(word) and word.lower() != "password" and not _PORT.match(word):
                yield Span(*match.span(1 if match[1] else 2), "password")
    yield from _headers(text)


def _headers(text: str) -> Iterator[Span]:
    for match in _HEADER.finditer(text):
        if not is_stand_in(match[2]) and (
            looks_random(match[2]) if not match[1] else match[2].lower() != "token"
        ):
            yield Span(match.start(2), across_lines(text, match.end())[0], "token")
    for pattern, kind in ((_BEARER, "token"), (_COOKIE, "token"), (_QUERY, "api key")):
        for match in pattern.finditer(text):
            if looks_random(match[1]) and not is_stand_in(match[1]):
                yield Span(match.start(1), across_lines(text, match.end())[0], kind)
    for match in _CURL.finditer(text):
        if not is_stand_in(match[1]):
            yield Span(*match.span(1), "password")


def _card_end(match: re.Match[str]) -> int:
    """Where the card number ends, 0 for another number; three digits behind sixteen may be the card's code."""
    shorter = match[0][:-4] if match[1] and len(match[0]) == 23 else ""
    for written in filter(None, (match[0], shorter)):
        digits = [int(character) for character in written if character.isdecimal()]
        if _of_a_network(digits) and _luhn(digits) and len(set(digits)) > 1:
            return match.start() + len(written)
    return 0


def _of_a_network(digits: list[int]) -> bool:
    start = "".join(map(str, digits[:4]))
    return any(
        first <= int(start[: len(str(first))]) <= last and len(digits) in lengths
        for first, last, lengths in _NETWORKS
    )


def _luhn(digits: list[int]) -> bool:
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _iban_end(text: str, match: re.Match[str]) -> int:
    length = _IBAN_LENGTHS.get(match[1])
    if length is None:
        return 0
    letters, position = "", match.start()
    while position < len(text) and len(letters) < length:
        character = text[position]
        if character.isascii() and (character.isdigit() or character.isupper()):
            letters += character
        elif character not in " \u00a0-":
            return 0
        position += 1
    if len(letters) < length or text[position : position + 1].isalnum():
        return 0
    number = "".join(str(int(letter, 36)) for letter in letters[4:] + letters[:4])
    return position if int(number) % 97 == 1 else 0
