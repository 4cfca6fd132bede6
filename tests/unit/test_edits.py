from collections.abc import Callable
from contextlib import nullcontext

import pytest
from hypothesis import given

from reverie.edits import (
    MAX_CHARS,
    MAX_LINE,
    Bounds,
    Verdict,
    appended,
    checked_text,
    judge_change,
    judge_found,
    judge_write,
    replace_passage,
)  # fmt: skip
from reverie.errors import InvalidText, OverLimit, ShrinkRefused
from tests.markdown import tidy_texts

HARD = Bounds("USER.md", 2000, "hard")
SOFT = Bounds("MEMORY.md", 5000, "soft")
SOFT_RUSSIAN = Bounds("MEMORY.md", 5000, "soft", "ru")


def written(text: object) -> Verdict:
    return judge_write(SOFT, None, text)


def changed(text: object) -> Verdict:
    return judge_change(SOFT, text)


def found(text: object) -> Verdict:
    return judge_found(SOFT, text)


every_path = pytest.mark.parametrize("judge", [written, changed, found])


def notes(count: int) -> str:
    return "".join(f"- note {number} of what was agreed\n" for number in range(count))


@every_path
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- a\n- b\0\n", "Line 2 of MEMORY.md has a NUL"), ("- a\r\n- \ud83d\n", "Line 2 .* U\\+D83D"), (b"- a", "bytes, not text"),
        (None, "not text"), ("- a\n" + "x" * (MAX_LINE + 1), "Line 2 of MEMORY.md has 100,001 characters"),
    ],
)  # fmt: skip
def test_what_can_never_be_stored_is_refused_on_every_path(judge: Callable[[object], Verdict], text: object, said: str) -> None:
    with pytest.raises(InvalidText, match=said):
        judge(text)


@every_path
def test_a_text_of_over_a_million_characters_is_over_the_limit_on_every_path(judge: Callable[[object], Verdict]) -> None:
    with pytest.raises(OverLimit) as refused:
        judge("- note\n" * 142_858)
    assert (refused.value.size, refused.value.limit) == (1_000_006, MAX_CHARS)


def test_lines_are_counted_by_the_three_line_ends() -> None:
    assert checked_text("x" * MAX_LINE + "\r" + "y" * MAX_LINE, "it").endswith("y")
    with pytest.raises(InvalidText, match="Line 1 "):
        checked_text("x" * MAX_LINE + "\u2028" + "y", "it")


@pytest.mark.case("I-07")
@pytest.mark.parametrize(("letter", "size"), [("w", 60_000), ("ж", 60_000), ("語", 35_000), ("😀", 26_000)])
def test_a_limit_counts_code_points_in_every_script(letter: str, size: int) -> None:
    exact = Bounds("USER.md", size, "hard")
    assert judge_write(exact, None, letter * size) == judge_change(exact, letter * size) == Verdict(letter * size)
    with pytest.raises(OverLimit) as written_over:
        judge_write(exact, None, letter * (size + 7))
    with pytest.raises(OverLimit) as changed_over:
        judge_change(exact, letter * (size + 7))
    error = written_over.value
    assert (error.size, error.limit) == (size + 7, size)
    assert f"{size + 7:,} characters ({len(letter.encode()) * (size + 7):,} bytes in UTF-8)" in error.message
    assert f"its limit is {size:,} characters" in error.message
    assert "Shorten it by 7 characters" in error.remedy
    assert changed_over.value.as_dict() == error.as_dict()


def test_a_soft_limit_stores_and_asks_to_compress() -> None:
    text = notes(200)
    for verdict in (written(text), changed(text), found(text)):
        assert verdict.text == text
        assert f"MEMORY.md has {len(text):,} characters; its limit is 5,000" in verdict.notices[0]
        assert all(word in verdict.notices[0] for word in ("merge duplicates", "outdated", "topic", "removal_meant"))
    assert "объедините повторы" in judge_write(SOFT_RUSSIAN, None, text).notices[0]
    assert "removal_meant" in judge_write(SOFT_RUSSIAN, None, text).notices[0]


def test_what_a_person_saved_is_taken_over_its_limit_with_a_notice() -> None:
    verdict = judge_found(HARD, notes(100))
    assert verdict.text == notes(100)
    assert "its limit is 2,000" in verdict.notices[0]
    assert "предел" in judge_found(Bounds("USER.md", 2000, "hard", "ru"), notes(100)).notices[0]


