// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What selects elements (where, argmax, topk) or gathers them from the chips of a mesh.

#include <optional>
#include <string>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/ccl/collectives.hpp"
#include "runtime/operations/eltwise/where.hpp"
#include "runtime/operations/reduction/argmax.hpp"
#include "runtime/operations/reduction/topk.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

namespace {

/// All chips of a mesh take part: along an axis on which only some of them lie nothing is modelled.
void require_all_chips(const Tensor& input, std::optional<int> cluster_axis) {
    if (!cluster_axis || input.storage_type() == StorageType::HOST) return;
    const MeshShape shape = input.device().mesh_shape();
    const std::uint32_t chips = *cluster_axis == 0 ? shape.rows : shape.columns;
    if (chips == shape.size()) return;
    throw RuntimeError("cluster_axis " + std::to_string(*cluster_axis) + ": expected an axis with all " +
                       std::to_string(shape.size()) + " chips of the mesh, found one with " +
                       std::to_string(chips));
}

constexpr const char* kLinks =
    " cluster_axis: an axis of the mesh with all its chips. What TT-NN is told about links, workers and "
    "sub-devices has no effect.";

void bind_collectives(nb::module_& m) {
    static const std::string gather =
        std::string("The chips' tensors concatenated along dim, on every chip of the mesh.") + kLinks;
    static const std::string scatter =
        std::string("The sum of the chips' tensors, of which each chip gets its part along dim.") + kLinks;
    static const std::string reduce =
        std::string("The sum of the chips' tensors, on every chip of the mesh.") + kLinks;
    operation(
        m, "all_gather",
        [](const Tensor& input, int dim, std::optional<int> cluster_axis,
           const OptionalMemoryConfig& memory_config, nb::handle output_tensor, nb::handle,
           nb::handle sub_core_grids, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle, bool) {
            require_all_chips(input, cluster_axis);
            require_none(output_tensor, "all_gather", "output_tensor");
            require_none(sub_core_grids, "all_gather", "sub_core_grids");
            return all_gather(input, dim, memory_config);
        },
        "input_tensor"_a, "dim"_a, nb::kw_only(), "cluster_axis"_a = nb::none(),
        "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(), "subdevice_id"_a = nb::none(),
        "sub_core_grids"_a = nb::none(), "num_links"_a = nb::none(), "topology"_a = nb::none(),
        "chunks_per_sync"_a = nb::none(), "num_workers_per_link"_a = nb::none(),
        "num_buffers_per_channel"_a = nb::none(), "use_l1_small_for_semaphores"_a = false, gather.c_str());
    operation(
        m, "reduce_scatter",
        [](const Tensor& input, int dim, std::optional<int> cluster_axis, nb::handle,
           const OptionalMemoryConfig& memory_config, nb::handle intermediate, nb::handle output_tensor,
           nb::handle, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle, bool) {
            require_all_chips(input, cluster_axis);
            require_none(intermediate, "reduce_scatter", "intermediate_memory_config");
            require_none(output_tensor, "reduce_scatter", "output_tensor");
            return reduce_scatter(input, dim, memory_config);
        },
        "input_tensor"_a, "dim"_a, nb::kw_only(), "cluster_axis"_a = nb::none(),
        "subdevice_id"_a = nb::none(), "memory_config"_a = nb::none(),
        "intermediate_memory_config"_a = nb::none(), "output_tensor"_a = nb::none(),
        "num_links"_a = nb::none(), "topology"_a = nb::none(), "chunks_per_sync"_a = nb::none(),
        "num_workers_per_link"_a = nb::none(), "num_buffers_per_channel"_a = nb::none(),
        "compute_kernel_config"_a = nb::none(), "use_l1_small_for_semaphores"_a = false, scatter.c_str());
    operation(
        m, "all_reduce",
        [](const Tensor& input, std::optional<int> cluster_axis, const OptionalMemoryConfig& memory_config,
           nb::handle, nb::handle, nb::handle) {
            require_all_chips(input, cluster_axis);
            return all_reduce(input, memory_config);
        },
        "input_tensor"_a, nb::kw_only(), "cluster_axis"_a = nb::none(), "memory_config"_a = nb::none(),
        "subdevice_id"_a = nb::none(), "num_links"_a = nb::none(), "topology"_a = nb::none(), reduce.c_str());
}

}  // namespace

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
    bind_collectives(m);
}

}  // namespace tilemeter::python
