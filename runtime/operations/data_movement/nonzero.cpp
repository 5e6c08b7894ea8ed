// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/nonzero.hpp"

#include <tuple>

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

std::uint64_t aligned_page_bytes(const TensorSpec& spec, const DeviceDescription& device) {
    return round_up(page_geometry(spec).page_size_bytes, page_alignment(spec.memory_config, device));
}

struct NonZeroIndices {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "NonZeroIndicesDeviceOperation";
    static constexpr std::string_view kAttributesName = "NonzeroParams";

    static constexpr int kDimensions = 4;

    MemoryConfig memory_config;

    auto attributes() const { return std::tie(memory_config); }

    // TT-NN's statements: a core keeps the places of all elements at once, twice.
    void validate(SpecsView inputs, const DeviceDescription& device) const {
        const Shape& shape = inputs[0].shape;
        require(shape.rank() == 4, "non_zero_indices: input must be rank-4, got rank ", shape.rank());
        const std::uint64_t bytes = 2 * aligned_page_bytes(infer(inputs)[1], device);
        require(bytes <= device.l1_size, "non_zero_indices: indices staging buffer requires ", bytes,
                " L1 bytes but per-core L1 is ", device.l1_size, " bytes; maximum supported volume is ~",
                device.l1_size / (2 * kDimensions * sizeof(std::uint32_t)), " elements");
    }

    TensorSpecs infer(SpecsView inputs) const {
        constexpr std::uint32_t kCount = 8;
        const auto row = [&](std::uint64_t length) {
            return TensorSpec{Shape{1, 1, 1, static_cast<std::uint32_t>(length)}, DataType::UINT32,
                              Layout::ROW_MAJOR, memory_config};
        };
        return {row(kCount), row(kDimensions * inputs[0].shape.volume())};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        return {{"ttnn::prim::NonZeroIndicesProgramFactory", 0},
                circular_buffers(
                    {aligned_page_bytes(inputs[0], device), 2 * page_geometry(outputs[0]).page_size_bytes,
                     2 * aligned_page_bytes(outputs[1], device)},
                    CoreRange{{0, 0}, {0, 0}})};
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const Shape& shape = inputs[0]->shape();
        const std::vector<float> values = inputs[0]->to_floats();
        std::vector<std::int64_t> count(outputs[0].shape.volume()), places(outputs[1].shape.volume());
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values[i] == 0) continue;
            const auto first = static_cast<std::size_t>(count[0]++) * kDimensions;
            std::size_t rest = i;
            for (int dimension = kDimensions - 1; dimension >= 0; --dimension) {
                const std::size_t size = shape[dimension];
                places[first + static_cast<std::size_t>(dimension)] = static_cast<std::int64_t>(rest % size);
                rest /= size;
            }
        }
        return {HostArray::from_integers(count, outputs[0].dtype, outputs[0].shape),
                HostArray::from_integers(places, outputs[1].dtype, outputs[1].shape)};
    }
};

}  // namespace

std::vector<Tensor> Nonzero::body() const {
    require_on_device(input_tensor, "nonzero", "input_tensor");
    return launch_all(NonZeroIndices{memory_config.value_or(DRAM_MEMORY_CONFIG)}, {input_tensor});
}

}  // namespace tilemeter
