# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The names that the package's public modules offer, against the recorded list; where a name is defined is not recorded."""

import functools
import importlib
import importlib.util
import json
import pathlib
import subprocess
import sys
import types

import pytest

RECORDED = json.loads((pathlib.Path(__file__).resolve().parents[1] / "data" / "python_names.json").read_text())
NEED_TORCH = ("tilemeter.model_preprocessing", "tilemeter.tracer", "tilemeter.torch_tracer", "tilemeter.tt_lib.fallback_ops")
OTHERS = {"typing", "collections", "pathlib", "dataclasses", "functools", "contextlib", "enum", "abc", "types", "inspect", "itertools",
          "threading"}


def offered(module: types.ModuleType) -> set[str]:
    """Its names but for those of the standard library that it imports for itself."""
    names = set()
    for name in dir(module):
        value = getattr(module, name)
        home = (getattr(value, "__module__", None) or "").split(".")[0]
        is_other = isinstance(value, types.ModuleType) and not value.__name__.startswith("tilemeter")
        is_other = is_other or (home in OTHERS and getattr(value, "__name__", name) == name)
        is_below = f"{module.__name__}.{name}" in RECORDED  # there once it has been imported
        if not (name.startswith("_") or is_other or is_below or name in ("annotations", "TYPE_CHECKING")):
            names.add(name)
    return names


@functools.cache
def offered_in_a_new_process() -> dict[str, list[str]]:
    """By module; other tests of this process add operations of their own to some."""
    code = (
        f"import json, sys; sys.path.insert(0, {str(pathlib.Path(__file__).parent)!r})\n"
        "import test_public_names as test\n"
        "print(json.dumps({name: test.found(name) for name in test.RECORDED}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def found(name: str) -> list[str]:
    """The names that a module offers; of one that can't be imported here nothing."""
    if name.startswith(NEED_TORCH) and importlib.util.find_spec("torch") is None:
        return []
    module = importlib.import_module(name)
    for each in RECORDED[name].split():
        hasattr(module, each)  # a late module is run then
    return sorted(offered(module))


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_a_public_module_offers_the_recorded_names(name: str) -> None:
    if name.startswith(NEED_TORCH) and importlib.util.find_spec("torch") is None:
        pytest.skip("needs torch")
    expected = [each for each in RECORDED[name].split() if f"{name}.{each}" not in RECORDED]
    assert offered_in_a_new_process()[name] == sorted(expected)
