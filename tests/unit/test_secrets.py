"""Secrets are replaced by placeholders of their kind, and the sentence around them stays.

The secrets are put together at run time, so that scanners of repositories stay quiet.
"""

from __future__ import annotations

import base64
import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.secrets import Masked, mask

DICE = random.Random(17)


def made(length: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    """Random characters with at least a digit, a capital and a small letter among the first of them."""
    return "a7K"[: length - 1] + "".join(
        DICE.choice(alphabet) for _ in range(length - len("a7K"[: length - 1]))
    )


def glued(*parts: str) -> str:
    return "".join(parts)


def pem(kind: str = "RSA ", end_of_line: str = "\n", indent: str = "") -> str:
    body = [made(64) for _ in range(22)]
    return end_of_line.join(
        indent + line
        for line in (
            glued("-----BEGIN ", kind, "PRIVATE KEY-----"),
            *body,
            glued("-----END ", kind, "PRIVATE KEY-----"),
        )
    )


def jwt() -> str:
    parts = ('{"alg":"HS256","typ":"JWT"}', '{"sub":"1234567890","name":"Anna"}')
    return ".".join(
        [*(base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts), made(43)]
    )


UPPER = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"

KEYS = {
    "openai": (glued("sk", "-proj-", made(48)), "api key"),
    "openai legacy": (glued("sk-", made(20), "T3Blbk", "FJ", made(20)), "api key"),
    "anthropic": (glued("sk-", "ant-api03-", made(80), "-", made(8), "AA"), "api key"),
    "github": (glued("ghp", "_", made(36)), "token"),
    "github server": (glued("ghs", "_", made(36)), "token"),
    "github fine": (glued("github", "_pat_", made(22), "_", made(59)), "token"),
    "gitlab": (glued("glpat", "-", made(20)), "token"),
    "slack": (glued("xoxb", "-123456789012-", made(24)), "token"),
    "slack app": (glued("xapp", "-1-A0123-", made(30)), "token"),
    "stripe": (glued("sk", "_live_", made(24)), "api key"),
    "google": (glued("AI", "za", made(35)), "api key"),
    "npm": (glued("npm", "_", made(36)), "token"),
    "pypi": (glued("pypi", "-AgEIcHlwaS5vcmc", made(80)), "token"),
    "hugging face": (glued("hf", "_", made(34)), "api key"),
    "telegram": (glued("1234567890", ":", "AA", made(33)), "token"),
    "sendgrid": (glued("SG", ".", made(22), ".", made(43)), "api key"),
    "twilio": (glued("SK", "".join(DICE.choice(HEX) for _ in range(32))), "api key"),
    "cloud id": (glued("AK", "IA", "".join(DICE.choice(UPPER) for _ in range(16))), "cloud key"),
    "groq": (glued("gsk", "_", made(52)), "api key"),
    "yandex": (glued("AQ", "VN", made(36)), "api key"),
    "vault": (glued("hvs", ".", made(24)), "token"),
    "azure": (glued("Account", "Key=", made(86), "=="), "api key"),
    "jwt": (jwt(), "token"),
}


@pytest.mark.case("S-17")
@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize(
    "sentence",
    [
        "Use {} for the build.",
        "({})",
        "`{}`",
        "```sh\nexport X={}\n```",
        "> - key “{}”, please",
        "ключ: {}",
        "{}",
        "https://a.example/?api_key={}&b=1",
    ],
)
def test_a_key_with_a_provider_shape_goes_and_the_sentence_stays(name: str, sentence: str) -> None:
    key, kind = KEYS[name]
    masked = mask(sentence.format(key))
    assert key not in masked.text
    assert key[-12:] not in masked.text
    assert masked.text == sentence.format(f"[secret: {masked.found[0]}]")
    assert len(masked.found) == 1
    assert masked.found[0] == kind or "api_key" in sentence


@pytest.mark.case("S-17")
@pytest.mark.parametrize("name", ["openai", "anthropic", "github", "google", "cloud id", "slack", "npm"])
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\n> ", "\\\n    ", '"\n"'])
def test_a_key_split_over_two_lines_is_followed(name: str, line_break: str) -> None:
    key, kind = KEYS[name]
    half = len(key) // 2
    assert mask(f'see "{key[:half]}{line_break}{key[half:]}" soon') == Masked(
        f'see "[secret: {kind}]" soon', (kind,)
    )


@pytest.mark.case("S-17")
def test_a_complete_key_does_not_swallow_the_next_line() -> None:
    key, _ = KEYS["github"]
    assert (
        mask(f"{key}\nThe next line\n{key}\n2026-10-06").text
        == "[secret: token]\nThe next line\n[secret: token]\n2026-10-06"
    )


@pytest.mark.case("S-17")
def test_both_halves_of_a_cloud_credential_go() -> None:
    identity, secret = KEYS["cloud id"][0], glued("wJal", "rXUtnFEMI/K7MDENG+", made(18))
    for text in (
        f"id {identity}, then {secret}.",
        f"aws_access_key_id = {identity}\naws_secret_access_key = {secret}\n",
    ):
        masked = mask(text)
        assert identity not in masked.text
        assert secret not in masked.text
        assert len(masked.found) == 2


@pytest.mark.case("S-17")
@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "Basic", "token"])
@pytest.mark.parametrize(
    "header", ["Authorization: ", '"Authorization": "', "-H 'authorization: ", "Proxy-Authorization: "]
)
def test_an_authorization_header_keeps_its_scheme(scheme: str, header: str) -> None:
    value = made(30)
    assert mask(f"{header}{scheme} {value}").text == f"{header}{scheme} [secret: token]"


