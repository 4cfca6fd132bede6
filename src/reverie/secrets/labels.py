"""The words that announce a secret and the links between such a word and the secret, in many languages.

Tables and patterns only; what follows them is judged in `words`. Every repetition is bounded.
"""

from __future__ import annotations

import re
from typing import Literal

Link = Literal["assigned", "said", "far", "bare"]
"""`password: x` and `--password x`; `password is x`; over a line break or other words; `password x`."""

LINE_CLOSES = re.compile(r"[ \t.,;!?)\]}*_|`\"']*(?=[\r\n]|$)")
"""What may stand between a value and the end of its line."""

_NAMES = {
    "password": (
        "password|passwd|pwd|passcode|пароль|пароля|паролю|паролем|пароле|passwort|kennwort|"
        "mot de passe|contraseña|contrasena|senha|palavra-passe|hasło|heslo|parola|şifre|wachtwoord|lösenord|"
        "adgangskode|passord|salasana|jelszó|parole|κωδικός πρόσβασης|κωδικός|κωδικό|סיסמה|סיסמא|पासवर्ड|รหัสผ่าน|"
        "mật khẩu|密码|密碼|口令|パスワード|비밀번호|암호|كلمة المرور|كلمة السر|رمز عبور|گذرواژه|pass|clave|pw"
    ),
    "pin": "pin code|pin number|pin|пин код|пин кода|пин коду|пинкод|пин|暗証番号|geheimzahl|code pin",
    "passphrase": "passphrase|pass phrase|парольная фраза|кодовая фраза",
    "card code": "cvv2|cvc2|cvv|cvc|cvv код|cvc код|cvv code|cvc code|card code|card security code|код карты|код от карты",
    "one time code": (
        "otp|otp code|one time password|one time code|one time passcode|verification code|security code|authentication code|"
        "2fa code|mfa code|sms code|login code|код из смс|код из sms|смс код|одноразовый код|одноразовый пароль|код подтверждения"
    ),
    "api key": (
        "api key|secret key|access key|secret access key|auth key|private key|service key|account key|encryption key|"
        "signing key|api secret|api ключ|апи ключ|ключ api|секретный ключ|ключ доступа|приватный ключ|api schlüssel|"
        "密钥|密鑰|apiキー"
    ),
    "token": (
        "api token|access token|auth token|bot token|refresh token|session token|id token|token|токен|токена|"
        "токеном|令牌|トークン|client secret|app secret|webhook secret|secret|секрет"
    ),
    "key": "key|ключ",
    "seed phrase": "seed phrase|recovery phrase|mnemonic|сид фраза|мнемоника",
}


def _labels() -> dict[str, str]:
    """Each spelling of each label, longest first: `api key` is also api-key, api_key and apikey."""
    found: dict[str, str] = {}
    for kind, names in _NAMES.items():
        for name in names.split("|"):
            found |= {
                name.replace(" ", mark): kind
                for mark in ((" ", "-", "_", "") if name.isascii() else (" ", "-"))
            }
    return dict(sorted(found.items(), key=lambda item: -len(item[0])))


LABELS = _labels()
"""Label in lower case -> the kind of secret it announces."""

ONLY_ASSIGNED = frozenset({"pass", "clave", "pw", "pwd", "parole", "secret", "секрет", "암호"})
"""Labels with another everyday meaning: they count before `:` and `=` only."""

TOWARDS = frozenset({"to", "на", "auf", "à", "a"})
"""Links that lead to a secret only behind a word of changing: `changed the password to …`."""

CHANGING = re.compile(
    r"(?i)(?:chang|set|reset|updat|rotat|смени|помен|измен|постав|обнов|установ|änder|setz|cambi|mud)\w{0,8}"
    r"(?:\W{1,3}\w{1,20}){0,4}\W{0,3}$"
)

_VERB = (
    "(?:(?:(?i:is|was|are|will be|should be|has been|set to|changed to|reset to|now|still|currently|just|simply|equals|to|"
    "это|будет|теперь|сейчас|такой|такая|равен|на|ist|war|lautet|jetzt|auf|est|à|es|a|é|è|är|er|jest|je|είναι|là)"
    "(?![^\\W_])|は、?|是|为|為|는|은|가|이|هي|هو|است|הוא|היא|है|คือ)[ \\t]{0,4})"
)
_SIGN = r"(?::=|={1,3}>?|-{1,2}>|[:：＝→|]|[—–-](?=[ \t]))"
POSSESSED = re.compile(r"['’]s[ \t]")
"""`password's …`, which says what it is."""

_CLOSE = r"(?:['’]s(?![^\W_])|[\"'`*_)\]]{0,4})[ \t]{0,4}"
_LINK = rf"(?P<verb>{_VERB}{{0,3}})(?P<sign>{_SIGN})?[ \t*_]{{0,8}}(?P<break>(?:\r\n|\r|\n)[ \t>*-]{{0,20}})?"
_WORDS = r"(?:[ \t]{1,3}[^\s:=.,;!?|—–\"'`<>()]{1,24})"
_PREPOSITION = (
    "for|to|of|on|at|in|from|от|для|на|к|в|у|из|für|zum|zur|von|de|du|del|da|do|para|per|pour|till|voor|van"
)

DIRECT = re.compile(_CLOSE + _LINK)
"""`password is …`, `"token": "…"`, `пароль — …`"""

OVER = re.compile(
    rf"{_CLOSE}(?:\([^()\r\n]{{0,40}}\)|(?i:{_PREPOSITION}){_WORDS}{{1,5}}?)(?:[ \t]{{1,4}}|(?=[:=]))(?={_VERB}|{_SIGN}|\d){_LINK}"
)
"""`password for the router is …`, `password (guests): …`, `ПИН от карты 4821`"""

NAMED = re.compile(rf"{_WORDS}{{1,3}}[ \t]{{0,2}}(?P<verb>)(?P<sign>[:=])[ \t*_]{{0,8}}(?P<break>)")
"""`пароль роутера: …`"""

REVERSED = re.compile(
    r"(?<!\S)[\"'`«(]?(?P<value>[^\s\"'`«»()]{4,64})[\"'`»)]?[ \t]{1,3}(?:is|was|as|это|как|—|–|-|ist|als|est|es)[ \t]{1,3}"
    r"(?:(?:my|the|our|his|her|their|your|new|old|a|мой|наш|твой|новый|старый|mein|das)[ \t]{1,3}){0,3}$"
)
"""`… is my new password`, up to the label."""
