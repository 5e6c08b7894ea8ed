# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""python -m tilemeter.torch: runs a program with a capture of what PyTorch does in it."""

from __future__ import annotations

import argparse
import importlib.util
import os
import pathlib
import sys
from typing import NoReturn

from tilemeter._src.live.capture import TorchCapture, is_orderly_exit
from tilemeter._src.live.late_import import after_import
from tilemeter._src.live.library import BuildError
from tilemeter._src.live.stand_in import environment, is_modelled
from tilemeter._tilemeter import CaptureError, check_report_path
from tilemeter_attach._programs import before_sudden_exit, run_program


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"tilemeter.torch: {message} (--help)\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m tilemeter.torch",
        description="Runs a Python program that uses PyTorch and records what PyTorch does, in a report.",
        usage="%(prog)s [--out REPORT] [--device cuda|cpu | --gpu SIZE[xN]] [--stream FILE] SCRIPT|-m MODULE [ARGUMENT...]",
    )
    parser.add_argument("--out", metavar="REPORT", default="torch.json", help="the report of the run (default: torch.json)")
    parser.add_argument("--device", choices=("cuda", "cpu"), help="whose memory the report is of (default: cuda where it is)")
    parser.add_argument("--gpu", metavar="SIZE[xN]", help="on GPUs that are modelled, such as 80GiBx8: the program runs, kernels do nothing")
    parser.add_argument("--stream", metavar="FILE", help="events go into this recording file; it outlives the process")
    parser.add_argument("-m", dest="module", action="store_true", help="PROGRAM is a module")
    parser.add_argument("program", metavar="SCRIPT|MODULE", nargs="?")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT")
    return parser


class _WholeRun:
    """The capture of all that a process does, from PyTorch's import on."""

    def __init__(self, report: pathlib.Path, device: str | None, stream: str | None) -> None:
        self._report = report
        self._device = device
        self._stream = stream
        self._owner = os.getpid()
        self._capture: TorchCapture | None = None
        self._ended = False
        before_sudden_exit(self.end)

    def begin(self) -> None:
        try:
            self._capture = TorchCapture(self._report, device=self._device, stream=self._stream)
        except CaptureError as error:
            print(f"tilemeter: {error}", file=sys.stderr)  # the program runs on as without us

    def fail(self, error: BaseException) -> None:
        if self._capture is not None:
            self._capture.fail(error)

    def end(self) -> None:
        """What was forked may come here, too."""
        if os.getpid() != self._owner or self._ended:
            return
        self._ended = True
        if self._capture is None:
            if "torch" not in sys.modules:
                print("tilemeter: the program never imported torch: there is no report", file=sys.stderr)
            return
        try:
            self._capture.end()
        except CaptureError as error:
            print(f"tilemeter: {error}", file=sys.stderr)
        if said := self._capture.summary():
            print(f"tilemeter: {said}", file=sys.stderr)


def main(command: list[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(command)
    if options.program is None:
        parser.error("which program? SCRIPT or -m MODULE")
    if options.gpu is not None and options.device is not None:
        parser.error("--gpu and --device: expected one of them, found both; a report of GPUs that are modelled is of their memory")
    if options.module:
        sys.path.insert(0, "")
        if importlib.util.find_spec(options.program.partition(".")[0]) is None:
            parser.error(f"there is no module {options.program}")
    elif not os.path.isfile(options.program):
        parser.error(f"{options.program}: expected a script, found nothing")
    report = pathlib.Path(os.path.abspath(options.out))
    try:
        for place in (report, options.stream):  # hours of work are not begun for a report that can't be written
            if place is not None:
                check_report_path(pathlib.Path(os.path.abspath(place)))
    except CaptureError as error:
        parser.error(str(error))
    if options.gpu is not None and not is_modelled():
        _with_gpu(parser, options.gpu, sys.argv[1:] if command is None else command)
    run = _WholeRun(report, options.device, options.stream and os.path.abspath(options.stream))
    after_import("torch", run.begin)
    try:
        run_program(options.program, options.arguments, options.module)
    except BaseException as error:
        if not is_orderly_exit(error):
            run.fail(error)
        raise
    finally:
        run.end()
    return 0


def _with_gpu(parser: argparse.ArgumentParser, gpu: str, command: list[str]) -> NoReturn:
    """The same command in a process that has the GPU from its first instruction on."""
    try:
        variables = environment(gpu)
    except (BuildError, ValueError) as error:
        parser.error(str(error))
    print(f"tilemeter: {gpu}: modelled, not run", file=sys.stderr, flush=True)
    os.execve(sys.executable, [sys.executable, "-m", "tilemeter.torch", *command], os.environ | variables)
