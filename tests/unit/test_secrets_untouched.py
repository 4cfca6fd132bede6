"""What only looks like a secret survives unchanged: prose about secrets, code, hashes, numbers, notes in any script."""

from __future__ import annotations

import hashlib
import random
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.secrets import Masked, mask

GIT_HASH = hashlib.sha1(b"commit", usedforsecurity=False).hexdigest()
SHA256 = hashlib.sha256(b"file").hexdigest()


@pytest.mark.case("S-18")
@pytest.mark.parametrize(
    "text",
    [
        "The build ships without any API key.",
        'key = os.environ["APP_KEY"]',
        f"fixed in {GIT_HASH}",
        f"git diff {GIT_HASH[:7]}..{GIT_HASH[9:16]}",
        f"run {uuid.UUID(int=2**120 + 44)} finished",
        f"sha256 of the file: {SHA256}",
        "Order 4929 1843 0021 7756 arrived",
        "Order number 4111111111111111",
        "заказ № 4111 1111 1111 1111",
        "the word SGVsbG8gd29ybGQh is base64",
    ],
)
def test_the_named_look_alikes_survive(text: str) -> None:
    assert mask(text) == Masked(text)


@pytest.mark.case("S-18")
@pytest.mark.parametrize(
    "text",
    [
        "password is required", "the password is stored in 1Password", "пароль хранится в 1Password", "password manager: KeePassXC-2",
        "the password policy is ISO-27001", "the password is 12 characters long", "password is base64-encoded", "password SHA-256",
        "Password: required", "Пароль: сменить", "пароль — это важно", "Пароль — 8 символов", "password reset link expired",
        "the password to server-42 is in the vault", "password is case-sensitive", "password: at least 12 characters",
        "пароль от вайфая спросить у Ани", "забыл пароль от почты 3 раза", "The secret is 42", "секрет успеха: 10 часов сна",
        "a token of 128k is fine", "token count: 12000", "the token is JWT-based", "token: 2026-10-06", "id token expires in 3600 s",
        "Bearer authentication is used", "Basic access is enough", "the locker code is QX-40917-b", "door code 4821", "код от подъезда 4821",
        "Pin the thread 2024", "pin 13 and pin 1234 of the chip", "PIN is 4 digits", "my PIN expired in 2024", "PIN of the card from 2019",
        "ключ от квартиры у Ани", "Das Passwort ist geheim.", "la clave es practicar cada día", "密码是必填项", "パスワードは必須です",
        "-----BEGIN RSA PRIVATE KEY----- is how such a file starts",
        "GPIO pin is 4821", "the reset pin: 1234", "PIN code of the city 560001", "PIN code 560001 Bengaluru", "Address: 12 MG Road, PIN 560001",
        "my password's strength is low", "the password's owner left in 2024", "the passphrase is kept under the mat",
        "the passphrase is easily guessed", "passphrase is known to Anna and Boris", "Passphrases are long words", "OTP 27 and Elixir 1.16",
        "OTP is 6 digits", "Erlang/OTP 2024", "the verification code is 1200 lines long", "код подтверждения пришёл в 18:45",
        "код карты лояльности спросить", "security code review on 2026-10-06", "می‌خواهد چای", "soft­hyphen​ed words",
    ],
)  # fmt: skip
def test_prose_about_secrets_survives(text: str) -> None:
    assert mask(text) == Masked(text)


@pytest.mark.case("S-18")
@pytest.mark.parametrize(
    "text",
    [
        "set your token to <token>", "password = getpass()", "token: ${TOKEN}", "password: ********", "password: $PASSWORD",
        "password: {{ vault_password }}", "SafeModePassword = $Password", "password=request.password", "api_key=settings.OPENAI_KEY_2", "token = tokens[0]",
        "def login(user: str, password: str) -> None:", "password: string;", "token: YOUR_API_TOKEN", "api_key: your-api-key-123",
        "Authorization: Bearer <token>", "Authorization: Bearer $TOKEN", "Authorization: Bearer YOUR_TOKEN", "password = None",
        "postgres://user:password@host/db", "postgres://$USER:$PASSWORD@host/db", "postgres://bot:<pw>@host", "postgres://bot@host/db",
        "https://host:8080/@user", "http://host:8080?mail=a@b.example", "password_hash = abc123def456", "max_tokens=4096",
        "token_limit: 128000", "tokenizer: o200k_base", "public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ", "api_key: example-123-abc",
        "password: 1password", "secret: see docs/setup-2.md", "op run --env API_KEY=op://vault/item2/key",
    ],
)  # fmt: skip
def test_code_and_stand_ins_survive(text: str) -> None:
    assert mask(text) == Masked(text)


