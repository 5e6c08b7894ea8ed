// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Heads of certain models.

#include <nanobind/stl/tuple.h>

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

void bind_small_operations(nb::module_& m) {
    auto experimental = nb::cast<nb::module_>(m.attr("experimental"));
    bind_models(experimental);
}

}  // namespace tilemeter::python
