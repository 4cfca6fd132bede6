"""Secrets that are known by their shape: keys with a provider's prefix, tokens, key blocks, cards, accounts.

Each finder yields spans of the text. Prefixes come from the providers' own documentation; where detect-secrets has
a right and bounded pattern of its own, it is asked too (its entropy and keyword detectors are not: they take hashes
and prose for secrets). A key that a mail program or an editor broke over two lines is followed over the break.
Every repetition is bounded or anchored at a literal, so the work grows with the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from reverie.secrets.spans import Span


class Prefix(NamedTuple):
    """A provider's prefix, the characters that follow it, and how many there are at least."""

    text: str
    tail: str
    least: int
    kind: str = "api key"


_WORD, _DASHED, _DOTTED, _UPPER = "A-Za-z0-9_", "A-Za-z0-9_-", "A-Za-z0-9_.-", "A-Z0-9"
_ALNUM = "A-Za-z0-9"

PREFIXES = (
    Prefix("sk-", _DASHED, 20),  # OpenAI, Anthropic, OpenRouter, DeepSeek and others
    Prefix("gsk_", _ALNUM, 20), Prefix("xai-", _ALNUM, 20), Prefix("pplx-", _ALNUM, 20), Prefix("r8_", _ALNUM, 20),
    Prefix("hf_", _ALNUM, 20), Prefix("AIza", _DASHED, 30), Prefix("ya29.", _DASHED, 20, "token"),
    Prefix("GOCSPX-", _DASHED, 20), Prefix("AQVN", _DASHED, 30), Prefix("y0_", _DASHED, 30, "token"),
    Prefix("vk1.a.", _DASHED, 30, "token"), Prefix("ghp_", _WORD, 20, "token"), Prefix("gho_", _WORD, 20, "token"),
    Prefix("ghu_", _WORD, 20, "token"), Prefix("ghs_", _WORD, 20, "token"), Prefix("ghr_", _WORD, 20, "token"),
    Prefix("github_pat_", _WORD, 20, "token"), Prefix("glpat-", _DOTTED, 16, "token"),
    Prefix("gldt-", _DASHED, 16, "token"), Prefix("glrt-", _DASHED, 16, "token"), Prefix("xoxa-", _DASHED, 10, "token"),
    Prefix("xoxb-", _DASHED, 10, "token"), Prefix("xoxe-", _DASHED, 10, "token"), Prefix("xoxp-", _DASHED, 10, "token"),
    Prefix("xoxs-", _DASHED, 10, "token"), Prefix("xapp-", _DASHED, 10, "token"), Prefix("sk_live_", _ALNUM, 16),
    Prefix("sk_test_", _ALNUM, 16), Prefix("rk_live_", _ALNUM, 16), Prefix("rk_test_", _ALNUM, 16),
    Prefix("whsec_", "A-Za-z0-9+/=", 16), Prefix("SG.", _DOTTED, 40), Prefix("npm_", _ALNUM, 30, "token"),
    Prefix("pypi-", _DASHED, 32, "token"), Prefix("AKIA", _UPPER, 16, "cloud key"),
    Prefix("ASIA", _UPPER, 16, "cloud key"), Prefix("dop_v1_", _ALNUM, 32, "token"), Prefix("shpat_", _ALNUM, 24),
    Prefix("lin_api_", _ALNUM, 24), Prefix("ntn_", _ALNUM, 24), Prefix("sbp_", _ALNUM, 24), Prefix("dapi", "a-f0-9", 32),
    Prefix("hvs.", _DASHED, 20, "token"), Prefix("key-", "a-f0-9", 32), Prefix("AGE-SECRET-KEY-", _UPPER, 40),
    Prefix("sq0csp-", _DASHED, 30), Prefix("sq0atp-", _DASHED, 20), Prefix("AccountKey=", "A-Za-z0-9+/=", 40),
)  # fmt: skip

