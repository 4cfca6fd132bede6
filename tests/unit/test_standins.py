import pytest
from hypothesis import given

from reverie.markdown.standins import is_stand_in, stand_ins
from tests.markdown import markdown_texts, tidy_texts

STAND_INS = """
rest unchanged
[rest unchanged]
[everything below stays as it was]
... existing content ...
(остальное без изменений)
<!-- rest of the file unchanged -->
<!-- ... existing entries ... -->
The rest of the file remains the same.
Everything else stays the same.
// ... rest of the content ...
# ... existing notes ...
[... remaining entries unchanged ...]
*(previous content unchanged)*
(Remaining sections unchanged)
[Previous entries remain as they were]
... (rest of MEMORY.md unchanged) ...
[rest of file omitted for brevity]
<rest of document>
- [other entries unchanged]
... 875 more lines ...
[keep the rest as is]
Keep everything else unchanged.
[same as before]
[unchanged]
[...]
...
<!-- unchanged -->
[The rest of the document stays exactly as it was before]
[all other sections remain unchanged]
All previous notes are kept.
(nothing else changed)
no changes below
[insert existing content here]
[existing content here]
[Content continues as before]
… rest of the notes as before …
[the remaining text is unchanged]
{{ rest of file }}
**Rest unchanged**
_[rest of memory unchanged]_
[остальной текст без изменений]
[всё, что ниже, остаётся как было]
[Всё остальное без изменений]
... остальное содержимое ...
<!-- остальное не менялось -->
(далее без изменений)
Далее без изменений
[остальные записи сохранены]
… существующие записи …
[остальная часть файла без изменений]
[оставшаяся часть документа не изменилась]
Остальное оставить как есть
[оставить остальное без изменений]
(прочие разделы прежние)
[ниже всё по-прежнему]
(предыдущие записи сохраняются)
[дальше текст не меняется]
[и так далее]
(ещё 40 записей)
[без изменений]
Остальные пункты — без изменений
Остальное остаётся прежним
Всё ниже остаётся таким же
[содержимое опущено для краткости]
[rest of the file is identical]
[The rest remains untouched]
[unchanged below]
<!-- The remaining content stays the same -->
[Rest of content truncated]
[rest of existing file]
[Existing content preserved]
(all existing entries preserved)
[everything after this line is unchanged]
[everything above this line stays as is]
[...rest of the file...]
[... rest of file ...]
// rest of code unchanged
/* rest unchanged */
> rest unchanged
1. rest unchanged
(rest as before)
rest as before
Rest of the file: unchanged
Rest of notes - unchanged
The rest: same as before
[остальное — как раньше]
Остальное как было.
Остальное — без изменений.
Остальное: без изменений
(текст ниже не изменился)
[Остальной файл остаётся прежним]
[... skipped ...]
[snip]
(the rest of the file has not been changed)
[The rest of your notes goes here]
[previous content remains here]
<existing content unchanged>
[the rest of the file should remain unchanged]
[rest of the original file stays unchanged]
[... rest of the memory file remains unchanged ...]
[continue with existing entries]
(same as previous)
[rest of the notes go here]
[keep existing]
[keep existing content]
[продолжение без изменений]
… и остальное …
=== rest unchanged ===
`[rest unchanged]`
[сохранить остальное]
... без изменений ...
[40 lines omitted]
(several entries omitted for brevity)
<existing_content>
<rest-of-file>
{{existing_notes}}
[ниже всё по-старому]
(всё остальное оставить)
[остальные заметки оставить]
- rest unchanged
- Everything else unchanged
- Остальное без изменений
- Remaining entries unchanged
... current tasks ...
<!-- ... other rules ... -->
(other tasks unchanged)
[остальные задачи без изменений]
... далее ...
""".strip().split("\n")

