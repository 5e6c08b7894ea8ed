# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Breaches of the rule of the house, one line each: FILE:LINE: found ..., allowed ..."""

from __future__ import annotations

import ast
import collections
import pathlib
import re
from typing import Callable, Iterable, Iterator

from includes import order, picture, sources
from includes.sources import Import, Sources

# Open to everybody: the C++ library has no dot in its names; these are the compiler's and the operating system's.
STANDARD = re.compile(r"[a-z_0-9]+|[a-z0-9]+intrin\.h|(sys|linux|asm|netinet|arpa)/[a-z_0-9/]+\.h")
SYSTEM = frozenset(
    "cpuid.h cxxabi.h dirent.h dlfcn.h elf.h execinfo.h fcntl.h glob.h link.h poll.h pthread.h pwd.h "
    "sched.h semaphore.h signal.h spawn.h termios.h time.h ucontext.h unistd.h".split()
)


def offenders(tree: Sources) -> Iterator[str]:
    imports = list(tree.imports())
    yield from sources_without_room(tree)
    yield from steps(tree, imports)
    yield from circles(imports, "folders", sources.room_folder)
    modules = [each for each in imports if each.file.endswith(".py")]
    yield from circles(modules, "modules", lambda file: file)
    yield from code_among_names(tree)
    yield from long_folders(sources.units(tree))
    yield from old_pictures(tree, imports)


def sources_without_room(tree: Sources) -> Iterator[str]:
    packages = sources.python_modules(tree.python).values()
    for file in (*tree.cpp, *packages):
        if order.room_of(sources.folder_of(file)) is None:
            yield f"{file}:1: found a source, allowed: only in the rooms that tools/includes/order.py has"


def steps(tree: Sources, imports: Iterable[Import]) -> Iterator[str]:
    """Imports that run up or sideways, and third parties of other rooms."""
    for each in imports:
        wrong = offence(tree.root, each)
        if wrong and not each.is_excepted:
            yield f"{each.file}:{each.line}: {wrong}"


def offence(root: pathlib.Path, each: Import) -> str | None:
    """The fault of this import, or None."""
    room = order.room_of(sources.folder_of(each.file))
    if room is None:
        return None
    if not each.is_ours:
        third_parties = room.third_parties
        if STANDARD.fullmatch(each.path) or each.path in SYSTEM or each.path.startswith(third_parties or ("\0",)):
            return None
        return f"found {each.text}, allowed in {room.name}: {', '.join(third_parties) or 'no third party'}"
    if each.file.endswith(sources.CPP):
        if not (root / each.path).is_file():
            return f'found "{each.path}", allowed: paths of this project from its root (others stand in <>)'
        if each.text.startswith("<"):
            return f'found {each.text}, allowed: "{each.path}"'
        owner = each.path.partition("/internal/")[0]
        if owner != each.path:
            owner = next((part for part in order.PARTS if owner.startswith(part + "/")), owner)
            if not each.file.startswith((owner + "/", "tests/")):
                return f"found {each.text}, allowed only below {owner}"
    other = order.room_of(sources.folder_of(each.path))
    if other is None or other is room or order.may_take(room, other):
        return None
    return f"found {each.text}, allowed in {room.name}: {', '.join((room.name, *room.below))}"


def circles(imports: Iterable[Import], kind: str, node_of: Callable[[str], str]) -> Iterator[str]:
    """The imports that tie a circle of folders or of modules, one line for each arrow of it."""
    ties: dict[tuple[str, str], list[Import]] = collections.defaultdict(list)
    for each in imports:
        if each.is_ours and node_of(each.file) != node_of(each.path):
            ties[node_of(each.file), node_of(each.path)].append(each)
    for circle in knots(ties):
        for (start, end), tied in ties.items():
            if start in circle and end in circle:
                first, more = tied[0], f" and {len(tied) - 1} more" if len(tied) > 1 else ""
                allowed = f"no circle of {kind}: {', '.join(sorted(circle))}"
                yield f"{first.file}:{first.line}: found {first.text}{more}, allowed {allowed}"


