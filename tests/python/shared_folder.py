# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The folder of recordings of TT-NN that are too large for the repository."""

from __future__ import annotations

import os
import pathlib

_NAMED = os.environ.get("TILEMETER_SHARED")
SHARED = pathlib.Path(_NAMED or pathlib.Path(__file__).resolve().parents[3] / "shared").resolve()
if _NAMED and not SHARED.is_dir():  # tests skip what is not there; a wrong name would skip all of them
    raise NotADirectoryError(f"TILEMETER_SHARED: expected a folder, found {_NAMED}")
