// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/reduction/accumulation.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/device/call_recorder.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

enum class AccumulationOp : std::uint8_t { CUMSUM, CUMPROD };

struct Accumulation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "AccumulationDeviceOperation";
    static constexpr std::string_view kAttributesName = "AccumulationParams";

    AccumulationOp kind;
    std::size_t dim;
    bool from_end;
    DataType dtype;
    MemoryConfig memory_config;
    bool compensated;  ///< the rest that a sum of float32 loses is kept

    auto attributes() const {
        return std::make_tuple(dim, dtype, memory_config, from_end,
                               std::string(kind == AccumulationOp::CUMSUM ? "AccumulationOp::CUMSUM"
                                                                          : "AccumulationOp::CUMPROD"),
                               !compensated);
    }

    /// It makes no difference whether results are given.
    void append_program_key(ProgramKey& key, const KeyedCall& call) const {
        key.append(kind);
        key.append(dim);
        key.append(from_end);
        key.append(compensated);
        key.append(call.inputs);
        key.append(call.outputs);
    }

    void validate(SpecsView inputs) const {
        require(inputs[0].layout == Layout::TILE,
                "The provided input tensor has a non-tile layout: ", name_of(inputs[0].layout), ".");
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, dtype, inputs[0].layout, memory_config}};
    }

    // A core takes a line of tiles. Inside the tiles that is a row or a column of them, which is added up
    // where it lies; else tiles are added to one that is kept, of sums of float32 also the part that was
    // lost.
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        constexpr std::uint64_t kTilesInFlight = 4;
        const TensorSpec& input = inputs[0];
        const std::size_t rank = input.shape.rank();
        const bool inside = dim + 2 >= rank;
        std::uint64_t length = input.shape.dimensions()[dim];
        if (inside) length = dim + 1 == rank ? input.tile_columns() : ceil_div(length, kTileHeight);
        const CoreRangeSet cores = cores_down_columns(num_tiles(input) / length, device);
        ProgramPlan plan{{"ttnn::prim::AccumulationDeviceOperation::AccumulationProgramFactory", 0},
                         dataflow_buffers({kTilesInFlight * tile_size(input.dtype),
                                           kTilesInFlight * tile_size(outputs[0].dtype)},
                                          cores)};
        if (inside) return plan;
        const bool keeps_rest = compensated && dtype == DataType::FLOAT32 && kind == AccumulationOp::CUMSUM;
        plan.memory.insert(plan.memory.end(), keeps_rest ? 2 : 1,
                           dataflow_buffer(tile_size(DataType::FLOAT32), cores));
        return plan;
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const Shape& shape = inputs[0]->shape();
        const std::uint64_t length = shape.dimensions()[dim];
        std::uint64_t stride = 1;
        for (std::size_t i = dim + 1; i < shape.rank(); ++i)
            stride *= shape.dimensions()[i];
        const auto accumulated = [&](auto values) {
            for (std::uint64_t line = 0; line < values.size() / std::max<std::uint64_t>(length, 1); ++line) {
                const std::uint64_t first = line / stride * stride * length + line % stride;
                auto sum = kind == AccumulationOp::CUMSUM ? 0.0 : 1.0;
                for (std::uint64_t i = 0; i < length; ++i) {
                    auto& value = values[first + (from_end ? length - 1 - i : i) * stride];
                    sum = kind == AccumulationOp::CUMSUM ? sum + static_cast<double>(value)
                                                         : sum * static_cast<double>(value);
                    value = static_cast<std::remove_reference_t<decltype(value)>>(sum);
                }
            }
            return values;
        };
        if (is_floating_point(dtype) || is_block_float(dtype))
            return {HostArray::from_floats(accumulated(inputs[0]->to_floats()), dtype, outputs[0].shape)};
        return {HostArray::from_integers(accumulated(inputs[0]->to_integers()), dtype, outputs[0].shape)};
    }
};

constexpr std::size_t kPlaces = 4;

