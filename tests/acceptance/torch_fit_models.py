# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""What one way to know a training step's peak says of ten models; a line of JSON for each.

usage: torch_fit_models.py device|mem_tracker|fake|modelled MODEL...
"""

from __future__ import annotations

import json
import sys

import torch
from torch_capture_model import made, train


def step(name: str) -> object:
    torch.manual_seed(0)
    net = made(name).to("cuda")
    train(net, torch.randint(1, 500, (4, 32)).to("cuda"))
    return net


def of_device(name: str) -> int:
    """PyTorch's own count, of the device that is there."""
    torch.cuda.init()
    torch.cuda.reset_peak_memory_stats()
    step(name)
    return int(torch.cuda.memory_stats()["requested_bytes.all.peak"])


def tracked(name: str, device: str = "cuda") -> int:
    """MemTracker takes no module from one device to another, and forgets modules between two rounds."""
    from torch.distributed._tools.mem_tracker import MemTracker

    torch.manual_seed(0)
    tracker = MemTracker()
    with tracker:
        with torch.device(device):
            net = made(name)
            ids = torch.randint(1, 500, (4, 32))
        train(net, ids, between=tracker.reset_mod_stats)
    return max(each["Total"] for place, each in tracker.get_tracker_snapshot("peak").items() if place.type == device)


def faked(name: str) -> int:
    """As on the host: without a GPU autograd takes no fake tensors of CUDA."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode(allow_non_fake_inputs=True):
        return tracked(name, "cpu")


def main() -> int:
    torch.backends.cudnn.enabled = False
    way, *names = sys.argv[1:]
    if way == "modelled":
        import tilemeter.torch

        for row in tilemeter.torch.fit(step, names, gpu="80GiB", values="zeros"):
            print(json.dumps({"model": row["size"], "peak": row["peak_bytes"], "said": row["message"]}), flush=True)
        return 0
    ask = {"device": of_device, "mem_tracker": tracked, "fake": faked}[way]
    for name in names:
        try:
            print(json.dumps({"model": name, "peak": ask(name), "said": None}), flush=True)
        except Exception as error:  # a way that doesn't take a model says so in the table
            print(json.dumps({"model": name, "peak": None, "said": f"{type(error).__name__}: {error}".splitlines()[0]}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