_BREAK = re.compile(r"[\"'`]?[ \t]{0,8}[\\+]?[ \t]{0,8}(?:\r\n|\r|\n)[ \t>]{0,40}[\"'`]?")
_RUN = re.compile(r"[A-Za-z0-9_\-+/=]{4,}(?![A-Za-z0-9_:])")
_CONTINUATIONS = 8
_INCOMPLETE = 4
_ALONE = 8
_LINE_ENDS = re.compile(r"[\"'`.,;)]{0,3}[ \t]{0,8}(?:[\r\n]|$)")
_JWT = re.compile(r"(?<![\w-])(?:eyJ|eyA|ewo)[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{2,}(?:\.[A-Za-z0-9_-]*)*")
_BOT = re.compile(r"(?<![\w:])(?:bot)?\d{8,10}:[A-Za-z0-9_-]{35}(?![\w-])")
_TWILIO = re.compile(r"(?<!\w)(?:AC|SK)[0-9a-f]{32}(?!\w)")
_MAILCHIMP = re.compile(r"(?<!\w)[0-9a-f]{32}-us\d{1,2}(?!\w)")
_WEBHOOK = re.compile(r"hooks\.slack\.com/services/(T\w{1,20}/B\w{1,20}/\w{8,40})")
_DASHES = re.compile(r"-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINE = re.compile(r"[A-Za-z0-9+/=]{16}")
_AFTER_BEGIN = re.compile(
    r"(?:(?:\\n|\\r|[ \t>|\"'+]){0,40}(?:\r\n|\r|\n)?(?:[ \t>|\"'+]{0,40}(?:[A-Za-z0-9+/=]{16,}|[\w-]{1,30}: [^\r\n]{1,100}))){1,400}"
)
_PUTTY = re.compile(r"Private-Lines: \d{1,3}((?:(?:\r\n|\r|\n)[ \t>]*[A-Za-z0-9+/=]{16,}){1,400})")
_CLOUD_SECRET = re.compile(r"(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])")
_CLOUD_CONTEXT = re.compile(r"A(?:KI|SI)A[0-9A-Z]{16}|(?i:aws|secret[ _-]?(?:access[ _-]?)?key)")
_NEAR = 300


def shapes(text: str) -> Iterator[Span]:
    """The secrets of a text that their shape gives away; spans may overlap."""
    yield from _prefixed(text)
    if any(start in text for start in ("eyJ", "eyA", "ewo")):  # base64 of `{"`, `{ ` and `{`, line feed
        yield from (_onward(text, match, "token") for match in _JWT.finditer(text))
    yield from (Span(*match.span(), "token") for match in _BOT.finditer(text))
    yield from (Span(*match.span(), "api key") for match in _TWILIO.finditer(text))
    if "-us" in text:
        yield from (Span(*match.span(), "api key") for match in _MAILCHIMP.finditer(text))
    if "hooks.slack.com" in text:
        yield from (Span(*match.span(1), "token") for match in _WEBHOOK.finditer(text))
    if "PRIVATE KEY" in text or "Private-Lines" in text:
        yield from _key_blocks(text)
    if len(text) >= 40:
        yield from _cloud_secrets(text)
    yield from _known_elsewhere(text)


def looks_random(run: str) -> bool:
    """Whether a run of characters has both digits and letters, or capitals within: unlike a word."""
    digits = any(character.isdigit() for character in run)
    letters = any(character.isalpha() for character in run)
    return (digits and letters) or any(a.islower() and b.isupper() for a, b in pairwise(run))


def across_lines(text: str, end: int, *, least: int = 16) -> tuple[int, str]:
    """Where a secret that stops at a line's end goes on to, and what it goes on with; `(end, "")` if it does not.

    It goes on with a run of at least `least` characters (8 where the run has its line for itself) that has no
    provider's prefix and looks random; a run of capitals will do where the secret is known to be incomplete.
    """
    extra = ""
    for _ in range(_CONTINUATIONS):
        gap = _BREAK.match(text, end)
        run = gap and _RUN.match(text, gap.end())
        if not run or any(text.startswith(prefix.text, run.start()) for prefix in PREFIXES):
            break
        if len(run[0]) < (min(least, _ALONE) if _LINE_ENDS.match(text, run.end()) else least):
            break
        if not looks_random(run[0]) and not (least <= _INCOMPLETE and run[0].isupper()):
            break
        extra, end = extra + run[0], run.end()
    return end, extra


def _prefixed(text: str) -> Iterator[Span]:
    for prefix in PREFIXES:
        start = text.find(prefix.text)
        while start >= 0:
            end = start + len(prefix.text)
            if not start or not (text[start - 1].isalnum() or text[start - 1] in "_-"):
                run = _tail(prefix.tail).match(text, end)
                tail, end = (run[0], run.end()) if run else ("", end)
                further, extra = across_lines(
                    text, end, least=16 if len(tail) >= prefix.least else _INCOMPLETE
                )
                if len(tail + extra) >= prefix.least and (
                    prefix.tail == _UPPER or looks_random(tail + extra)
                ):
                    end = further
                    yield Span(start, end, prefix.kind)
            start = text.find(prefix.text, end)


@cache
def _tail(characters: str) -> re.Pattern[str]:
    return re.compile(f"[{characters}]*")


def _onward(text: str, match: re.Match[str], kind: str) -> Span:
    return Span(match.start(), across_lines(text, match.end())[0], kind)


def _key_blocks(text: str) -> Iterator[Span]:
    marks = list(_DASHES.finditer(text))
    for number, mark in enumerate(marks):
        if mark[1] == "END":
            continue
        following = marks[number + 1] if number + 1 < len(marks) else None
        if following and following[1] == "END":
            if _KEY_LINE.search(text, mark.end(), following.start()):
                yield Span(mark.start(), following.end(), "private key")
        elif (body := _AFTER_BEGIN.match(text, mark.end())) and _KEY_LINE.search(body[0]):
            yield Span(mark.start(), body.end(), "private key")
    yield from (Span(*match.span(1), "private key") for match in _PUTTY.finditer(text))


def _cloud_secrets(text: str) -> Iterator[Span]:
    """The second half of a cloud credential: forty characters, known only by what stands near."""
    for match in _CLOUD_SECRET.finditer(text):
        run = match[0]
        if all(
            any(test(c) for c in run) for test in (str.isdigit, str.isupper, str.islower)
        ) and _CLOUD_CONTEXT.search(text, max(0, match.start() - _NEAR), match.end() + _NEAR):
            yield Span(*match.span(), "cloud key")


_DETECTORS = (
    ("azure_storage_key", "AzureStorageKeyDetector", ("AccountKey=",), "cloud key"),
    ("github_token", "GitHubTokenDetector", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), "token"),
    (
        "gitlab_token",
        "GitLabTokenDetector",
        ("glpat-", "gldt-", "glft-", "glsoat-", "glrt-", "glcbt-", "glagent-"),
        "token",
    ),
    ("pypi_token", "PypiTokenDetector", ("pypi-Ag",), "token"),
    ("sendgrid", "SendGridDetector", ("SG.",), "api key"),
    ("slack", "SlackDetector", ("xox",), "token"),
    ("square_oauth", "SquareOAuthDetector", ("sq0csp-",), "api key"),
    ("stripe", "StripeDetector", ("k_live_",), "api key"),
)
"""Detectors of detect-secrets that are right about prose, with the literals that their patterns cannot do without."""

_REST = re.compile(r"[\w-]*")  # a pattern of fixed length leaves no tail of a longer key


def _known_elsewhere(text: str) -> Iterator[Span]:
    for module, name, literals, kind in _DETECTORS:
        if any(literal in text for literal in literals):
            for pattern in _patterns(module, name):
                done = 0
                while match := pattern.search(text, done):
                    rest = _REST.match(text, match.end())
                    done = rest.end() if rest else match.end()
                    if not match.start() or not text[match.start() - 1].isalnum():
                        yield Span(match.start(), done, kind)


@cache
def _patterns(module: str, name: str) -> tuple[re.Pattern[str], ...]:
    """A detector's patterns; imported when a text has its literal, since the import takes 0.2 s."""
    from importlib import import_module

    detector = getattr(import_module(f"detect_secrets.plugins.{module}"), name)
    return tuple(pattern for pattern in detector.denylist if isinstance(pattern, re.Pattern))
