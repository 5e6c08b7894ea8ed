// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/collectives.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/device/errors.hpp"
#include "runtime/operations/collective_operation.hpp"
#include "runtime/operations/launch.hpp"
#include "runtime/operations/operation_scope.hpp"
#include "runtime/operations/program_pieces.hpp"

namespace tilemeter {

namespace {

/// What a packet between chips carries at most, in bytes.
constexpr std::uint64_t kPacketBytes = 4352;

// A word on every core by which chips tell each other how far they are.
TensorSpec semaphore(const DeviceDescription& device) {
    const auto cores = static_cast<std::uint32_t>(device.num_compute_cores());
    return {Shape{cores, 1},
            DataType::UINT32,
            Layout::ROW_MAJOR,
            {TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
             ShardSpec{whole_grid(device.compute_grid), {1, 1}}}};
}

class AllGather : public DeviceOperationWith<AllGather>, public Collective {
public:
    static constexpr std::string_view kName = "AllGatherDeviceOperation";
    static constexpr std::string_view kAttributesName = "AllGatherParams";

    AllGather(std::size_t dim, std::uint32_t chips, MemoryConfig memory_config)
        : dim_(dim), chips_(chips), memory_config_(std::move(memory_config)) {}

    auto attributes() const { return std::make_tuple(dim_, chips_, memory_config_); }

    void validate(std::span<const TensorSpec> inputs) const override {
        const TensorSpec& input = inputs[0];
        if (input.memory_config.is_sharded() || memory_config_.is_sharded()) {
            throw RuntimeError("all_gather: input_tensor: expected INTERLEAVED input and result, got " +
                               std::string(name_of(input.memory_config.memory_layout)));
        }
        const std::size_t rank = input.shape.rank();
        const std::uint32_t size = input.shape.dimensions()[dim_];
        if (input.layout == Layout::TILE && dim_ + 2 >= rank && size % kTileHeight != 0) {
            throw RuntimeError("all_gather: dim: expected whole tiles of 32 along it, got " +
                               std::to_string(size) + " of " + input.shape.to_string());
        }
    }

    TensorSpecs infer(std::span<const TensorSpec> inputs) const override {
        TensorSpec out = inputs[0];
        const auto axis = static_cast<std::int64_t>(dim_);
        out.shape.set(axis, out.shape[axis] * chips_);
        out.memory_config = memory_config_;
        return {out};
    }

    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec>,
                     const DeviceDescription& device) const override {
        const bool tiled = inputs[0].layout == Layout::TILE;
        const std::uint64_t page = buffer_geometry(inputs[0], device).page_size_bytes;
        const std::uint64_t packet = std::max<std::uint64_t>(kPacketBytes / page, 1) * page;
        return {"ttnn::operations::ccl::AllGatherMulticastFactory",
                0,
                {circular_buffer((tiled ? 9 : 3) * packet, CoreRange{{0, 0}, {0, 0}})},
                {semaphore(device), semaphore(device)}};
    }

    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const override {
        return compute_together(inputs, outputs[0]);
    }

    std::vector<HostArray> compute_together(std::span<const HostArray* const> input_by_chip,
                                            const TensorSpec& output) const override {
        HostArray gathered(output.dtype, output.shape);
        const Shape& part = input_by_chip[0]->shape();
        std::uint64_t run =
            input_by_chip[0]->stored_element_size();  // bytes that lie together in one chip's part
        for (std::size_t i = dim_; i < part.rank(); ++i)
            run *= part.dimensions()[i];
        std::byte* to = gathered.bytes().data();
        for (std::uint64_t at = 0; at < input_by_chip[0]->bytes().size(); at += run) {
            for (const HostArray* chip : input_by_chip) {
                std::memcpy(to, chip->bytes().data() + at, run);
                to += run;
            }
        }
        return std::vector<HostArray>(input_by_chip.size(), gathered);
    }

private:
    std::size_t dim_;
    std::uint32_t chips_;
    MemoryConfig memory_config_;
};

}  // namespace

Tensor all_gather(const Tensor& input_tensor, int dim, const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("all_gather");
    return in_operation(kName, std::tie(input_tensor, dim, memory_config), [&] {
        require_on_device(input_tensor, "all_gather", "input_tensor");
        const auto chips = static_cast<std::uint32_t>(input_tensor.device().chips().size());
        return launch(AllGather(input_tensor.shape().position(dim), chips,
                                memory_config.value_or(input_tensor.memory_config())),
                      {input_tensor});
    });
}

}  // namespace tilemeter
