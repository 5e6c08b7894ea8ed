# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""In how many threads values are computed: TILEMETER_THREADS, else the CPUs that the process may run on."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

_RUN = """
import os, sys
cpus = int(sys.argv[1])
if cpus:
    os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:cpus]))
import numpy
import tilemeter as ttnn

def threads():
    return len(os.listdir("/proc/self/task"))

device = ttnn.open_device(device_id=0, l1_small_size=16384)
values = numpy.random.default_rng(0).standard_normal((1, 1, 1024, 512)).astype(numpy.float32)
x = ttnn.from_numpy(values, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device)
ttnn.add(x[:, :, :32, :32], 1.0)
before = threads()
product = ttnn.matmul(ttnn.exp(x), x, transpose_b=True)
weight = ttnn.from_numpy(numpy.ones((64, 512, 3, 3), numpy.float32), dtype=ttnn.float32)
rows = ttnn.to_layout(x, ttnn.ROW_MAJOR_LAYOUT)
ttnn.conv2d(input_tensor=rows, weight_tensor=weight, device=device, in_channels=512, out_channels=64, batch_size=1,
            input_height=32, input_width=32, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1), dilation=(1, 1), groups=1)
print(threads() - before, float(numpy.abs(product.to_numpy()).sum()))
"""


def threads_made(threads: str | None, cpus: int = 0) -> tuple[int, float]:
    """The numbers of threads that a product, a function and a convolution begin, and the sum of the product."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    environment.pop("TILEMETER_THREADS", None)
    if threads is not None:
        environment["TILEMETER_THREADS"] = threads
    done = subprocess.run(
        [sys.executable, "-c", _RUN, str(cpus)], capture_output=True, text=True, timeout=300, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    made, total = done.stdout.split()
    return int(made), float(total)


@pytest.mark.parametrize(("threads", "cpus", "helpers"), [("1", 0, 0), ("3", 0, 2), (None, 1, 0), ("2", 1, 1)])
def test_values_are_computed_in_as_many_threads_as_asked_for(threads: str | None, cpus: int, helpers: int) -> None:
    made, total = threads_made(threads, cpus)
    alone, expected = threads_made("1")  # with the thread that leaves the caller's free to be interrupted
    assert made - alone == helpers
    assert total == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("threads", ["0", "many", "-1", ""])
def test_a_number_of_threads_that_is_none_counts_as_none_given(threads: str) -> None:
    assert threads_made(threads, cpus=1)[0] == threads_made("1")[0]
