// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/bcast.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/compute/elementwise.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

struct BcastOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "BcastDeviceOperation";
    static constexpr std::string_view kAttributesName = "BcastParams";

    BcastOpMath math;
    BcastOpDim dim;
    MemoryConfig memory_config;

    auto attributes() const {
        return std::make_tuple(static_cast<int>(math), static_cast<int>(dim), memory_config);
    }

    /// The checks of TT-NN before it makes the operation.
    void require_sides(const TensorSpec& input_a, const TensorSpec& input_b) const {
        constexpr std::size_t kMostDimensions = 4;
        for (const TensorSpec* input : {&input_a, &input_b}) {
            require(input->shape.rank() <= kMostDimensions, "bcast: expected up to four dimensions, got ",
                    input->shape);
        }
        const Shape a = input_a.padded_shape().to_rank(kMostDimensions);
        const Shape b = input_b.padded_shape().to_rank(kMostDimensions);
        const bool in_rows = input_b.layout == Layout::ROW_MAJOR;
        if (dim == BcastOpDim::W) {
            require(a[-2] == b[-2], "Input tensor A height (", a[-2], ") must equal input tensor B height (",
                    b[-2], ") for width broadcast");
            require_one(b[-1], in_rows, "Input tensor B width (", "TILE_WIDTH");
        } else if (dim == BcastOpDim::H) {
            require(a[-1] == b[-1], "Input tensor A width (", a[-1], ") must equal input tensor B width (",
                    b[-1], ") for height broadcast");
            require_one(b[-2], in_rows, "Input tensor B height (", "TILE_HEIGHT");
        } else if ((b[-2] != kTileHeight || b[-1] != kTileWidth) && (!in_rows || b[-2] != 1 || b[-1] != 1)) {
            refuse("Error: bcast", "input_b", expected_of(input_a.shape).to_string(),
                   input_b.shape.to_string());
        }
    }
    void validate(SpecsView inputs) const {
        require_shards(inputs[0].memory_config);
        require_matrices(inputs[0].padded_shape(), inputs[1].padded_shape());
    }
    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::TILE, memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const auto& shards = inputs[0].memory_config.shard_spec;
        const CoreRangeSet cores = shards ? shards->grid : whole_grid(device.compute_grid);
        ProgramPlan plan{{dim == BcastOpDim::H   ? StaticName("ttnn::prim::BcastMultiCoreHProgramFactory")
                          : dim == BcastOpDim::W ? StaticName("ttnn::prim::BcastMultiCoreWProgramFactory")
                                                 : StaticName("ttnn::prim::BcastMultiCoreHWProgramFactory"),
                          static_cast<std::uint64_t>(dim)}};
        const auto take = [&](const TensorSpec& spec, int index) {
            if (!spec.memory_config.shard_spec) {
                plan.memory.push_back(dataflow_buffer(2 * tile_size(spec.dtype), cores));
            } else {
                plan.memory.push_back(
                    borrowed_buffer(buffer_geometry(spec, device).size_per_bank_bytes, cores, index));
            }
        };
        take(inputs[0], 0);
        plan.memory.push_back(dataflow_buffer(2 * tile_size(inputs[1].dtype), cores));
        take(outputs[0], 2);
        return plan;
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const compute::BinaryKind kind = math == BcastOpMath::ADD   ? compute::BinaryKind::kAdd
                                         : math == BcastOpMath::SUB ? compute::BinaryKind::kSubtract
                                                                    : compute::BinaryKind::kMultiply;
        Shape shape = repeated_shape(inputs[1]->shape(), outputs[0].shape);
        return {HostArray::from_floats(
            compute::binary(kind, inputs[0]->to_floats(), inputs[0]->shape(),
                            repeated_part(inputs[1]->to_floats(), inputs[1]->shape(), shape), shape,
                            outputs[0].shape),
            outputs[0].dtype, outputs[0].shape)};
    }

