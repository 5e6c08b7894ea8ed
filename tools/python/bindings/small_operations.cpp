// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Counters, fills, bits and heads of certain models.

#include <nanobind/stl/tuple.h>

#include "runtime/operations/data_movement/bitcast.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/indexed_fill.hpp"
#include "runtime/operations/data_movement/plus_one.hpp"
#include "runtime/operations/eltwise/bcast.hpp"
#include "runtime/operations/transformer/model_heads.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

namespace {

using Heads = std::tuple<Tensor, Tensor, Tensor>;

Heads as_heads(const std::vector<Tensor>& tensors) {
    return {tensors[0], tensors[1], tensors[2]};
}

void bind_fills(nb::module_& m) {
    operation(
        m, "indexed_fill",
        [](const Tensor& batch_id, const Tensor& a, const Tensor& b,
           const OptionalMemoryConfig& memory_config,
           std::int64_t dim) { return indexed_fill(batch_id, a, b, memory_config, dim); },
        "batch_id"_a, "input_tensor_a"_a, "input_tensor_b"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "dim"_a = 0,
        "a with slice batch_id[i] along dim replaced by slice i of b. batch_id: uint32, ROW_MAJOR; dim other "
        "than 0: ROW_MAJOR.");
    const auto fill = [](std::uint32_t n, std::uint32_t c, std::uint32_t h, std::uint32_t w,
                         std::uint32_t h_ones, std::uint32_t w_ones, float high, float low) {
        return FilledCorner{Shape{n, c, h, w}, h_ones, w_ones, high, low};
    };
    operation(
        m, "fill_rm",
        [fill](std::uint32_t n, std::uint32_t c, std::uint32_t h, std::uint32_t w, std::uint32_t h_ones,
               std::uint32_t w_ones, const Tensor& any, float high, float low,
               const OptionalMemoryConfig& memory_config) {
            return fill_rm(fill(n, c, h, w, h_ones, w_ones, high, low), any, memory_config);
        },
        "N"_a, "C"_a, "H"_a, "W"_a, "hOnes"_a, "wOnes"_a, "any"_a, "val_hi"_a, "val_lo"_a, nb::kw_only(),
        "memory_config"_a = nb::none(),
        "[N, C, H, W] of bfloat16, ROW_MAJOR: val_hi in the first hOnes rows and wOnes columns, else val_lo. "
        "any: a tensor on the device.");
    operation(
        m, "fill_ones_rm",
        [fill](std::uint32_t n, std::uint32_t c, std::uint32_t h, std::uint32_t w, std::uint32_t h_ones,
               std::uint32_t w_ones, const Tensor& any, const OptionalMemoryConfig& memory_config) {
            return fill_ones_rm(fill(n, c, h, w, h_ones, w_ones, 1, 0), any, memory_config);
        },
        "N"_a, "C"_a, "H"_a, "W"_a, "hOnes"_a, "wOnes"_a, "any"_a, nb::kw_only(),
        "memory_config"_a = nb::none(), "fill_rm of ones in zeros.");
}

void bind_models(nb::module_& m) {
    operation(
        m, "nlp_create_qkv_heads_falcon7b",
        [](const Tensor& input, const OptionalMemoryConfig& memory_config) {
            return as_heads(experimental::nlp_create_qkv_heads_falcon7b(input, memory_config));
        },
        "input"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "[b, 1, s, 4672] to (query [b, 71, s, 64], key, value [b, 1, s, 64]). TILE.");
    operation(
        m, "nlp_create_qkv_heads_vit",
        [](const Tensor& input, const OptionalMemoryConfig& memory_config, nb::handle) {
            return as_heads(experimental::nlp_create_qkv_heads_vit(input, memory_config));
        },
        "input"_a, nb::kw_only(), "memory_config"_a = nb::none(), "output_tensors"_a = nb::none(),
        "[b, 1, s, 2304] to (query, key, value), each [b, 12, s, 64]. TILE.");
    operation(
        m, "rotate_half",
        [](const Tensor& input, const OptionalMemoryConfig& memory_config) {
            return experimental::rotate_half(input, memory_config);
        },
        "input"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "The second half of the last dimension negated, then the first. TILE, a multiple of 64 wide.");
    operation(
        m, "typecast",
        [](const Tensor& input, DataType dtype, const OptionalMemoryConfig& memory_config,
           const OptionalTensor& output) {
            return experimental::typecast(input, dtype, memory_config, output);
        },
        "input_tensor"_a, "dtype"_a, "memory_config"_a = nb::none(), "optional_output_tensor"_a = nb::none(),
        "A copy of another dtype.");
}

}  // namespace

void bind_small_operations(nb::module_& module, nb::module_& m) {
    nb::enum_<BcastOpMath>(module, "BcastOpMath", "What bcast does with its tensors.")
        .value("ADD", BcastOpMath::ADD)
        .value("SUB", BcastOpMath::SUB)
        .value("MUL", BcastOpMath::MUL);
    nb::enum_<BcastOpDim>(module, "BcastOpDim",
                          "The dimensions of which bcast's second tensor has one element.")
        .value("H", BcastOpDim::H)
        .value("W", BcastOpDim::W)
        .value("HW", BcastOpDim::HW);
    bind_fills(m);
    operation(
        m, "bcast",
        [](const Tensor& a, const Tensor& b, BcastOpMath math, BcastOpDim dim,
           const OptionalMemoryConfig& memory_config,
           const OptionalTensor& output) { return bcast(a, b, math, dim, memory_config, output); },
        "input_a"_a, "input_b"_a, "math_op"_a, "dim"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "output_tensor"_a = nb::none(), "input_b repeated along dim, added, subtracted or multiplied. TILE.");
    operation(
        m, "plus_one",
        [](const Tensor& input, const OptionalCores& sub_core_grids, bool skip_negative_entries) {
            return plus_one(input, sub_core_grids, skip_negative_entries);
        },
        "input_tensor"_a, "sub_core_grids"_a = nb::none(), "skip_negative_entries"_a = false,
        "One more in place, returned. int32 or uint32, ROW_MAJOR.");
    operation(
        m, "bitcast",
        [](const Tensor& input, DataType dtype, const OptionalMemoryConfig& memory_config,
           const OptionalTensor& output, const OptionalCores& sub_core_grids) {
            return bitcast(input, dtype, memory_config, output, sub_core_grids);
        },
        "input_tensor"_a, "dtype"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "output_tensor"_a = nb::none(), "sub_core_grids"_a = nb::none(),
        "The bits of each element as a dtype of the same size.");
    auto experimental = nb::cast<nb::module_>(m.attr("experimental"));
    bind_models(experimental);
}

}  // namespace tilemeter::python
