// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/internal/fused_backward.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/eltwise/internal/binary_program.hpp"
#include "runtime/operations/work/column_cores.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

std::string_view name_of(FusedBackward kind) {
    switch (kind) {
        case FusedBackward::kGelu:
            return "GELU_BW";
        case FusedBackward::kGeluTanh:
            return "GELU_TANH_BW";
        case FusedBackward::kSigmoid:
            return "SIGMOID_BW";
        case FusedBackward::kTanh:
            break;
    }
    return "TANH_BW";
}

double slope(FusedBackward kind, double x) {
    switch (kind) {
        case FusedBackward::kGelu:
            return 0.5 * std::erfc(-x / std::numbers::sqrt2) +
                   x * std::exp(-0.5 * x * x) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
        case FusedBackward::kGeluTanh: {
            const double factor = std::sqrt(2.0 / std::numbers::pi);
            const double inner = std::tanh(factor * (x + 0.044715 * x * x * x));
            return 0.5 * (1.0 + inner) +
                   0.5 * x * (1.0 - inner * inner) * factor * (1.0 + 3.0 * 0.044715 * x * x);
        }
        case FusedBackward::kSigmoid: {
            const double sigmoid = 1.0 / (1.0 + std::exp(-x));
            return sigmoid * (1.0 - sigmoid);
        }
        case FusedBackward::kTanh:
            break;
    }
    return 1.0 - std::tanh(x) * std::tanh(x);
}

// A full shard on every core.
bool fills_its_cores(const TensorSpec& spec) {
    if (!fills_its_shards(spec)) return false;
    const ShardSpec& shards = *spec.memory_config.shard_spec;
    return std::uint64_t{shards.shape[0]} * shards.shape[1] * shards.grid.num_cores() ==
           spec.padded_shape().volume();
}

// Two tiles of each tensor on every core that has work; where all are sharded alike, what they lie in.
std::vector<ProgramMemory> memory_of(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) {
    std::vector<ProgramMemory> memory;
    const bool alike = all_sharded_alike(inputs, outputs) && fills_its_cores(inputs[0]);
    const CoreRangeSet cores = alike ? inputs[0].memory_config.shard_spec->grid
                                     : whole_columns_and_rest(num_tiles(outputs[0]), device);
    int index = 0;
    for (const auto tensors : {inputs, outputs}) {
        for (const TensorSpec& tensor : tensors) {
            ProgramMemory piece = circular_buffer(
                alike ? buffer_geometry(tensor, device).size_per_bank_bytes : 2 * tile_size(tensor.dtype),
                cores);
            if (alike) piece.shared_with = index;
            memory.push_back(piece);
            ++index;
        }
    }
    return memory;
}

constexpr std::uint64_t kElementsOfTile = std::uint64_t{kTileHeight} * kTileWidth;

// Rows go as many at a time as a tile has room for, one where they are longer or not aligned, and are read by way of a
// place with room for their misalignment.
std::vector<ProgramMemory> memory_of_rows(SpecsView inputs, SpecsView outputs,
                                          const DeviceDescription& device) {
    constexpr std::uint64_t kAlignments = 3;
    const Shape padded = inputs[0].padded_shape();
    const std::uint64_t rows = inputs[0].shape.volume() / inputs[0].shape[-1];
    std::uint64_t alignment = 0;
    bool aligned = true;
    for (const auto tensors : {inputs, outputs}) {
        for (const TensorSpec& tensor : tensors) {
            const std::uint64_t own = page_alignment(tensor.memory_config, device);
            alignment = std::max(alignment, own);
            aligned = aligned && padded[-1] * element_size(tensor.dtype) % own == 0;
        }
    }
    const std::uint64_t at_a_time = aligned ? std::max<std::uint64_t>(1, kElementsOfTile / padded[-1]) : 1;
    const CoreRangeSet cores = whole_columns_and_rest(ceil_div(rows, at_a_time), device);
    std::vector<ProgramMemory> memory;
    for (const auto tensors : {inputs, outputs}) {
        for (const TensorSpec& tensor : tensors)
            memory.push_back(circular_buffer(2 * tile_size(tensor.dtype), cores));
    }
    for (const TensorSpec& input : inputs)
        memory.push_back(circular_buffer(tile_size(input.dtype) + kAlignments * alignment, cores));
    return memory;
}

struct UnaryBackward {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr bool kTakesNdShards = true;
    static constexpr std::string_view kName = "UnaryBackwardDeviceOperation";

    FusedBackward kind;
    MemoryConfig memory_config;

    auto attributes() const { return std::make_tuple(name_of(kind), memory_config); }

    /// One program serves all shapes that fill the same tiles.
    void append_program_key(ProgramKey& key, const KeyedCall& call) const {
        key.append(kind);
        for (const TensorSpec& each : call.inputs) {
            key.append(each.padded_shape());
            key.append_kind(each);
        }
        if (call.inputs[0].layout == Layout::ROW_MAJOR) key.append(call.inputs[0].shape);
        key.append(call.outputs[0].dtype);
        key.append(memory_config);
    }