def knots(arrows: Iterable[tuple[str, str]]) -> list[set[str]]:
    """Sets of nodes that reach each other (Tarjan's strongly connected components), those of one node left out."""
    neighbours = collections.defaultdict(list)
    for start, end in arrows:
        neighbours[start].append(end)
    found, numbers, lowest, stack = [], {}, {}, []

    def visit(start: str) -> None:
        walk = [(start, iter(neighbours[start]))]
        numbers[start] = lowest[start] = len(numbers)
        stack.append(start)
        while walk:
            node, rest = walk[-1]
            for other in rest:
                if other not in numbers:
                    numbers[other] = lowest[other] = len(numbers)
                    stack.append(other)
                    walk.append((other, iter(neighbours[other])))
                    break
                if other in stack:
                    lowest[node] = min(lowest[node], numbers[other])
            else:
                walk.pop()
                if walk:
                    lowest[walk[-1][0]] = min(lowest[walk[-1][0]], lowest[node])
                if lowest[node] == numbers[node]:
                    knot = set(stack[stack.index(node) :])
                    del stack[stack.index(node) :]
                    if len(knot) > 1:
                        found.append(knot)

    for node in sorted(neighbours):
        if node not in numbers:
            visit(node)
    return found


def code_among_names(tree: Sources) -> Iterator[str]:
    for file in tree.python:
        room = order.room_of(sources.folder_of(file))
        if room is None or room.name != order.NAMES or file.startswith(tuple(order.NO_NAMES)):
            continue
        for node in ast.walk(ast.parse((tree.root / file).read_text(encoding="utf-8"), file)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
                found = getattr(node, "name", "a lambda")
                yield f"{file}:{node.lineno}: found {found}, allowed: names alone; code stands in {order.NAMES}/_src"


def long_folders(units: dict[str, int]) -> Iterator[str]:
    for folder, count in units.items():
        if folder not in order.UNBOUNDED and count > most_units(folder):
            yield f"{folder}:1: found {count} units, allowed: {most_units(folder)}"


def most_units(folder: str) -> int:
    return order.MOST_LISTED if folder in order.LISTS else order.MOST_UNITS


def units_table(units: dict[str, int]) -> Iterator[str]:
    """The folders, those with most units first."""
    for folder, count in sorted(units.items(), key=lambda entry: (-entry[1], entry[0])):
        reason = order.LISTS.get(folder) or order.UNBOUNDED.get(folder)
        most = "-" if folder in order.UNBOUNDED else most_units(folder)
        yield f"{count:4} of {most:>2}  {folder}" + (f"  ({reason})" if reason else "")


def circles_of_units(imports: Iterable[Import]) -> Iterator[str]:
    """The C++ units that include each other, a header and its source being one, shortest circles first."""
    arrows = set()
    for each in imports:
        if each.is_ours and each.file.endswith(sources.CPP):
            start, end = (file.rpartition(".")[0] for file in (each.file, each.path))
            if start != end:
                arrows.add((start, end))
    for circle in sorted(map(sorted, knots(sorted(arrows))), key=lambda names: (len(names), names)):
        yield f"circle of {len(circle)} units: {', '.join(circle)}"


def old_pictures(tree: Sources, imports: list[Import]) -> Iterator[str]:
    for part, folder in order.PICTURES.items():
        file = tree.root / folder / "rooms.svg"
        if not (tree.root / folder / "README.md").is_file():
            continue
        if not file.is_file() or file.read_text(encoding="utf-8") != picture.drawn(part, tree, imports):
            found = "another picture" if file.is_file() else "no picture"
            yield f"{folder}/rooms.svg:1: found {found}, allowed: what tools/check_includes --picture {part} writes"
