# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The order of the rooms of a part as SVG: a box for each room, on the floor that the order gives it, and an arrow for what
its files take from other rooms. An arrow that follows from others is left out."""

from __future__ import annotations

import collections
from typing import Iterable, NamedTuple
from xml.sax.saxutils import escape

from includes import order, sources
from includes.sources import Import, Sources

BOX_HEIGHT, FLOOR_HEIGHT, GAP, MARGIN, TITLE = 40, 84, 18, 24, 48
LETTER, LANE = 7.6, 10  # the width of a letter of a name, and of an arrow that passes a floor
SWEEPS = 24

STYLE = """
  .ground { fill: #ffffff } .box { fill: #eef3fa; stroke: #5b7ea8 } .arrow { fill: none; stroke: #8a94a3 }
  .head { fill: #8a94a3 } .name { fill: #14202e; font-size: 13px } .units, .note { fill: #55606e; font-size: 11px }
  .title { fill: #14202e; font-size: 16px } text { font-family: sans-serif }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 } .box { fill: #1b2838; stroke: #5b7ea8 } .arrow { stroke: #76808e } .head { fill: #76808e }
    .name, .title { fill: #e4e9f0 } .units, .note { fill: #a3adba }
  }
"""


class Place(NamedTuple):
    """A room on its floor, or the point at which an arrow passes a floor."""

    room: str
    floor: int
    end: str = ""  # of the arrow


def drawn(part: str, tree: Sources, imports: Iterable[Import]) -> str:
    sizes = room_sizes(part, tree)
    floors = floors_of(sizes)
    routes = [route(start, end, floors) for start, end in arrows(floors, imports)]
    rows = rows_of(floors, routes)
    neighbours = collections.defaultdict(list)
    for path in routes:
        for above, below in zip(path, path[1:]):
            neighbours[above].append(below)
            neighbours[below].append(above)
    widths = {place: LANE if place.end else width_of(part, place.room) for row in rows for place in row}
    centres = laid_out(rows, widths, neighbours)
    return svg(part, sizes, rows, routes, widths, centres)


def room_sizes(part: str, tree: Sources) -> dict[str, int]:
    """The units of each room of a part; rooms of the order that the tree has not are left out."""
    sizes: dict[str, int] = collections.Counter()
    for folder, count in sources.units(tree).items():
        room = order.room_of(folder)
        if room and f"{room.name}/".startswith(order.PICTURES[part] + "/"):
            sizes[room.name] += count
    return dict(sizes)


def floors_of(rooms: Iterable[str]) -> dict[str, int]:
    """The floor of each room: above all rooms that it may take from."""
    below = {
        name: [other for other in rooms if other != name and order.may_take(order.ROOMS[name], order.ROOMS[other])]
        for name in rooms
    }
    floors: dict[str, int] = {}

    def floor(name: str) -> int:
        if name not in floors:
            floors[name] = max((floor(other) + 1 for other in below[name]), default=0)
        return floors[name]

    return {name: floor(name) for name in rooms}


def arrows(floors: dict[str, int], imports: Iterable[Import]) -> list[tuple[str, str]]:
    """The imports between rooms, without what follows: A needs no arrow to C where it has one to B, and B to C."""
    taken: dict[str, set[str]] = {name: set() for name in floors}
    for each in imports:
        start, end = (order.room_of(sources.folder_of(file)) for file in (each.file, each.path))
        if each.is_ours and start and end and floors.get(end.name, len(floors)) < floors.get(start.name, 0):
            taken[start.name].add(end.name)

    def reaches(start: str, end: str, seen: set[str]) -> bool:
        new = taken[start] - seen
        seen |= new
        return end in new or any(reaches(each, end, seen) for each in sorted(new))

    return [
        (start, end)
        for start in sorted(taken)
        for end in sorted(taken[start])
        if not any(reaches(other, end, {start}) for other in taken[start] if other != end)
    ]


def route(start: str, end: str, floors: dict[str, int]) -> list[Place]:
    """The places of an arrow, from above: a room, the floors that it passes, a room."""
    passed = [Place(start, floor, end) for floor in range(floors[start] - 1, floors[end], -1)]
    return [Place(start, floors[start]), *passed, Place(end, floors[end])]


def rows_of(floors: dict[str, int], routes: list[list[Place]]) -> list[list[Place]]:
    """The places of each floor from the ground."""
    places = {Place(name, floor) for name, floor in floors.items()} | {place for path in routes for place in path}
    return [sorted(place for place in places if place.floor == floor) for floor in range(max(floors.values(), default=0) + 1)]


def width_of(part: str, room: str) -> float:
    return max(round(len(label(part, room)) * LETTER) + 24, 68)


def label(part: str, room: str) -> str:
    return room[len(order.PICTURES[part]) + 1 :] or room


def laid_out(rows: list[list[Place]], widths: dict[Place, float], neighbours: dict[Place, list[Place]]) -> dict[Place, float]:
    """The centre of each place: near what it is tied to, none over another."""
    centres: dict[Place, float] = {}
    for row in rows:
        spread(row, {place: 0.0 for place in row}, widths, centres)
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 else reversed(rows):
            wanted = {
                place: sum(centres[each] for each in neighbours[place]) / len(neighbours[place])
                if neighbours[place] else centres[place]
                for place in row
            }  # fmt: skip
            row.sort(key=lambda place: (wanted[place], place))
            spread(row, wanted, widths, centres)
    return centres


def spread(row: list[Place], wanted: dict[Place, float], widths: dict[Place, float], centres: dict[Place, float]) -> None:
    """Places of a row beside each other, in groups that stand where their members want to be on average."""
    groups: list[list[Place]] = []  # each as wide as its members, at the mean of where they want to be
    lefts: list[float] = []
    for place in row:
        groups.append([place])
        lefts.append(0.0)
        while True:
            offset, wish = 0.0, 0.0
            for each in groups[-1]:
                wish += wanted[each] - offset - widths[each] / 2
                offset += widths[each] + GAP
            lefts[-1] = wish / len(groups[-1])
            if len(groups) == 1 or lefts[-2] + sum(widths[each] + GAP for each in groups[-2]) <= lefts[-1]:
                break
            lefts.pop()
            last = groups.pop()
            groups[-1] += last
    for group, left in zip(groups, lefts):
        for place in group:
            centres[place] = left + widths[place] / 2
            left += widths[place] + GAP


def svg(
    part: str,
    sizes: dict[str, int],
    rows: list[list[Place]],
    routes: list[list[Place]],
    widths: dict[Place, float],
    centres: dict[Place, float],
) -> str:
    left = min(centres[place] - widths[place] / 2 for place in centres) - MARGIN
    right = max(centres[place] + widths[place] / 2 for place in centres) + MARGIN
    note = "A room takes from rooms below it. An arrow that follows from others is left out."
    width = max(right - left, len(note) * 6 + 2 * MARGIN)
    left -= (width - (right - left)) / 2
    height = TITLE + FLOOR_HEIGHT * len(rows) + MARGIN

    def top(floor: int) -> int:
        return TITLE + FLOOR_HEIGHT * (len(rows) - 1 - floor) + MARGIN

    lines = [
        "<!-- SPDX-FileCopyrightText: 2026 tilemeter contributors -->",
        "<!-- SPDX-License-Identifier: Apache-2.0 -->",
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}">',
        f"<title>The rooms of {part}</title>",
        f"<desc>Made by tools/check_includes --picture {part}</desc>",
        f"<style>{STYLE}</style>",
        f'<rect class="ground" width="{width:.0f}" height="{height}"/>',
        f'<text class="title" x="{MARGIN}" y="28">{order.PICTURES[part]}</text>',
        f'<text class="note" x="{MARGIN}" y="46">{note}</text>',
    ]
    for path in routes:
        x, y = centres[path[0]] - left, top(path[0].floor) + BOX_HEIGHT
        curve = f"M{x:.0f} {y}"
        for place in path[1:]:
            next_x, next_y = centres[place] - left, top(place.floor) - (0 if place.end else 7)
            middle = (y + next_y) / 2
            curve += f" C{x:.0f} {middle:.0f} {next_x:.0f} {middle:.0f} {next_x:.0f} {next_y}"
            x, y = next_x, next_y
            if place.end:  # straight past the boxes of its floor
                y += BOX_HEIGHT
                curve += f" V{y}"
        lines.append(f'<path class="arrow" d="{curve}"/>')
        lines.append(f'<path class="head" d="M{x - 4:.0f} {y} h8 l-4 7 z"/>')
    for place in (place for row in rows for place in row if not place.end):
        x, y = centres[place] - left - widths[place] / 2, top(place.floor)
        middle = f"{centres[place] - left:.0f}"
        units = f"{sizes[place.room]} unit" + ("s" if sizes[place.room] != 1 else "")
        lines.append(f'<rect class="box" x="{x:.0f}" y="{y}" width="{widths[place]:.0f}" height="{BOX_HEIGHT}" rx="5"/>')
        lines.append(f'<text class="name" x="{middle}" y="{y + 17}" text-anchor="middle">{escape(label(part, place.room))}</text>')
        lines.append(f'<text class="units" x="{middle}" y="{y + 32}" text-anchor="middle">{units}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"
