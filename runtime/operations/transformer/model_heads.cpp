// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/model_heads.hpp"

#include <array>
#include <tuple>
#include <vector>

#include "runtime/compute/rearrange.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/transformer/internal/heads_operations.hpp"
#include "runtime/operations/work/column_cores.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter::experimental {

namespace {

constexpr std::uint32_t kHeadDim = 64;

struct Falcon7B {
    static constexpr std::string_view kName = "NlpCreateHeadsFalcon7BDeviceOperation";
    static constexpr StaticName kFactory = "ttnn::experimental::prim::NlpCreateHeadsFalcon7BProgramFactory";
    static constexpr std::array<std::uint32_t, 3> kHeads = {71, 1, 1};
};
struct Vit {
    static constexpr std::string_view kName = "NlpCreateHeadsVitDeviceOperation";
    static constexpr StaticName kFactory = "ttnn::experimental::prim::NlpCreateHeadsVitProgramFactory";
    static constexpr std::array<std::uint32_t, 3> kHeads = {12, 12, 12};
};

/// A core takes a row of tiles, of which two are there at a time.
template <typename Model>
struct CreateHeads {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = Model::kName;

    MemoryConfig memory_config;

    auto attributes() const { return std::tie(memory_config); }

    void validate(SpecsView inputs) const {
        require_heads_dtype_and_layout(inputs[0]);
        const std::uint32_t width = (Model::kHeads[0] + Model::kHeads[1] + Model::kHeads[2]) * kHeadDim;
        require(inputs[0].shape[-1] == width && inputs[0].shape[1] == 1,
                "nlp_create_qkv_heads: input: expected [b, 1, s, ", width, "], got ", inputs[0].shape);
    }
    TensorSpecs infer(SpecsView inputs) const {
        TensorSpecs specs;
        for (const std::uint32_t heads : Model::kHeads) {
            const Shape& shape = inputs[0].shape;
            // The rows of tiles' padding count as part of the result.
            const auto rows = static_cast<std::uint32_t>(round_up(shape[2], kTileHeight));
            specs.push_back(
                {Shape{shape[0], heads, rows, kHeadDim}, inputs[0].dtype, Layout::TILE, memory_config});
        }
        return specs;
    }
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const TensorSpec& input = inputs[0];
        return {{Model::kFactory, 0},
                {circular_buffer(2 * input.tile_columns() * tile_size(input.dtype),
                                 whole_columns_and_rest(input.tile_rows(), device))}};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        static constexpr std::array<std::uint32_t, 4> kBegin = {0, 0, 0, 0};
        std::vector<HostArray> parts;
        std::uint32_t first = 0;
        for (const std::uint32_t heads : Model::kHeads) {
            const HostArray part = heads_of(*inputs[0], kHeadDim, 1, first, heads, false);
            parts.push_back(compute::padded(part, kBegin, outputs[parts.size()].shape, 0.0F));
            first += heads;
        }
        return parts;
    }
};

/// A core takes a row of tiles, of which two are there at a time; a tile is a head's.
struct CreateHeadsSegformer {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "NlpCreateHeadsSegformerDeviceOperation";
    static constexpr std::string_view kAttributesName = "NlpCreateQkvHeadsSegformerParams";
    static constexpr std::size_t kResults = 3;

    MemoryConfig memory_config;

    auto attributes() const { return std::tie(memory_config); }

