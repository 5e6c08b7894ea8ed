# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The captured part of a script as a function: run, traced, planned and replayed, and all of that compared.

    traced_script.py SCRIPT FOLDER

What stands between the begin and the end of the script's capture is the function; its arguments are the tensors on the device
that the script has before, its results those that it has afterwards. Prints what calls of the graph can't be lowered to flat primitives, and what differs between calls and replays, each in a
NORMAL capture: `tree`, `buffers`, `programs`, `values`; of the saved plan and the replay's report; of what tracing recorded and
a NO_DISPATCH capture of the calls. Of a function that can't be traced prints `refused KIND`. Last comes `calls N`, how many calls
were lowered alone and compared with what they compute (lowered_calls.py), and a line for each that differs.
"""

from __future__ import annotations

import ast
import gc
import importlib
import json
import pathlib
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import lowered_calls
import numpy as np
import optree

from report_parts import buffers, programs, tree

import tilemeter as ttnn
import tilemeter.trace as tp

PARTS = {"tree": tree, "buffers": buffers, "programs": programs}


def _is_call(statement: ast.stmt, *names: str) -> bool:
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    text = ast.unparse(statement.value)
    return text.startswith(names) and "RunMode.NORMAL" not in text


def split(script: pathlib.Path) -> tuple[Any, Any]:
    """The script up to its capture, and what is captured."""
    body = ast.parse(script.read_text()).body
    begin = next(i for i, each in enumerate(body) if _is_call(each, "begin()", "ttnn.graph.begin_graph_capture"))
    end = next(i for i, each in enumerate(body) if _is_call(each, "end()", "ttnn.graph.end_graph_capture"))
    before, captured = body[:begin], body[begin + 1 : end]
    return (compile(ast.Module(before, []), str(script), "exec"), compile(ast.Module(captured, []), str(script), "exec"))


def is_on_device(value: Any) -> bool:
    return isinstance(value, ttnn.Tensor) and value.storage_type() == ttnn.StorageType.DEVICE and value.is_allocated()


def tensors_in(names: dict[str, Any]) -> dict[str, Any]:
    """The tensors of names, lists and dictionaries, without those that share one."""
    found: dict[str, Any] = {}
    for name, value in names.items():
        if isinstance(value, (ttnn.Tensor, list, tuple, dict)):
            for i, leaf in enumerate(optree.tree_leaves(value)):
                if isinstance(leaf, ttnn.Tensor) and all(leaf is not each for each in found.values()):
                    found[f"{name}.{i}"] = leaf
    return found


class Script:
    """A script that has run up to its capture."""

    def __init__(self, before: Any, captured: Any, arguments: list[str]) -> None:
        sys.argv = arguments
        reset_random()
        self.captured = captured
        self.names: dict[str, Any] = {"__name__": "__main__"}
        exec(before, self.names)
        self.inputs = [each for each in tensors_in(self.names).values() if is_on_device(each)]

    def function(self, inputs: list[Any]) -> list[Any]:
        """Runs what is captured. Tensors that were there before are its arguments; the others are its results."""
        names = dict(self.names)
        exec(self.captured, names)
        known = {id(each) for each in tensors_in(self.names).values()}
        results = [each for each in tensors_in(names).values() if id(each) not in known]
        return [each for each in results if each.is_allocated()]


def reset_random() -> None:
    try:
        import torch

        if hasattr(torch, "Generator"):
            torch.manual_seed(0)
            return
    except ImportError:
        pass
    importlib.import_module("torch_stand_in").install()


def keep_one_device() -> None:
    """Scripts open the same device each time, and none closes it."""
    opened: dict[str, Any] = {}
    for name in ("open_device", "open_mesh_device", "close_device", "close_mesh_device"):
        function = getattr(ttnn, name)

        def once(*args: Any, _function: Callable[..., Any] = function, _name: str = name, **kwargs: Any) -> Any:
            if _name.startswith("close"):
                return None
            if _name not in opened:
                opened[_name] = _function(*args, **kwargs)
            return opened[_name]

        setattr(ttnn, name, once)


def values_of(tensors: list[Any]) -> list[Any]:
    """A value that a kernel of the script's own would have written is not computed: its reason stands for it."""
    values = []
    for each in tensors:
        try:
            array = np.asarray(each.to_numpy())
        except RuntimeError as error:
            if "not computed" not in str(error):
                raise
            array = np.asarray(str(error))
        values.append((tuple(each.shape), each.dtype.name, array))
    return values


