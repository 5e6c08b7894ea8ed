# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Compiled programs: what tt-mlir makes of a model, planned, run and traced here.

    program = tilemeter.load_compiled("model.mlir")     # a module, a log with one, a .ttnn file, a plugin's executable
    print(program.plan())                               # what it takes, and where it would be refused
    program.run(x, weights)                             # the values, computed on the host
    program.graph                                       # its calls as a graph
"""

from __future__ import annotations

from tilemeter.trace._functions.compiled_program import (
    CompiledProgram as CompiledProgram, Plan as Plan, load_compiled as load_compiled,
)
