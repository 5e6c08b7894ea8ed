// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What selects elements: where, argmax, topk.

#include <optional>
#include <string>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "runtime/operations/eltwise/where.hpp"
#include "runtime/operations/reduction/argmax.hpp"
#include "runtime/operations/reduction/topk.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

void bind_selection(nb::module_& m) {
    operation(
        m, "where",
        [](const Tensor& predicate, const TensorOrNumber& true_value, const TensorOrNumber& false_value,
           const OptionalMemoryConfig& memory_config, const OptionalTensor& output,
           const OptionalCores& sub_core_grids) {
            return where(predicate, true_value, false_value, memory_config, output, sub_core_grids);
        },
        "predicate"_a, "true_value"_a, "false_value"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "output_tensor"_a = nb::none(), "sub_core_grids"_a = nb::none(),
        "true_value where predicate is not 0, else false_value; tensors are broadcast, numbers are too.");
    operation(
        m, "argmax",
        [](const Tensor& input, std::optional<int> dim, bool keepdim, const OptionalCores& sub_core_grids,
           const OptionalMemoryConfig& memory_config, const OptionalTensor& output,
           std::optional<bool> secondary) {
            return argmax(input, dim, keepdim, memory_config, sub_core_grids, output, secondary);
        },
        "input_tensor"_a, "dim"_a = nb::none(), "keepdim"_a = false, nb::kw_only(),
        "sub_core_grids"_a = nb::none(), "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(),
        "enable_secondary_dm"_a = nb::none(),
        "Indices (uint32, ROW_MAJOR) of the largest values along dim, or in all of a ROW_MAJOR tensor. "
        "sub_core_grids: the cores that work on rows.");
    operation(
        m, "topk",
        [](const Tensor& input, std::uint32_t k, int dim, bool largest, bool sorted,
           const OptionalMemoryConfig& memory_config, const OptionalCores& sub_core_grids,
           const OptionalTensor& indices, const std::optional<std::pair<Tensor, Tensor>>& output,
           bool stable) {
            return topk(input, k, dim,
                        {largest, sorted, memory_config, sub_core_grids, indices, output, stable});
        },
        "input_tensor"_a, "k"_a = 32, "dim"_a = -1, "largest"_a = true, "sorted"_a = true, nb::kw_only(),
        "memory_config"_a = nb::none(), "sub_core_grids"_a = nb::none(), "indices_tensor"_a = nb::none(),
        "output_tensor"_a = nb::none(), "stable"_a = false,
        "[values, indices] of the k largest (or smallest) values along dim. TILE, bfloat16, bfloat8_b or "
        "float32; indices are uint16, or uint32 of float32 and of more than 65536 elements along dim. "
        "indices_tensor: numbers of the elements, for the last dimension. sub_core_grids: the cores to work "
        "on.");
}

}  // namespace tilemeter::python
