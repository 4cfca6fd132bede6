"""Every case of the parts that are built is proved by a test, and every number that a test carries exists."""

from __future__ import annotations

import pytest

from tests.register import BUILT, PARTS, cases, claims, claims_of, skip_fault

CASES = cases()
CLAIMS = claims()


@pytest.mark.parametrize("number", [case.number for case in CASES.values() if BUILT & set(case.due)])
def test_a_case_that_is_due_has_a_test(number: str) -> None:
    found = [claim for claim in CLAIMS if claim.number == number]
    assert found, (
        f"No test carries {number}: {CASES[number].title}. Mark one with @pytest.mark.case({number!r})."
    )
    if CASES[number].tier == "quick":
        assert any(not claim.deep for claim in found), (
            f"{number} is a quick case, but all its tests are deep."
        )


def test_a_test_carries_only_numbers_of_the_register() -> None:
    assert [claim for claim in CLAIMS if claim.number not in CASES] == []


def test_the_register_is_whole() -> None:
    assert PARTS >= BUILT
    for case in CASES.values():
        assert case.title, case.number
        assert case.due, case.number
        assert PARTS.issuperset(case.due), case.number
        assert case.tier in ("quick", "deep"), case.number


def test_numbers_are_found_on_functions_classes_modules_and_parameters() -> None:
    source = """
pytestmark = [pytest.mark.case("S-01")]

@pytest.mark.case("S-02", "S-03")
def test_function(): ...

@pytest.mark.case("S-04")
class TestGroup:
    @pytest.mark.deep
    def test_method(self): ...

@pytest.mark.parametrize("x", [pytest.param(1, marks=[pytest.mark.case("S-05"), pytest.mark.deep])])
def test_parameter(x): ...

@pytest.mark.case("S-06")
def helper(): ...
"""
    found = {(claim.test, claim.number, claim.deep) for claim in claims_of(source, "test_example.py")}
    assert found == {
        ("test_function", "S-01", False),
        ("test_function", "S-02", False),
        ("test_function", "S-03", False),
        ("test_method", "S-01", True),
        ("test_method", "S-04", True),
        ("test_parameter", "S-01", False),
        ("test_parameter", "S-05", False),
    }


def test_a_number_that_is_computed_is_refused() -> None:
    with pytest.raises(ValueError, match=r"test_example\.py:1"):
        claims_of("@pytest.mark.case(*NUMBERS)\ndef test_function(): ...", "test_example.py")


def test_a_case_may_not_be_skipped_and_data_only_where_there_is_none() -> None:
    assert skip_fault({"case"}, data_present=False) is not None
    assert skip_fault({"case", "data"}, data_present=False) is None
    assert skip_fault({"data"}, data_present=True) is not None
    assert skip_fault({"slow"}, data_present=True) is None
