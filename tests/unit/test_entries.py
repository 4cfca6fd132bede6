import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.markdown.entries import Outline, entries, front_matter, headings, parse
from reverie.markdown.lines import with_line_end
from tests.markdown import markdown_texts


def kinds(text: str) -> list[tuple[str, str]]:
    return [(span.block or span.kind, span.text) for span in parse(text).spans]


def titles(text: str) -> list[str]:
    return [span.title for span in headings(text)]


def assert_partition(text: str, outline: Outline) -> None:
    assert outline.text == text
    at = 0
    for span in outline.spans:
        assert (span.start, span.end) == (at, at + len(span.text))
        assert span.text == text[span.start : span.end] != ""
        assert (span.kind == "entry") == (span.block != "")
        at = span.end


@pytest.mark.case("R-08")
@settings(max_examples=200)
@given(st.text() | markdown_texts)
def test_spans_partition_any_text_and_give_it_back(text: str) -> None:
    assert_partition(text, parse(text))


@pytest.mark.deep
@pytest.mark.case("R-08")
@settings(max_examples=10_000)
@given(st.text() | markdown_texts)
def test_spans_partition_ten_thousand_texts(text: str) -> None:
    assert_partition(text, parse(text))


@given(markdown_texts)
def test_the_line_end_does_not_change_the_reading(text: str) -> None:
    unix = with_line_end(text, "\n")
    windows = [(span.kind, with_line_end(span.text, "\n"), span.path) for span in parse(with_line_end(text, "\r\n")).spans]
    assert windows == [(span.kind, span.text, span.path) for span in parse(unix).spans]


@given(markdown_texts.filter(lambda text: not text.startswith("\ufeff")))
def test_a_byte_order_mark_does_not_change_the_reading(text: str) -> None:
    marked = parse("\ufeff" + text).spans
    assert marked[0].kind == "mark"
    assert [(span.kind, span.text, span.path) for span in marked[1:]] == [
        (span.kind, span.text, span.path) for span in parse(text).spans
    ]


@given(markdown_texts)
def test_entries_lie_under_the_headings_before_them(text: str) -> None:
    path: list[tuple[int, str]] = []
    for span in parse(text).spans:
        if span.kind == "heading":
            path = [above for above in path if above[0] < span.level]
            assert span.path == tuple(title for _, title in path)
            path.append((span.level, span.title))
        else:
            assert span.path == tuple(title for _, title in path)


def test_a_list_item_owns_its_children_and_a_paragraph_its_lines() -> None:
    assert kinds("- a\n  - b\n\n    more of b\n- c\nlazy\n\n\ntwo\nlines\n") == [
        ("item", "- a\n  - b\n\n    more of b\n"),
        ("item", "- c\nlazy\n"),
        ("blank", "\n\n"),
        ("paragraph", "two\nlines\n"),
    ]


def test_every_kind_of_block_is_a_span() -> None:
    text = "| a |\n|---|\n| 1 |\n\n> q\n> r\n\n<div>\nx\n</div>\n\n    code\n\n***\n[ref]: /url\n'title'\n[two]: /url\n"
    assert [(kind, part) for kind, part in kinds(text) if kind != "blank"] == [
        ("table", "| a |\n|---|\n| 1 |\n"),
        ("quote", "> q\n> r\n"),
        ("html", "<div>\nx\n</div>\n"),
        ("code", "    code\n"),
        ("rule", "***\n"),
        ("reference", "[ref]: /url\n'title'\n[two]: /url\n"),
    ]


@pytest.mark.case("I-19")
def test_a_bullet_that_mentions_a_heading_is_a_bullet() -> None:
    text = "## Links\n- the page says ## Archive at the top\n- also\n  ## Archive\n> ## Archive\n"
    assert titles(text) == ["Links"]
    assert parse(text).sections("Archive") == []
    assert len(entries(text)) == 3


@pytest.mark.case("I-23")
@pytest.mark.parametrize(
    "fence",
    [
        "````\n```\n# no\n```\n---\n````\n",
        "~~~\n# no\n```\n~~~\n",
        "```\n~~~\n# no\n```\n",
        "   ```\n   # no\n   ```\n",
        "- x\n\n  ```\n  # no\n  ```\n",
        "> ```\n> # no\n> ```\n",
        "~~~ ~~\n# no\n---\n~~~~\n",
    ],
)
def test_nothing_inside_a_fence_is_a_heading(fence: str) -> None:
    text = f"{fence}\n# yes\n- after\n"
    assert titles(text) == ["yes"]
    assert entries(text)[-1].path == ("yes",)
    assert entries(text)[0].text == fence