@every_path
def test_secrets_are_masked_and_the_writer_is_told(judge: Callable[[object], Verdict]) -> None:
    secret = "-".join(("Tulip", "44", "Comet"))
    verdict = judge(f"- the password is {secret}\n- likes tea\n")
    assert verdict.text is not None
    assert secret not in verdict.text
    assert verdict.text.endswith("- likes tea\n")
    assert "masked in MEMORY.md" in verdict.notices[0]
    assert secret not in "".join(verdict.notices)


@pytest.mark.case("I-27")
def test_a_write_that_takes_more_than_half_is_refused_unless_it_is_meant() -> None:
    current = notes(10)
    half = current[: (len(current) + 1) // 2]
    assert judge_write(SOFT, current, half).text == half
    with pytest.raises(ShrinkRefused, match=f"from {len(current)} to {len(half) - 1} characters.*removal_meant"):
        judge_write(SOFT, current, half[:-1])
    assert judge_write(SOFT, current, "- all\n", removal_meant=True).text == "- all\n"
    assert judge_write(SOFT, "- short\n" * 24, "- all\n").text == "- all\n"


@pytest.mark.case("I-27")
def test_a_write_that_puts_a_stand_in_for_the_rest_is_refused() -> None:
    current = notes(900)
    wanted = notes(25) + "[everything below stays as it was]\n"
    with pytest.raises(ShrinkRefused, match=r"Line 26 .*everything below stays as it was.*removal_meant"):
        judge_write(SOFT, current, wanted)
    assert judge_write(SOFT, current, wanted, removal_meant=True).text == wanted
    with pytest.raises(ShrinkRefused, match="stands in for text"):
        judge_write(SOFT, "- a\n- b\n", "- a\n- c\n(остальное без изменений)\n")


@pytest.mark.case("I-27")
@pytest.mark.parametrize(
    "added",
    ["```python\ndef f(self) -> None:\n    ...\n```", "[rest unchanged]", "Keep everything else unchanged.", "(остальное без изменений)"],
)  # fmt: skip
def test_a_stand_in_line_takes_nothing_from_a_text_whose_lines_are_all_there(added: str) -> None:
    current = "# Notes\n\n- a\n- b\n"
    whole = f"# Notes\n\n{added}\n\n- b\n  - c\n- a\n"
    assert judge_write(SOFT, current, whole).text == whole
    with pytest.raises(ShrinkRefused):
        judge_write(SOFT, current + "- a\n", "# Notes\n\n- a\n- b\n[rest unchanged]\n")


@pytest.mark.case("I-27")
def test_a_stand_in_line_that_was_there_before_may_stay() -> None:
    current = "- a model once wrote:\n[rest unchanged]\n"
    assert judge_write(SOFT, current, current + "- b\n").text == current + "- b\n"
    assert judge_write(SOFT, None, current).text == current
    assert judge_change(SOFT, "- a\n[rest unchanged]\n").text == "- a\n[rest unchanged]\n"


@pytest.mark.parametrize("blank", ["", " \n", "\r\n\t", "\ufeff", "\ufeff\n"])
def test_blank_text_is_a_removal_and_has_to_be_meant(blank: str) -> None:
    with pytest.raises(ShrinkRefused, match="removal_meant"):
        judge_write(HARD, "- a\n", blank)
    assert judge_write(HARD, "- a\n", blank, removal_meant=True) == Verdict(None)
    assert judge_write(HARD, None, blank) == judge_change(HARD, blank) == judge_found(HARD, blank) == Verdict(None)


@given(tidy_texts)
def test_a_text_is_taken_whole_or_not_at_all(text: str) -> None:
    tight = Bounds("USER.md", 60, "hard")
    if len(text) <= 60:
        assert judge_write(tight, None, text).text == (text if text.strip() else None)
    else:
        with pytest.raises(OverLimit) as refused:
            judge_write(tight, None, text)
        assert (refused.value.size, refused.value.limit) == (len(text), 60)


@given(tidy_texts.filter(str.strip), tidy_texts)
def test_only_a_great_loss_is_guarded_against(current: str, text: str) -> None:
    lost = not text.strip() or (len(current) >= 200 and len(text) * 2 < len(current))
    roomy = Bounds("MEMORY.md", 5000, "soft")
    assert judge_write(roomy, current, text, removal_meant=True).text == (text if text.strip() else None)
    with pytest.raises(ShrinkRefused) if lost else nullcontext():
        judge_write(roomy, current, text)


@given(tidy_texts.filter(str.strip))
def test_a_verdict_on_its_own_text_changes_nothing(text: str) -> None:
    assert judge_write(SOFT, text, text) == judge_change(SOFT, text) == Verdict(text)


def test_edits_offers_the_ways_to_change_a_text() -> None:
    assert replace_passage(appended("- a\n", "b"), "- a\n", "") == "- b\n"