Tensor accumulated(const Tensor& input, AccumulationOp kind, std::int64_t dim, const OptionalDataType& dtype,
                   bool from_end, const OptionalMemoryConfig& memory_config, bool compensated) {
    const std::size_t rank = input.shape().rank();
    const auto count = static_cast<std::int64_t>(rank);
    require(dim >= -count && dim < count, "The requested accumulation axis is ", dim,
            ", while the input tensor has rank ", rank, ".");
    const MemoryConfig config = memory_config.value_or(input.memory_config());
    const DataType to = dtype.value_or(input.dtype());
    const auto position = static_cast<std::size_t>(dim < 0 ? dim + count : dim);
    const std::size_t places = std::max(rank, kPlaces);
    const std::size_t axis = position + places - rank;
    const auto in_rank = [&](const Tensor& result) {
        return rank < kPlaces ? unscoped::squeeze_from_4D(result, rank) : result;
    };
    const bool in_tiles =
        axis + 2 >= places && kind == AccumulationOp::CUMSUM && to == DataType::BFLOAT16 && !from_end;
    std::vector<std::int64_t> order(places);
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[0], order[axis]);
    Tensor typed = to == input.dtype() ? input : unscoped::typecast(input, to);
    if (in_tiles || axis + kPlaces <= places) {
        const Tensor source = rank < kPlaces ? unscoped::unsqueeze_to_4D(typed) : typed;
        return in_rank(launch(Accumulation{kind, axis, from_end, to, config, compensated}, {source}));
    }
    Tensor result;
    {
        const ScopedTensor cast(to == input.dtype() ? Tensor() : typed);
        typed = rank < kPlaces ? unscoped::unsqueeze_to_4D(typed) : typed;
        result = unscoped::permute(typed, order);
        typed = Tensor();
    }
    result = launch(Accumulation{kind, 0, from_end, to, config, compensated}, {result});
    return in_rank(unscoped::permute(result, order));
}

// Whatever the caller's tensor is, it becomes the result, in other memory. In a function that is traced a tensor stays where
// it is, and gets the values.
Tensor accumulate(const Tensor& input, AccumulationOp kind, std::int64_t dim, const OptionalDataType& dtype,
                  bool from_end, const OptionalTensor& out, const OptionalMemoryConfig& memory_config,
                  bool compensated = true) {
    if (out) {  // TT-NN's words
        require(out->storage_type() == StorageType::DEVICE, "Preallocated output tensor must be on device");
        require(out->shape() == input.shape(), "Shape mismatch: input tensor shape ", input.shape(),
                " does not match output tensor shape ", out->shape(), ".");
    }
    if (input.shape().rank() == 0 || input.shape().volume() == 0) {  // nothing to add up
        if (!out) return unscoped::clone(input, std::nullopt, memory_config);
        return input.shape().volume() == 0 ? *out : unscoped::copy(input, *out);
    }
    Tensor result = accumulated(input, kind, dim, dtype, from_end, memory_config, compensated);
    if (out && call_recorder() != nullptr) take_values(*out, result);
    if (out && call_recorder() == nullptr) out->become(result);
    return result;
}

}  // namespace

Tensor Cumsum::body() const {
    require_on_device(input, "cumsum", "input");
    return accumulate(input, AccumulationOp::CUMSUM, dim, dtype, reverse_order, out, memory_config,
                      !disable_compensated_sum);
}

Tensor Cumprod::body() const {
    require_on_device(input_tensor, "cumprod", "input");
    return accumulate(input_tensor, AccumulationOp::CUMPROD, dim, dtype, reverse_order, out, memory_config);
}

template <std::size_t Row>
Tensor MorehRunningSum<Row>::body() const {
    require_on_device(input, kOperation.name, "input");
    return accumulate(input, AccumulationOp::CUMSUM, dim, std::nullopt, kMorehCumsums[Row].from_end, output,
                      memory_config);
}
template struct MorehRunningSum<0>;
template struct MorehRunningSum<1>;

}  // namespace tilemeter
