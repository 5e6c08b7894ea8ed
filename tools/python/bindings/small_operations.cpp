// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// bcast, and heads of certain models.

#include <nanobind/stl/tuple.h>

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
    operation(
        m, "bcast",
        [](const Tensor& a, const Tensor& b, BcastOpMath math, BcastOpDim dim,
           const OptionalMemoryConfig& memory_config,
           const OptionalTensor& output) { return bcast(a, b, math, dim, memory_config, output); },
        "input_a"_a, "input_b"_a, "math_op"_a, "dim"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "output_tensor"_a = nb::none(), "input_b repeated along dim, added, subtracted or multiplied. TILE.");
    auto experimental = nb::cast<nb::module_>(m.attr("experimental"));
    bind_models(experimental);
}

}  // namespace tilemeter::python
