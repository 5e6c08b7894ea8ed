# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A script that captures what it does, in both modes, with `import ttnn` giving tilemeter: FOLDER/NORMAL.json and
FOLDER/NO_DISPATCH.json."""

from __future__ import annotations

import importlib
import runpy
import sys

import tilemeter


def main(script: str, folder: str) -> None:
    sys.modules["ttnn"] = tilemeter
    try:
        importlib.import_module("torch")
    except ImportError:
        importlib.import_module("torch_stand_in").install()
    for mode in ("NORMAL", "NO_DISPATCH"):
        sys.argv = [script, f"{folder}/{mode}.json", mode]
        runpy.run_path(script, run_name="__main__")
