"""The picture of a descent: nothing overlaps, nothing runs out of it, and every line joins two boxes."""

import re

from hypothesis import given
from hypothesis import strategies as st

from curation.lineage import CHARACTER, DRAWN, WIDE, Box, Kin, Picture, across, down, fitted

KIN = st.lists(st.builds(Kin, st.text(max_size=200), st.text(max_size=60)), max_size=DRAWN + 3)


def overlap(one: Box, two: Box) -> bool:
    apart = one.x + one.width <= two.x or two.x + two.width <= one.x
    return not (apart or one.y + one.height <= two.y or two.y + two.height <= one.y)


def check(picture: Picture) -> None:
    for number, box in enumerate(picture.boxes):
        assert box.x >= 0
        assert box.x + box.width <= picture.width
        assert box.y >= 0
        assert box.y + box.height <= picture.height
        assert all(box.y < foot < box.foot < box.y + box.height for foot, _ in box.rows)
        assert not any(overlap(box, other) for other in picture.boxes[number + 1 :])


@given(KIN, st.text(max_size=200), KIN)
def test_boxes_stay_inside_and_apart_however_many_and_long(above: list[Kin], own: str, below: list[Kin]) -> None:
    for drawing in (across, down):
        picture = drawing(above, Kin(own, "this memory"), below)
        check(picture)
        sides = [min(len(side), DRAWN) + (len(side) > DRAWN) for side in (above, below)]
        assert len(picture.boxes) == 1 + sum(sides)
    assert across(above, Kin(own, ""), below).width <= WIDE


def test_every_line_of_the_wide_one_runs_from_a_box_to_the_next_column() -> None:
    picture = across([Kin("a", ""), Kin("b", "")], Kin("own", ""), [Kin("c", "")])
    assert len(picture.paths) == 3
    ends = [tuple(map(int, re.findall(r"-?\d+", path))) for path in picture.paths]
    right = {(box.x + box.width, box.y + box.height // 2) for box in picture.boxes}
    left = {(box.x, box.y + box.height // 2) for box in picture.boxes}
    assert all((end[0], end[1]) in right and (end[-2], end[-1]) in left for end in ends)


def test_the_narrow_one_joins_all_at_a_rail_and_fits_a_telephone() -> None:
    picture = down([Kin("a", "")], Kin("own", ""), [Kin("c", "")])
    assert picture.width <= 280
    assert len(picture.paths) == 1 + len(picture.boxes)
    assert [box.part for box in picture.boxes] == ["source", "self", "derived"]
    assert down([], Kin("own", ""), []).paths == ()


def test_what_is_not_drawn_is_counted() -> None:
    picture = across([Kin(str(number), "") for number in range(DRAWN + 4)], Kin("own", ""), [])
    assert [box.lines for box in picture.boxes if box.part == "more"] == [("and 4 more",)]


@given(st.text(max_size=300), st.integers(40, 400), st.integers(1, 3))
def test_words_fit_their_lines(text: str, room: int, lines: int) -> None:
    rows = fitted(text, room=room, lines=lines)
    assert len(rows) <= lines
    assert all(len(row) * CHARACTER <= room + 2 * CHARACTER for row in rows)
    if text.split():
        assert rows


def test_a_statement_that_is_cut_says_so_and_a_short_one_is_whole() -> None:
    assert fitted("a short one", room=200) == ("a short one",)
    first, _, last = fitted("word " * 40, room=100)
    assert (first, last[-1]) == ("word word word", "…")
    assert all(len(row) <= 15 for row in fitted("x" * 80, room=100))
    assert len(fitted("字" * 80, room=100)[0]) < len(fitted("x" * 80, room=100)[0])  # wide characters take more room