@pytest.mark.case("S-18")
@pytest.mark.parametrize(
    "text",
    [
        "+49 151 2345 6789", "+7 (916) 123-45-67", "4915123456789", "2026-10-06T15:00:00+03:00", "06.10.2026 15:00", "ISBN 978-3-16-148410-0",
        "1Z999AA10123456784", "9400 1118 9922 3857 2684 99", "Donaudampfschifffahrtsgesellschaftskapitän", "#ff8800 and #a1b2c3d4",
        "1.2.3-rc.4+build.5678", "src/reverie/importers/a1B2/secrets.py", "C:\\Users\\Anna\\Passwords\\readme2.txt", "192.168.10.254:8080",
        "sha512-" + "aB3d" * 21 + "aA==", "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
        "достопримечательностями человеконенавистничество", "人工智能技术发展非常迅速而且影响深远", "49° 27′ 36″ N", "1760000000000000000",
        "IMEI 490154203237518", "PO-4111111111111111", "#4111111111111111", "key: PROJ-1234", "ключ: value", "host key: SHA256:nThbg6kXUpJWGl7E1IGOC",
        "public key: MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7", f"cache key: {GIT_HASH}", "4111 1111 1111 1112", "DE00 3704 0044 0532 0130 00", "task-1234567890-and-more", "risk-adjusted-return-on-capital",
        "sk-learn-based-pipeline-for-text", "hf_hub_download", "npm_config_registry", "xoxo-love-and-kisses", "v2.0.0-alpha.1", "AKIAN is a name",
        "RFC-2119, CVE-2024-12345, ISO-8601", "E = mc² ≈ 9·10¹⁶", "user@example.org", "https://example.org/a/b?page=2&sort=name#top",
    ],
)  # fmt: skip
def test_ordinary_numbers_names_and_codes_survive(text: str) -> None:
    assert mask(text) == Masked(text)


WORDS = {
    "English": "the a meeting password garden token bread secret plan with Anna key every pin release on Friday likes window seats",
    "Russian": "мы встреча пароль сад токен хлеб секрет план с Аней ключ каждый день выпуск в пятницу любит место у окна",
    "German": "der die Treffen Passwort Garten Brot Geheimnis Plan mit Anna Schlüssel jeden Tag Freitag mag Fensterplatz",
    "French": "le la réunion mot de passe jardin pain secret plan avec Anne clé chaque vendredi aime fenêtre",
    "Spanish": "el la reunión contraseña jardín pan secreto plan con Ana clave cada viernes prefiere ventana",
    "Portuguese": "o a reunião senha jardim pão segredo plano com Ana chave cada sexta prefere janela",
    "Turkish": "bir toplantı şifre bahçe ekmek sır plan Ayşe anahtar her cuma pencere sever",
    "Greek": "ο η συνάντηση κωδικός κήπος ψωμί μυστικό σχέδιο με την Άννα κλειδί κάθε Παρασκευή παράθυρο",
    "Persian": "جلسه رمز عبور باغ نان راز برنامه با آنا کلید هر جمعه می‌خواهد پنجره دوست دارد",
    "Arabic": "اجتماع كلمة المرور حديقة خبز سر خطة مع سارة مفتاح كل جمعة يحب نافذة",
    "Hebrew": "פגישה סיסמה גן לחם סוד תוכנית עם דנה מפתח כל יום שישי אוהבת חלון",
    "Hindi": "बैठक पासवर्ड बगीचा रोटी रहस्य योजना अन्ना के साथ चाबी हर शुक्रवार खिड़की पसंद",
    "Chinese": "会议 密码 花园 面包 秘密 计划 和 安娜 钥匙 每个 星期五 喜欢 靠窗 座位",
    "Japanese": "会議 パスワード 庭 パン 秘密 計画 アンナ と 鍵 毎週 金曜日 窓側 が 好き です",
    "Korean": "회의 비밀번호 정원 빵 비밀 계획 안나 와 열쇠 매주 금요일 창가 자리 좋아한다",
    "Thai": "ประชุม รหัสผ่าน สวน ขนมปัง ความลับ แผน กับ แอนนา กุญแจ ทุก วันศุกร์ ชอบ หน้าต่าง",
    "Georgian": "შეხვედრა პაროლი ბაღი პური საიდუმლო გეგმა ანასთან გასაღები ყოველ პარასკევს ფანჯარა",
    "Armenian": "հանդիպում գաղտնաբառ այգի հաց գաղտնիք ծրագիր Աննայի հետ բանալի ամեն ուրբաթ պատուհան",
}
EXTRAS = (
    "15:00",
    "2026-10-06",
    "3",
    "48",
    "12.5",
    "№ 7",
    "v1.2",
    "50%",
    "100 €",
    "😀",
    "U+00E9",
    "A4",
    "Q3",
    "B-12",
    "+1",
)
MARKS = (
    ", ",
    " ",
    " ",
    " ",
    " ",
    " — ",
    "; ",
    " (",
    ") ",
    ". ",
    "\n- ",
    "! ",
    "? ",
)  # `label: word` would be a setting


def notes(count: int) -> list[str]:
    """Ordinary notes from word lists, the same on every run; each list has words that announce secrets."""
    dice = random.Random(18)
    found = []
    for number in range(count):
        words = WORDS[list(WORDS)[number % len(WORDS)]].split()
        pieces = [
            dice.choice(EXTRAS) if dice.random() < 0.12 else dice.choice(words)
            for _ in range(dice.randint(3, 30))
        ]
        found.append("".join(piece + dice.choice(MARKS) for piece in pieces))
    return found


@pytest.mark.case("S-18")
def test_a_thousand_ordinary_notes_in_eighteen_languages_have_no_secret() -> None:
    assert [(note, mask(note).found) for note in notes(1008) if mask(note).found] == []


@pytest.mark.case("S-18")
@given(
    st.lists(st.sampled_from([word for words in WORDS.values() for word in words.split()]), max_size=30).map(
        " ".join
    )
)
def test_words_of_any_languages_in_a_row_have_no_secret(text: str) -> None:
    assert mask(text) == Masked(text)
