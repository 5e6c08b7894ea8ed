# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""No argument is wrong in silence: every argument of every operation that argument_cases.py can call gets a value that is not
its default, in TT-NN (data/arguments.json has what it recorded) and here.

    test_arguments.py --update     writes the table that tools/python/ARGUMENTS.md shows

An argument is modelled (both record the same, and something else than without it), without effect (both record the same as
without it), or refused by its name. What else there is stands in KNOWN, with why.
"""

from __future__ import annotations

import collections
import json
import pathlib
import sys

import argument_cases
import pytest

import tilemeter as ttnn

RECORDED: dict[str, dict[str, str]] = json.loads((argument_cases.DATA / "arguments.json").read_text())
TABLE = pathlib.Path(__file__).resolve().parents[2] / "tools" / "python" / "ARGUMENTS.md"
BEGIN, END = "<!-- begin: test_arguments.py --update -->\n", "<!-- end: test_arguments.py --update -->\n"
KINDS = ("modelled", "without effect", "refused by name", "refused by both", "known difference")
KNOWN = {
    "concat_bw": "the copy of one gradient: an inner scope more",
    "div_": "fast_and_approximate_mode=True: the inverse of b is not written down first",
    "divide_": "as div_",
    "embedding": "tokens of [1, 1, 64, 64]: TT-NN takes the last row of dimensions alone",
    "rsub_": "fast_and_approximate_mode=False: a is negated first",
    "sigmoid": "vector_mode=5: TT-NN refuses what is no mode",
    "tilize_with_zero_padding": "TT-NN gives back what is in tiles already",
    "view": "to the same shape: an inner scope more",
}


def kind_of(parameter: str, theirs: str, base: str, found: list[object] | str) -> str:
    ours = argument_cases.short(found)
    if theirs == ours:
        return "refused by both" if ours == "refused" else "modelled" if theirs != base else "without effect"
    return "refused by name" if isinstance(found, str) and parameter and parameter in found else "known difference"


@pytest.fixture(scope="module", name="kinds")
def _kinds() -> dict[str, dict[str, str]]:
    return all_kinds()


def all_kinds() -> dict[str, dict[str, str]]:
    """The treatment of each argument of each operation."""
    found: dict[str, dict[str, str]] = collections.defaultdict(dict)
    device = ttnn.open_device(device_id=0)
    for name, parameter, value, call in argument_cases.cases(ttnn, device, RECORDED):
        key = f"{parameter}={value}" if parameter else ""
        found[name][key] = kind_of(parameter, RECORDED[name][key], RECORDED[name][""], argument_cases.facts(ttnn, call))
    ttnn.close_device(device)
    return found


def test_no_argument_is_wrong_in_silence(kinds: dict[str, dict[str, str]]) -> None:
    differ = {name for name, each in kinds.items() if "known difference" in each.values()}
    assert differ == set(KNOWN)


def test_every_recorded_case_is_made_here_too(kinds: dict[str, dict[str, str]]) -> None:
    assert {name: set(each) for name, each in kinds.items()} == {name: set(RECORDED[name]) for name in kinds}
    assert len(kinds) > 300 and sum(len(each) - 1 for each in kinds.values()) > 900


def text_of(kinds: dict[str, dict[str, str]]) -> str:
    lines = ["| operation | " + " | ".join(KINDS) + " |", "| --- |" + " --- |" * len(KINDS)]
    for name in sorted(kinds):
        cells = []
        for kind in KINDS:
            chosen = [key or "(plain call)" for key, each in kinds[name].items() if each == kind and (key or kind == KINDS[-1])]
            cells.append(", ".join(f"`{each}`" for each in chosen))
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def test_the_table_shows_what_becomes_of_each_argument(kinds: dict[str, dict[str, str]]) -> None:
    table = TABLE.read_text()
    assert table[table.index(BEGIN) + len(BEGIN) : table.index(END)] == text_of(kinds), "test_arguments.py --update"


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit(__doc__)
    shown = TABLE.read_text()
    TABLE.write_text(shown[: shown.index(BEGIN) + len(BEGIN)] + text_of(all_kinds()) + shown[shown.index(END) :])