    void validate(SpecsView inputs) const {
        const std::string operation(name_of(kind));
        for (const TensorSpec& input : inputs) {
            require(is_floating_point(input.dtype), [&] {
                return operation +
                       " operation only supports floating-point dtypes (bfloat16, float32, bfloat8_b, "
                       "bfloat4_b), but the input tensor has dtype " +
                       attribute_text(input.dtype) + ".";
            });
        }
        require(inputs[0].shape == inputs[1].shape, operation,
                " operation requires grad_output and input to have the same logical shape, but got ",
                inputs[0].shape, " and ", inputs[1].shape, ".");
        require(inputs[0].padded_shape() == inputs[1].padded_shape(), operation,
                " operation requires grad_output and input to have the same padded shape, but got ",
                inputs[0].padded_shape(), " and ", inputs[1].padded_shape(), ".");
        if (inputs[0].layout == Layout::TILE && inputs[1].layout == Layout::TILE) return;
        require(inputs[0].layout == inputs[1].layout && inputs[0].shape[-1] != 0, operation,
                ": expected TILE layout, got ROW_MAJOR");
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[1].shape, inputs[1].dtype, inputs[1].layout, memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const bool by_rows = inputs[0].layout == Layout::ROW_MAJOR;
        return {{"ttnn::operations::unary_backward::UnaryBackwardProgramFactory", 0},
                by_rows ? memory_of_rows(inputs, outputs, device) : memory_of(inputs, outputs, device)};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        std::vector<float> values = inputs[0]->to_floats();
        const std::vector<float> at = inputs[1]->to_floats();
        std::transform(values.begin(), values.end(), at.begin(), values.begin(),
                       [&](float grad, float x) { return static_cast<float>(grad * slope(kind, x)); });
        return {HostArray::from_floats(values, outputs[0].dtype, outputs[0].shape)};
    }
};

struct BinaryBackward {
    static constexpr std::string_view kName = "BinaryBackwardDeviceOperation";

    OptionalMemoryConfig memory_config;

    auto attributes() const { return std::tie(memory_config); }

    /// One program serves all shapes.
    void append_program_key(ProgramKey& key, const KeyedCall& call) const {
        for (const TensorSpec& each : call.inputs)
            key.append_kind(each);
        for (const TensorSpec& each : call.outputs)
            key.append_kind(each);
    }

    void validate(SpecsView inputs) const {
        for (const TensorSpec& input : inputs) {
            if (is_floating_point(input.dtype)) continue;
            refuse_with("MUL_BW operation only supports floating-point dtypes, but got ",
                        attribute_text(input.dtype));
        }
    }

    TensorSpecs infer(SpecsView inputs) const {
        TensorSpecs gradients{inputs[1], inputs[2]};
        for (TensorSpec& each : gradients)
            each.memory_config = memory_config.value_or(each.memory_config);
        return gradients;
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        return {{"ttnn::operations::binary_backward::BinaryBackwardProgramFactory", 0},
                memory_of(inputs, outputs, device)};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<float> grad = inputs[0]->to_floats();
        std::vector<HostArray> gradients;
        for (const std::size_t other : {2, 1}) {
            std::vector<float> values = inputs[other]->to_floats();
            std::transform(values.begin(), values.end(), grad.begin(), values.begin(), std::multiplies<>());
            const TensorSpec& out = outputs[gradients.size()];
            gradients.push_back(HostArray::from_floats(values, out.dtype, out.shape));
        }
        return gradients;
    }
};

}  // namespace

FusedBackward fused_gelu(GeluVariant variant) {
    require(variant != GeluVariant::FastLut,
            "GELU_BW does not support GeluVariant::FAST_LUT because no matching backward kernel is "
            "available.");
    return variant == GeluVariant::Tanh ? FusedBackward::kGeluTanh : FusedBackward::kGelu;
}

Term fused_backward(FusedBackward kind, const Term& grad, const Term& x, const OptionalTensor& into) {
    const MemoryConfig config = into ? into->memory_config() : grad.place().value_or(x->memory_config());
    const UnaryBackward operation{kind, config};
    return {launch(operation, {*grad, *x}, into), grad.place()};
}

std::pair<Term, Term> fused_product(const Term& grad, const Term& a, const Term& b,
                                    const OptionalTensor& into_a, const OptionalTensor& into_b) {
    const BinaryBackward operation{grad.place()};
    std::vector<Tensor> into;
    if (into_a || into_b) {
        into.push_back(*gradient_or_new(into_a, a, grad.place()));
        into.push_back(*gradient_or_new(into_b, b, grad.place()));
    }
    std::vector<Tensor> made = launch_all(operation, {*grad, *a, *b}, std::move(into));
    return {Term(std::move(made[0]), grad.place()), Term(std::move(made[1]), grad.place())};
}

bool is_fused_product(const Term& grad, const Term& a, const Term& b) {
    for (const Term* each : {&grad, &a, &b}) {
        const Tensor& tensor = **each;
        if (tensor.layout() != Layout::TILE || tensor.memory_config().is_sharded()) return false;
        if (tensor.shape() != (*grad).shape()) return false;
    }
    return true;
}

}  // namespace tilemeter
