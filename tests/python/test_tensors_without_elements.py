# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Each operation called with tensors without elements, drawn at random: it answers or refuses in words, and the process
lives. (TT-NN's dies of some of them by a division by zero.)"""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import pytest

import tilemeter as ttnn

SHAPES = ([0], [0, 3], [3, 0], [0, 32], [2, 0, 5], [2, 3, 0, 4], [1, 1, 0, 64], [2, 0, 3, 1, 4])
OTHER_CALLS = ("deallocate", "dump_tensor", "load_tensor", "from_buffer", "as_tensor", "manual_seed", "close_device")


def names() -> list[str]:
    found = []
    for module, prefix in ((ttnn, ""), (ttnn.experimental, "experimental."), (ttnn.transformer, "transformer.")):
        for name in sorted(dir(module)):
            if type(getattr(module, name)).__name__ == type(ttnn.add).__name__ and name not in OTHER_CALLS:
                found.append(prefix + name)
    return found


def arguments(draw: random.Random, device: Any) -> list[Any]:
    shape = draw.choice(SHAPES)
    dtype = draw.choice((ttnn.bfloat16, ttnn.bfloat16, ttnn.float32, ttnn.uint32, ttnn.int32))

    def tensor() -> Any:
        other = shape if draw.random() < 0.6 else draw.choice((*SHAPES, [3, 5], [1, 1, 32, 32], shape[::-1]))
        layout = draw.choice((ttnn.TILE_LAYOUT, ttnn.ROW_MAJOR_LAYOUT))
        return ttnn.zeros(other, dtype=draw.choice((dtype, dtype, ttnn.uint32)), layout=layout, device=device)

    made: list[Any] = [[tensor(), tensor()] if draw.random() < 0.1 else tensor()]
    for _ in range(draw.randrange(4)):
        dim = draw.randrange(-len(shape), len(shape))
        made.append(draw.choice((tensor, tensor, lambda: dim, lambda: 0.5, lambda: 2, lambda: shape))())
    return made


def walk(share: int, shares: int) -> None:
    device = ttnn.open_device(device_id=0)
    draw = random.Random(share)
    for name in names()[share::shares]:
        operation = ttnn
        for part in name.split("."):
            operation = getattr(operation, part)
        for _ in range(12):
            given = arguments(draw, device)
            print(name, [getattr(each, "shape", each) for each in given], flush=True)
            try:
                operation(*given)
            except (RuntimeError, TypeError, ValueError, IndexError, AttributeError, ImportError):
                pass


@pytest.mark.parametrize("share", range(4))
def test_no_call_kills_the_process(share: int) -> None:
    assert len(names()) > 300
    done = subprocess.run([sys.executable, __file__, str(share)], capture_output=True, text=True, timeout=300)
    calls = done.stdout.splitlines()
    assert done.returncode == 0, (done.returncode, calls[-1] if calls else "", done.stderr[-2000:])


if __name__ == "__main__":
    walk(int(sys.argv[1]), 4)
