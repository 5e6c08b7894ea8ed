// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/repeat_interleave.hpp"

#include <algorithm>
#include <list>
#include <tuple>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/data_movement/internal/repeated_pages.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

struct RepeatInterleaveCodegen {
    static constexpr bool kKeepsProgramsByFreeL1 = true;
    static constexpr std::string_view kName = "RepeatInterleaveCodegenDeviceOperation";
    static constexpr std::string_view kAttributesName = "RepeatInterleaveCodegenParams";

    std::size_t dim;
    std::uint32_t repeats;
    MemoryConfig memory_config;

    auto attributes() const { return std::make_tuple(dim, repeats, memory_config); }

    static constexpr std::uint64_t kLeastRows = 2;

    bool takes(const TensorSpec& input, Device& device) const {
        const bool tiled = input.layout == Layout::TILE;
        const bool whole_pages = dim + (tiled ? 2 : 1) < input.shape.rank() && input.shape.rank() <= 4;
        const bool movable = input.dtype == DataType::BFLOAT16 || input.dtype == DataType::FLOAT32 ||
                             input.dtype == DataType::INT32;
        if (!whole_pages || !movable || input.memory_config.is_sharded() || memory_config.is_sharded())
            return false;
        const TensorSpec output = repeated_spec(input, dim, repeats, memory_config);
        return tiled ||
               (input.shape[-1] >= 2 && kLeastRows * place_of_row(input, output, device.description()) <=
                                            free_l1_below_tensors(device));
    }

    TensorSpecs infer(SpecsView inputs) const {
        return {repeated_spec(inputs[0], dim, repeats, memory_config)};
    }

    // Rows in flight are halved until they fit.
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device,
                     std::uint64_t free_l1_bytes) const {
        std::uint64_t pages = kRepeatedPagesInFlight;
        if (inputs[0].layout == Layout::ROW_MAJOR) {
            const std::uint64_t row = place_of_row(inputs[0], outputs[0], device);
            while (pages > kLeastRows && pages * row > free_l1_bytes)
                pages /= 2;
        }
        return plan_repeated_pages("ttnn::prim::RepeatInterleaveCodegenProgramFactory", inputs[0], outputs[0],
                                   device, pages);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const Shape& shape = inputs[0]->shape();
        HostArray result(outputs[0].dtype, outputs[0].shape);
        std::uint64_t slice = inputs[0]->stored_element_size();
        for (std::size_t i = dim + 1; i < shape.rank(); ++i)
            slice *= shape.dimensions()[i];
        const std::span<const std::byte> from = inputs[0]->bytes();
        auto to = result.bytes().begin();
        for (std::uint64_t at = 0; slice != 0 && at < from.size(); at += slice) {
            for (std::uint32_t i = 0; i < repeats; ++i)
                to = std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(at), slice, to);
        }
        return {result};
    }
};

