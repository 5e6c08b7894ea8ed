// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations that place or arrange values without computing on them.

#include <nanobind/stl/pair.h>

#include "runtime/operations/data_movement/definitions.hpp"
#include "runtime/operations/transformer/embedding.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/definition.hpp"

namespace tilemeter::python {

void bind_data_movement(nb::module_& m) {
    bind_definitions(m, DataMovementDefinitions());
    operation(
        m, "embedding",
        [](const Tensor& input, const Tensor& weight, std::optional<int> padding_idx,
           std::optional<Layout> layout, nb::handle, nb::handle, const OptionalMemoryConfig& memory_config,
           const OptionalTensor& output) {
            return embedding(input, weight, padding_idx, layout, memory_config, output);
        },
        "input_tensor"_a, "weight"_a, nb::kw_only(), "padding_idx"_a = nb::none(), "layout"_a = nb::none(),
        "embeddings_type"_a = nb::none(), "dtype"_a = nb::none(), "memory_config"_a = nb::none(),
        "output_tensor"_a = nb::none(), "The rows of weight that input_tensor (uint32) names.");
}

}  // namespace tilemeter::python
