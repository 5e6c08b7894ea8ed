// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Products of matrices beside matmul and linear: in blocks, of attention, outer ones.

#include <nanobind/stl/variant.h>

#include "runtime/device/errors.hpp"
#include "runtime/operations/matmul/attn_matmul.hpp"
#include "runtime/operations/matmul/minimal_matmul.hpp"
#include "runtime/operations/matmul/outer.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

namespace {

/// TT-NN's argument that says how kernels compute; values here are the same with each.
using Unused = nb::handle;
using OptionalConfig = std::optional<MinimalMatmulConfig>;
using OptionalActivation = std::optional<UnaryWithParam>;

void bind_config(nb::module_& module) {
    nb::class_<MinimalMatmulConfig>(module, "MinimalMatmulConfig", "Sizes of blocks in tiles, and the cores.")
        .def(
            "__init__",
            [](MinimalMatmulConfig* self, std::uint32_t m, std::uint32_t k, std::uint32_t n, std::uint32_t h,
               std::uint32_t w, CoreCoord grid) { new (self) MinimalMatmulConfig{m, k, n, h, w, grid}; },
            nb::kw_only(), "M_block_size"_a = 1, "K_block_size"_a = 1, "N_block_size"_a = 1,
            "subblock_h"_a = 1, "subblock_w"_a = 1, "compute_with_storage_grid_size"_a = CoreCoord{1, 1})
        .def_rw("M_block_size", &MinimalMatmulConfig::M_block_size)
        .def_rw("K_block_size", &MinimalMatmulConfig::K_block_size)
        .def_rw("N_block_size", &MinimalMatmulConfig::N_block_size)
        .def_rw("subblock_h", &MinimalMatmulConfig::subblock_h)
        .def_rw("subblock_w", &MinimalMatmulConfig::subblock_w)
        .def_rw("compute_with_storage_grid_size", &MinimalMatmulConfig::compute_with_storage_grid_size)
        .def("__repr__", [](const MinimalMatmulConfig& self) { return attribute_text(self); });
}

void refuse_swiglu(bool fuse_swiglu) {
    if (fuse_swiglu) throw RuntimeError("fuse_swiglu: expected False, got True, which is not there");
}

void bind_minimal_matmul(nb::module_& m) {
    operation(
        m, "minimal_matmul",
        [](const Tensor& input, const Tensor& weight, const OptionalTensor& bias,
           const OptionalActivation& activation, const OptionalConfig& config,
           const OptionalMemoryConfig& memory_config, const OptionalDataType& dtype,
           const OptionalComputeKernelConfig& kernels, bool fuse_swiglu) {
            refuse_swiglu(fuse_swiglu);
            return experimental::minimal_matmul(input, weight,
                                                {bias, activation, config, memory_config, dtype, kernels});
        },
        "input_tensor"_a, "weight_tensor"_a, nb::kw_only(), "bias_tensor"_a = nb::none(),
        "fused_activation"_a = nb::none(), "config"_a = nb::none(), "memory_config"_a = nb::none(),
        "dtype"_a = nb::none(), "compute_kernel_config"_a = nb::none(), "fuse_swiglu"_a = false,
        "[..., M, K] times [K, N] in blocks, plus a bias of one row, then an activation. TILE.");
    operation(
        m, "minimal_matmul_split",
        [](const Tensor& input, const Tensor& weight, std::uint32_t chunks, int dim,
           const OptionalTensor& bias, const OptionalActivation& activation, const OptionalConfig& config,
           const OptionalMemoryConfig& memory_config, const OptionalDataType& dtype,
           const OptionalComputeKernelConfig& kernels, bool fuse_swiglu) {
            refuse_swiglu(fuse_swiglu);
            return experimental::minimal_matmul_split(
                input, weight, chunks, dim, {bias, activation, config, memory_config, dtype, kernels});
        },
        "input_tensor"_a, "weight_tensor"_a, nb::kw_only(), "chunks"_a = 3, "dim"_a = -1,
        "bias_tensor"_a = nb::none(), "fused_activation"_a = nb::none(), "config"_a = nb::none(),
        "memory_config"_a = nb::none(), "dtype"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
        "fuse_swiglu"_a = false, "minimal_matmul's columns in chunks equal parts. dim: -1.");
}

void bind_attention_products(nb::module_& m) {
    operation(
        m, "attn_matmul",
        [](const Tensor& a, const Tensor& b, CoreCoord, const OptionalDataType& dtype, Unused,
           const OptionalMemoryConfig& memory_config, const OptionalTensor& output) {
            return experimental::attn_matmul(a, b, dtype, memory_config, output);
        },
        "input_tensor_a"_a, "input_tensor_b"_a, nb::kw_only(), "compute_with_storage_grid_size"_a,
        "dtype"_a = nb::none(), "compute_kernel_config"_a = nb::none(), "memory_config"_a = nb::none(),
        "output_tensor"_a = nb::none(),
        "[1, heads, users, K] times [users, 1, K, N], user by user: [1, heads, users, N]. TILE.");
    operation(
        m, "attn_matmul_from_cache",
        [](const Tensor& a, const Tensor& b, std::uint32_t num_tokens, bool transpose_hw, CoreCoord,
           const OptionalMemoryConfig& memory_config, const OptionalDataType& dtype, Unused,
           const OptionalTensor& output) {
            return experimental::attn_matmul_from_cache(a, b, num_tokens, transpose_hw, memory_config, dtype,
                                                        output);
        },
        "input_tensor_a"_a, "input_tensor_b"_a, nb::kw_only(), "num_tokens"_a, "transpose_hw"_a,
        "compute_with_storage_grid_size"_a, "memory_config"_a = nb::none(), "dtype"_a = nb::none(),
        "compute_kernel_config"_a = nb::none(), "output_tensor"_a = nb::none(),
        "attn_matmul with the first num_tokens rows of a cache [users, 1, rows, K], transposed or not.");
    operation(
        m, "group_attn_matmul",
        [](const Tensor& a, const Tensor& b, CoreCoord, const OptionalMemoryConfig& memory_config,
           const OptionalDataType& dtype, Unused, const OptionalTensor& output) {
            return experimental::group_attn_matmul(a, b, memory_config, dtype, output);
        },
        "input_tensor_a"_a, "input_tensor_b"_a, nb::kw_only(), "compute_with_storage_grid_size"_a,
        "memory_config"_a = nb::none(), "dtype"_a = nb::none(), "compute_kernel_config"_a = nb::none(),
        "optional_output_tensor"_a = nb::none(),
        "[1, q heads, 32, K] times [32, kv heads, K, N], heads in groups: [1, q heads, 32, N]. TILE.");
}

}  // namespace

void bind_products(nb::module_& module, nb::module_& m) {
    bind_config(module);
    auto experimental = nb::cast<nb::module_>(m.attr("experimental"));
    bind_minimal_matmul(experimental);
    bind_attention_products(experimental);
    operation(
        m, "outer",
        [](const Tensor& a, const Tensor& b, const OptionalMemoryConfig& memory_config) {
            return outer(a, b, memory_config);
        },
        "input_tensor_a"_a, "input_tensor_b"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "Each element of a's last dimension times all of b's: [..., n] and [..., m] to [..., n, m].");
}

}  // namespace tilemeter::python
