# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of torch's models: texts, files and sizes are those that TT-NN 0.81.1 gave for the same calls."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

import tilemeter as ttnn

torch = pytest.importorskip("torch")
from tilemeter import model_preprocessing as mp  # noqa: E402


def _model() -> Any:
    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.emb = torch.nn.Embedding(10, 32)
            self.layers = torch.nn.ModuleList([torch.nn.Linear(32, 64), torch.nn.Linear(64, 32)])
            self.c = torch.nn.Conv2d(2, 2, 1)

    return Model().eval()


_TEXT = """{
  emb: {
    weight: ttnn.Tensor(shape=Shape([10, 32]), layout=Layout.ROW_MAJOR, dtype=DataType.BFLOAT16)
  },
  layers: [
    {
      weight: ttnn.Tensor(shape=Shape([32, 64]), layout=Layout.TILE, dtype=DataType.BFLOAT16),
      bias: ttnn.Tensor(shape=Shape([1, 64]), layout=Layout.TILE, dtype=DataType.BFLOAT16)
    },
    {
      weight: ttnn.Tensor(shape=Shape([64, 32]), layout=Layout.TILE, dtype=DataType.BFLOAT16),
      bias: ttnn.Tensor(shape=Shape([1, 32]), layout=Layout.TILE, dtype=DataType.BFLOAT16)
    }
  ],
  c: {
    weight: torch.Tensor(shape=torch.Size([2, 2, 1, 1]), dtype=torch.float32),
    bias: torch.Tensor(shape=torch.Size([2]), dtype=torch.float32)
  }
}"""


def test_parameters_have_the_names_of_their_modules_and_torchs_values() -> None:
    model = _model()
    found = mp.preprocess_model_parameters(initialize_model=lambda: model, convert_to_ttnn=lambda module, name: name != "c")
    assert repr(found) == _TEXT
    assert torch.equal(ttnn.to_torch(found.layers[0].weight), model.layers[0].weight.T.to(torch.bfloat16))
    assert torch.equal(ttnn.to_torch(found.emb.weight), model.emb.weight.to(torch.bfloat16))
    with pytest.raises(KeyError, match="head"):
        found.head
    assert repr(mp.make_parameter_dict({"x": {}, "y": mp.ParameterList(), "z": mp.Conv2dArgs(a=1, b="q")})) == (
        "{\n  x: {},\n  y: [],\n  z: {\n    a: 1,\n    b: q\n  }\n}"
    )


def test_parameters_are_kept_under_a_name_and_a_version(tmp_path: pathlib.Path) -> None:
    def load(version: str, make: Any = None) -> Any:
        return mp.preprocess_model_parameters(
            model_name="a/b", version=version, initialize_model=make, convert_to_ttnn=lambda module, name: name != "c"
        )

    with ttnn.manage_config("model_cache_path", tmp_path), ttnn.manage_config("enable_model_cache", True):
        made = load("v1", _model)
        kept = load("v1")
        with pytest.raises(RuntimeError, match=r'Cached weights for the model a/b \(version "v2"\) don\'t exist'):
            load("v2")
        newer = load("v2", _model)
    names = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    layers = {f"a_b/layers/{index}/{name}.tensorbin" for index in (0, 1) for name in ("weight", "bias")}
    assert names == layers | {"a_b/version.txt", "a_b/emb/weight.tensorbin", "a_b/c/weight.pt", "a_b/c/bias.pt"}
    assert torch.equal(ttnn.to_torch(kept.layers[1].bias), ttnn.to_torch(made.layers[1].bias))
    assert torch.equal(kept.c.weight, made.c.weight) and not torch.equal(newer.c.weight, made.c.weight)


def test_keeping_parameters_removes_nothing_of_somebody_else(tmp_path: pathlib.Path) -> None:
    cache = tmp_path / "cache"
    (cache / "mine").mkdir(parents=True)
    (cache / "mine" / "thesis.txt").write_text("important")
    with ttnn.manage_config("model_cache_path", cache), ttnn.manage_config("enable_model_cache", True):
        for name in ("", ".", ".."):
            with pytest.raises(ValueError, match="expected a name for a folder"):
                mp.preprocess_model_parameters(model_name=name, version="v1", initialize_model=_model)
        with pytest.raises(RuntimeError, match="found a folder without version.txt"):
            mp.preprocess_model_parameters(model_name="mine", version="v1", initialize_model=_model)
    assert [path.relative_to(tmp_path).as_posix() for path in sorted(tmp_path.rglob("*"))] == [
        "cache", "cache/mine", "cache/mine/thesis.txt"]


