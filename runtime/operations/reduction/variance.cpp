// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/reduction/variance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/reduction/internal/reduction_dims.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

/// Over the last dimension, the last but one, or several of the last.
enum class Extent : std::uint8_t { W, H, HW };

struct WelfordReduce {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "WelfordReduceDeviceOperation";
    static constexpr std::string_view kAttributesName = "WelfordReduceParams";

    /// `count`: of the last dimensions, how many are reduced in HW.
    Spread kind;
    Extent extent;
    std::size_t count;
    float scalar;
    bool correction;
    MemoryConfig memory_config;

    auto attributes() const {
        static constexpr std::string_view kExtents[] = {"W", "H", "HW"};
        return std::make_tuple(
            std::string(kind == Spread::VAR ? "ReduceOpMath::VAR" : "ReduceOpMath::STD"),
            "ReduceOpDim::" + std::string(kExtents[static_cast<std::size_t>(extent)]), scalar, memory_config,
            std::string("ComputeKernelConfig(math_fidelity=HiFi4,math_approx_mode=0,fp32_dest_acc_en=1,"
                        "packer_l1_acc=0,dst_full_sync_en=0,throttle_level=ThrottleLevel::NO_THROTTLE)"),
            std::string("std::nullopt"), correction, count);
    }
    auto key_attributes() const {
        return std::make_tuple(kind, extent, count, scalar, correction, memory_config);
    }

    void validate(SpecsView inputs) const {
        require(inputs[0].layout == Layout::TILE, "input tensor: expected TILE layout, got ",
                name_of(inputs[0].layout));
    }

    TensorSpecs infer(SpecsView inputs) const {
        TensorSpec output = inputs[0];
        output.memory_config = memory_config;
        const auto rank = static_cast<std::int64_t>(output.shape.rank());
        if (extent == Extent::HW) {
            for (std::int64_t i = rank - static_cast<std::int64_t>(count); i < rank; ++i)
                output.shape.set(i, 1);
        } else {
            output.shape.set(extent == Extent::W ? rank - 1 : rank - 2, 1);
        }
        return {output};
    }

    // The part that a core reduces at a time stays in its memory if it is long and fits beside a reserve; else it is
    // read in batches of tiles, once for the mean and once for the deviations.
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        constexpr std::uint64_t kBatch = 8;
        constexpr std::uint64_t kFewestKept = 3 * kBatch;
        const TensorSpec &input = inputs[0], &output = outputs[0];
        const std::uint64_t lines = extent == Extent::W   ? input.tile_rows()
                                    : extent == Extent::H ? num_tiles(output)
                                                          : output.shape.volume();
        const std::uint64_t length = extent == Extent::W ? input.tile_columns() : tiles_high(input);
        const std::uint64_t tile = tile_size(input.dtype);
        const std::uint64_t room = (device.l1_size - device.l1_unreserved_base) / 100 * 95;
        const bool kept = length >= kFewestKept && length * tile <= room;
        const CoreRangeSet cores = cores_down_columns(lines, device);
        ProgramPlan plan{
            {"ttnn::prim::WelfordReduceDeviceOperation::WelfordReduceProgramFactory", 0},
            dataflow_buffers({(kept ? length : kBatch) * tile, 2 * tile_size(output.dtype)}, cores)};
        if (extent != Extent::HW) return plan;
        const std::uint64_t partial = tile_size(DataType::BFLOAT16);
        plan.memory.push_back(dataflow_buffer(kBatch * partial, cores));
        plan.memory.push_back(dataflow_buffer(2 * partial, cores));
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const Shape& shape = inputs[0]->shape();
        const std::size_t rank = shape.rank();
        std::uint64_t length = 1, stride = 1;
        if (extent == Extent::HW) {
            for (std::size_t i = rank - count; i < rank; ++i)
                length *= shape.dimensions()[i];
        } else {
            length = shape[extent == Extent::W ? -1 : -2];
            if (extent == Extent::H) stride = shape[-1];
        }
        const std::vector<float> values = inputs[0]->to_floats();
        std::vector<float> spread(outputs[0].shape.volume());
        for (std::uint64_t line = 0; line < spread.size(); ++line) {
            const std::uint64_t first = line / stride * stride * length + line % stride;
            double mean = 0.0, squares = 0.0;
            for (std::uint64_t i = 0; i < length; ++i) {
                const double value = double{scalar} * values[first + i * stride];
                const double deviation = value - mean;
                mean += deviation / static_cast<double>(i + 1);
                squares += deviation * (value - mean);
            }
            const double variance = squares / (static_cast<double>(length) - (correction ? 1.0 : 0.0));
            spread[line] = static_cast<float>(kind == Spread::VAR ? variance : std::sqrt(variance));
        }
        return {HostArray::from_floats(spread, outputs[0].dtype, outputs[0].shape)};
    }

