# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs one script, or the test cases of one file, under TT-NN or under tilemeter, each in a capture.

The command starts it by its path, as TT-NN's interpreter need not have tilemeter: it uses the standard library only.
Lines of JSON in OUT/cases.jsonl say which case begins, and how it ended.
"""

from __future__ import annotations

import argparse
import functools
import gc
import hashlib
import importlib
import json
import pathlib
import random
import re
import runpy
import sys
import traceback
from typing import Any, Callable

_CHECKS = re.compile(r"(assert_(with_\w+|equal|allclose|numeric\w*|relative\w*|quality|array\w*)|check_with_\w+|comp_\w+)$")


class MadeUpState(dict):  # type: ignore[type-arg]
    """A state dict in the place of one that would be downloaded: a module that loads it keeps the values it has."""


def _made_up_weights() -> None:
    """Weights that would be downloaded are made up instead: models keep the random values that they are built with."""
    torch: Any = importlib.import_module("torch")
    if not hasattr(torch, "nn"):
        return
    torch.manual_seed(0)
    torch.hub.load_state_dict_from_url = lambda *_, **__: MadeUpState()
    load_file, load_state = torch.load, torch.nn.Module.load_state_dict

    @functools.wraps(load_file)
    def load(file: Any, *arguments: Any, **named: Any) -> Any:
        if isinstance(file, (str, pathlib.Path)) and not pathlib.Path(file).exists():
            return MadeUpState()
        return load_file(file, *arguments, **named)

    @functools.wraps(load_state)
    def load_state_dict(self: Any, state: Any, *arguments: Any, **named: Any) -> Any:
        return None if isinstance(state, MadeUpState) else load_state(self, state, *arguments, **named)

    torch.load, torch.nn.Module.load_state_dict = load, load_state_dict
    try:
        transformers: Any = importlib.import_module("transformers")
    except ImportError:
        return

    def from_pretrained(cls: Any, /, *_: Any, config: Any = None, **__: Any) -> Any:
        return cls(config if config is not None else cls.config_class()).eval()

    made_up: Any = from_pretrained
    transformers.PreTrainedModel.from_pretrained = classmethod(made_up)


def _passes(*_: Any, **__: Any) -> Any:
    return True, 1.0


def _let_values_pass(root: pathlib.Path) -> None:
    """Comparisons of values pass: a mock device computes none. `root`: the folder whose helpers are replaced."""
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if file and root in pathlib.Path(file).parents and "site-packages" not in file:
            for name in [name for name in vars(module) if _CHECKS.match(name)]:
                setattr(module, name, _passes)
    torch = sys.modules.get("torch")
    if torch is not None and hasattr(torch, "testing"):
        torch.allclose = torch.equal = lambda *_, **__: True  # type: ignore[attr-defined]
        torch.testing.assert_close = lambda *_, **__: None
    numpy = sys.modules.get("numpy")
    if numpy is not None and hasattr(numpy, "testing"):
        numpy.allclose = numpy.array_equal = lambda *_, **__: True  # type: ignore[attr-defined]
        for name in [name for name in vars(numpy.testing) if name.startswith("assert_")]:
            setattr(numpy.testing, name, lambda *_, **__: None)


def _reason(error: BaseException) -> dict[str, str]:
    """The end of a case that raised: `skipped`, `stopped` at an assertion, or `failed`, and why in one line."""
    kind = type(error).__name__
    status = "skipped" if kind == "Skipped" else "stopped" if isinstance(error, AssertionError) else "failed"
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = [line for line in lines if not line.startswith(("TT_FATAL", "TT_THROW", "info:", "backtrace"))]
    place = traceback.extract_tb(error.__traceback__)
    line = next((frame.line for frame in reversed(place) if frame.line and "site-packages" not in frame.filename), "")
    return {"status": status, "why": f"{kind}: {(said or lines or [''])[0][:300]}", "line": (line or "")[:160]}


class Cases:
    """Runs cases one by one, each in a capture whose report lies in OUT."""

    def __init__(self, out: pathlib.Path) -> None:
        self.out, self.count = out, 0
        self.lines = (out / "cases.jsonl").open("a")
        self.ttnn = importlib.import_module("ttnn")
        self.open = False

    def say(self, **facts: Any) -> None:
        self.lines.write(json.dumps(facts) + "\n")
        self.lines.flush()

    def begin(self) -> None:
        if not self.open:
            self.ttnn.graph.begin_graph_capture(self.ttnn.graph.RunMode.NORMAL)
            self.open = True

    def end(self, report: pathlib.Path) -> str:
        """Writes the report; why there is none."""
        if not self.open:
            return ""
        self.open = False
        try:
            self.ttnn.graph.end_graph_capture_to_file(str(report))
        except Exception as error:  # the case has ended the capture itself
            return f"{type(error).__name__}: {error}"[:200]
        return ""

    def capture_while_open(self, report: pathlib.Path) -> None:
        """Captures from where a device is opened until one is closed: TT-NN captures nothing without a device."""
        for name in ("open_device", "CreateDevice", "open_mesh_device"):
            setattr(self.ttnn, name, self._then_begin(getattr(self.ttnn, name)))
        for name in ("close_device", "CloseDevice", "close_mesh_device"):
            setattr(self.ttnn, name, self._end_before(getattr(self.ttnn, name), report))

    def _then_begin(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def opened(*arguments: Any, **named: Any) -> Any:
            device = function(*arguments, **named)
            self.begin()
            return device

        return opened

    def _end_before(self, function: Callable[..., Any], report: pathlib.Path) -> Callable[..., Any]:
        @functools.wraps(function)
        def closed(*arguments: Any, **named: Any) -> Any:
            self.end(report)
            return function(*arguments, **named)

        return closed

    def run(self, name: str, function: Callable[[], Any], opens: bool = False) -> BaseException | None:
        """Calls it within a capture, or one of the time in which its device is open; returns what it raised."""
        report = self.out / f"{hashlib.sha256(name.encode()).hexdigest()[:16]}.json"
        self.say(case=name, status="begins")
        raised: BaseException | None = None
        gc.collect()  # objects of earlier cases are not freed in this one's capture
        if opens:
            self.capture_while_open(report)
        else:
            self.begin()
        try:
            function()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # also what pytest skips and fails with
            raised = error
        facts = {"status": "passed", "why": "", "line": ""} if raised is None else _reason(raised)
        if isinstance(raised, SystemExit) and raised.code in (None, 0):
            facts["status"] = "passed"
        gc.collect()
        left = {"device_left": True} if opens and self.open else {}
        facts["note"] = self.end(report)
        if raised is not None:
            traceback.clear_frames(raised.__traceback__)  # its tensors would stay allocated for the next case
        self.say(case=name, report=report.name if report.exists() else None, **facts, **left)
        return raised


class Plugin:
    """pytest's side: draws cases of a file and runs the body of each in a capture."""

    def __init__(self, cases: Cases, options: argparse.Namespace) -> None:
        self.cases, self.options = cases, options

    def pytest_collection_modifyitems(self, config: Any, items: list[Any]) -> None:
        options = self.options
        names = sorted(item.nodeid for item in items)
        if options.cases:
            wanted = json.loads(options.cases.read_text())
        elif options.draw and len(names) > options.draw:
            wanted = random.Random(f"{options.seed}:{options.name}").sample(names, options.draw)
        else:
            wanted = names
        kept = set(wanted)
        items[:] = [item for item in items if item.nodeid in kept]
        self.cases.say(drawn=sorted(kept), of=len(names))
        _let_values_pass(options.root)

    def pytest_make_parametrize_id(self, config: Any, val: Any, argname: str) -> str | None:
        """Operations by their names: as texts they have addresses in them, and no case would be found again."""
        name = getattr(val, "python_fully_qualified_name", None)
        return f"{argname}={name}" if isinstance(name, str) else None

    def pytest_pyfunc_call(self, pyfuncitem: Any) -> Any:
        arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
        raised = self.cases.run(pyfuncitem.nodeid, lambda: pyfuncitem.obj(**arguments))
        if raised is not None:
            raise raised
        return True

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "setup" and report.outcome != "passed":
            text = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
            lines = [line for line in text.splitlines() if line.startswith("E ")] or text.splitlines()[-1:]
            self.cases.say(case=report.nodeid, status="skipped" if report.skipped else "failed",
                           why=re.sub(r"^E\s+", "", lines[0])[:300] if lines else "", line="", report=None)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            lines = [line for line in report.longreprtext.splitlines() if line.startswith("E ")]
            self.cases.say(collected=False, why=re.sub(r"^E\s+", "", lines[-1] if lines else "cannot be collected")[:300])


