# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Processes that begin with the package imported, which takes longer than most of what they run.

    done = script_processes.run("traced_script", "main", "SCRIPT", "FOLDER")   # traced_script.main("SCRIPT", "FOLDER")
    done = script_processes.run_module("tilemeter.fleet", "query", "FOLDER")   # python -m tilemeter.fleet query FOLDER
    assert done.returncode == 0, done.stderr

A server imports modules and does nothing else; each run is a fork of it, with its own output, that ends as an interpreter does. So
what one does to the package no other sees, as in an interpreter of its own.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import pathlib
import runpy
import signal
import subprocess
import sys
import tempfile
from typing import Any

MODULES = ("captured_script", "traced_script", "torch_stand_in", "tilemeter._src.fleet.commands", "duckdb")
MOST_SECONDS = 300


@functools.cache
def _server() -> subprocess.Popen[str]:
    environment = {name: value for name, value in os.environ.items() if name != "TILEMETER_DEVICE"}
    server = subprocess.Popen(
        [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )
    atexit.register(server.communicate)
    return server


def run(module: str, function: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Calls a function of a module in a new process, whose status is 0 if it returns. After five minutes it is ended."""
    server = _server()
    assert server.stdin is not None and server.stdout is not None
    with tempfile.TemporaryDirectory() as folder:
        out, err = pathlib.Path(folder, "out"), pathlib.Path(folder, "err")
        print(json.dumps([str(out), str(err), module, function, *arguments]), file=server.stdin, flush=True)
        status = server.stdout.readline()
        assert status, "the server of processes has ended"
        return subprocess.CompletedProcess([function, *arguments], int(status), out.read_text(), err.read_text())


def run_module(module: str, *words: str) -> subprocess.CompletedProcess[str]:
    """`python -m MODULE WORDS`"""
    return run("script_processes", "_run_module", module, *words)


def _run_module(module: str, *words: str) -> None:
    sys.argv[1:] = words
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _call(out: str, err: str, module: str, function: str, *arguments: str) -> Any:
    """What a new process does."""
    signal.alarm(MOST_SECONDS)
    for path, descriptor in ((out, 1), (err, 2), (os.devnull, 0)):
        opened = os.open(path, os.O_RDWR | os.O_CREAT)
        os.dup2(opened, descriptor)
        os.close(opened)
    return getattr(importlib.import_module(module), function)(*arguments)


def _serve() -> None:
    for module in MODULES:
        with contextlib.suppress(ImportError):  # told by the process that needs it
            importlib.import_module(module)
    gc.freeze()  # a collection would write to the pages of all objects, which each process then has of its own
    while request := sys.stdin.readline():
        child = os.fork()
        if child == 0:
            _call(*json.loads(request))
            return  # to the end of the interpreter
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    _serve()
