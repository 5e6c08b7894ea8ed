# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Programs that JAX compiles for tile devices, each planned before it runs.

    python -m tilemeter.jax_tt [--board BOARD] [--level O0|O1|O2] [--no-run] [--keep FOLDER] SCRIPT [ARGUMENT...]

`python -m tilemeter_attach.jax_tt` is the same, and can be started where tilemeter's extension module cannot be imported.
"""

from __future__ import annotations

from tilemeter_attach.jax_tt import Planner as Planner, main as main

if __name__ == "__main__":
    import sys

    sys.exit(main())
