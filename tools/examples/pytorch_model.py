# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A model of torchvision through torch.compile: what it takes of a device, planned before it runs.

    python -m tilemeter.as_ttnn pytorch_model.py [MODEL]     # resnet18 unless given; needs torch, torchvision, torch_ttnn
"""

import contextlib
import os
import sys

import torch
import torch_ttnn
import torchvision
import ttnn


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "resnet18"
    device = ttnn.open_device(device_id=0, l1_small_size=16384)
    model = getattr(torchvision.models, name)().eval().to(torch.bfloat16)
    option = torch_ttnn.TorchTtnnOption(device=device, verbose=False)
    compiled = torch.compile(model, backend=torch_ttnn.backend, options=option)
    image = torch.zeros(1, 3, 224, 224, dtype=torch.bfloat16)
    # torch_ttnn prints the code that it makes.
    with torch.no_grad(), open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        with ttnn.graph.capture(f"{name}.json", run_mode=ttnn.graph.RunMode.NO_DISPATCH) as taken:
            compiled(image)
    peak = taken.peak()
    print(f"{peak.verdict}: {peak.l1.bytes:,} of {peak.l1.limit_bytes:,} B of L1 per core, in {peak.l1.operation}")
    print(f"{peak.dram.bytes:,} of {peak.dram.limit_bytes:,} B of DRAM per bank, in {peak.dram.operation}")
    ttnn.close_device(device)


if __name__ == "__main__":
    main()
