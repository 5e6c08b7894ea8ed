// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors copied, repeated, stacked, cut to triangles, and elements picked by index.

#include <nanobind/stl/variant.h>

#include "runtime/device/errors.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/gather.hpp"
#include "runtime/operations/data_movement/repeat.hpp"
#include "runtime/operations/data_movement/repeat_interleave.hpp"
#include "runtime/operations/data_movement/roll.hpp"
#include "runtime/operations/data_movement/scatter.hpp"
#include "runtime/operations/data_movement/sort.hpp"
#include "runtime/operations/data_movement/stack.hpp"
#include "runtime/operations/eltwise/triangle.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

namespace {

using Triangle = Tensor (*)(const Tensor&, std::int64_t, const OptionalMemoryConfig&);

void bind_triangle(nb::module_& m, const char* name, Triangle function, const char* doc) {
    operation(m, name, function, "input_tensor"_a, nb::kw_only(), "diagonal"_a = 0,
              "memory_config"_a = nb::none(), doc);
}

void bind_copies(nb::module_& m) {
    operation(m, "copy", &copy, "input_a"_a, "input_b"_a, "input_a's values written over those of input_b.");
    operation(m, "assign", nb::overload_cast<const Tensor&, const Tensor&>(&assign), "input_a"_a, "input_b"_a,
              "input_a's values written over those of input_b.");
    operation(
        m, "assign",
        [](const Tensor& input, const MemoryConfig& memory_config, const OptionalDataType& dtype,
           const OptionalTensor& output) { return assign(input, memory_config, dtype, output); },
        "input_tensor"_a, nb::kw_only(), "memory_config"_a, "dtype"_a = nb::none(),
        "output_tensor"_a = nb::none(), "A copy in other memory.");
}

ScatterReduction reduction(const std::optional<std::string>& reduce) {
    if (!reduce) return ScatterReduction::kNone;
    if (*reduce == "add") return ScatterReduction::kAdd;
    if (*reduce == "multiply") return ScatterReduction::kMultiply;
    throw RuntimeError("reduce must be either 'add' or 'multiply' (case-sensitive), got " + *reduce);
}

void require_no_cores(const OptionalCores& cores, const std::string& operation) {
    if (cores) throw RuntimeError(operation + ": sub_core_grids: expected None, got " + cores->to_string());
}

}  // namespace

void bind_rearrangement(nb::module_& m) {
    bind_copies(m);
    bind_triangle(m, "tril", &tril, "What lies on a diagonal and below it, else zeros.");
    bind_triangle(m, "triu", &triu, "What lies on a diagonal and above it, else zeros.");
    operation(
        m, "expand",
        [](const Tensor& input, const std::vector<std::int64_t>& sizes,
           const OptionalMemoryConfig& memory_config) { return expand(input, sizes, memory_config); },
        "input_tensor"_a, "output_shape"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "Dimensions of 1 repeated up to output_shape; -1 leaves one as it is.");
    operation(
        m, "repeat_interleave",
        [](const Tensor& input, std::uint32_t repeats, std::int64_t dim,
           const OptionalMemoryConfig& memory_config) {
            return repeat_interleave(input, repeats, dim, memory_config);
        },
        "input_tensor"_a, "repeats"_a, "dim"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "Each slice along dim, repeats times in a row.");
    operation(m, "stack", &stack, "input_tensors"_a, "dim"_a, "Tensors of one shape along a new dimension.");
    operation(
        m, "gather",
        [](const Tensor& input, std::int64_t dim, const Tensor& index, nb::handle,
           const OptionalMemoryConfig& memory_config, const OptionalTensor& out, nb::handle sub_core_grids) {
            require_none(sub_core_grids, "gather", "sub_core_grids");
            return gather(input, dim, index, memory_config, out);
        },
        "input"_a, "dim"_a, "index"_a, nb::kw_only(), "sparse_grad"_a = false, "memory_config"_a = nb::none(),
        "out"_a = nb::none(), "sub_core_grids"_a = nb::none(),
        "Elements picked along dim: result has the shape of index.");
    operation(
        m, "scatter",
        [](const Tensor& input, std::int64_t dim, const Tensor& index, const Tensor& source,
           const OptionalMemoryConfig& memory_config, const std::optional<std::string>& reduce,
           const OptionalCores& cores) {
            require_no_cores(cores, "scatter");
            return scatter(input, dim, index, source, memory_config, reduction(reduce));
        },
        "input"_a, "dim"_a, "index"_a, "src"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "reduce"_a = nb::none(), "sub_core_grids"_a = nb::none(),
        "src written over input at the places that index gives along dim; reduce: 'add' or 'multiply', with "
        "what is there.");
    operation(
        m, "scatter_add",
        [](const Tensor& input, std::int64_t dim, const Tensor& index, const Tensor& source,
           const OptionalMemoryConfig& memory_config, const OptionalCores& cores) {
            require_no_cores(cores, "scatter_add");
            return scatter_add(input, dim, index, source, memory_config);
        },
        "input"_a, "dim"_a, "index"_a, "src"_a, nb::kw_only(), "memory_config"_a = nb::none(),
        "sub_core_grids"_a = nb::none(), "src added to input at the places that index gives along dim.");
    operation(
        m, "sort",
        [](const Tensor& input, std::int64_t dim, bool descending, bool stable,
           const OptionalMemoryConfig& memory_config, const std::optional<std::vector<Tensor>>& out) {
            return sort(input, dim, descending, stable, memory_config, out.value_or(std::vector<Tensor>()));
        },
        "input_tensor"_a, "dim"_a = -1, "descending"_a = false, "stable"_a = false, nb::kw_only(),
        "memory_config"_a = nb::none(), "out"_a = nb::none(),
        "[values, indices] along dim in ascending (or descending) order.");
    using Numbers = std::variant<std::int64_t, std::vector<std::int64_t>>;
    const auto listed = [](const Numbers& numbers) {
        const std::int64_t* one = std::get_if<std::int64_t>(&numbers);
        return one != nullptr ? std::vector<std::int64_t>{*one}
                              : std::get<std::vector<std::int64_t>>(numbers);
    };
    operation(
        m, "roll",
        [listed](const Tensor& input, const Numbers& shifts, const std::optional<Numbers>& dims,
                 const OptionalMemoryConfig& memory_config) {
            return roll(input, listed(shifts), dims ? listed(*dims) : std::vector<std::int64_t>(),
                        memory_config);
        },
        "input_tensor"_a, "shifts"_a, "dim"_a = nb::none(), nb::kw_only(), "memory_config"_a = nb::none(),
        "Shifted along dim, what leaves at one end entering at the other.");
}

}  // namespace tilemeter::python
