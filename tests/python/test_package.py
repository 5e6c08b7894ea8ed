# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The package as its users' tools see it: documentation of every public name, types for mypy."""

from __future__ import annotations

import importlib
import os
import pathlib
import pkgutil
import re
import subprocess
import sys
import types
from typing import Any, Iterator

import pytest

import tilemeter as ttnn

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = ("", ".graph", ".graph_report", ".transformer", ".experimental", ".kv_cache", ".core", ".device", ".types",
           ".dot_access", ".as_ttnn", ".comparison", ".cluster", ".config_serialization", ".decorators", ".distributed",
           ".operations", ".reflection")


def _public(owner: Any) -> Iterator[tuple[str, Any]]:
    for name in dir(owner):
        if not name.startswith("_"):
            yield name, getattr(owner, name)


@pytest.mark.parametrize("name", [name for name in MODULES if name != ".as_ttnn"])  # that is a command
def test_dir_and_star_offer_the_modules_own_names(name: str) -> None:
    module = importlib.import_module(f"tilemeter{name}")
    strange = [each for each, value in _public(module) if isinstance(value, types.ModuleType) and value.__name__ in
               sys.stdlib_module_names or each in ("Any", "Callable", "Iterator", "Sequence", "annotations", "TYPE_CHECKING")]
    assert strange == []
    assert set(module.__all__) <= set(dir(module))
    starred: dict[str, Any] = {}
    exec(f"from tilemeter{name} import *", starred)
    assert set(module.__all__) == set(starred) - {"__builtins__"}


def test_what_ttnn_names_is_offered() -> None:
    assert {"add", "matmul", "Tensor", "bfloat16", "CONFIG", "CONFIG_PATH", "graph", "transformer", "open_device",
            "divide", "sub"} <= set(dir(ttnn))
    assert {"begin_graph_capture", "end_graph_capture", "RunMode", "extract_calltrace", "REPORT_VERSION", "import_report",
            "visualize", "capture", "find_peak", "recover"} <= set(dir(ttnn.graph))


def _is_ours(value: Any) -> bool:
    return callable(value) and str(getattr(value, "__module__", "")).startswith("tilemeter")


def _prose(value: Any) -> str:
    """The text of a docstring beside the signatures that nanobind puts into it."""
    lines = (value.__doc__ or "").splitlines()
    signature = re.compile(r"\s*(\d+\. ``)?\w+\(.*\)( -> .*)?(``)?$")
    return " ".join(line.strip() for line in lines if not signature.match(line) and line != "Overloaded function.").strip()


def _undocumented(module: types.ModuleType) -> Iterator[str]:
    for name, value in _public(module):
        if isinstance(value, types.ModuleType) or not _is_ours(value):
            continue
        if len(_prose(value)) < 8:
            yield f"{module.__name__}.{name}"
        if isinstance(value, type) and not issubclass(value, BaseException):
            for member, part in vars(value).items():
                documented = callable(part) or isinstance(part, property)
                if documented and not member.startswith("_") and not _prose(part):
                    yield f"{module.__name__}.{name}.{member}"


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_documented(module: str) -> None:
    assert list(_undocumented(importlib.import_module(f"tilemeter{module}"))) == []


def test_every_operation_says_shapes_or_values_in_its_documentation() -> None:
    operations = [value for _, value in _public(ttnn) if type(value).__name__ == "Operation"]
    assert len(operations) > 100
    said = {operation.__name__: operation.native.__doc__ or operation.__doc__ for operation in operations}
    short = [name for name, text in said.items() if len(text.strip().splitlines()[-1]) < 8]
    assert short == []


@pytest.mark.parametrize("module", ["tilemeter", "tilemeter.commands"])
def test_the_module_is_the_program(module: str) -> None:
    program = pathlib.Path(ttnn.__file__).parent / "bin" / "tilemeter"
    assert program.exists()

    def said(*command: str) -> tuple[int, str, str]:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    for arguments in (["--help"], ["peak", "absent.json"], []):
        assert said(sys.executable, "-m", module, *arguments) == said(str(program), *arguments)
    assert said(str(program), "--help")[0] == 0


_USER = """
import tilemeter as ttnn

device = ttnn.open_device(device_id=0)
a = ttnn.ones([1, 1, 32, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
with ttnn.graph.capture("report.json") as taken:
    b: ttnn.Tensor = ttnn.add(a, a, memory_config=ttnn.L1_MEMORY_CONFIG)
peak = taken.peak().l1
if peak is not None:
    size: int = peak.bytes
answer: ttnn.graph.Answer = taken.check(max_l1="80%")
verdict: str | None = ttnn.graph.fit("report.json", device="p150").verdict
page: str = taken.html("page.html")
ttnn.graph.diff(taken, "report.json", max_growth=1.5)
try:
    ttnn.relu(b)
except ttnn.ProgramMemoryClashError as error:
    print(error.region_end - error.lowest_buffer_address, [owner.shape for owner in error.owners], error.explanation)
except ttnn.OutOfMemoryError as error:
    print(error.bank.largest_free_block, error.size_per_bank_bytes)
reveal_type(ttnn.graph.fit_workload)
ttnn.close_device("no device")
"""


def _mypy(*arguments: str) -> str:
    pytest.importorskip("mypy")
    config = ROOT / "pyproject.toml"
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(config), "--cache-dir", "/dev/null"]
    place = pathlib.Path(ttnn.__file__).parents[1]  # mypy finds what is installed, and refuses to be told where
    environment = os.environ if place.name == "site-packages" else {**os.environ, "MYPYPATH": str(place)}
    return subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=600, env=environment).stdout


