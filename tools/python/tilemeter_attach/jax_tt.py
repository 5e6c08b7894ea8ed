# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Programs that JAX compiles for tile devices, each planned before it runs.

    python -m tilemeter.jax_tt [--board BOARD] [--level O0|O1|O2] [--no-run] [--keep FOLDER] SCRIPT [ARGUMENT...]

Needs jax and jax-tt-plugin, on a device or on a mock of one (TT_METAL_MOCK_CLUSTER_DESC_PATH). Each program is recorded as the
compiler makes it, planned, and reported on standard error. --board: where it is planned; else the one that it was compiled for.
--level: the compiler's optimization level, where the script chooses none. --no-run: no program runs; results are zeros. --keep: the
programs and their reports stay in FOLDER. Exit status: the script's; with --no-run 3 where a program is refused.

`python -m tilemeter_attach.jax_tt` needs nothing of tilemeter but this package and the program: TILEMETER_PROGRAM names one that
does not lie beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import runpy
import subprocess
import sys
import tempfile
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
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        planner = Planner(program, folder, options.board)
        if options.level is not None:
            jax.config.update("jax_optimization_level", options.level)  # what a script says itself comes first
        _watch(planner, not options.no_run)
        sys.argv = [options.script, *options.arguments]
        sys.path.insert(0, os.path.dirname(os.path.abspath(options.script)))
        runpy.run_path(options.script, run_name="__main__")
        print(f"{planner.count} programs planned, {planner.refused} refused", file=sys.stderr)
    return 3 if options.no_run and planner.refused else 0


if __name__ == "__main__":
    sys.exit(main())
