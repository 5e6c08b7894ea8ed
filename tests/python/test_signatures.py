# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Operations have the names, parameters and defaults that TT-NN 0.81.1 gives them.

    test_signatures.py [--update]     prints how many are there; --update writes data/signatures_known.json

data/signatures.json has what `signatures.py` recorded of TT-NN. Each of its overloads must be one of ours: the same
parameters in the same order where they are positional, with the same defaults where those are numbers, texts or None (an
empty list is as good). What else ours take has a default; what TT-NN needs may have one. data/signatures_known.json has what
is known to differ: parameters, exactly, and why operations are missing. A new operation's name may stay there: --update
drops it.
"""

from __future__ import annotations

import inspect
import json
import pathlib
import pydoc
import sys
from typing import Any

import pytest
from signatures import Parameters, operations_of, overloads_of

import tilemeter

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
TTNN: dict[str, list[Parameters]] = json.loads((DATA / "signatures.json").read_text())
KNOWN: dict[str, Any] = json.loads((DATA / "signatures_known.json").read_text())
OURS = operations_of(tilemeter)


def _of_kind(parameters: Parameters, kind: str) -> list[str]:
    return [name for name, each, _ in parameters if each == kind]


def is_plain(default: str) -> bool:
    """A number, a text or None; no enumeration and no object."""
    return default != "..." and not (default[0].isalpha() and "." in default)


def plain(default: str | None) -> str | None:
    return "None" if default == "[]" else default


def differences(theirs: Parameters, ours: Parameters) -> list[str]:
    """In words, one per parameter."""
    mine = {name: default for name, _, default in ours}
    found = []
    for name, kind, default in theirs:
        if name not in mine:
            found.append(f"{name}: missing")
        elif mine[name] is None and default is not None:
            found.append(f"{name}: needed")
        elif default is not None and is_plain(default) and plain(mine[name]) != plain(default):
            found.append(f"{name}: {mine[name]} instead of {default}")
    wanted = [name for name in _of_kind(theirs, "positional") if name in mine]
    places = [name for name in _of_kind(ours, "positional") if name in {each for each, _, _ in theirs}]
    if not found and places[: len(wanted)] != wanted:
        found.append(f"order: {', '.join(places)}")
    return found + [f"{name}: not in TT-NN's" for name in mine if mine[name] is None and name not in {t[0] for t in theirs}]


def of_operation(name: str) -> list[str]:
    """The differences from the nearest overload for each of TT-NN's."""
    ours = overloads_of(OURS[name])
    found: list[str] = []
    for theirs in TTNN[name]:
        best = min((differences(theirs, each) for each in ours), key=len)
        found += [each for each in best if each not in found]
    return found


@pytest.mark.parametrize("name", sorted(TTNN.keys() & OURS.keys()))
def test_an_operation_takes_what_ttnns_takes(name: str) -> None:
    assert of_operation(name) == KNOWN["parameters"].get(name, [])


def test_the_operations_that_are_not_there_are_known() -> None:
    assert sorted(TTNN.keys() - OURS.keys() - {name for names in KNOWN["missing"].values() for name in names}) == []


@pytest.mark.parametrize("name", sorted(OURS))
def test_inspect_says_what_the_first_overload_takes(name: str) -> None:
    """The same parameters as the extension module's, read by another way than test_signatures' own."""
    found = inspect.signature(OURS[name]).parameters.values()
    plain = [each for each in found if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    said = [[each.name, "keyword" if each.kind is each.KEYWORD_ONLY else "positional", each.default is each.empty] for each in plain]
    first = overloads_of(OURS[name])[0]
    # Python has no defaults before a parameter by place that must be given.
    last = max((at for at, (_, kind, default) in enumerate(first) if kind == "positional" and default is None), default=-1)
    assert said == [[each, kind, default is None or at < last] for at, (each, kind, default) in enumerate(first)]


def test_add_has_ttnns_parameters_and_help_that_reads(device: Any) -> None:
    signature = inspect.signature(tilemeter.add)
    assert list(signature.parameters)[:4] == ["input_tensor_a", "input_tensor_b", "dtype", "memory_config"]
    assert signature.parameters["input_tensor_b"].annotation == "Tensor | int | float"
    assert signature.parameters["memory_config"].default is None and signature.return_annotation == "Tensor"
    bound = signature.bind(1, 2, dtype=3)
    assert bound.arguments == {"input_tensor_a": 1, "input_tensor_b": 2, "dtype": 3}
    text = pydoc.plain(pydoc.render_doc(tilemeter.add))
    assert "_tilemeter" not in text
    assert "ttnn.add(input_tensor_a, input_tensor_b, *, dtype=None, memory_config=None," in text
    assert "    input_tensor_b: Tensor | int | float\n" in text
    assert text.rstrip().endswith("y = ttnn.add(a, b, memory_config=ttnn.L1_MEMORY_CONFIG)")


@pytest.mark.parametrize("name", ["add", "matmul", "softmax", "relu", "ones", "zeros", "reshape", "layer_norm", "deallocate"])
def test_the_example_of_an_operations_help_runs(name: str, device: Any) -> None:
    example = tilemeter.__dict__[name].__doc__.splitlines()[-1].strip()
    a, b = (tilemeter.ones([1, 1, 32, 32], dtype=tilemeter.bfloat16, layout=tilemeter.TILE_LAYOUT, device=device) for _ in "ab")
    exec(example, {"ttnn": tilemeter, "a": a, "b": b, "device": device})


def test_no_help_of_an_operation_names_the_extension_module() -> None:
    assert [name for name, operation in OURS.items() if "_tilemeter" in (operation.__doc__ or "")] == []


def main() -> None:
    there = sorted(TTNN.keys() & OURS.keys())
    parameters = {name: wrong for name in there if (wrong := of_operation(name))}
    missing = {reason: [name for name in names if name not in OURS] for reason, names in KNOWN["missing"].items()}
    print(f"{len(there)} of TT-NN's {len(TTNN)} operations, {len(parameters)} of them with other parameters")
    if "--update" in sys.argv[1:]:
        known = {"parameters": parameters, "missing": {reason: names for reason, names in missing.items() if names}}
        (DATA / "signatures_known.json").write_text(json.dumps(known, indent=1) + "\n")


if __name__ == "__main__":
    main()
