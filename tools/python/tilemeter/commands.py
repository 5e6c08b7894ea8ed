# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The command `tilemeter`: the program that comes with the package. `python -m tilemeter` is the same."""

from __future__ import annotations

import os
import pathlib
import sys


def tilemeter() -> None:
    """Becomes the program; `demo` and what asks datasets are the package's own."""
    words = sys.argv[1:]
    if words[:1] == ["demo"]:
        os.execv(sys.executable, [sys.executable, "-m", "tilemeter.demo", *words[1:]])
    # Questions of compilers are in one file: `query` with two words is about a dataset.
    if words[:1] == ["collect"] or (words[:1] == ["query"] and len(words) > 2 and not any(word.startswith("-") for word in words[1:3])):
        os.execv(sys.executable, [sys.executable, "-m", "tilemeter.fleet", *words])
    program = pathlib.Path(__file__).with_name("bin") / "tilemeter"
    try:
        # `tilemeter phases` asks torch, which lies beside the package.
        os.execve(program, ["tilemeter", *sys.argv[1:]], {"TILEMETER_PYTHON": sys.executable, **os.environ})
    except OSError as error:
        sys.exit(f"tilemeter: cannot start {program}: {error.strerror}")


if __name__ == "__main__":
    tilemeter()
