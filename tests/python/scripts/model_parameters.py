# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A torch model's parameters preprocessed within a capture, by default and by a preprocessor of one's own, then its layers."""

import sys
import tempfile

import torch
import ttnn
from ttnn.model_preprocessing import (
    ParameterDict,
    fold_batch_norm2d_into_conv2d,
    preprocess_linear_bias,
    preprocess_linear_weight,
    preprocess_model,
    preprocess_model_parameters,
)

torch.manual_seed(0)


class Attention(torch.nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.query = torch.nn.Linear(hidden, hidden)
        self.key = torch.nn.Linear(hidden, hidden)
        self.value = torch.nn.Linear(hidden, hidden)
        self.out = torch.nn.Linear(hidden, hidden, bias=False)


class Layer(torch.nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.attention = Attention(hidden)
        self.norm = torch.nn.LayerNorm(hidden)
        self.mlp = torch.nn.Sequential(torch.nn.Linear(hidden, 4 * hidden), torch.nn.GELU(), torch.nn.Linear(4 * hidden, hidden))
        self.scale = torch.nn.Parameter(torch.ones(hidden))


class Encoder(torch.nn.Module):
    def __init__(self, vocabulary=128, hidden=64, layers=2):
        super().__init__()
        self.embeddings = torch.nn.Embedding(vocabulary, hidden)
        self.layers = torch.nn.ModuleList(Layer(hidden) for _ in range(layers))
        self.head = torch.nn.Linear(hidden, 2)


class Stem(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 32, 3, padding=1)
        self.bn = torch.nn.BatchNorm2d(32)

    def forward(self, x):
        return self.bn(self.conv(x))


def fused_heads(model, name):
    parameters = {}
    if isinstance(model, Attention):
        parts = model.query, model.key, model.value
        parameters["qkv"] = {
            "weight": preprocess_linear_weight(
                torch.nn.Parameter(torch.cat([part.weight for part in parts])), dtype=ttnn.bfloat16
            ),
            "bias": preprocess_linear_bias(torch.cat([part.bias for part in parts]), dtype=ttnn.bfloat8_b),
        }
        parameters["out"] = {"weight": preprocess_linear_weight(model.out.weight, dtype=ttnn.bfloat8_b)}
    return parameters


def folded(model, name, ttnn_module_args):
    parameters = {}
    if isinstance(model, Stem):
        assert list(ttnn_module_args) == ["conv", "bn"] and ttnn_module_args.conv.input_height == 16
        weight, bias = fold_batch_norm2d_into_conv2d(model.conv, model.bn)
        parameters["weight"] = ttnn.from_torch(weight, dtype=ttnn.float32)
        parameters["bias"] = ttnn.from_torch(bias.reshape(1, 1, 1, -1), dtype=ttnn.float32)
    return parameters


scratch = tempfile.TemporaryDirectory()
ttnn.CONFIG.tmp_dir = scratch.name
device = ttnn.open_device(device_id=0)
model = Encoder().eval()
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))

plain = preprocess_model_parameters(initialize_model=lambda: model, device=device)
assert isinstance(plain, ParameterDict) and 1 in plain.layers and 2 not in plain.layers
del plain
parameters = preprocess_model_parameters(
    initialize_model=lambda: model, custom_preprocessor=fused_heads, device=device,
    convert_to_ttnn=lambda model, name: name != "encoder.head", prefix="encoder",
)
stem = preprocess_model(
    initialize_model=lambda: Stem().eval(), custom_preprocessor=folded, run_model=lambda m: m(torch.rand(1, 3, 16, 16))
)
assert stem.weight.shape == (32, 3, 3, 3)

ids = ttnn.from_torch(torch.randint(0, 128, (1, 32)), dtype=ttnn.uint32, device=device)
x = ttnn.to_layout(ttnn.embedding(ids, parameters.embeddings.weight), ttnn.TILE_LAYOUT)
for layer in parameters.layers:
    qkv = ttnn.linear(x, layer.attention.qkv.weight, bias=layer.attention.qkv.bias, memory_config=ttnn.L1_MEMORY_CONFIG)
    query, key, value = ttnn.transformer.split_query_key_value_and_split_heads(qkv, num_heads=2)
    ttnn.deallocate(qkv)
    scores = ttnn.softmax(ttnn.matmul(query, key), dim=-1)
    mixed = ttnn.transformer.concatenate_heads(ttnn.matmul(scores, value))
    x = ttnn.add(x, ttnn.linear(mixed, layer.attention.out.weight))
    x = ttnn.layer_norm(x, weight=layer.norm.weight, bias=layer.norm.bias)
    h = ttnn.linear(x, layer.mlp[0].weight, bias=layer.mlp[0].bias, activation="gelu")
    x = ttnn.add(x, ttnn.linear(h, layer.mlp[2].weight, bias=layer.mlp[2].bias))
pooled = ttnn.to_torch(x)[:, 0].float()
logits = pooled @ parameters.head.weight.float() + parameters.head.bias.float()
assert logits.shape == (1, 2)

ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
