# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The largest batch that fits, by planning alone: nothing is computed, and no device is needed.

    python largest_batch.py        # TILEMETER_DEVICE=p150 plans for another board
"""

import tilemeter as ttnn

L1 = ttnn.L1_MEMORY_CONFIG


def perceptron(device: ttnn.MeshDevice, batch: int) -> ttnn.Tensor:
    def tiles(*shape: int) -> ttnn.Tensor:
        return ttnn.zeros(list(shape), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)

    x = ttnn.to_memory_config(tiles(batch, 1, 128, 384), L1)
    hidden = ttnn.gelu(ttnn.matmul(x, tiles(384, 1536), memory_config=L1), memory_config=L1)
    return ttnn.matmul(hidden, tiles(1536, 384), memory_config=L1)


def main() -> None:
    device = ttnn.open_device(device_id=0)
    fit = ttnn.graph.fit_workload(lambda batch: perceptron(device, batch), smallest=1, largest=1024)
    print(f"largest batch that fits: {fit.largest.size}, {fit.largest.l1_bytes:,} B of L1 per core")
    print(f"batch {fit.first_failing.size} meets: {fit.first_failing.verdict} in {fit.first_failing.operation}")
    print(fit.first_failing.message.splitlines()[0])
    ttnn.close_device(device)


if __name__ == "__main__":
    main()
