# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A torch model's parameters as tensors of ours, in a tree with the names of its modules. Needs torch.

    parameters = preprocess_model_parameters(initialize_model=lambda: model, device=device)
    ttnn.linear(x, parameters.encoder.layers[0].dense.weight, bias=parameters.encoder.layers[0].dense.bias)

With a model_name and CONFIG.enable_model_cache they are kept in CONFIG.model_cache_path, under a version (the commit that
is checked out, unless given), and read from there the next time.
"""

from __future__ import annotations

from tilemeter._src.base.config import CONFIG as CONFIG, manage_config as manage_config
from tilemeter._src.models.model_preprocessing import (
    Convert as Convert, Preprocessor as Preprocessor, convert_torch_model_to_ttnn_model as convert_torch_model_to_ttnn_model,
    default_preprocessor as default_preprocessor, fold_batch_norm2d_into_conv2d as fold_batch_norm2d_into_conv2d,
    git_hash as git_hash, move_to_device as move_to_device, preprocess_embedding_weight as preprocess_embedding_weight,
    preprocess_layernorm_parameter as preprocess_layernorm_parameter, preprocess_linear_bias as preprocess_linear_bias,
    preprocess_linear_weight as preprocess_linear_weight, preprocess_model as preprocess_model,
    preprocess_model_parameters as preprocess_model_parameters,
    preprocess_remaining_children_and_parameters as preprocess_remaining_children_and_parameters,
    torch_dtype_to_ttnn_dtype as torch_dtype_to_ttnn_dtype,
)
from tilemeter._src.models.module_args import (
    infer_ttnn_module_args as infer_ttnn_module_args,
    merge_ttnn_module_args_into_parameters as merge_ttnn_module_args_into_parameters,
)
from tilemeter._src.models.parameters import (
    Conv2dArgs as Conv2dArgs, ConvTranspose2dArgs as ConvTranspose2dArgs, GroupNormArgs as GroupNormArgs,
    MaxPool2dArgs as MaxPool2dArgs, ModuleArgs as ModuleArgs, ParameterDict as ParameterDict, ParameterList as ParameterList,
    dump_parameters as dump_parameters, load_parameters as load_parameters, make_parameter_dict as make_parameter_dict,
    repr_parameters as repr_parameters,
)
from tilemeter._src.types.types import TILE_LAYOUT as TILE_LAYOUT
from tilemeter._tilemeter import DataType as DataType, Layout as Layout, MeshDevice as MeshDevice, Tensor as Tensor
