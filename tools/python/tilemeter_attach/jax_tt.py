# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Programs that JAX or torch_xla compiles for tile devices, each planned before it runs.

    python -m tilemeter.jax_tt [--board BOARD] [--level O0|O1|O2] [--no-run] [--keep FOLDER] SCRIPT [ARGUMENT...]

Needs jax and jax-tt-plugin, on a device or on a mock of one (TT_METAL_MOCK_CLUSTER_DESC_PATH). Each program is recorded as the
compiler makes it, planned, and reported on standard error. --board: where it is planned; else the one that it was compiled for.
--level: the compiler's optimization level, where the script chooses none. --no-run: no program runs; results are zeros. --keep: the
programs and their reports stay in FOLDER. Exit status: the script's; with --no-run 3 where a program is refused.

A script that imports torch_xla gets the same plugin under it. Its programs are reported as soon as they are compiled, which may be
while they run: torch_xla lets nobody in between. So --no-run and --level are for JAX alone.

`python -m tilemeter_attach.jax_tt` needs nothing of tilemeter but this package and the program: TILEMETER_PROGRAM names one that
does not lie beside it.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import pathlib
import runpy
import subprocess
import sys
import tempfile
import threading
from typing import Any, NoReturn

_PLATFORM = "tt"


def _fail(message: str) -> NoReturn:
    sys.exit(f"jax_tt: {message}")


def _program() -> str:
    """The program `tilemeter`."""
    beside = pathlib.Path(__file__).parents[1] / "tilemeter/bin/tilemeter"
    found = os.environ.get("TILEMETER_PROGRAM") or (str(beside) if beside.exists() else None)
    if found is None or not os.access(found, os.X_OK):
        _fail(f"expected the program tilemeter at {found or beside}, found none: TILEMETER_PROGRAM names it")
    return found