def test_sizes_are_those_that_modules_ran_on() -> None:
    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.conv1 = torch.nn.Conv2d(3, 16, 3, padding=1)
            self.pool = torch.nn.MaxPool2d(2)
            self.gn = torch.nn.GroupNorm(4, 16)
            self.inner = torch.nn.Sequential(torch.nn.Conv2d(16, 16, 1), torch.nn.ReLU())
            self.never = torch.nn.Conv2d(1, 1, 1)

        def forward(self, x: Any) -> Any:
            return self.inner(self.gn(self.pool(self.conv1(x))))

    model = Model().eval()
    assert mp.infer_ttnn_module_args(model=model, run_model=None, device=None) is None
    found = mp.infer_ttnn_module_args(model=model, run_model=lambda m: m(torch.rand(1, 3, 16, 16)), device=None)
    assert list(found) == ["conv1", "pool", "gn", "inner"] and list(found.inner) == ["0", 0, "1", 1]
    assert isinstance(found.conv1, mp.Conv2dArgs) and found.inner[1] == {}
    assert found.conv1 == {
        "in_channels": 3, "out_channels": 16, "kernel_size": (3, 3), "stride": (1, 1), "padding": (1, 1), "dilation": (1, 1),
        "groups": 1, "padding_mode": "zeros", "batch_size": 1, "input_height": 16, "input_width": 16,
        "math_fidelity": ttnn.MathFidelity.HiFi4, "dtype": ttnn.bfloat16, "weights_dtype": ttnn.bfloat16,
        "use_1d_systolic_array": True, "enable_auto_formatting": False,
        "conv_blocking_and_parallelization_config_override": {}, "device": None,
    }
    assert found.pool == {
        "kernel_size": 2, "stride": 2, "padding": 0, "dilation": 1, "batch_size": 1, "input_channels": 16,
        "input_height": 16, "input_width": 16, "dtype": ttnn.bfloat16,
    }
    assert list(found.pool)[4:6] == ["batch_size", "input_channels"]
    assert found.gn == {
        "num_groups": 4, "num_channels": 16, "eps": 1e-05, "affine": True, "batch_size": 1, "input_height": 8,
        "input_width": 8, "dtype": ttnn.bfloat16,
    }


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"custom_preprocessor": lambda model: {}}, RuntimeError, "must have at least two parameters: model and name"),
        ({"custom_preprocessor": lambda model, name, foo: {}}, RuntimeError, "Unsupported parameter: foo"),
        ({"initialize_model": lambda: torch.nn.Conv2d(4, 4, 1).half()}, KeyError, "torch.float16"),
        ({"initialize_model": lambda: torch.nn.ModuleList([torch.nn.Linear(4, 4)])}, AttributeError, "no attribute 'items'"),
        ({"initialize_model": None}, TypeError, "expected initialize_model"),
    ],
)
def test_what_is_wrong_is_said(options: dict[str, Any], error: type[Exception], message: str) -> None:
    given = {"initialize_model": lambda: torch.nn.Linear(2, 3), **options}
    with pytest.raises(error, match=message):
        mp.preprocess_model_parameters(**given)


def test_a_norm_is_folded_into_the_convolution_before_it() -> None:
    conv, norm = torch.nn.Conv2d(2, 3, 3), torch.nn.BatchNorm2d(3).eval()
    with torch.no_grad():
        for values in (norm.weight, norm.bias, norm.running_mean):
            values.normal_()
        weight, bias = mp.fold_batch_norm2d_into_conv2d(conv, norm)
        x = torch.rand(1, 2, 8, 8)
        assert torch.allclose(torch.nn.functional.conv2d(x, weight, bias), norm(conv(x)), atol=1e-5)
    with pytest.raises(RuntimeError, match="track_running_stats=True"):
        mp.fold_batch_norm2d_into_conv2d(conv, torch.nn.BatchNorm2d(3, track_running_stats=False))