// In rows, which a new dimension of 1 behind `dim` is joined along: 32 copies at a time, and those together.
Tensor joined_with_itself(const Tensor& input, std::uint32_t repeats, std::size_t dim,
                          const MemoryConfig& memory_config) {
    constexpr std::uint32_t kAtATime = 32;
    const bool by_bfloat16 = is_block_float(input.dtype());
    std::list<ScopedTensor> parts;  // freed last, the first one first
    ScopedTensor rows{Tensor()};
    ScopedTensor joined{Tensor()};
    {
        const Tensor source = by_bfloat16 ? unscoped::typecast(input, DataType::BFLOAT16) : input;
        rows = unscoped::to_layout(source, Layout::ROW_MAJOR);
    }
    Shape apart, together;
    for (std::size_t i = 0; i < input.shape().rank(); ++i) {
        const std::uint32_t size = input.shape().dimensions()[i];
        apart.push_back(size);
        if (i == dim) apart.push_back(1);
        together.push_back(i == dim ? size * repeats : size);
    }
    // TT-NN names no memory here, and copies at the end.
    const auto along_new = [&](const std::vector<Tensor>& tensors) {
        return unscoped::concat(tensors, static_cast<std::int64_t>(dim) + 1, DRAM_MEMORY_CONFIG);
    };
    {
        const Tensor copy = unscoped::reshape(*rows, apart);
        for (std::uint32_t left = repeats; left > 0; left -= std::min(left, kAtATime))
            parts.emplace_back(along_new(std::vector<Tensor>(std::min(left, kAtATime), copy)));
    }
    {
        std::vector<Tensor> tensors;
        for (const ScopedTensor& part : parts)
            tensors.push_back(*part);
        joined = along_new(tensors);
    }
    const auto in_dram = [&] {
        const Tensor result = unscoped::reshape(*joined, together);
        if (!by_bfloat16) return unscoped::to_layout(result, input.layout());
        const ScopedTensor tiles(unscoped::to_layout(result, input.layout()));
        return unscoped::typecast(*tiles, input.dtype());
    };
    if (memory_config == DRAM_MEMORY_CONFIG) return in_dram();
    const ScopedTensor result(in_dram());
    return unscoped::to_memory_config(*result, memory_config);
}

// Along columns by way of rows: the last two dimensions are exchanged before and after.
Tensor joined_along(const Tensor& input, std::uint32_t repeats, std::size_t dim,
                    const MemoryConfig& memory_config) {
    const std::size_t rank = input.shape().rank();
    if (dim + 1 < rank) return joined_with_itself(input, repeats, dim, memory_config);
    const ScopedTensor exchanged(unscoped::transpose(input, -1, -2, memory_config));
    const ScopedTensor result(joined_with_itself(*exchanged, repeats, rank - 2, memory_config));
    return unscoped::transpose(*result, -1, -2, memory_config);
}

// Shards are joined in DRAM, where the result stays if nobody names another place.
Tensor joined_out_of_shards(const Tensor& input, std::uint32_t repeats, std::size_t dim,
                            const OptionalMemoryConfig& wanted) {
    const ScopedTensor source(unscoped::to_memory_config(input, DRAM_MEMORY_CONFIG));
    if (!wanted || *wanted == DRAM_MEMORY_CONFIG)
        return joined_along(*source, repeats, dim, DRAM_MEMORY_CONFIG);
    const ScopedTensor result(joined_along(*source, repeats, dim, DRAM_MEMORY_CONFIG));
    return unscoped::to_memory_config(*result, *wanted);
}

Tensor interleaved(const Tensor& input, std::uint32_t repeats, std::size_t dim,
                   const OptionalMemoryConfig& wanted) {
    if (input.shape().rank() == 1) {
        // A vector is exchanged to a column and back by its shape; without a place that is named, what follows goes by the
        // column's, whose shards may be given up.
        const std::uint32_t size = input.shape().dimensions()[0];
        const ScopedTensor column(unscoped::reshape(input, {size, 1}));
        const ScopedTensor result(interleaved(*column, repeats, 0, wanted));
        return unscoped::reshape(*result, {size * repeats}, wanted);
    }
    const MemoryConfig config = wanted.value_or(input.memory_config());
    if (repeats == 1) return unscoped::to_memory_config(input, config);
    if (input.is_sharded()) return joined_out_of_shards(input, repeats, dim, wanted);
    const RepeatInterleaveCodegen codegen{dim, repeats, config};
    if (codegen.takes(input.spec(), input.device())) return launch(codegen, {input});
    return joined_along(input, repeats, dim, config);
}

}  // namespace

Tensor RepeatInterleave::body() const {
    const Tensor& input = input_tensor;
    require_on_device(input, "repeat_interleave", "input");
    require(repeats != 0, "repeat_interleave: repeats: expected at least 1, got 0");
    return interleaved(input, repeats, input.shape().position(dim), memory_config);
}

}  // namespace tilemeter