@pytest.mark.case("I-23")
def test_an_unclosed_fence_runs_to_the_end() -> None:
    assert kinds("a\n```\n# no\n\n## no\n---\n") == [("paragraph", "a\n"), ("fence", "```\n# no\n\n## no\n---\n")]
    assert titles("- ```\n  # no\n\n# yes\n") == ["yes"]


@pytest.mark.case("I-23")
@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("## C#", "C#"), ("## Key of F#", "Key of F#"), ("## Key of F# ##", "Key of F#"), ("## To do #soon", "To do #soon"),
        ("# a \\#", "a \\#"), ("##\ttab", "tab"), ("   ## moved", "moved"), ("## closed ######  ", "closed"), ("##", ""),
        ("One\ntwo\n===", "One\ntwo"), ("Under\n---", "Under"), ("## `x` *y*", "`x` *y*"),
    ],
)  # fmt: skip
def test_headings_keep_their_text(line: str, title: str) -> None:
    assert titles(f"{line}\n") == [title]


@pytest.mark.parametrize("line", ["#no", "####### no", "    # no", "\\# no", "text\n    ==="])
def test_what_commonmark_calls_no_heading_is_none(line: str) -> None:
    assert titles(f"{line}\n") == []


def test_odd_separators_do_not_break_lines() -> None:
    text = "- a\u2028# no\x0b# no\x0c# no\x85# no\0\n# yes\u2028still\n"
    assert [span.kind for span in parse(text).spans] == ["entry", "heading"]
    assert_partition(text, parse(text))


def test_sections_are_bounded_by_headings_of_their_level() -> None:
    text = "# A\n- 1\n## B\n- 2\n### C\n- 3\n## D\n- 4\n"
    outline = parse(text)
    section = outline.sections("B")[0]
    assert text[section.heading.start : section.end] == "## B\n- 2\n### C\n- 3\n"
    assert text[section.heading.end : section.own_end] == "- 2\n"
    assert text[outline.sections("D")[0].heading.start : outline.sections("D")[0].end] == "## D\n- 4\n"
    assert outline.entries[2].path == ("A", "B", "C")


@pytest.mark.case("I-51")
def test_headings_are_the_same_only_if_their_case_is() -> None:
    outline = parse("## PATH\n- a\n## path\n- b\n## caf\u00e9\n- c\n")
    assert [section.heading.title for section in outline.sections("PATH")] == ["PATH"]
    assert [section.heading.title for section in outline.sections("path")] == ["path"]
    assert outline.sections("Path") == []
    assert [section.heading.title for section in outline.sections("cafe\u0301")] == ["caf\u00e9"]


@pytest.mark.case("I-17")
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_front_matter_is_read_with_and_without_a_byte_order_mark(end: str) -> None:
    text = with_line_end("---\ntitle: Trip\ntags:\n- a\n- b\n---\n# Plan\n- pack\n", end)
    for given_text in (text, "\ufeff" + text):
        assert [span.kind for span in parse(given_text).spans if span.kind != "mark"] == ["front_matter", "heading", "entry"]
        assert front_matter(given_text) == {"title": "Trip", "tags": "- a\n- b"}


@pytest.mark.case("I-25")
def test_front_matter_values_stay_strings() -> None:
    text = (
        "---\ndescription: Deploy: use blue/green\na: yes\nb: on\nc: 1e3\nd: 2026-01-02\ne: \"q: r\"\nf: 'x'\ng:\nh: no # not cut\n---\n"
    )
    assert front_matter(text) == {
        "description": "Deploy: use blue/green", "a": "yes", "b": "on", "c": "1e3", "d": "2026-01-02", "e": "q: r", "f": "x",
        "g": "", "h": "no # not cut",
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["---\nJust a line\n---\n", "---\na: b\n", "\n---\na: b\n---\n", "---\n---\n", "----\na: b\n----\n", "- x\n---\na: b\n---\n", ""],
)
def test_rules_and_headings_at_the_top_are_no_front_matter(text: str) -> None:
    assert front_matter(text) == {}
    assert all(span.kind != "front_matter" for span in parse(text).spans)


@pytest.mark.parametrize(
    "deep",
    [
        "> " * 10_000 + "x\n",
        "* + " * 5_000 + "x\n",
        "".join("  " * depth + "- x\n" for depth in range(300)),
        "".join(">" * depth + " x\n" for depth in range(1, 300)),
    ],
)
def test_deep_nesting_neither_fails_nor_hides_what_follows(deep: str) -> None:
    text = f"{deep}\n# After\n\n- entry\n"
    assert_partition(text, parse(text))
    assert titles(text) == ["After"]
    assert entries(text)[-1].path == ("After",)


def test_texts_too_long_to_remember_are_parsed_alike() -> None:
    text = "- a note\n" * 12_000
    assert len(entries(text)) == 12_000
    assert_partition(text, parse(text))