private:
    // TT-NN's words.
    static void require_one(std::uint32_t size, bool in_rows, const char* what, const char* tile) {
        require(size == kTileWidth || (in_rows && size == 1), what, size,
                in_rows ? ") must be 1 or " : ") must equal ", tile, " (", kTileWidth,
                in_rows ? ") for row major layout" : ") for tile layout");
    }
    static void require_matrices(const Shape& a, const Shape& b) {
        if (b[-2] == 0 || b[-1] == 0 || b.volume() == std::uint64_t{b[-2]} * b[-1]) return;
        require(a.rank() == b.rank(),
                "Broadcast with batch is currently only supported when input tensor ranks are the same");
        for (std::size_t i = 0; i + 2 < a.rank(); ++i)
            require(
                a.dimensions()[i] == b.dimensions()[i],
                "Broadcast with batch is currently only supported when bN*bC=1 or N & C match or equivalent");
    }
    // For one element alone tensors may lie in shards, both in the same.
    void require_shards(const MemoryConfig& place) const {
        if (!place.is_sharded() && !memory_config.is_sharded()) return;
        require(dim != BcastOpDim::W, "Bcast does not currently support input0 sharding, except if dim is W");
        require(place.memory_layout == memory_config.memory_layout,
                "Input and output mem layouts must be the same for bcast ", dim == BcastOpDim::H ? "H" : "HW",
                " op!");
        require(dim != BcastOpDim::H || place.memory_layout != TensorMemoryLayout::HEIGHT_SHARDED,
                "Unsupported memory layout");
        require(dim != BcastOpDim::H && place.shard_spec && place == memory_config,
                "bcast: input_a: expected interleaved memory, got ", name_of(place.memory_layout));
    }
    Shape expected_of(Shape a) const {
        if (dim != BcastOpDim::W) a.set(-2, 1);
        if (dim != BcastOpDim::H) a.set(-1, 1);
        return a;
    }
    // The part of `b` that is repeated: the first row, the first column or both.
    Shape repeated_shape(const Shape& b, const Shape& out) const {
        Shape shape = b.to_rank(std::max<std::size_t>(b.rank(), 2));
        shape.set(-2, dim == BcastOpDim::W ? out[-2] : 1);
        shape.set(-1, dim == BcastOpDim::H ? out[-1] : 1);
        return shape;
    }
    // With the zeros that surround it.
    static std::vector<float> repeated_part(const std::vector<float>& b, const Shape& given,
                                            const Shape& wanted) {
        const std::size_t width = given.rank() == 0 ? 1 : given[-1];
        const std::size_t height = given.rank() < 2 ? 1 : given[-2];
        const std::size_t matrix = height * width;
        std::vector<float> part;
        part.reserve(wanted.volume());
        for (std::size_t begin = 0; begin < b.size(); begin += matrix) {
            for (std::size_t y = 0; y < wanted[-2]; ++y) {
                for (std::size_t x = 0; x < wanted[-1]; ++x)
                    part.push_back(y < height && x < width ? b[begin + y * width + x] : 0.0F);
            }
        }
        return part;
    }
};

// Rows are tilized first.
Tensor launched(const BcastOperation& operation, const Tensor& input_a, const Tensor& input_b,
                const OptionalTensor& output_tensor) {
    operation.require_sides(input_a.spec(), input_b.spec());
    const auto in_tiles = [](const Tensor& input) {
        if (input.layout() == Layout::TILE) return input;
        return unscoped::tilize_with_val_padding(input, 0.0F, input.memory_config());
    };
    const ScopedTensor a(in_tiles(input_a)), b(in_tiles(input_b));
    return launch(operation, {*a, *b}, output_tensor);
}

}  // namespace

Tensor unscoped::bcast(const Tensor& input_a, const Tensor& input_b, BcastOpMath math_op, BcastOpDim dim,
                       const MemoryConfig& memory_config) {
    return launched({math_op, dim, memory_config}, input_a, input_b, std::nullopt);
}

Tensor Bcast::body() const {
    require_on_device(input_a, "bcast", "input_a");
    require_on_device(input_b, "bcast", "input_b");
    return launched({math_op, dim, memory_config.value_or(input_a.memory_config())}, input_a, input_b,
                    output_tensor);
}

}  // namespace tilemeter