class Planner:
    """Plans what JAX compiled."""

    def __init__(self, program: str, folder: pathlib.Path, board: str | None) -> None:
        self.program, self.folder, self.board = program, folder, board
        self.count = self.refused = 0

    def plan(self, name: str, executable: bytes) -> None:
        self.count += 1
        stem = f"{self.count:03}-{''.join(c if c.isalnum() or c in '_-' else '_' for c in name)[:60]}"
        path = self.folder / f"{stem}.tt"
        path.write_bytes(executable)
        words = [self.program, "plan", str(path), *([f"--board={self.board}"] if self.board else [])]
        report = f"--output={self.folder / stem}.json"
        done = subprocess.run([*words, report, "--json"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(f"{stem}: {done.stderr.strip().removeprefix('tilemeter: ')}", file=sys.stderr, flush=True)
            return
        self.refused += json.loads(done.stdout)["refused"] is not None
        text = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False).stdout
        print(f"{stem}: {text.strip()}", file=sys.stderr, flush=True)


def _watch(planner: Planner, runs: bool) -> None:
    """Has JAX hand over each program between its compilation and its first run."""
    import numpy
    from jax._src import compiler
    from jax._src import pjit
    from jax._src.interpreters import pxla

    compile_program = compiler.compile_or_get_cached

    def compile_and_plan(backend: Any, computation: Any, devices: Any, compile_options: Any, *args: Any, **named: Any) -> Any:
        is_tile_device = backend.platform == _PLATFORM
        executable = compile_program(backend, computation, devices, compile_options, *args, **named)
        if is_tile_device:
            attributes = computation.operation.attributes
            name = str(attributes["sym_name"]).strip('"') if "sym_name" in attributes else "program"
            planner.plan(name, executable.serialize())
        return executable

    compiler.compile_or_get_cached = compile_and_plan
    if runs:
        return

    def zeros(self: Any, *args: Any) -> Any:
        import jax

        return [jax.device_put(numpy.zeros(aval.shape, aval.dtype), sharding)
                for aval, sharding in zip(self.out_handler.out_avals, self.out_handler.out_shardings)]  # fmt: skip

    pxla.ExecuteReplicated.__call__ = zeros
    pjit._get_fastpath_data = lambda *args, **named: None  # it would run programs without being asked


def _imports(script: str, package: str) -> bool:
    """True if the script itself imports the package, wherever in it."""
    try:
        tree = ast.parse(pathlib.Path(script).read_bytes(), script)
    except (SyntaxError, ValueError):
        return False  # running it says what is wrong
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names = [node.module]
        if any(name.partition(".")[0] == package for name in names):
            return True
    return False


class _TorchPrograms:
    """Plans what torch_xla compiles, which it keeps in a folder: its cache of executables."""

    def __init__(self, planner: Planner, folder: pathlib.Path) -> None:
        self._planner, self._folder = planner, folder
        self._sizes: dict[str, int] = {}
        self._planned: set[str] = set()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        self._thread.join()
        self._plan_new(False)

    def _follow(self) -> None:
        while not self._ended.wait(0.1):
            self._plan_new(True)

    def _plan_new(self, may_grow: bool) -> None:
        for path in sorted(self._folder.iterdir(), key=lambda path: path.stat().st_mtime_ns):
            size = path.stat().st_size
            is_whole = not may_grow or (size > 0 and self._sizes.get(path.name) == size)
            self._sizes[path.name] = size
            if is_whole and path.name not in self._planned:
                self._planned.add(path.name)
                self._planner.plan("torch_xla", path.read_bytes())


def _watch_torch_xla(planner: Planner, cache: pathlib.Path) -> _TorchPrograms:
    """Puts the plugin under torch_xla, which has not been imported yet."""
    os.environ.update(PJRT_DEVICE=_PLATFORM.upper(), XLA_STABLEHLO_COMPILE="1")  # the plugin takes no other text
    try:
        import torch_xla.runtime
        from torch_xla.experimental import plugins

        import jax_plugins
    except ImportError as error:
        _fail(f"expected the packages torch_xla and jax-tt-plugin, found none of {error.name}: pip install torch_xla jax-tt-plugin")
    libraries = [found for folder in jax_plugins.__path__ for found in pathlib.Path(folder).glob("*/libtt.so")]
    if not libraries:
        _fail(f"expected jax-tt-plugin's library libtt.so, found none in {', '.join(jax_plugins.__path__)}")

    class Plugin(plugins.DevicePlugin):  # type: ignore[misc]
        def library_path(self) -> str:
            return str(libraries[0])

    plugins.register_plugin(_PLATFORM.upper(), Plugin())
    torch_xla.runtime.initialize_cache(str(cache), readonly=False)
    try:
        torch_xla.device()
    except RuntimeError as error:
        _fail(f"expected a tile device under torch_xla (jax-tt-plugin), found none: {str(error).splitlines()[0]}")
    return _TorchPrograms(planner, cache)


def _watch_jax(planner: Planner, level: str | None, runs: bool) -> None:
    os.environ.setdefault("JAX_PLATFORMS", _PLATFORM)
    try:
        import jax
        import jax_plugins  # noqa: F401
    except ImportError as error:
        _fail(f"expected the packages jax and jax-tt-plugin, found none of {error.name}: pip install jax-tt-plugin")
    try:
        jax.devices()
    except RuntimeError as error:
        _fail(f"expected a tile device under JAX (jax-tt-plugin), found none: {str(error).splitlines()[0]}")
    if level is not None:
        jax.config.update("jax_optimization_level", level)  # what a script says itself comes first
    _watch(planner, runs)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tilemeter.jax_tt", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--board", help="where each program is planned: n150, p150, ... or a description file")
    parser.add_argument("--level", choices=("O0", "O1", "O2"), help="the compiler's optimization level")
    parser.add_argument("--no-run", action="store_true", help="plans alone: results are zeros")
    parser.add_argument("--keep", metavar="FOLDER", type=pathlib.Path, help="where programs and reports stay")
    parser.add_argument("script", metavar="SCRIPT")
    parser.add_argument("arguments", metavar="ARGUMENT", nargs=argparse.REMAINDER)
    options = parser.parse_args(arguments)
    program = _program()
    if not os.path.exists(options.script):
        _fail(f"{options.script}: expected a script, found no such file")
    is_torch = _imports(options.script, "torch_xla")
    if is_torch and (options.no_run or options.level is not None):
        _fail(f"{'--no-run' if options.no_run else '--level'}: expected a script of JAX, found one of torch_xla: {options.script}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        planner = Planner(program, folder, options.board)
        programs = None
        if is_torch:
            cache = pathlib.Path(scratch) / "compiled"
            cache.mkdir()
            programs = _watch_torch_xla(planner, cache)
        else:
            _watch_jax(planner, options.level, not options.no_run)
        sys.argv = [options.script, *options.arguments]
        sys.path.insert(0, os.path.dirname(os.path.abspath(options.script)))
        try:
            runpy.run_path(options.script, run_name="__main__")
        finally:
            if programs is not None:
                programs.end()
            print(f"{planner.count} programs planned, {planner.refused} refused", file=sys.stderr)
        if programs is None and "torch_xla" in sys.modules:
            _fail(f"{options.script}: expected an import of torch_xla in the script itself, found it elsewhere: its programs were not recorded")
    return 3 if options.no_run and planner.refused else 0


if __name__ == "__main__":
    sys.exit(main())