def test_the_package_and_its_stubs_are_strictly_typed() -> None:
    said = _mypy("-p", "tilemeter")
    assert said.startswith("Success"), said


def test_a_users_program_is_checked_against_the_stubs(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(_USER)
    said = _mypy(str(program))
    errors = [line for line in said.splitlines() if ": error:" in line]
    assert len(errors) == 2, said
    assert 'Argument "max_growth" to "diff" has incompatible type "float"' in errors[0], said
    assert 'Argument 1 to "close_device" has incompatible type "str"' in errors[1], said
    assert "WorkloadFit" in said, said


def test_exceptions_of_libraries_loaded_later_find_their_own_unwinder() -> None:
    """libunwind, with which stacks are read, has the unwinder's functions, too: those of libgcc_s have to come first, or
    exceptions of torch, imported after this package, end the process."""
    program = (
        "import ctypes, tilemeter._tilemeter as module\n"
        "place = ctypes.cast(ctypes.CDLL(module.__file__)._Unwind_RaiseException, ctypes.c_void_p).value\n"
        "for line in open('/proc/self/maps'):\n"
        "    begin, end = (int(each, 16) for each in line.split()[0].split('-'))\n"
        "    if begin <= place < end: print(line.split()[-1])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert "libgcc_s" in done.stdout, done.stdout


def test_late_modules_run_when_something_of_them_is_used() -> None:
    code = (
        "import sys, tilemeter as ttnn\n"
        "assert 'tracer' in dir(ttnn) and not hasattr(ttnn.tracer, 'python_fully_qualified_name')\n"
        "assert 'torch' not in sys.modules\n"
        "sys.modules['torch'] = None\n"
        "for _ in range(2):\n"
        "    try:\n"
        "        ttnn.tracer.trace\n"
        "    except ImportError as error:\n"
        "        print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 2 and all(each.startswith("tilemeter.torch_tracer needs torch and networkx: ") for each in lines)


SUBMODULES = sorted(each.name for each in pkgutil.iter_modules(ttnn.__path__) if not each.name.startswith("_"))
OF_PROGRAMS = {"conformance", "demo"}  # they use the package, so that type checkers cannot read them as parts of it


@pytest.mark.parametrize("name", SUBMODULES)
def test_every_public_submodule_is_there_after_the_packages_import(name: str) -> None:
    code = (
        "import sys, tilemeter\n"
        f"module = getattr(tilemeter, {name!r})\n"
        f"assert {name!r} in dir(tilemeter) and module.__doc__\n"
        "names = [each for each in dir(module) if not each.startswith('_')]\n"
        "try:\n"
        "    values = [getattr(module, each) for each in names]\n"
        "except ImportError as error:\n"
        "    assert 'torch' in str(error) or 'pytest' in str(error), error\n"
        "else:\n"
        f"    import tilemeter.{name} as imported\n"
        "    assert values and imported is module\n"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_module_that_was_imported_since_is_the_one_that_is_used() -> None:
    code = (
        "from tilemeter import attach, trace\n"
        "import tilemeter.trace as imported\n"
        "print(trace.Graph is imported.Graph, trace.jit is imported.jit, attach.capture.__module__)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("True True tilemeter_attach")


def test_threads_that_use_a_module_first_wait_for_it() -> None:
    code = (
        "import sys, threading, tilemeter\n"
        "sys.setswitchinterval(1e-6)\n"
        "held, found, together = tilemeter.trace, [], threading.Barrier(16)\n"
        "def use(number):\n"
        "    together.wait()\n"
        "    if number % 2: import tilemeter.trace as module\n"
        "    else: module = held\n"
        "    found.append((module.jit, module.Graph, module.random.normal))\n"
        "threads = [threading.Thread(target=use, args=(number,)) for number in range(16)]\n"
        "for each in threads: each.start()\n"
        "for each in threads: each.join()\n"
        "print(len(found), len(set(found)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("16 1\n", "")


def test_a_name_that_the_package_has_not_is_refused_as_python_does() -> None:
    for module, said in ((ttnn, "tilemeter"), (ttnn.pytest_plugin, "tilemeter.pytest_plugin")):
        with pytest.raises(AttributeError) as raised:
            getattr(module, "tarce")
        assert str(raised.value) == f"module {said!r} has no attribute 'tarce'"
    assert "torch" not in ttnn.__all__  # PyTorch's name stays free for whoever imports all


@pytest.mark.parametrize("name", ["attach", "torch", "fleet", "demo", "jax_tt", "as_ttnn", "conformance"])
def test_a_module_that_is_also_a_program_starts_without_a_warning(name: str) -> None:
    command = [sys.executable, "-W", "error", "-m", f"tilemeter.{name}", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_type_checkers_know_the_submodules(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "program.py"
    known = [name for name in SUBMODULES if name not in OF_PROGRAMS]
    program.write_text("import tilemeter\n\n" + "".join(f"print(tilemeter.{name}.__name__)\n" for name in known))
    said = _mypy(str(program))
    assert said.startswith("Success"), said


def test_an_import_loads_no_module_that_only_a_verb_needs() -> None:
    code = (
        "import sys, numpy\n"
        "before = set(sys.modules)\n"
        "import tilemeter\n"
        "slow = {'argparse', 'csv', 'graphviz', 'hashlib', 'networkx', 'pandas', 'subprocess', 'tempfile', 'torch'}\n"
        "slow |= {'tilemeter.trace', 'tilemeter.torch', 'tilemeter_attach', 'tilemeter.fleet'}\n"
        "print(sorted(slow & (set(sys.modules) - before)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
