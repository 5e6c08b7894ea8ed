// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/upsample.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/device/errors.hpp"
#include "runtime/operations/launch.hpp"
#include "runtime/operations/operation_scope.hpp"
#include "runtime/operations/tensor_pages.hpp"

namespace tilemeter {

namespace {

class Upsample : public DeviceOperationWith<Upsample> {
public:
    static constexpr std::string_view kName = "UpsampleOperation";
    static constexpr std::string_view kAttributesName = "UpsampleParams";

    Upsample(std::array<std::uint32_t, 2> scale, MemoryConfig memory_config)
        : scale_(scale), memory_config_(std::move(memory_config)) {}
    auto attributes() const {
        return std::make_tuple(scale_[0], scale_[1], std::string_view("nearest"), memory_config_);
    }

    void validate(std::span<const TensorSpec> inputs) const override {
        const TensorSpec& input = inputs[0];
        if (input.shape.rank() != 4 || scale_[0] == 0 || scale_[1] == 0) {
            throw RuntimeError(
                "upsample: expected [batch, height, width, channels] and factors of at least 1, found " +
                input.shape.to_string() + " and " + std::to_string(scale_[0]) + ", " +
                std::to_string(scale_[1]));
        }
        if (input.dtype != DataType::BFLOAT16 && input.dtype != DataType::FLOAT32) {
            throw RuntimeError("upsample: input: expected BFLOAT16 or FLOAT32, found " +
                               std::string(name_of(input.dtype)));
        }
        if (input.memory_config.is_sharded() || memory_config_.is_sharded()) {
            throw RuntimeError("upsample: expected interleaved tensors, found " +
                               input.memory_config.to_string() + " and " + memory_config_.to_string());
        }
        if (input.layout == Layout::TILE && input.padded_shape() != input.shape)
            throw RuntimeError("Tiled input must be tile-aligned (no padding difference)");
    }

    TensorSpecs infer(std::span<const TensorSpec> inputs) const override {
        const Shape& shape = inputs[0].shape;
        return {TensorSpec{Shape{shape[0], shape[1] * scale_[0], shape[2] * scale_[1], shape[3]},
                           inputs[0].dtype, Layout::ROW_MAJOR, memory_config_}};
    }

    // A row of sticks or of tiles at a time; two buffers where a core has several.
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec>,
                     const DeviceDescription& device) const override {
        const TensorSpec& input = inputs[0];
        const bool tiled = input.layout == Layout::TILE;
        const WorkSplit work = split_work(tiled ? input.tile_rows() : num_rows(input), device.compute_grid,
                                          CoreWalk::kDownColumns);
        const std::uint64_t depth = work.most > 1 ? 2 : 1;
        const std::uint64_t row = tiled ? input.shape[3] / kTileWidth * tile_size(input.dtype)
                                        : round_up(row_bytes(input), device.dram_alignment);
        ProgramPlan plan{"ttnn::prim::UpsampleMultiCoreInterleavedProgramFactory", 0, {}, {}};
        plan.memory.assign(tiled ? 2 : 1, dataflow_buffer(depth * row, work.cores));
        return plan;
    }

    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const override {
        const std::vector<float> from = inputs[0]->to_floats();
        const Shape& shape = outputs[0].shape;
        const std::uint64_t channels = shape[3];
        const std::uint64_t width = shape[2] / scale_[1];
        std::vector<float> to(shape.volume());
        float* target = to.data();
        for (std::uint64_t row = 0; row < std::uint64_t{shape[0]} * shape[1]; ++row) {
            for (std::uint64_t column = 0; column < shape[2]; ++column) {
                const std::uint64_t pixel = row / scale_[0] * width + column / scale_[1];
                target = std::copy_n(from.data() + pixel * channels, channels, target);
            }
        }
        return {HostArray::from_floats(to, outputs[0].dtype, shape)};
    }

private:
    std::array<std::uint32_t, 2> scale_;
    MemoryConfig memory_config_;
};

}  // namespace

Tensor upsample(const Tensor& input_tensor, const std::array<std::uint32_t, 2>& scale_factor,
                const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("upsample");
    return in_operation(kName, std::tie(input_tensor, scale_factor[0], scale_factor[1], memory_config), [&] {
        require_on_device(input_tensor, "upsample", "input_tensor");
        return launch(Upsample(scale_factor, memory_config.value_or(input_tensor.memory_config())),
                      {input_tensor});
    });
}

}  // namespace tilemeter
