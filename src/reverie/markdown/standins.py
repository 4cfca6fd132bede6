"""Stand-in lines: what a model writes in place of the text that it did not repeat.

`[rest unchanged]` in a whole-file write means that the rest is about to be lost. A line counts when the *whole* line
says so, in English or Russian; a sentence that merely contains such words is somebody's note. How a line is dressed
decides how few words are enough: with dots `... current tasks ...` will do, in brackets `[existing content]`, bare
`Remaining notes unchanged`, and as a list item, which most notes are, only `- rest unchanged` and what is like it.
Dots alone inside a code fence are code.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal, get_args

from reverie.markdown.lines import body, lines

Dress = Literal["item", "bare", "wrapped", "dotted"]
"""A list item, heading or quotation; nothing; brackets or comment signs; dots. Each says more than the one before."""

_LONGEST = 200
"""A longer line is prose."""

_TEXTS = (
    r"contents?|text|file|document|memory|memories|notes?|entry|entries|lines?|sections?|items?|bullets?|bullet points|points?"
    r"|data|information|info|material|parts?|body|code|headings?|paragraphs?|records?|page|[\w./-]+\.md"
)
_SUBJECTS = r"facts?|list|lists|rules?|details|topics?|tables?|rows?|tasks?|preferences|decisions|settings|stuff"
_ANY_TEXT = rf"(?:(?:the )?(?:{_TEXTS}))"
_THINGS = rf"(?:(?:the )?(?:{_TEXTS}|{_SUBJECTS}))"
"""What a text consists of, and what it may be about; `other tasks` may well be meant as they are."""

_OLD = r"(?:other|remaining|previous|existing|prior|earlier|original|old|current|preceding|following|unchanged|stored)"
_PLACE = (
    r"(?:above|below|before|after|beyond|past|following|from|under|up to|beneath)"
    r"(?: (?:this|that|here|it|the))?(?: (?:line|point|heading|section|one|on|onwards))*"
)


def _rest(things: str) -> str:
    """What names the part that was left out."""
    return (
        rf"(?:rest|remainder)(?: of (?:(?:the|this|that|my|your|our|its) )?(?:{_OLD} )?{things}(?: {things})?)?"
        rf"|(?:everything|anything|all)(?: that (?:is|was|comes|came|stood))? ?(?:else|{_PLACE})"
        rf"|(?:all )?(?:of )?(?:the |my |your )?(?:\d+ )?(?:more )?{_OLD} (?:\d+ )?(?:{_OLD} )?{things}(?: {things})?(?: {_PLACE})?"
    )


_REST = rf"{_rest(_THINGS)}|(?:all )?(?:the )?{_THINGS} {_PLACE}"
_REST_OF_TEXT = rf"{_rest(_ANY_TEXT)}|(?:all )?(?:the )?{_ANY_TEXT} {_PLACE}"
_REST_AS_ITEM = (
    rf"(?:rest|remainder)(?: of (?:(?:the|this|that|my|your) )?(?:{_OLD} )?{_ANY_TEXT})?"
    rf"|(?:everything|all) ?(?:else|{_PLACE})|(?:all )?(?:the )?(?:other|remaining|existing) {_ANY_TEXT}"
)
_COUNT = r"(?:\+? ?\d+|some|several|many|a few)"
_WILL = (
    r"(?:(?:is|are|was|were|be|been|has|have|had|will|should|shall|must|to|it|they|that|all|also|just|simply|still|exactly"
    r"|completely|entirely|here|stays?|remains?|stayed|remained|kept|keeps?|left|goes|continues?|staying|remaining) )*"
)
_SAME = (
    r"(?:(?:un|not (?:been )?)(?:changed|touched|modified|altered|edited)|intact|as[ -]is"
    r"|(?:just |exactly )?(?:as|like) (?:it|they|that) (?:is|was|are|were|stands?|stood|has been|have been)(?: before)?"
    r"|(?:as|like) (?:before|above|previously|in (?:the )?(?:original|previous|existing|current)(?: \w+)?)"
    r"|(?:the )?same(?: as (?:before|above|previous(?:ly)?|earlier|it was|they were|in (?:the )?\w+(?: \w+)?))?"
    r"|identical(?: to before)?|omitted|elided|skipped|snipped|truncated|abridged|abbreviated|not (?:shown|repeated)"
    r"|kept|preserved|retained)"
)
_HERE = r"(?:go(?:es)? here|here|follows|continues?|stays?|remains?)"
_TAIL = (
    r"(?: (?:for (?:brevity|now|space|clarity)|here|below|above|in place|as before|from (?:here|before)(?: on)?"
    r"|(?:from|in|of) (?:the )?(?:previous|existing|original|current|old|last) (?:version|file|text|content|memory|document)))*"
)
_KEEP = r"(?:please )?(?:keep|leave|retain|preserve|insert|include|copy|paste|put|use|add|reuse|repeat|continue with)"
_NOTHING = (
    r"(?:no(?:thing)? (?:other |further |more )?(?:changes?|edits?|else)(?: (?:is |was )?changed| changes)?"
    r" ?(?:below|above|after this|from here(?: on)?|(?:to|in) the (?:rest|remainder)(?: of .{1,30})?|beyond this(?: point)?))"
    r"|nothing (?:else|below|above|after this) (?:has |is |was )?chang(?:es|ed)"
    rf"|unchanged (?:from here(?: on)?|below|above|content|{_THINGS})|same as before from here"
)
_ENGLISH: dict[Dress, tuple[str, ...]] = {
    "item": (rf"(?:the )?(?:{_REST_AS_ITEM}) {_WILL}{_SAME}{_TAIL}",),
    "bare": (
        rf"(?:the )?(?:{_REST_OF_TEXT}) {_WILL}{_SAME}{_TAIL}",
        rf"{_KEEP} (?:the )?(?:{_REST_OF_TEXT}) {_WILL}{_SAME}{_TAIL}",
        _NOTHING,
    ),
    "wrapped": (
        rf"(?:{_KEEP} )?(?:the )?(?:{_REST}) {_WILL}{_SAME}{_TAIL}",
        rf"{_KEEP} (?:the )?(?:{_REST_OF_TEXT}|{_OLD})(?: {_WILL}{_HERE})?{_TAIL}",
        rf"(?:the )?(?:{_rest(_ANY_TEXT)})(?: {_WILL}{_HERE})?{_TAIL}",
        rf"(?:the )?(?:{_REST}) {_WILL}{_HERE}{_TAIL}",
        rf"(?:{_WILL}{_SAME}|snip|cut|etc|and so on){_TAIL}",
        rf"\+? ?\d+ (?:more|other|further|remaining|additional) {_ANY_TEXT}{_TAIL}|and \d+ more",
        rf"{_COUNT} (?:(?:more|other|further|remaining|additional|{_OLD}) )?{_THINGS} {_WILL}{_SAME}{_TAIL}",
        rf"(?:the )?{_THINGS} {_WILL}{_SAME}{_TAIL}",
        rf"(?:the )?{_ANY_TEXT} {_WILL}{_HERE}{_TAIL}",
        r"your (?:\w+ )?(?:content|text|notes|entries) here",
    ),
    "dotted": (
        rf"(?:{_KEEP} )?(?:the )?(?:{_REST}|{_OLD})(?: {_WILL}{_HERE})?{_TAIL}",
        rf"(?:\+? ?\d+ (?:more|other|further|remaining|additional)|(?:many )?more) {_THINGS}{_TAIL}",
        rf"(?:the )?{_THINGS} {_WILL}{_HERE}{_TAIL}",
    ),
}

_TEXTS_RU = (
    r"(?:содержимо|содержани)\w*|текст\w*|файл\w*|документ\w*|памят[ьи]|заметк\w*|замет(?:ок|ки)|запис\w+|строк\w*|раздел\w*"
    r"|пункт\w*|данны\w+|информаци\w+|част\w+|абзац\w*|сведени\w+|код\w?|заголов\w+|[\w./-]+\.md"
)
_SUBJECTS_RU = r"факт\w*|спис\w+|правил\w*|тем\w?|таблиц\w*|задач\w*|предпочтени\w*|решени\w*|настро\w+"
_ANY_TEXT_RU = rf"(?:{_TEXTS_RU})"
_THINGS_RU = rf"(?:{_TEXTS_RU}|{_SUBJECTS_RU})"
_OLD_RU = (
    r"(?:(?:остальн|предыдущ|существующ|прежн|стар|текущ|друг|имеющ|прочи|прошл|исходн|оставш|последующ|следующ|нижеследующ)"
    r"(?:ее|ей|ие|их|ий|ая|ой|ые|ых|ое|ого|его|яя|ем|ем|ую|им|имся|аяся|ееся|иеся|ихся|егося|ейся|е)?(?:ся)?)"
)
_PLACE_RU = r"(?:ниже|выше|дальше|далее|после|до|под|над|следом)(?: (?:этого|этой|этим|этих|данного|строк\w+|мест\w+|пункта|раздела|идет))*"
_REST_AS_ITEM_RU = (
    rf"(?:все |весь |вся )?(?:остальное|прочее|оставшееся|остаток)(?: {_ANY_TEXT_RU})?|(?:все )?{_PLACE_RU}(?: все)?"
    rf"|(?:все |весь |вся )?(?:остальн|прочи|оставш)\w+ {_ANY_TEXT_RU}"
)


def _rest_ru(things: str) -> str:
    """What names the part that was left out, in Russian."""
    return (
        rf"(?:все |весь |вся )?(?:остальное|прочее|оставшееся|остаток)(?: {things})?(?: {things})?"
        rf"|(?:все |весь |вся )?(?:\d+ )?{_OLD_RU} (?:\d+ )?{things}(?: {things})?(?: {_PLACE_RU})?"
        rf"|(?:все|весь|вся) ?(?:что )?(?:{things} )?{_PLACE_RU}(?: все)?"
        rf"|(?:{things} )?{_PLACE_RU}(?: все| весь {things}| {things})"
        r"|все остальные|остальные|продолжение"
    )


_REST_RU = rf"{_rest_ru(_THINGS_RU)}|(?:{_THINGS_RU} )?{_PLACE_RU}"
_REST_OF_TEXT_RU = rf"{_rest_ru(_ANY_TEXT_RU)}|(?:{_ANY_TEXT_RU} )?{_PLACE_RU}"
_WILL_RU = (
    r"(?:(?:остается|остаются|осталось|остались|остался|останется|останутся|оставлено|оставлены|оставить|оставляем|оставляю"
    r"|сохраняется|сохраняются|сохранить|будет|идет|идут|следует|было|были|все|также|там|здесь|тут|в|это|по|и) )*"
)
_SAME_RU = (
    r"(?:без (?:каких-либо )?(?:изменени[йя]|правок|перемен)|неизменн\w+"
    r"|не (?:меня(?:ется|ются|лось|лись|ть|ем|ю|л|ла)|измен(?:илось|ились|илась|ился|ено|ены|ен|яется|яются|ять|ялось|ялись)|трога(?:ть|ем|ю|лось|л)"
    r"|тронуто|приводится|приводятся|показан[оаы]?|повторя\w+)"
    r"|(?:точно |все )?(?:так(?:им|ой|ое|ие|ая|ими)? же|то же(?: самое)?|те же(?: самые)?|прежн\w+|по[- ](?:прежнему|старому))(?: как\w* (?:и )?(?:раньше|прежде|было|были|до этого))?"
    r"|(?:точно )?как(?: и)? (?:был[оиа]?|есть|раньше|прежде|ранее|до этого|в (?:оригинале|исходн\w+ \w+|прежн\w+ \w+|прошл\w+ \w+))"
    r"|опущен[оаы]?|пропущен[оаы]?|сокращен[оаы]?|сохранен[оаы]?|оставлен[оаы]?|скрыт[оаы]?|сохраня(?:ется|ются)|оста(?:ется|ются|лось|лись)"
    r"|то же самое|идентичн\w+|неизменен)"
)
_TAIL_RU = r"(?: (?:для (?:краткости|экономии места)|здесь|тут|ниже|на месте|как (?:было|есть|раньше)|(?:из|в|от) \w+ (?:версии|файл[ае]|текст[ае])))*"
_KEEP_RU = (
    r"(?:остав(?:ить|ь|ьте|ляем|ляю)|сохран(?:ить|и|ите|яем|яю)|не (?:трогать|менять|изменять|трогай|меняй)|встав(?:ить|ь|ьте)"
    r"|здесь|тут|далее|дальше(?: идет| идут| следует)?|далее (?:идет|идут|следует|следуют)|скопировать|повторить)"
)
_RUSSIAN: dict[Dress, tuple[str, ...]] = {
    "item": (rf"(?:{_REST_AS_ITEM_RU}) {_WILL_RU}{_SAME_RU}{_TAIL_RU}",),
    "bare": (
        rf"(?:{_KEEP_RU} )?(?:{_REST_OF_TEXT_RU}) {_WILL_RU}{_SAME_RU}{_TAIL_RU}",
        r"(?:больше |далее |дальше |ниже )(?:ничего не (?:изменилось|меняется|менял\w*)|изменений нет|нет изменений|без изменений)",
    ),
    "wrapped": (
        rf"(?:{_KEEP_RU} )?(?:{_REST_RU}) {_WILL_RU}{_SAME_RU}{_TAIL_RU}",
        rf"(?:и )?(?:{_KEEP_RU} )?(?:{_rest_ru(_ANY_TEXT_RU)}){_TAIL_RU}",
        rf"(?:{_REST_RU}) {_WILL_RU}{_KEEP_RU}{_TAIL_RU}",
        rf"{_WILL_RU}{_SAME_RU}{_TAIL_RU}",
        rf"(?:и )?(?:еще )\d+ {_ANY_TEXT_RU}{_TAIL_RU}",
        rf"(?:и )?(?:еще )?(?:\d+|несколько) {_THINGS_RU} {_WILL_RU}{_SAME_RU}{_TAIL_RU}",
        rf"{_THINGS_RU} {_WILL_RU}{_SAME_RU}{_TAIL_RU}",
        r"и (?:так далее|т\. ?д|тому подобное)|пропуск|вырезано",
    ),
    "dotted": (
        rf"(?:и )?(?:{_KEEP_RU} )?(?:{_REST_RU}){_TAIL_RU}",
        rf"(?:и )?(?:еще )\d+ {_THINGS_RU}{_TAIL_RU}",
    ),
}

_PREFIX = re.compile(r"(?:(?:note|nb|n\.b\.|примечание|прим\.?|todo) )")
_MARKER = re.compile(r"(?:[-*+>]|\d+[.)]|#{1,6}) +")
_COMMENT = re.compile(r"(?:<!-+|/\*+|//+|%%|\{/\*)(.*?)(?:-+!?>|\*+/\}?)?")
_BRACKETS = (("{{", "}}"), ("[", "]"), ("(", ")"), ("{", "}"), ("<", ">"), ("«", "»"))
_PAUSE = re.compile(r"(?:[,:;]|[ ][-–—])*\s+")
_DOTS = re.compile(r"(?:\.{2,}|…)+")
_JOINED = re.compile(r"(?<=[^\W_])[_-](?=[^\W_])")
_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?!.*`)|~{3,})(.*)", re.DOTALL)


def stand_ins(text: str) -> dict[int, str]:
    """The stand-in lines of a text by their number, from 1, as they are written and without line ends."""
    found: dict[int, str] = {}
    fence = ""
    for number, line in enumerate(map(body, lines(text)), 1):
        mark = _FENCE.match(line)
        if mark and (not fence or (mark[1].startswith(fence) and not mark[2].strip())):
            fence = "" if fence else mark[1]
        elif is_stand_in(line) and not (fence and _DOTS.fullmatch(line.strip())):
            found[number] = line
    return found


def is_stand_in(line: str) -> bool:
    """Whether a whole line says no more than that something else stays as it is."""
    if len(line) > _LONGEST or not line.strip():
        return False
    words, dress = _undressed(line)
    if not words:
        return dress in ("wrapped", "dotted")
    return bool(_said(dress).fullmatch(words))


@lru_cache(maxsize=4)
def _said(dress: Dress) -> re.Pattern[str]:
    """What the words may be; compiled when a text is first written, since it takes longer than a whole read."""
    levels = get_args(Dress)[: get_args(Dress).index(dress) + 1]
    return re.compile("|".join(said for level in levels for said in (*_ENGLISH[level], *_RUSSIAN[level])))


def _undressed(line: str) -> tuple[str, Dress]:
    """The words of a line in normal form, and how it is dressed; a list item of dots alone counts as an item."""
    text = " ".join(line.split())
    bare = text
    while marker := _MARKER.match(text):
        text = text[marker.end() :]
    marked, dressed = text != bare, False
    if comment := _COMMENT.fullmatch(text):
        text, dressed = comment[1].strip(), True
    text, wrapped = _unwrapped(text)
    dressed = dressed or wrapped
    dots = _DOTS.search(text) is not None
    text = " ".join(_DOTS.sub(" ", text).split()).strip(" .,;:!-–—=*_~`\"'")
    if not text:
        return "", "wrapped" if dots and (dressed or not marked) else "item"
    text, inner = _unwrapped(text)
    dressed = dressed or inner
    if dressed and " " not in text:
        text = _JOINED.sub(" ", text)
    text = unicodedata.normalize("NFKC", text).casefold().replace("ё", "е").replace("’", "'")
    text = _PAUSE.sub(" ", text).strip(" .,;:!")
    text = _PREFIX.sub("", text, count=1)
    return text, "dotted" if dots else "wrapped" if dressed else "item" if marked else "bare"


def _unwrapped(text: str) -> tuple[str, bool]:
    """The text without emphasis and brackets around all of it."""
    found = False
    while True:
        text = text.strip(" *_~`")
        pair = next((p for p in _BRACKETS if text.startswith(p[0]) and text.endswith(p[1]) and len(text) > 1), None)
        if pair is None or text.find(pair[1]) < len(text) - len(pair[1]):
            return text, found
        text, found = text[len(pair[0]) : -len(pair[1])], True
