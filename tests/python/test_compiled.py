# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Compiled programs in Python: planned as the program `tilemeter` does, run with the values that NumPy computes, traced."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from typing import Any

import numpy as np

import tilemeter as ttnn
from tilemeter import trace

DATA = pathlib.Path(__file__).resolve().parents[1] / "data/compiled"


def mlp_inputs() -> dict[str, Any]:
    random = np.random.default_rng(7)
    return {"x": random.normal(size=(32, 784)), "w1": random.normal(size=(784, 256)) / 28, "b1": random.normal(size=256),
            "w2": random.normal(size=(256, 10)) / 16, "b2": random.normal(size=10)}  # fmt: skip


def mlp(x: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    logits = np.maximum(x @ w1 + b1, 0) @ w2 + b2
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


class CompiledProgram(unittest.TestCase):
    def setUp(self) -> None:
        self.addCleanup(os.environ.__setitem__, "TILEMETER_DEVICE", os.environ.get("TILEMETER_DEVICE", "n150"))
        os.environ["TILEMETER_DEVICE"] = "p150"

    def test_is_planned_as_the_program_does(self) -> None:
        planned = ttnn.load_compiled(DATA / "mlp_o2.mlir").plan()
        self.assertEqual((planned["board"], planned["refused"], planned["unknown_operations"]), ("p150", None, {}))
        self.assertIn("planned to its end", str(planned))
        self.assertEqual(ttnn.graph.fit(planned.nodes).verdict, "fits")
        refused = ttnn.load_compiled(DATA / "conv_row_o0.mlir").plan("p150")
        self.assertEqual((refused["refused"]["operation"], refused["refused"]["place"]), ("ttnn.conv1d", "programs_fail.py:8"))

    def test_runs_with_the_values_that_numpy_computes(self) -> None:
        program = ttnn.load_compiled(DATA / "mlp_o2.mlir")
        self.addCleanup(program.close)
        given = mlp_inputs()
        self.assertEqual(program.names, list(given))
        [by_name] = program.run(**given)
        [by_place] = program.run(*given.values())
        expected = mlp(**given)
        for result in (by_name, by_place):
            np.testing.assert_allclose(ttnn.to_numpy(result).astype(np.float32), expected, atol=0.03)
        with self.assertRaisesRegex(TypeError, "^run: expected inputs x, w1, b1, w2, b2, found 1 by place, no w1, no b1, no w2, no b2$"):
            program.run(given["x"])
        with self.assertRaisesRegex(TypeError, r"^run: input x: expected the shape \[32, 784\], found \[784, 256\]$"):
            program.run(**{**given, "x": given["w1"]})

    def test_is_a_graph_of_its_calls(self) -> None:
        program = ttnn.load_compiled(DATA / "train_step_o0.mlir")
        self.addCleanup(program.close)
        self.assertIn("ttnn.matmul", str(program.graph))
        device = ttnn.open_device(device_id=0, l1_small_size=65536)
        inputs = program.make_inputs(device)
        self.assertEqual(trace.plan(program.on(device), *inputs).peak().verdict, "fits")
        placed = trace.place(program.on(device), *inputs, l1=400_000)
        self.assertLess(placed.dram_bytes, placed.all_dram_bytes)

    def test_is_refused_in_one_line(self) -> None:
        with self.assertRaises(FileNotFoundError):
            ttnn.load_compiled("no_such_file.mlir")
        with self.assertRaisesRegex(ValueError, "test_compiled.py: expected a module with operations of the TTNN dialect"):
            ttnn.load_compiled(__file__)

    def of_a_script(self, *words: str) -> tuple[int, str]:
        """Exit status and errors of jax_tt where no package is installed."""
        done = subprocess.run(
            [sys.executable, "-S", "-m", "tilemeter_attach.jax_tt", *words], capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(pathlib.Path(ttnn.__file__).parents[1])},
        )  # fmt: skip
        return done.returncode, done.stderr

    def test_of_jax_needs_jax_and_says_so(self) -> None:
        missing = "jax_tt: expected the packages jax and jax-tt-plugin, found none of jax: pip install jax-tt-plugin\n"
        self.assertEqual(self.of_a_script(__file__), (1, missing))

    def test_of_torch_xla_needs_that_and_says_so(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "model.py"
            for line in ("import torch_xla.core.xla_model as xm", "from torch_xla import device", "def f():\n    import torch_xla"):
                script.write_text(line + "\n")
                missing = "expected the packages torch_xla and jax-tt-plugin, found none of torch_xla: pip install torch_xla jax-tt-plugin"
                self.assertEqual(self.of_a_script(str(script)), (1, f"jax_tt: {missing}\n"))
            found = f"expected a script of JAX, found one of torch_xla: {script}\n"
            self.assertEqual(self.of_a_script("--no-run", str(script)), (1, f"jax_tt: --no-run: {found}"))
            self.assertEqual(self.of_a_script("--level", "O2", str(script)), (1, f"jax_tt: --level: {found}"))
            script.write_text("from . import torch_xla\n")
            self.assertIn("found none of jax", self.of_a_script(str(script))[1])


if __name__ == "__main__":
    unittest.main()
