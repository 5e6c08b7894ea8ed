# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Compiled programs, as the program `tilemeter` reads, plans and writes them: its Python code runs here."""

from __future__ import annotations

import ast
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from typing import Any, Callable

from tilemeter import _tilemeter
from tilemeter._src.answers import answers as _answers
from tilemeter._src.device import device as _device
from tilemeter._src.tensors import conversion as _conversion
from tilemeter.trace._functions.graph import trace_graph

_PROGRAM = pathlib.Path(__file__).parents[2] / "bin" / "tilemeter"
_SMALL_L1 = 65536  # what tt-mlir's runtime opens devices with


def _answer(words: list[str], statuses: tuple[int, ...] = (0,)) -> tuple[int, str]:
    """What the program prints. Raises ValueError with its line where it refuses its input."""
    done = subprocess.run([str(_PROGRAM), *words], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode not in statuses:
        raise ValueError(done.stderr.decode("utf-8", "replace").strip().removeprefix("tilemeter: "))
    return done.returncode, done.stdout.decode("utf-8", "replace")


class Plan(_answers.Answer):
    """What `tilemeter plan` says: answer["refused"], answer["dram"], ... `nodes` is the plan as any capture's node list:
    tilemeter.graph.explain(plan.nodes)."""

    def __init__(self, status: int, data: Any, text: str, nodes: list[dict[str, Any]]) -> None:
        super().__init__("plan", status, data, text)
        self.nodes = nodes


class CompiledProgram:
    """A program that tt-mlir compiled. `code` is it as Python code of TT-NN, `names` those of its inputs, in order."""

    def __init__(self, path: str | os.PathLike[str], function: str | None = None) -> None:
        self.path = _answers.report_path(path)
        if self.path == "-":
            raise ValueError("load_compiled: expected a file, found standard input")
        self._chosen = [] if function is None else [f"--function={function}"]
        self.code: str = _answer(["emit", self.path, *self._chosen])[1]
        space: dict[str, Any] = {"ttnn": sys.modules["tilemeter"], "__name__": "compiled_program"}
        tree = ast.parse(self.code, self.path)
        tree.body = [each for each in tree.body if not (isinstance(each, ast.Import) and each.names[0].name == "ttnn")]
        exec(compile(tree, self.path, "exec"), space)  # noqa: S102: the program's own emitter wrote it
        functions = [each.name for each in tree.body if isinstance(each, ast.FunctionDef)]
        # The last one before make_inputs() is that which runs.
        self._function: Callable[..., list[_tilemeter.Tensor]] = space[functions[functions.index("make_inputs") - 1]]
        self._make_inputs: Callable[[_tilemeter.MeshDevice], list[_tilemeter.Tensor]] = space["make_inputs"]
        self._constants: dict[Any, Any] = space.get("constants", {})
        code = self._function.__code__
        self.names = list(code.co_varnames[1 : code.co_argcount])

    def __repr__(self) -> str:
        return f"CompiledProgram({self.path}: {self._function.__name__}({', '.join(self.names)}))"

    def plan(self, board: str | os.PathLike[str] | None = None, output: str | os.PathLike[str] | None = None) -> Plan:
        """Planned without a device. board: "n150", ..., a description file; else the one that it was compiled for. output: the
        report is written there. Raises ValueError in one line."""
        words = [self.path, *self._chosen, *([] if board is None else [f"--board={os.fsdecode(board)}"])]
        with tempfile.TemporaryDirectory() as folder:
            report = os.path.join(folder, "plan.json") if output is None else os.fsdecode(output)
            status, data = _answer(["plan", *words, f"--output={report}", "--json"])
            text = _answer(["plan", *words])[1]
            nodes = json.loads(pathlib.Path(report).read_text(encoding="utf-8"))["graph"]
        return Plan(status, json.loads(data), text, nodes)

    def make_inputs(self, device: _tilemeter.MeshDevice) -> list[_tilemeter.Tensor]:
        """Tensors of the shapes and layouts that the program takes, without values of their own."""
        return self._make_inputs(device)

    def run(self, *values: Any, device: _tilemeter.MeshDevice | None = None, **named: Any) -> list[_tilemeter.Tensor]:
        """The program's results for these values: arrays of NumPy or torch, or tensors, by place or by name. Constants are
        evaluated once for a device. Without a device one is opened, as TILEMETER_DEVICE says, and stays open.

        Raises TypeError for other inputs than it has, RuntimeError where the device refuses the program."""
        device = device or _device.open_device(device_id=0, l1_small_size=_SMALL_L1)
        unknown = sorted(set(named) - set(self.names[len(values) :]))
        missing = [each for each in self.names[len(values) :] if each not in named]
        if unknown or missing or len(values) > len(self.names):
            raise TypeError(
                f"run: expected inputs {', '.join(self.names) or 'none'}, found {len(values)} by place"
                + "".join(f", unknown {each}" for each in unknown) + "".join(f", no {each}" for each in missing)
            )  # fmt: skip
        given = [*values, *(named[each] for each in self.names[len(values) :])]
        inputs = [
            value if isinstance(value, _tilemeter.Tensor) else self._as(value, like, name)
            for value, like, name in zip(given, self._make_inputs(device), self.names)
        ]
        self._of(device)
        return self._function(device, *inputs)

    def on(self, device: _tilemeter.MeshDevice) -> Callable[..., list[_tilemeter.Tensor]]:
        """The program as a function of its inputs, for captures, traces and tilemeter.trace.place()."""

        def program(*inputs: _tilemeter.Tensor) -> list[_tilemeter.Tensor]:
            self._constants.clear()
            return self._function(device, *inputs)

        return program

    @property
    def graph(self) -> Any:
        """The program's calls as a graph of tilemeter.trace, on a device that is opened for it: printed, planned, replayed."""
        device = _device.open_device(device_id=0, l1_small_size=_SMALL_L1)
        return trace_graph(self.on(device), tuple(self._make_inputs(device)))

    def close(self) -> None:
        """Lets go of constants and closes the device that run() and graph opened."""
        self._constants.clear()
        _device.close_device(_device.open_device(device_id=0, l1_small_size=_SMALL_L1))

    def _of(self, device: _tilemeter.MeshDevice) -> None:
        if self._constants.get("device") is not device:
            self._constants.clear()
            self._constants["device"] = device

    @staticmethod
    def _as(value: Any, like: _tilemeter.Tensor, name: str) -> _tilemeter.Tensor:
        shape = list(like.shape)
        if list(value.shape) != shape:
            raise TypeError(f"run: input {name}: expected the shape {shape}, found {list(value.shape)}")
        convert = _conversion.from_torch if type(value).__module__.split(".")[0] == "torch" else _conversion.from_numpy
        made: _tilemeter.Tensor = convert(value, dtype=like.dtype, layout=like.layout, device=like.device(), memory_config=like.memory_config())
        return made


def load_compiled(path: str | os.PathLike[str], function: str | None = None) -> CompiledProgram:
    """A compiled program from a file: a module of the TTNN dialect, a log or dump with one, a flatbuffer (.ttnn), or an executable
    as plugins keep it. function: which of its functions; else the first that no other calls.

    Raises ValueError in one line (file, place, what was expected and found), FileNotFoundError."""
    return CompiledProgram(path, function)
