// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/internal/ternary_operation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "runtime/compute/blocks.hpp"
#include "runtime/compute/broadcast.hpp"
#include "runtime/compute/elementwise.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/eltwise/internal/binary_program.hpp"
#include "runtime/operations/work/shards_over.hpp"

namespace tilemeter {

namespace {

// All as wide as the result, some of one row only: those are repeated in a place of their own.
bool repeats_rows(SpecsView inputs, const Shape& full) {
    const auto size = [](const Shape& shape, int dimension) {
        return shape.to_rank(std::max<std::size_t>(shape.rank(), 2))[dimension];
    };
    bool some_row = false;
    for (const TensorSpec& input : inputs) {
        if (size(input.shape, -1) != size(full, -1)) return false;
        some_row = some_row || size(input.shape, -2) != size(full, -2);
    }
    return some_row;
}

// True if the program works on the shards where they lie: operands alike, in full shards of L1 on the result's cores.
// Where they are interleaved in L1, only the result does.
bool keeps_shards(SpecsView inputs, const TensorSpec& output) {
    const TensorSpec& first = inputs[0];
    const auto alike = [&](const TensorSpec& each) {
        return each.shape == first.shape && each.memory_config == first.memory_config;
    };
    if (!fills_its_shards(output) || !std::all_of(inputs.begin(), inputs.end(), alike)) return false;
    if (!first.memory_config.is_sharded())
        return inputs.size() == 3 && first.memory_config.buffer_type == BufferType::L1;
    return fills_its_shards(first) &&
           first.memory_config.shard_spec->grid == output.memory_config.shard_spec->grid;
}

// In double, which holds integers of 32 bits as well.
template <typename T>
void combine(TernaryKind kind, const T* a, const T* b, const T* c, std::span<T> to, double value) {
    const auto each = [&](auto function) {
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = static_cast<T>(function(double{a[i]}, double{b[i]}, double{c[i]}));
    };
    switch (kind) {
        case TernaryKind::kWhere:
            return each([](double x, double y, double z) { return x != 0.0 ? y : z; });
        case TernaryKind::kLerp:
            return each([](double x, double y, double z) { return x + z * (y - x); });
        case TernaryKind::kMac:
            return each([](double x, double y, double z) { return x * y + z; });
        case TernaryKind::kAddcmul:
            return each([=](double x, double y, double z) { return x + value * y * z; });
        case TernaryKind::kAddcdiv:
            return each([=](double x, double y, double z) { return x + value * y / z; });
        case TernaryKind::kSnakeBeta:
            return each([](double x, double y, double z) {
                const double sine = std::sin(x * y);
                return x + sine * sine / z;
            });
    }
}

// The steps of an element, in additions.
std::uint64_t steps_of(TernaryKind kind) {
    constexpr std::uint64_t kStepsOfSine = 100;
    return kind == TernaryKind::kSnakeBeta ? kStepsOfSine : 4;
}

// TT-NN's conditions, in its order; alpha and beta have two dimensions at least.
void require_snake_operands(SpecsView inputs) {
    const TensorSpec &input = inputs[0], &alpha = inputs[1], &beta = inputs[2];
    require(input.dtype == DataType::BFLOAT16 || input.dtype == DataType::FLOAT32, [&] {
        return "snake_beta supports only BFLOAT16 or FLOAT32, got " + attribute_text(input.dtype);
    });
    require(alpha.dtype == input.dtype && beta.dtype == input.dtype,
            "snake_beta requires alpha.dtype == beta.dtype == input.dtype");
    require(alpha.layout == Layout::TILE && beta.layout == Layout::TILE,
            "snake_beta requires tile layout for all inputs");
    require(input.shape.rank() >= 2, "snake_beta requires input rank >= 2, got rank ", input.shape.rank(),
            " (shape ", input.shape, ")");
    require(alpha.shape == beta.shape, "snake_beta requires alpha.shape == beta.shape, got ", alpha.shape,
            " vs ", beta.shape);
    require(input.shape[-1] == alpha.shape[-1], "snake_beta requires input.W == alpha.W, got ",
            input.shape[-1], " vs ", alpha.shape[-1]);
    if (alpha.shape == input.shape) return;
    for (std::size_t i = 0; i + 1 < alpha.shape.rank(); ++i) {
        require(
            alpha.shape[static_cast<int>(i)] == 1,
            "snake_beta v1 requires alpha/beta to either match input shape exactly or have non-1 size only "
            "on the last dim (got dim ",
            i, " = ", alpha.shape[static_cast<int>(i)], ")");
    }
}

// TT-NN reads the shards of rows and columns that its tensors have, or should have.
void require_whole_shards(const Tensor& tensor) {
    if (!tensor.is_sharded() || tensor.memory_config().shard_spec) return;
    refuse_with(
        "operands in shards that are no whole rows, columns or blocks (NdShardSpec): expected a memory_config "
        "of the result without such shards, got ",
        tensor.memory_config().to_string(true));
}

// The shape of the first where they contradict each other: the operation itself refuses them.
Shape common_shape(const std::vector<Tensor>& operands) {
    Shape shape = operands.front().shape();
    for (const Tensor& each : operands) {
        const auto both = compute::broadcast_shape(shape, each.shape());
        if (!both) return operands.front().shape();
        shape = *both;
    }
    return shape;
}

}  // namespace

MemoryConfig place_of_ternary(const OptionalMemoryConfig& memory_config, const OptionalTensor& output,
                              const std::vector<Tensor>& operands) {
    const Tensor& first = operands.front();
    MemoryConfig config = memory_config.value_or(output ? output->memory_config() : first.memory_config());
    if (!config.is_sharded() || config.shard_spec) return config;
    const auto sharded = std::ranges::find_if(operands, [](const Tensor& each) { return each.is_sharded(); });
    const Tensor& like = sharded == operands.end() ? first : *sharded;
    if (like.storage_type() != StorageType::DEVICE) return config;
    require_whole_shards(like);
    config.nd_shard_spec.reset();  // only their name stays
    return with_open_shards(std::move(config), like.spec(), common_shape(operands),
                            like.device().description().compute_grid);
}

MemoryConfig place_on_most_cores(const OptionalMemoryConfig& memory_config, const OptionalTensor& output,
                                 const std::vector<Tensor>& operands) {
    if (memory_config || output) return place_of_ternary(memory_config, output, operands);
    for (const Tensor& each : operands)
        require_whole_shards(each);
    const auto most = std::ranges::max_element(
        operands, {}, [](const Tensor& each) { return cores_of_shards(each.memory_config()); });
    return stretched_shards(most->spec(), common_shape(operands));
}

Shape common_shape_of(SpecsView inputs, std::string_view operation) {
    Shape shape = inputs[0].shape;
    for (const TensorSpec& input : inputs) {
        const auto both = compute::broadcast_shape(shape, input.shape);
        require(both.has_value(), operation, ": shapes ", shape, " and ", input.shape,
                ": expected equal dimensions or 1");
        shape = *both;
    }
    return shape;
}

void require_sizes(std::span<const Tensor> inputs) {
    if (inputs.size() != 3) return;
    std::size_t rank = 0;
    for (const Tensor& input : inputs)
        rank = std::max(rank, input.shape().rank());
    const auto size = [](const Tensor& input, std::size_t from_end) -> std::uint32_t {
        if (from_end > input.shape().rank()) return 1;
        return input.shape()[-static_cast<std::int64_t>(from_end)];
    };
    for (std::size_t i = rank; i > 0; --i) {
        const bool has_size =
            std::ranges::all_of(inputs, [&](const Tensor& input) { return size(input, i) != 0; });
        require(has_size, "Broadcasting rule violation at dimension index -", i, " (output rank ", rank,
                "), dim a: ", size(inputs[0], i), ", dim b: ", size(inputs[1], i),
                ", dim c: ", size(inputs[2], i));
    }
}

std::string_view TernaryDeviceOperation::type() const {
    switch (kind_) {
        case TernaryKind::kWhere:
            return "TernaryOpType::WHERE";
        case TernaryKind::kLerp:
            return "TernaryOpType::LERP";
        case TernaryKind::kMac:
            return "TernaryOpType::MAC";
        case TernaryKind::kAddcmul:
            return "TernaryOpType::ADDCMUL";
        case TernaryKind::kSnakeBeta:
            return "TernaryOpType::SNAKE_BETA";
        case TernaryKind::kAddcdiv:
            break;
    }
    return "TernaryOpType::ADDCDIV";
}

std::string_view TernaryDeviceOperation::variant() const {
    switch (place_) {
        case NumberOperand::kSecond:
            return "TernaryVariant::TST";
        case NumberOperand::kThird:
            return "TernaryVariant::TTS";
        case NumberOperand::kNone:
            break;
    }
    return "TernaryVariant::TTT";
}

void TernaryDeviceOperation::append_program_key(ProgramKey& key, const KeyedCall& call) const {
    key.append(kind_);
    key.append(place_);
    key.append(sub_core_grids_);
    for (const TensorSpec& each : call.inputs)
        key.append_kind(each);
    key.append(call.outputs[0].dtype);
    key.append(memory_config_);
    key.append(keeps_shards(call.inputs, call.outputs[0]));
    append_rows_in_shards(key, call);
    const auto rows_and_columns = [](const TensorSpec& each) {
        const Shape shape = each.shape.to_rank(std::max<std::size_t>(each.shape.rank(), 2));
        return std::array{shape[-2], shape[-1]};
    };
    if (call.inputs.size() < 3) {
        key.append(repeated_dimensions(call.inputs[0].shape, call.inputs[1].shape));
        return;
    }
    bool is_alike = true;
    for (const TensorSpec& each : call.inputs) {
        key.append(rows_and_columns(each));
        is_alike = is_alike && rows_and_columns(each) == rows_and_columns(call.inputs[0]);
    }
    // For operands with the same rows and columns: true if others of their dimensions are repeated.
    key.append(is_alike && std::ranges::all_of(call.inputs, [&](const TensorSpec& each) {
                   return each.shape.volume() == call.outputs[0].shape.volume();
               }));
}

void TernaryDeviceOperation::validate(SpecsView inputs) const {
    common_shape_of(inputs, kName);
    require(
        inputs[0].layout == Layout::TILE || inputs[0].memory_config.is_sharded(),
        "Ternary operation requires tensor to be in Tile layout when working with non-sharded input tensor. "
        "Input tensor layout: 0");
    require(inputs[0].memory_config.memory_layout != TensorMemoryLayout::ND_SHARDED, kName,
            ": first operand: expected shards that are whole rows, columns or blocks, got ",
            inputs[0].memory_config.to_string(true));
    if (kind_ == TernaryKind::kSnakeBeta) require_snake_operands(inputs);
}

TensorSpecs TernaryDeviceOperation::infer(SpecsView inputs) const {
    const DataType dtype = inputs[kind_ == TernaryKind::kWhere ? 1 : 0].dtype;
    // Rows in shards give rows, where the result is sharded.
    const Layout layout = memory_config_.is_sharded() ? inputs[0].layout : Layout::TILE;
    return {TensorSpec{common_shape_of(inputs, kName), dtype, layout, memory_config_}};
}

ProgramPlan TernaryDeviceOperation::plan(SpecsView inputs, SpecsView outputs,
                                         const DeviceDescription& device) const {
    ProgramPlan plan{{"ttnn::operations::ternary::TernaryDeviceOperation::TernaryProgramFactory", 0}};
    const CoreRangeSet cores = sub_core_grids_.value_or(whole_grid(device.compute_grid));
    const auto take = [&](std::uint64_t size, int shared_with = ProgramMemory::kOwn) {
        plan.memory.push_back({ProgramMemoryKind::kCircularBuffer, size, cores, shared_with});
    };
    const bool kept = keeps_shards(inputs, outputs[0]);
    // Rows fill as many tiles as their elements do.
    const auto take_tensor = [&](const TensorSpec& spec, int index) {
        if (!kept || !spec.memory_config.is_sharded()) return take(2 * tile_size(spec.dtype));
        const auto [rows, columns] = spec.memory_config.shard_spec->shape;
        take(std::uint64_t{rows} * columns / (kTileHeight * kTileWidth) * tile_size(spec.dtype), index);
    };
    int index = 0;
    for (const TensorSpec& input : inputs)
        take_tensor(input, index++);
    if (kept) {
        take_tensor(outputs[0], index);
        return plan;
    }
    if (inputs.size() == 3 && repeats_rows(inputs, outputs[0].shape)) {
        for (const TensorSpec& input : inputs)
            take(2 * tile_size(input.dtype));
    }
    take(2 * tile_size(outputs[0].dtype));
    return plan;
}

std::vector<HostArray> TernaryDeviceOperation::compute(ArraysView inputs, SpecsView outputs) const {
    const TensorSpec& out = outputs[0];
    const HostArray number =
        number_ ? HostArray::from_floats({&*number_, 1}, DataType::FLOAT32, Shape{1}) : HostArray();
    std::size_t next = 0;
    const auto operand = [&](NumberOperand place) -> const HostArray& {
        return place != NumberOperand::kNone && place == place_ ? number : *inputs[next++];
    };
    const HostArray& a = operand(NumberOperand::kNone);
    const HostArray& b = operand(NumberOperand::kSecond);
    const HostArray& c = operand(NumberOperand::kThird);
    const double value = number_.value_or(1.0F);
    const auto in_floats = [](const HostArray* array) { return is_floating_point(array->dtype()); };
    if (is_floating_point(out.dtype) && std::all_of(inputs.begin(), inputs.end(), in_floats)) {
        return {
            compute::by_blocks(out.dtype, out.shape, steps_of(kind_), {&a, &b, &c},
                               [&](const float* x, const float* y, const float* z, std::span<float> block) {
                                   if (kind_ == TernaryKind::kWhere)
                                       return compute::choose_each(x, y, z, block);
                                   combine(kind_, x, y, z, block, value);
                               })};
    }
    const auto exactly = [&](const HostArray& array) {
        const auto repeated = [&](const auto& values) {
            const std::vector<double> exact(values.begin(), values.end());
            return compute::broadcast_to<double>(exact, array.shape(), out.shape);
        };
        return is_floating_point(array.dtype()) ? repeated(array.to_floats()) : repeated(array.to_integers());
    };
    std::vector<double> x = exactly(a);
    const std::vector<double> y = exactly(b), z = exactly(c);
    combine<double>(kind_, x.data(), y.data(), z.data(), x, value);
    if (is_floating_point(out.dtype))
        return {HostArray::from_floats(std::vector<float>(x.begin(), x.end()), out.dtype, out.shape)};
    return {HostArray::from_integers(std::vector<std::int64_t>(x.begin(), x.end()), out.dtype, out.shape)};
}

}  // namespace tilemeter
