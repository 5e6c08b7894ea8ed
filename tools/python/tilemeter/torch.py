# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Captures of PyTorch programs while they run: functions and memory, to the byte, in tilemeter's reports.

    with tilemeter.torch.capture("report.json"):
        ...  # PyTorch

    python -m tilemeter.torch --out report.json SCRIPT [ARGUMENT...]

    tilemeter.torch.fit(function, [8, 16, 32], gpu="24GiB")   # without a GPU: modelled, not run
    python -m tilemeter.torch --gpu 80GiBx8 SCRIPT

PyTorch is imported when a capture begins, not before.
"""

from __future__ import annotations

from tilemeter._src.live.capture import TorchCapture as TorchCapture, capture as capture
from tilemeter._src.live.fit import TorchFit as TorchFit, fit as fit

if __name__ == "__main__":
    import sys

    from tilemeter._src.live.commands import main

    sys.exit(main())