def differences(what: str, reference: list[Any], found: list[Any], without_addresses: bool) -> list[str]:
    """The parts that are not equal."""
    said = []
    for part, entries in PARTS.items():
        one, other = entries(reference), entries(found)
        if part == "buffers" and without_addresses:
            one, other = ([each.rpartition(" ")[0] for each in lines] for lines in (one, other))
        if one == other:
            continue
        place = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
        shown = [lines[place] if place < len(lines) else "nothing" for lines in (one, other)]
        said.append(f"{what}: {part}: entry {place} of {len(one)} and {len(other)}: expected {shown[0]}, found {shown[1]}")
    return said


def equal_values(what: str, reference: list[Any], found: list[Any]) -> list[str]:
    if len(reference) != len(found):
        return [f"{what}: {len(found)} tensors, expected {len(reference)}"]
    return [f"{what}: tensor {i} of {a[0]} {a[1]} and {b[0]} {b[1]}" for i, (a, b) in enumerate(zip(reference, found))
            if a[:2] != b[:2] or a[2].tobytes() != b[2].tobytes()]


def captured(call: Callable[[], Any], path: pathlib.Path, mode: Any = ttnn.graph.RunMode.NORMAL) -> tuple[Any, list[Any]]:
    ttnn.graph.begin_graph_capture(mode)
    result = call()
    ttnn.graph.end_graph_capture_to_file(str(path))
    return result, json.loads(path.read_text())["graph"]


def compare(script: pathlib.Path, folder: pathlib.Path) -> list[str]:
    before, body = split(script)

    def fresh(mode: str) -> Script:
        gc.collect()
        return Script(before, body, [str(script), str(folder / "unused.json"), mode])

    keep_one_device()
    sys.modules["ttnn"] = ttnn
    warm = fresh("A")  # from here on programs are cached
    warm.function(warm.inputs)
    del warm
    called = fresh("B")
    results, eager = captured(lambda: called.function(called.inputs), folder / "eager.json")
    expected, expected_inputs = values_of(results), values_of([each for each in called.inputs if each.is_allocated()])
    del called, results
    again = fresh("C")
    results, not_dispatched = captured(lambda: again.function(again.inputs), folder / "no_dispatch.json",
                                       ttnn.graph.RunMode.NO_DISPATCH)
    del again, results

    traced = fresh("D")
    try:
        plan = tp.plan(traced.function, traced.inputs)
    except tp.TraceError as error:
        return [f"refused {error.kind}", *calls_of(fresh("E"))]
    assert tp.parse(plan.graph.text()) == plan.graph
    said = differences("plan and NO_DISPATCH", not_dispatched, plan.nodes, True)
    plan.save(folder / "plan.json")
    saved = json.loads((folder / "plan.json").read_text())["graph"]
    found, replayed = captured(lambda: plan.replay(traced.inputs), folder / "replay.json")
    said += differences("plan and replay", replayed, saved, False)
    said += differences("calls and replay", eager, replayed, True)
    said += equal_values("results", expected, values_of(found))
    said += equal_values("arguments", expected_inputs, values_of([each for each in traced.inputs if each.is_allocated()]))
    said = [lowered(plan._function.program.native), *(said or ["equal"])]
    del plan, traced, found
    return [*said, *calls_of(fresh("E"))]


def calls_of(script: Script) -> list[str]:
    """The number of calls that were compared with their lowerings, and those that differ."""
    lowered_calls.watch()
    with lowered_calls.compared() as found:
        script.function(script.inputs)
    return [f"calls {found.count}", *dict.fromkeys(found.different)]


def lowered(program: Any) -> str:
    """The number of its calls that have a lowering that takes their arguments, and the others."""
    reasons = program.why_not_lowered()
    missing = sorted({each["operation"].removeprefix("ttnn.") for each, reason in zip(program.graph.equations, reasons) if reason})
    return f"lowered {reasons.count('')} of {len(reasons)}: {' '.join(missing) or 'all'}"


def main(script: str, folder: str) -> None:
    tempfile.tempdir = folder  # a script cut off before its end leaves its folders
    print("\n".join(compare(pathlib.Path(script).resolve(), pathlib.Path(folder))))


if __name__ == "__main__":
    main(*sys.argv[1:])
