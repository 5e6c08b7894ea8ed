# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""python -m tilemeter.attach: runs a program with captures of what TT-NN does in it."""

from __future__ import annotations

import argparse
import importlib.util
import os
import pathlib
import sys
from typing import NoReturn

from tilemeter_attach import _captures
from tilemeter_attach._library import AttachError
from tilemeter_attach._observer import attach
from tilemeter_attach._programs import run_program


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"tilemeter.attach: {message} (--help)\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m tilemeter.attach",
        description="Runs a Python program that uses TT-NN and records what TT-NN does, in reports of tilemeter's.",
        usage="%(prog)s [--out REPORT | --follow | --instead] [OPTION...] SCRIPT|-m MODULE [ARGUMENT...]",
    )
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--out", metavar="REPORT", help="one report of the whole run (default: attached.json)")
    kind.add_argument("--follow", action="store_true", help="one beside each capture of the program's own: X.attached.json")
    kind.add_argument("--instead", action="store_true", help="the program's own captures are taken by tilemeter")
    parser.add_argument("--stream", metavar="FILE", help="events go into this recording file; it outlives the process")
    parser.add_argument("--text", action="store_true", help="arguments of operations as texts: 6 to 9 us an operation")
    parser.add_argument("--stacks", action="store_true", help="from where Python called each operation")
    parser.add_argument("-m", dest="module", action="store_true", help="PROGRAM is a module")
    parser.add_argument("program", metavar="SCRIPT|MODULE", nargs="?")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT")
    return parser


def main(command: list[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(command)
    if options.stream and (options.follow or options.instead):
        parser.error("--stream belongs to a capture of the whole run")
    if options.program is None:
        parser.error("which program? SCRIPT or -m MODULE")
    if options.module:
        sys.path.insert(0, "")
        if importlib.util.find_spec(options.program.partition(".")[0]) is None:
            parser.error(f"there is no module {options.program}")
    elif not os.path.exists(options.program):
        parser.error(f"{options.program}: expected a script, found nothing")
    whole: _captures.WholeRun | None = None
    report = pathlib.Path(os.path.abspath(options.out or "attached.json"))
    try:
        # Hours of work are not begun for a report that can't be written.
        for place in () if options.follow or options.instead else (report, options.stream):
            if place is not None:
                _captures.check_writable(pathlib.Path(os.path.abspath(place)))
    except AttachError as error:
        parser.error(str(error))
    try:
        flags = _captures.flags_of(options.text, options.stacks)
        if options.follow:
            _captures.follow(attach(), flags)
        elif options.instead:
            _captures.instead(attach(), flags)
        else:
            capture = _captures.Capture(
                report, stream=options.stream, texts=options.text, stacks=options.stacks
            )
            whole = _captures.WholeRun(capture)
    except AttachError as error:
        # The program runs on as without us.
        print(f"tilemeter: {error}", file=sys.stderr)
    try:
        run_program(options.program, options.arguments, options.module)
    finally:
        if whole is not None:
            whole.end()
        elif _captures.written:
            _captures.say_written(attach())
    return 0


if __name__ == "__main__":
    sys.exit(main())