PROSE = """
- The rest of the team is unchanged since March
- The rest of the API is unchanged since v2
- Keep the rest of the budget for July
- Everything else in the flat belongs to Dana
- existing content
## Existing entries
## Previous decisions
- Rest days are Tuesday and Friday
- The file must stay as it was when he signs it
- Status: unchanged
- Anna said "rest unchanged" and laughed
- The price is the same as before
- Остальное расскажет Мария
- Всё остальное лежит в гараже
- Остальные дети уже в школе
- Цена без изменений с марта
- Далее по списку идёт Пётр
- Прежние заметки хранятся в архиве на даче
- He writes [rest unchanged] when he is lazy
No changes.
- Unchanged
# Notes
## Rest
- Prefers the original version of the file format, unchanged headings matter
- All other sections of the museum are closed
- (see below)
- [x] done
- [ ] todo
- [Anna]
[docs](https://example.org)
---
***
- ...and then he left
- Same as before: call her Kit
- Everything stays in the blue box
- the list
- Lists
- [list]
- (notes)
- the current file is memory.md
- Remaining tasks
- Other notes
- What remains: paint the door
- Keep notes short
- Keep the receipts
- Please keep my notes in English
- Use the existing code style
- Add the following items to the list: milk
- Repeat the code twice
- Оставить ключи у соседа
- Ниже этажом живёт Олег
- Сохранить текст договора
- после
- Текст песни выучить
- Код от двери как раньше
| a | ... |
| ... | ... |
- The data stays here
- My code remains
- The rest follows
- Keep the original file
- Copy the text
- (rest of the week: at home)
- [the list](https://x.example)
- See topics/old.md
- [old notes](topics/old.md)
- Новый текст песни
- Оставить текст на английском
- Не трогать файлы на рабочем столе
- Далее: купить билеты
## Остальное
## Rest of the list
- Keep everything in the list
- etc.
- Keep everything else unchanged
- Keep the rest as is
- Оставить остальное как есть
- Остальные задачи без изменений
- Other tasks remain the same.
- The old rules are kept
- Nothing else has changed
Other tasks remain the same.
[Current tasks]
<!-- Current tasks -->
(more tasks)
(3 more tasks)
[Previous decisions]
(далее)
[ниже]
- old_rules
snake_case_name
""".strip().split("\n")


@pytest.mark.case("I-27")
@pytest.mark.parametrize("line", STAND_INS)
def test_a_line_that_stands_in_for_text_is_found(line: str) -> None:
    assert is_stand_in(line)
    assert is_stand_in(f"  {line}  ")


@pytest.mark.case("I-27")
@pytest.mark.parametrize("line", PROSE)
def test_a_note_that_only_contains_such_words_is_none(line: str) -> None:
    assert not is_stand_in(line)


def test_only_whole_lines_of_the_three_line_ends_count() -> None:
    assert stand_ins("- a\r\n[rest unchanged]\rb\u2028[rest unchanged]\n") == {2: "[rest unchanged]"}


@pytest.mark.parametrize("fence", ["```", "~~~~", "  ```python", "- ```py"])
def test_dots_alone_in_a_fence_are_code(fence: str) -> None:
    mark = "~~~~" if "~" in fence else "```"
    assert stand_ins(f"{fence}\ndef f():\n    ...\n{mark}\n") == {}
    assert stand_ins(f"{fence}\ndef f():\n    # ... rest of the code ...\n{mark}\n...\n") == {
        3: "    # ... rest of the code ...",
        5: "...",
    }


def test_a_fence_that_holds_a_shorter_one_goes_on_behind_it() -> None:
    assert stand_ins("````\n```\n...\n```\n...\n````\n...\n") == {7: "..."}


def test_a_long_line_is_prose() -> None:
    assert not is_stand_in(f"[the rest of the file {'is ' * 100}unchanged]")


@given(tidy_texts)
def test_ordinary_notes_have_no_stand_in_lines(text: str) -> None:
    assert stand_ins(text) == {}


@given(markdown_texts)
def test_any_text_can_be_asked(text: str) -> None:
    assert all(line in text for line in stand_ins(text).values())