@pytest.mark.case("S-17")
@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
@pytest.mark.parametrize("end_of_line", ["\n", "\r\n", "\\n"])
@pytest.mark.parametrize("indent", ["", "    ", "> ", "> > "])
def test_a_private_key_block_goes_whole(kind: str, end_of_line: str, indent: str) -> None:
    block = pem(kind, end_of_line, indent)
    masked = mask(f"- deploy key:\n\n{block}\n\n- next")
    assert masked == Masked(f"- deploy key:\n\n{indent}[secret: private key]\n\n- next", ("private key",))


@pytest.mark.case("S-17")
def test_a_private_key_block_without_its_end_goes_as_far_as_it_reaches() -> None:
    masked = mask(pem().rpartition("\n")[0] + "\nThe rest is prose.")
    assert masked.text == "[secret: private key]\nThe rest is prose."


@pytest.mark.case("S-17")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("postgres://bot:pw@host/db", "postgres://bot:[secret: password]@host/db"),
        ("redis://:s3cret@cache:6379/0", "redis://:[secret: password]@cache:6379/0"),
        (
            "see https://anna:p@ss:w0rd@git.example/x.git now",
            "see https://anna:[secret: password]@git.example/x.git now",
        ),
        ("amqp://u:a/b@h", "amqp://u:[secret: password]@h"),
        ("curl -u bot:pw12 https://x.example", "curl -u bot:[secret: password] https://x.example"),
    ],
)
def test_a_link_keeps_all_but_its_password(text: str, expected: str) -> None:
    assert mask(text) == Masked(expected, ("password",))


PASSWORD = "Tulip-44-Comet"


@pytest.mark.case("S-17")
@pytest.mark.parametrize(
    "sentence",
    [
        "The password is {}.", "password: {}", "Password:\n{}", "my password for the router is {}, ok?", "wifi password (guests): {}",
        "**password:** {}", "| password | {} |", '{{"password": "{}"}}', "DB_PASSWORD={}", "dbPassword = '{}'", "--password {}",
        "I changed the password to {} yesterday", "{} is my new password", "use `{}` as the password", "pwd={}", "login: bot, pass: {}",
        "password -> {}", "the passphrase is now {}!", "пароль: {}", "пароль — {}", "Пароль от вайфая: {}", "пароль роутера: {}",
        "пароль {}", "пароль теперь {}, запомни", "сменил пароль на {}", "пароль «{}»", "Mein Passwort ist {}.", "Passwort lautet {}",
        "le mot de passe est {}", "la contraseña es {}", "a senha é {}", "hasło: {}", "şifre: {}", "het wachtwoord is {}",
        "密码是{}，别忘了", "密碼：{}", "パスワードは{}です", "비밀번호는 {}", "كلمة المرور: {}", "הסיסמה היא {}", "पासवर्ड है {}", "รหัสผ่านคือ {}",
        "https://x.example/login?user=a&password={}&next=/",
    ],
)  # fmt: skip
def test_a_password_goes_and_the_sentence_stays(sentence: str) -> None:
    assert mask(sentence.format(PASSWORD)) == Masked(sentence.format("[secret: password]"), ("password",))


