# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A variational autoencoder with its losses."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.from_torch(torch.randn(*shape), dtype=dtype, layout=layout, device=device, memory_config=memory_config)


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


b = 64
dims = [784, 256, 64, 16]
x = tensor(b, 784)
enc = [(tensor(i, o), tensor(1, o)) for i, o in zip(dims, dims[1:])]
dec = [(tensor(o, i), tensor(1, i)) for i, o in reversed(list(zip(dims, dims[1:])))]
eps = tensor(b, 16)
begin()
h = x
for w, c in enc:
    h = ttnn.linear(h, w, bias=c, activation="relu")
mu, logvar = h, ttnn.mul(h, 0.5)
z = ttnn.add(mu, ttnn.mul(eps, ttnn.exp(logvar)))
for i, (w, c) in enumerate(dec):
    z = ttnn.linear(z, w, bias=c)
    z = ttnn.sigmoid(z) if i == 2 else ttnn.leaky_relu(z, 0.1)
diff = ttnn.subtract(z, x)
mse = ttnn.mean(ttnn.square(diff))
mae = ttnn.mean(ttnn.abs(diff))
l1 = ttnn.l1_loss(z, x, reduction=ttnn.LossReductionMode.MEAN)
l2 = ttnn.mse_loss(z, x, reduction=ttnn.LossReductionMode.SUM)
l0 = ttnn.mse_loss(z, x)
kl = ttnn.sum(ttnn.sub(ttnn.add(ttnn.square(mu), ttnn.exp(logvar)), ttnn.add(logvar, 1.0)), dim=-1)
kl = ttnn.mul(ttnn.mean(kl), 0.5)
bce = ttnn.neg(ttnn.mean(ttnn.add(ttnn.mul(x, ttnn.log(z)), ttnn.mul(ttnn.rsub(x, 1.0), ttnn.log(ttnn.rsub(z, 1.0))))))
end()
ttnn.close_device(device)
