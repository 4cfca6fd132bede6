"""Stand-in lines: what a model writes in place of the text that it did not repeat.

`[rest unchanged]` in a whole-file write means that the rest is about to be lost. A line counts when the *whole* line
says so, in English or Russian; a sentence that merely contains such words is somebody's note. A line that is dressed
up (in brackets, as a comment, between dots) counts with fewer words than a bare one: `... existing entries ...` does,
a bare `existing entries` does not.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from reverie.markdown.lines import body, lines

_LONGEST = 200
"""A longer line is prose."""

_THINGS = (
    r"(?:(?:the )?(?:contents?|text|file|document|memory|memories|notes?|entry|entries|lines?|sections?|items?|facts?|bullets?"
    r"|bullet points|points?|list|lists|data|information|info|material|parts?|body|code|headings?|paragraphs?|records?"
    r"|rules?|details|topics?|tables?|rows?|tasks?|preferences|decisions|settings|stuff|page|[\w./-]+\.md))"
)
_OLD = r"(?:other|remaining|previous|existing|prior|earlier|original|old|current|preceding|following|unchanged|stored)"
_PLACE = (
    r"(?:above|below|before|after|beyond|past|following|from|under|up to|beneath)"
    r"(?: (?:this|that|here|it|the))?(?: (?:line|point|heading|section|one|on|onwards))*"
)
_REST = (
    rf"(?:rest|remainder)(?: of (?:(?:the|this|that|my|your|our|its) )?(?:{_OLD} )?{_THINGS}(?: {_THINGS})?)?"
    rf"|(?:everything|anything|all)(?: that (?:is|was|comes|came|stood))? ?(?:else|{_PLACE})"
    rf"|(?:all )?(?:of )?(?:the |my |your )?(?:\d+ )?(?:more )?{_OLD} (?:\d+ )?(?:{_OLD} )?{_THINGS}(?: {_THINGS})?(?: {_PLACE})?"
    rf"|(?:all )?(?:the )?{_THINGS} {_PLACE}"
)
_NUMBERED = rf"\+? ?\d+ (?:more|other|further|remaining|additional) {_THINGS}|and \d+ more|(?:many )?more {_THINGS}"
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
_ENGLISH = (
    rf"(?:the )?(?:{_REST}) {_WILL}{_SAME}{_TAIL}",
    rf"{_KEEP} (?:the )?(?:{_REST}) {_WILL}{_SAME}{_TAIL}",
    _NOTHING,
)
_ENGLISH_DRESSED = (
    rf"{_KEEP} (?:the )?(?:{_REST}|{_OLD})(?: {_WILL}{_HERE})?{_TAIL}",
    rf"(?:the )?(?:{_REST})(?: {_WILL}{_HERE})?{_TAIL}",
    rf"(?:{_WILL}{_SAME}|snip|cut|etc|and so on){_TAIL}",
    rf"{_NUMBERED}(?: {_WILL}{_SAME})?{_TAIL}",
    rf"(?:the )?{_THINGS} {_WILL}(?:{_SAME}|{_HERE}){_TAIL}",
    r"your (?:\w+ )?(?:content|text|notes|entries) here",
)

_THINGS_RU = (
    r"(?:(?:содержимо|содержани)\w*|текст\w*|файл\w*|документ\w*|памят[ьи]|заметк\w*|замет(?:ок|ки)|запис\w+|строк\w*|раздел\w*"
    r"|пункт\w*|факт\w*|спис\w+|данны\w+|информаци\w+|част\w+|абзац\w*|сведени\w+|правил\w*|тем\w?|таблиц\w*|задач\w*"
    r"|предпочтени\w*|решени\w*|настро\w+|код\w?|заголов\w+|[\w./-]+\.md)"
)
_OLD_RU = (
    r"(?:(?:остальн|предыдущ|существующ|прежн|стар|текущ|друг|имеющ|прочи|прошл|исходн|оставш|последующ|следующ|нижеследующ)"
    r"(?:ее|ей|ие|их|ий|ая|ой|ые|ых|ое|ого|его|яя|ем|ем|ую|им|имся|аяся|ееся|иеся|ихся|егося|ейся|е)?(?:ся)?)"
)
_PLACE_RU = r"(?:ниже|выше|дальше|далее|после|до|под|над|следом)(?: (?:этого|этой|этим|этих|данного|строк\w+|мест\w+|пункта|раздела|идет))*"
_REST_RU = (
    rf"(?:все |весь |вся )?(?:остальное|прочее|оставшееся|остаток)(?: {_THINGS_RU})?(?: {_THINGS_RU})?"
    rf"|(?:все |весь |вся )?(?:\d+ )?{_OLD_RU} (?:\d+ )?{_THINGS_RU}(?: {_THINGS_RU})?(?: {_PLACE_RU})?"
    rf"|(?:все|весь|вся) ?(?:что )?(?:{_THINGS_RU} )?{_PLACE_RU}(?: все)?"
    rf"|(?:{_THINGS_RU} )?{_PLACE_RU}(?: все| весь {_THINGS_RU}| {_THINGS_RU})?"
    r"|все остальные|остальные|продолжение"
)
_WILL_RU = (
    r"(?:(?:остается|остаются|осталось|остались|остался|останется|останутся|оставлено|оставлены|оставить|оставляем|оставляю"
    r"|сохраняется|сохраняются|сохранить|будет|идет|идут|следует|было|были|все|также|там|здесь|тут|в|это|по|и) )*"
)
_SAME_RU = (
    r"(?:без (?:каких-либо )?(?:изменени[йя]|правок|перемен)|неизменн\w+"
    r"|не (?:меня(?:ется|ются|лось|лись|ть|ем|ю|л|ла)|измен(?:илось|ились|илась|ился|ено|ены|ен|яется|яются|ять|ялось|ялись)|трога(?:ть|ем|ю|лось|л)"
    r"|тронуто|приводится|приводятся|показан[оаы]?|повторя\w+)"
    r"|(?:точно |все )?(?:так(?:им|ой|ое|ие|ая|ими)? же|то же(?: самое)?|те же(?: самые)?|прежн\w+|по-прежнему|по прежнему)(?: как\w* (?:и )?(?:раньше|прежде|было|были|до этого))?"
    r"|(?:точно )?как(?: и)? (?:был[оиа]?|есть|раньше|прежде|ранее|до этого|в (?:оригинале|исходн\w+ \w+|прежн\w+ \w+|прошл\w+ \w+))"
    r"|опущен[оаы]?|пропущен[оаы]?|сокращен[оаы]?|сохранен[оаы]?|оставлен[оаы]?|скрыт[оаы]?|сохраня(?:ется|ются)|оста(?:ется|ются|лось|лись)"
    r"|то же самое|идентичн\w+|неизменен)"
)
_TAIL_RU = r"(?: (?:для (?:краткости|экономии места)|здесь|тут|ниже|на месте|как (?:было|есть|раньше)|(?:из|в|от) \w+ (?:версии|файл[ае]|текст[ае])))*"
_KEEP_RU = (
    r"(?:остав(?:ить|ь|ьте|ляем|ляю)|сохран(?:ить|и|ите|яем|яю)|не (?:трогать|менять|изменять|трогай|меняй)|встав(?:ить|ь|ьте)"
    r"|здесь|тут|далее|дальше(?: идет| идут| следует)?|далее (?:идет|идут|следует|следуют)|скопировать|повторить)"
)
_RUSSIAN = (
    rf"(?:{_REST_RU}) {_WILL_RU}{_SAME_RU}{_TAIL_RU}",
    rf"{_KEEP_RU} (?:{_REST_RU}) {_WILL_RU}{_SAME_RU}{_TAIL_RU}",
    r"(?:больше |далее |дальше |ниже )(?:ничего не (?:изменилось|меняется|менял\w*)|изменений нет|нет изменений|без изменений)",
)
_RUSSIAN_DRESSED = (
    rf"(?:и )?(?:{_KEEP_RU} )?(?:{_REST_RU}){_TAIL_RU}",
    rf"{_WILL_RU}{_SAME_RU}{_TAIL_RU}",
    rf"(?:и )?(?:еще )\d+ {_THINGS_RU}(?: {_WILL_RU}{_SAME_RU})?{_TAIL_RU}",
    rf"{_THINGS_RU} {_WILL_RU}{_SAME_RU}{_TAIL_RU}",
    r"и (?:так далее|т\. ?д|тому подобное)|пропуск|вырезано",
)

_PREFIX = re.compile(r"(?:(?:note|nb|n\.b\.|примечание|прим\.?|todo) )")
_MARKER = re.compile(r"(?:[-*+>]|\d+[.)]|#{1,6}) +")
_COMMENT = re.compile(r"(?:<!-+|/\*+|//+|%%|\{/\*)(.*?)(?:-+!?>|\*+/\}?)?")
_BRACKETS = (("{{", "}}"), ("[", "]"), ("(", ")"), ("{", "}"), ("<", ">"), ("«", "»"))
_PAUSE = re.compile(r"(?:[,:;]|[ ][-–—])*\s+")
_DOTS = re.compile(r"(?:\.{2,}|…)+")


def stand_ins(text: str) -> list[str]:
    """The stand-in lines of a text, as they are written, without line ends."""
    return [line for line in map(body, lines(text)) if is_stand_in(line)]


def is_stand_in(line: str) -> bool:
    """Whether a whole line says no more than that something else stays as it is."""
    if len(line) > _LONGEST or not line.strip():
        return False
    words, dressed = _undressed(line)
    if not words:
        return dressed
    return bool(_said(dressed).fullmatch(words))


@lru_cache(maxsize=2)
def _said(dressed: bool) -> re.Pattern[str]:
    """What the words may be; compiled when a text is first written, since it takes longer than a whole read."""
    more = (*_ENGLISH_DRESSED, *_RUSSIAN_DRESSED) if dressed else ()
    return re.compile("|".join((*_ENGLISH, *_RUSSIAN, *more)))


def _undressed(line: str) -> tuple[str, bool]:
    """The words of a line in normal form, and whether brackets, comment signs or dots stood around them."""
    text = " ".join(line.split())
    bare = text
    while marker := _MARKER.match(text):
        text = text[marker.end() :]
    marked, dressed = text != bare, False
    if comment := _COMMENT.fullmatch(text):
        text, dressed = comment[1].strip(), True
    text, wrapped = _unwrapped(text)
    dressed = dressed or wrapped
    dots = _DOTS.search(text)
    text = " ".join(_DOTS.sub(" ", text).split()).strip(" .,;:!-–—=*_~`\"'")
    if not text:
        return "", bool(dots) and (dressed or not marked)
    text, inner = _unwrapped(text)
    text = unicodedata.normalize("NFKC", text).casefold().replace("ё", "е").replace("’", "'")
    text = _PAUSE.sub(" ", text).strip(" .,;:!")
    text = _PREFIX.sub("", text, count=1)
    return text, dressed or inner or bool(dots)


def _unwrapped(text: str) -> tuple[str, bool]:
    """The text without emphasis and brackets around all of it."""
    found = False
    while True:
        text = text.strip(" *_~`")
        pair = next((p for p in _BRACKETS if text.startswith(p[0]) and text.endswith(p[1]) and len(text) > 1), None)
        if pair is None or text.find(pair[1]) < len(text) - len(pair[1]):
            return text, found
        text, found = text[len(pair[0]) : -len(pair[1])], True
