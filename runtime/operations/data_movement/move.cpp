// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/move.hpp"

#include <tuple>
#include <utility>

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/work/column_cores.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

// The way of the pages: straight from the old place to the new one, through each core's own memory when the two
// overlap, or within the cores that hold the shards.
enum class MoveStrategy : std::uint8_t { kMultiCore, kMultiCoreOverlap, kMultiCoreSharded };

std::string_view name_of(MoveStrategy strategy) {
    switch (strategy) {
        case MoveStrategy::kMultiCore:
            return "MoveOpParallelizationStrategy::MULTI_CORE";
        case MoveStrategy::kMultiCoreOverlap:
            return "MoveOpParallelizationStrategy::MULTI_CORE_OVERLAP";
        case MoveStrategy::kMultiCoreSharded:
            break;
    }
    return "MoveOpParallelizationStrategy::MULTI_CORE_SHARDED";
}

// Inputs: the tensor that was freed, and its new memory, which is also the output.
struct MoveOperation {
    static constexpr std::string_view kName = "MoveDeviceOperation";
    static constexpr std::string_view kAttributesName = "MoveOperationAttributes";

    MemoryConfig memory_config;
    MoveStrategy strategy;

    auto attributes() const { return std::make_tuple(memory_config, name_of(strategy)); }

    TensorSpecs infer(SpecsView inputs) const { return {inputs[1]}; }

    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const TensorSpec& to = inputs[1];
        const BufferGeometry geometry = buffer_geometry(to, device);
        if (strategy == MoveStrategy::kMultiCoreSharded) {
            ProgramPlan plan{{"ttnn::prim::MoveShardedProgramFactory", 2}};
            for (const int tensor : {0, 1}) {
                plan.memory.push_back({ProgramMemoryKind::kCircularBuffer, geometry.size_per_bank_bytes,
                                       to.memory_config.shard_spec->grid, tensor});
            }
            return plan;
        }
        const std::uint64_t page =
            round_up(geometry.page_size_bytes, page_alignment(to.memory_config, device));
        const WorkSplit work = split_work(geometry.num_pages, device.compute_grid, CoreWalk::kDownColumns);
        if (strategy == MoveStrategy::kMultiCoreOverlap) {
            return {{"ttnn::prim::MoveOverlapProgramFactory", 1},
                    {circular_buffer(work.most * page, work.cores)}};
        }
        const CoreRangeSet cores = whole_columns_and_rest(geometry.num_pages, device);
        return {{"ttnn::prim::MoveProgramFactory", 0}, {circular_buffer(2 * page, cores)}};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView) const { return {*inputs[0]}; }
};

MoveStrategy strategy_for(const Buffer& from, const Buffer& to, bool sharded) {
    if (sharded) return MoveStrategy::kMultiCoreSharded;
    const bool overlap = from.memory() == to.memory() &&
                         from.address() < to.address() + to.size_per_bank_bytes() &&
                         to.address() < from.address() + from.size_per_bank_bytes();
    return overlap ? MoveStrategy::kMultiCoreOverlap : MoveStrategy::kMultiCore;
}

Tensor move_to(Tensor& input, TensorSpec spec) {
    const std::shared_ptr<const ChipValues> values = input.buffer().values();
    const std::shared_ptr<Device> device = input.shared_device();
    input.deallocate();
    const Tensor output = create_device_tensor(spec, device);
    const bool same_place = output.buffer().memory() == input.buffer().memory() &&
                            output.buffer().address() == input.buffer().address();
    if (same_place) {
        put_values(output, input, values);
    } else {
        const MoveOperation operation{spec.memory_config, strategy_for(input.buffer(), output.buffer(),
                                                                       spec.memory_config.is_sharded())};
        launch_from_freed(operation, input, values, output);
    }
    input.deallocate();
    return output;
}

Tensor moved(const Tensor& given, const OptionalMemoryConfig& memory_config) {
    Tensor input = given;
    require_on_device(input, "move", "input tensor");
    TensorSpec spec = input.spec();
    spec.memory_config = memory_config.value_or(spec.memory_config);
    require(spec.memory_config.is_sharded() == input.memory_config().is_sharded(),
            "move: expected a memory config like the input's, sharded or not, got ", spec.memory_config);
    require(!Buffer::is_shared(input.shared_buffer()),
            "Expect input tensor to be deallocated after move op. Cannot deallocate before there is probably "
            "another consumer.");
    return move_to(input, std::move(spec));
}

}  // namespace

Tensor Move::body() const {
    return moved(input_tensor, memory_config);
}

Tensor Reallocate::body() const {
    return moved(tensor, memory_config);
}

Tensor unscoped::move(Tensor& input) {
    return move_to(input, input.spec());
}

}  // namespace tilemeter