private:
    static std::uint64_t tiles_high(const TensorSpec& spec) {
        return spec.shape.rank() < 2 ? 1 : ceil_div(spec.shape[-2], kTileHeight);
    }
};

// The dimensions that stay, then those that are reduced.
std::vector<std::int64_t> order_behind(const ReducedDims& dims, std::size_t rank) {
    std::vector<std::int64_t> order, behind;
    for (std::size_t i = 0; i < rank; ++i) {
        const bool reduced = std::binary_search(dims.begin(), dims.end(), i);
        (reduced ? behind : order).push_back(static_cast<std::int64_t>(i));
    }
    order.insert(order.end(), behind.begin(), behind.end());
    return order;
}

constexpr float kNothingByNothing = std::numeric_limits<float>::quiet_NaN();

// The spread of one element each: nothing, or, corrected, nothing divided by nothing. TT-NN makes it on the host.
Tensor spread_of_one(const Tensor& input, const MemoryConfig& memory_config, bool correction) {
    const TensorSpec spec{input.shape(), input.dtype(), Layout::TILE, memory_config};
    return upload_filled(spec, correction ? kNothingByNothing : 0.0F, input.shared_device());
}

Tensor spread_of(const Tensor& input, Spread kind, const ReduceDims& dim, bool keepdim,
                 const OptionalMemoryConfig& memory_config, float scalar, bool correction) {
    const Shape shape = input.shape();
    const std::size_t rank = shape.rank();
    require(rank != 0, "input_tensor: expected at least one dimension, got none");
    const ReducedDims dims = resolve_dims(dim, rank);
    const MemoryConfig config = memory_config.value_or(input.memory_config());
    const auto program = [&](Extent extent) {
        return WelfordReduce{kind, extent, dims.size(), scalar, correction, config};
    };
    if (shape.volume() == 0)
        return reduced_from_nothing(input, dims, keepdim, kNothingByNothing, input.dtype(), config);
    const Shape wanted = remaining_shape(shape, dims, keepdim);
    std::uint64_t count = 1;
    for (const std::size_t each : dims)
        count *= shape.dimensions()[each];
    if (count == 1) {
        const ScopedTensor result(spread_of_one(input, config, correction));
        return in_remaining_shape(*result, wanted);
    }
    const bool one = dims.size() == 1;
    const auto reduced = [&](const Tensor& source, Extent extent) {
        const bool to_tiles = source.layout() == Layout::ROW_MAJOR;
        const ScopedTensor tiled(to_tiles ? unscoped::tilize_with_val_padding(source, 0.0F, config)
                                          : Tensor());
        return launch(program(extent), {to_tiles ? *tiled : source});
    };
    if (one && dims[0] + 2 < rank) {
        const auto place = static_cast<std::int64_t>(dims[0]);
        const ScopedTensor exchanged(unscoped::transpose(input, place, -2, config, 0.0F));
        Tensor result = reduced(*exchanged, Extent::H);
        result = unscoped::transpose(result, place, -2, config, 0.0F);
        return in_remaining_shape(result, wanted);
    }
    if (one) {
        const ScopedTensor result(reduced(input, dims[0] + 1 == rank ? Extent::W : Extent::H));
        return in_remaining_shape(*result, wanted);
    }
    if (dims.front() + dims.size() == rank) {
        // If nothing moves, TT-NN's permutation still brings it to the result's memory.
        const bool elsewhere = input.memory_config() != config;
        const ScopedTensor there(elsewhere ? unscoped::to_memory_config(input, config) : Tensor());
        const ScopedTensor result(reduced(elsewhere ? *there : input, Extent::HW));
        return in_remaining_shape(*result, wanted);
    }
    const ScopedTensor moved(unscoped::permute(input, order_behind(dims, rank), config));
    const ScopedTensor result(reduced(*moved, Extent::HW));
    return in_remaining_shape(*result, wanted);
}

}  // namespace

template <Spread Kind>
Tensor ReduceSpread<Kind>::call() const {
    require_none(sub_core_grids, "reduction", "sub_core_grids");
    return in_operation(*this, [&] {
        require_on_device(input_tensor, kOperation.name, "input_tensor");
        return spread_of(input_tensor, Kind, dim, keepdim, memory_config, scalar, correction);
    });
}
template struct ReduceSpread<Spread::VAR>;
template struct ReduceSpread<Spread::STD>;

}  // namespace tilemeter
