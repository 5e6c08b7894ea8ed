// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What selects elements (where, argmax, topk) or gathers them from the chips of a mesh.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "runtime/operations/argmax.hpp"
#include "runtime/operations/collectives.hpp"
#include "runtime/operations/topk.hpp"
#include "runtime/operations/where.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

void bind_selection(nb::module_& m) {
    operation(
        m, "where",
        [](const Tensor& predicate, const TensorOrNumber& true_value, const TensorOrNumber& false_value,
           const OptionalMemoryConfig& memory_config, const OptionalTensor& output) {
            return where(predicate, true_value, false_value, memory_config, output);
        },
        "predicate"_a, "true_value"_a, "false_value"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "output_tensor"_a = nb::none(),
        "true_value where predicate is not 0, else false_value; tensors are broadcast, numbers are too.");
    operation(
        m, "argmax",
        [](const Tensor& input, std::optional<int> dim, bool keepdim,
           const OptionalMemoryConfig& memory_config) { return argmax(input, dim, keepdim, memory_config); },
        "input_tensor"_a, nb::kw_only(), "dim"_a = nb::none(), "keepdim"_a = false,
        "memory_config"_a = nb::none(),
        "Indices (uint32, ROW_MAJOR) of the largest values along dim, or in all of a ROW_MAJOR tensor.");
    operation(
        m, "topk",
        [](const Tensor& input, std::uint32_t k, int dim, bool largest, bool sorted,
           const OptionalMemoryConfig& memory_config) {
            return topk(input, k, dim, largest, sorted, memory_config);
        },
        "input_tensor"_a, "k"_a, "dim"_a = -1, "largest"_a = true, "sorted"_a = true, nb::kw_only(),
        "memory_config"_a = nb::none(),
        "[values, indices] of the k largest (or smallest) values along dim; indices are uint16 or uint32.");
    operation(
        m, "all_gather",
        [](const Tensor& input, int dim, const OptionalMemoryConfig& memory_config) {
            return all_gather(input, dim, memory_config);
        },
        "input_tensor"_a, "dim"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "The chips' tensors concatenated along dim, on every chip of the mesh.");
    operation(m, "reduce_scatter", &reduce_scatter, "input_tensor"_a, "dim"_a, nb::kw_only(),
              "memory_config"_a = nb::none(),
              "The sum of the chips' tensors, of which each chip gets its part along dim.");
    operation(m, "all_reduce", &all_reduce, "input_tensor"_a, nb::kw_only(), "memory_config"_a = nb::none(),
              "The sum of the chips' tensors, on every chip of the mesh.");
}

}  // namespace tilemeter::python