    void validate(SpecsView inputs) const {
        require_heads_dtype_and_layout(inputs[0]);
        require(inputs[0].shape[1] == 1,
                "nlp_create_qkv_heads_segformer: input: expected [b, 1, s, width], got ", inputs[0].shape);
        require(!memory_config.is_sharded(), "Output memory config layout must be INTERLEAVED but got ",
                name_of(memory_config.memory_layout));
    }
    TensorSpecs infer(SpecsView inputs) const {
        require(!memory_config.is_sharded(),
                "Sharded output memory config is not supported for nlp_create_qkv_heads_segformer");
        // The rows of tiles' padding count as part of the result.
        const Shape shape = inputs[0].padded_shape();
        const TensorSpec heads{Shape{shape[0], shape[3] / kTileWidth, shape[2], kTileWidth}, inputs[0].dtype,
                               Layout::TILE, memory_config};
        return TensorSpecs(kResults, heads);
    }
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const TensorSpec& input = inputs[0];
        return {{"ttnn::device_operation::MeshDeviceOperationAdapter<ttnn::experimental::prim::"
                 "NlpCreateHeadsSegformerDeviceOperation>::DirectDescriptorFactory",
                 0},
                {circular_buffer(2 * input.tile_columns() * tile_size(input.dtype),
                                 whole_columns_and_rest(input.tile_rows(), device))}};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        static constexpr std::array<std::uint32_t, 4> kBegin = {0, 0, 0, 0};
        const Shape& shape = outputs[0].shape;
        const Shape& given = inputs[0]->shape();
        const HostArray rows = compute::padded(
            *inputs[0], kBegin, Shape{given[0], given[1], shape[2], shape[1] * shape[3]}, 0.0F);
        const std::vector<float> none(shape.volume(), 0.0F);
        const HostArray empty = HostArray::from_floats(none, outputs[0].dtype, shape);
        return {heads_of(rows, kTileWidth, 1, 0, shape[1], false), empty, empty};
    }
};

template <typename Model, typename Definition>
AttentionHeads created(const Definition& definition) {
    const Tensor& input = definition.input;
    return in_order(in_operation(definition, [&] {
        require_on_device(input, "nlp_create_qkv_heads", "input");
        return launch_all(CreateHeads<Model>{definition.memory_config.value_or(input.memory_config())},
                          {input});
    }));
}

struct RotateHalfOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "RotateHalfDeviceOperation";
    static constexpr std::string_view kAttributesName = "RotateHalfParams";

    MemoryConfig memory_config;

    auto attributes() const { return std::tie(memory_config); }

    void validate(SpecsView inputs) const {
        if (inputs[0].layout != Layout::TILE)
            refuse("rotate_half", "input", "TILE layout", name_of(inputs[0].layout));
    }
    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, inputs[0].dtype, Layout::TILE, memory_config}};
    }
    // On one core: both halves, minus one, the result.
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription&) const {
        const CoreRange core{{0, 0}, {0, 0}};
        const std::uint64_t two = 2 * tile_size(inputs[0].dtype);
        return {{"ttnn::experimental::prim::RotateHalfProgramFactory", 0},
                circular_buffers({two, tile_size(DataType::BFLOAT16), two, two}, core)};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const std::vector<float> values = inputs[0]->to_floats();
        std::vector<float> rotated(values.size());
        const std::uint64_t width = inputs[0]->shape()[-1], half = width / 2;
        for (std::uint64_t i = 0; i < values.size(); ++i)
            rotated[i] = i % width < half ? -values[i + half] : values[i - half];
        return {HostArray::from_floats(rotated, outputs[0].dtype, outputs[0].shape)};
    }
};

}  // namespace

AttentionHeads NlpCreateQkvHeadsFalcon7b::call() const {
    return created<Falcon7B>(*this);
}
AttentionHeads NlpCreateQkvHeadsVit::call() const {
    return created<Vit>(*this);
}
AttentionHeads NlpCreateQkvHeadsSegformer::call() const {
    return in_order(in_operation(*this, [&] {
        require_on_device(input, "nlp_create_qkv_heads_segformer", "input");
        require(input.shape().rank() == 4,
                "nlp_create_qkv_heads_segformer: input: expected 4 dimensions, got ", input.shape());
        return launch_all(CreateHeadsSegformer{memory_config.value_or(input.memory_config())}, {input});
    }));
}

Tensor RotateHalf::body() const {
    require_on_device(input, "rotate_half", "input");
    const std::uint32_t width = input.padded_shape()[-1];
    require(width % (2 * kTileWidth) == 0, "Input X dimension (", width,
            ") must be divisible by 64 for tiling.");
    return launch(RotateHalfOperation{memory_config.value_or(input.memory_config())}, {input});
}

}  // namespace tilemeter::experimental

namespace tilemeter::unscoped {

std::vector<Tensor> nlp_create_qkv_heads_falcon7b(const Tensor& input, const MemoryConfig& memory_config) {
    return launch_all(experimental::CreateHeads<experimental::Falcon7B>{memory_config}, {input});
}

}  // namespace tilemeter::unscoped