def _tests(cases: Cases, options: argparse.Namespace) -> None:
    import pytest

    arguments = [str(options.target), "-q", "-p", "no:cacheprovider", "-o", "addopts=", "--import-mode=importlib",
                 "-o", "timeout=0", "--rootdir", str(options.root), "-W", "ignore"]
    pytest.hookimpl(tryfirst=True)(Plugin.pytest_make_parametrize_id)
    pytest.main(arguments, plugins=[Plugin(cases, options)])


def _script(cases: Cases, options: argparse.Namespace) -> None:
    sys.path.insert(0, str(options.target.parent))
    sys.argv = [str(options.target)]
    _let_values_pass(options.root)
    cases.run(options.name, lambda: runpy.run_path(str(options.target), run_name="__main__"), opens=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("side", choices=["ttnn", "tilemeter"])
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--target", type=pathlib.Path, required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--tests", action="store_true")
    parser.add_argument("--draw", type=int, default=0)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--cases", type=pathlib.Path)
    options = parser.parse_args()
    here = pathlib.Path(__file__).resolve().parent
    sys.path[:] = [str(options.root), *(each for each in sys.path if pathlib.Path(each or ".").resolve() != here)]
    options.out.mkdir(parents=True, exist_ok=True)
    if options.side == "tilemeter":
        importlib.import_module("tilemeter.as_ttnn").install()
    try:
        _made_up_weights()
    except ImportError:
        pass
    cases = Cases(options.out)
    (_tests if options.tests else _script)(cases, options)
    cases.say(done=True)


if __name__ == "__main__":
    main()
