# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Captures of the real TT-NN: tilemeter's recorder under a program that uses the package `ttnn`, unmodified.

    with tilemeter.attach.capture("report.json"):
        ...  # operations of ttnn

    python -m tilemeter.attach --out report.json SCRIPT [ARGUMENT...]

The package `tilemeter_attach` by its documented name; that one can be imported without tilemeter's extension module.
"""

from __future__ import annotations

from tilemeter_attach import (
    AttachError as AttachError, Capture as Capture, attach as attach, capture as capture, status as status,
)

if __name__ == "__main__":
    import sys

    from tilemeter_attach.__main__ import main

    sys.exit(main())