@pytest.mark.case("S-17")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("password: sunshine", "password: [secret: password]"),
        ("пароль: солнышко\nдальше", "пароль: [secret: password]\nдальше"),
        ('password = "two words here"', 'password = "[secret: password]"'),
        ("the password is 'correct horse battery staple'", "the password is '[secret: password]'"),
        ("пароль: Тюльпан-44", "пароль: [secret: password]"),
        ("password is 48215533.", "password is [secret: password]."),
        ("My password's hunter22", "My password's [secret: password]"),
        ("my password’s Tulip44, ok", "my password’s [secret: password], ok"),
        ("the passphrase is correct horse battery staple", "the passphrase is [secret: password]"),
        ("Passphrase: orbit maple canyon velvet.", "Passphrase: [secret: password]."),
        ("парольная фраза: орбита клён каньон бархат", "парольная фраза: [secret: password]"),
    ],
)
def test_a_plain_word_or_phrase_is_a_password_where_it_can_be_nothing_else(text: str, expected: str) -> None:
    assert mask(text) == Masked(expected, ("password",))


@pytest.mark.case("S-17")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my PIN is 4821", "my PIN is [secret: pin]"),
        ("my PIN's 4821", "my PIN's [secret: pin]"),
        ("my pin is 4821.", "my pin is [secret: pin]."),
        ("PIN 4821, door left", "PIN [secret: pin], door left"),
        ("ПИН-код 4821", "ПИН-код [secret: pin]"),
        ("пин-код от карты: 482193", "пин-код от карты: [secret: pin]"),
        ("ПИН от карты 4821", "ПИН от карты [secret: pin]"),
        ("4821 is my PIN", "[secret: pin] is my PIN"),
        ("CVV 123", "CVV [secret: card code]"),
        ("cvc: 1234;", "cvc: [secret: card code];"),
        ("код карты 4821", "код карты [secret: card code]"),
        ("PIN of the card is 482193", "PIN of the card is [secret: pin]"),
        ("my bank's PIN code for the city branch card: 482193", "my bank's PIN code for the city branch card: [secret: pin]"),
        ("OTP is 482190", "OTP is [secret: one time code]"),
        ("482190 is your verification code.", "[secret: one time code] is your verification code."),
        ("код из СМС: 4821", "код из СМС: [secret: one time code]"),
    ],
)
def test_a_pin_goes_and_the_sentence_stays(text: str, expected: str) -> None:
    assert mask(text).text == expected


@pytest.mark.case("S-17")
@pytest.mark.parametrize("separator", ["", " ", "-", "\u00a0"])
@pytest.mark.parametrize(
    "groups",
    [
        "4111 1111 1111 1111",
        "5555 5555 5555 4444",
        "2200 0000 0000 0004",
        "3782 822463 10005",
        "6011 1111 1111 1117",
    ],
)
def test_a_card_number_that_adds_up_goes(groups: str, separator: str) -> None:
    number = groups.replace(" ", separator)
    assert mask(f"paid with {number}, exp 12/27") == Masked(
        "paid with [secret: card number], exp 12/27", ("card number",)
    )


@pytest.mark.case("S-17")
@pytest.mark.parametrize(
    "number",
    [
        "DE89370400440532013000",
        "GB82WEST12345698765432",
        "BY13NBRB3600900000002Z00AB00",
        "FR1420041010050500013M02606",
    ],
)
@pytest.mark.parametrize("grouped", [False, True])
def test_a_bank_account_that_adds_up_goes(number: str, grouped: bool) -> None:
    written = " ".join(number[at : at + 4] for at in range(0, len(number), 4)) if grouped else number
    assert mask(f"IBAN {written} of Anna") == Masked("IBAN [secret: bank account] of Anna", ("bank account",))


