# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Captures of the real TT-NN: tilemeter's recorder under a program that uses the package `ttnn`, unmodified.

A package of its own, without tilemeter's extension module: what is observed is TT-NN, and a program that is only observed
loads nothing else. `tilemeter.attach` is this package by its documented name.

    with tilemeter.attach.capture("report.json"):
        ...  # operations of ttnn

    python -m tilemeter.attach --out report.json SCRIPT [ARGUMENT...]
"""

from __future__ import annotations

from tilemeter_attach._captures import Capture as Capture
from tilemeter_attach._captures import capture as capture
from tilemeter_attach._library import AttachError as AttachError
from tilemeter_attach._observer import attach as attach
from tilemeter_attach._observer import status as status

__all__ = ["AttachError", "Capture", "attach", "capture", "status"]