@pytest.mark.case("S-17")
@pytest.mark.parametrize(
    "setting",
    ["api_key={}", "API-Key: {}", "export OPENAI_API_KEY={}", '"client_secret": "{}"', "the token is {}", "токен: {}", "ключ API — {}",
     "X-Api-Key: {}", "https://x.example/v1?q=1&access_token={}&b=2", "token {}", "--token {}", "aws_secret_access_key = {}", "STRIPE_KEY={}", "ключ: {}", "https://x.example/?key={}&z=1", "https://x.example/?sig={}"],
)  # fmt: skip
def test_a_random_value_that_a_setting_calls_a_key_goes(setting: str) -> None:
    value = made(32)
    masked = mask(setting.format(value))
    assert masked.text == setting.format(f"[secret: {masked.found[0]}]")


@pytest.mark.case("S-17")
def test_a_labelled_key_split_over_two_lines_is_followed() -> None:
    value = made(20) + "\n    " + made(12)
    assert mask(f"api key: {value}\nThat was it.").text == "api key: [secret: api key]\nThat was it."


@pytest.mark.case("S-17")
@pytest.mark.parametrize("unseen", ["\u200b", "\u00ad", "\u2060", "\ufeff"])
def test_characters_that_show_nothing_hide_no_secret(unseen: str) -> None:
    key, kind = KEYS["github"]
    assert mask(f"use {key[:2]}{unseen}{key[2:9]}{unseen}{key[9:]}, ok").text == f"use [secret: {kind}], ok"
    assert mask(f"the pass{unseen}word is {PASSWORD}").text == f"the pass{unseen}word is [secret: password]"
    assert mask(f"пар{unseen}оль: Tulip{unseen}-44-Comet").text == f"пар{unseen}оль: [secret: password]"


@pytest.mark.case("S-17")
def test_a_seed_phrase_goes() -> None:
    words = " ".join(["orbit", "maple", "canyon", "velvet"] * 3)
    assert mask(f"seed phrase: {words}.").text == "seed phrase: [secret: seed phrase]."


def test_the_kinds_are_listed_in_the_order_of_the_text() -> None:
    text = f"PIN is 4821, card 4111 1111 1111 1111, {KEYS['github'][0]} and the password is {PASSWORD}"
    assert mask(text).found == ("pin", "card number", "token", "password")


PIECES = st.lists(
    st.one_of(
        st.sampled_from([key for key, _ in KEYS.values()]),
        st.sampled_from(
            ["password is ", "пароль: ", "token=", "PIN ", "4821", PASSWORD, "\n", " ", "4111111111111111", "://a:b@c", "[secret: token]",
             "[secret: password]", ": ", "is ", "my ", "Authorization: Bearer ", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----",
             "DE89370400440532013000", "?api_key=", "&", '"', "`", "sk-", "a7K", "to ", "for the ", "\u200b", "\u00ad", "passphrase is ", "correct horse battery staple", "OTP ", "'s "]
        ),
        st.text(max_size=5),
    ),
    max_size=14,
).map("".join)  # fmt: skip


@pytest.mark.case("S-17")
@given(PIECES)
def test_masking_what_was_masked_changes_nothing_and_finds_nothing(text: str) -> None:
    masked = mask(text)
    assert mask(masked.text) == Masked(masked.text)


@given(PIECES)
def test_each_finding_is_a_placeholder_that_was_not_there(text: str) -> None:
    masked = mask(text)
    assert masked.text.count("[secret: ") >= len(masked.found)
    assert (masked.text == text) == (not masked.found)


@pytest.mark.parametrize(
    "unit",
    ["password ", "password: ", "password for a b c ", "sk-", "ghp_", "xoxb-1-", "1", "1 ", "4111 ", "eyJ", "://a:", "AKIA", "DE89", "SG.",
     "Bearer ", "-----BEGIN PRIVATE KEY-----\n", "-----BEGIN PRIVATE KEY-----\n" + "A" * 64 + "\n", "İ", "a1", "mnemonic: abc ", "[secret: pin] PIN 4821 ",
     "\u200bpassword: a1\u200b ", "passphrase is abc ", "GPIO pin is 4821 ", "code "],
)  # fmt: skip
def test_a_hundred_thousand_characters_made_to_confuse_the_rules_are_answered(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    masked = mask(text)
    assert mask(masked.text) == Masked(masked.text)
