// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/internal/launch_parts.hpp"

#include <algorithm>
#include <cstdint>

#include "runtime/device/call_recorder.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/types/tile_text.hpp"

namespace tilemeter::launching {

namespace {

// Most operations are modelled for tiles of 32 x 32 alone: another tile is never taken for one of these.
void require_tiles(const DeviceOperation& operation, const TensorSpecs& inputs) {
    const auto small =
        std::ranges::find_if(inputs, [](const TensorSpec& each) { return each.tile != kWholeTile; });
    if (small == inputs.end() || operation.takes_small_tiles(inputs)) return;
    refuse_unmodelled(operation.name(), ": input tensor ", static_cast<std::uint64_t>(small - inputs.begin()),
                      ": expected tiles of ", size_text(kWholeTile), ", others are not modelled here, got ",
                      size_text(small->tile));
}

// Likewise shards of more dimensions than rows and columns.
void require_shards(const DeviceOperation& operation, SpecsView specs, const char* what) {
    if (operation.takes_nd_shards()) return;
    for (const TensorSpec& each : specs) {
        if (each.memory_config.memory_layout != TensorMemoryLayout::ND_SHARDED) continue;
        refuse_unmodelled(
            operation.name(), ": ", what,
            " tensor: shards that are no whole rows, columns or blocks (NdShardSpec) are not modelled "
            "here, got ",
            each.memory_config.to_string(true));
    }
}

void validate(const Launch& launch, const TensorSpecs& inputs, Outputs& outputs) {
    require_tiles(launch.operation, inputs);
    require_shards(launch.operation, inputs, "input");
    try {
        launch.operation.validate(inputs, launch.device->description());
    } catch (const RuntimeError&) {
        if (!launch.into.empty()) throw;
        TensorSpecs made;
        try {
            made = launch.operation.outputs_when_refused(inputs, launch.device->description());
        } catch (const RuntimeError&) {  // NOLINT(bugprone-empty-catch): the first error is the one thrown
        }
        outputs.make(made, launch.device);
        throw;
    }
}

}  // namespace

TensorSpecs specs_of(std::span<const Tensor> tensors) {
    TensorSpecs specs;
    specs.reserve(tensors.size());
    for (const Tensor& tensor : tensors)
        specs.push_back(tensor.spec());
    return specs;
}

void require_fitting(const DeviceOperation& operation, std::span<const Tensor> into,
                     const TensorSpecs& specs) {
    if (into.size() != specs.size()) {
        refuse_with(operation.name(), ": expected ", specs.size(), " output tensor(s), got ", into.size());
    }
    for (std::size_t i = 0; i < specs.size(); ++i) {
        require_on_device(into[i], operation.name(), "output tensor");
        if (into[i].shape() != specs[i].shape || into[i].dtype() != specs[i].dtype ||
            into[i].layout() != specs[i].layout) {
            refuse_with(operation.name(), ": output tensor: expected ", specs[i].shape, " ",
                        name_of(specs[i].dtype), " ", name_of(specs[i].layout), ", got ", into[i].shape(),
                        " ", name_of(into[i].dtype()), " ", name_of(into[i].layout()));
        }
        const Tile made = specs[i].tile, given = into[i].spec().tile;
        if (given != made) {
            refuse_with(operation.name(), ": output tensor: expected tiles of ", size_text(made), ", got ",
                        size_text(given));
        }
    }
}

std::vector<ProgramTable> send_config_tensors(const ProgramPlan& plan,
                                              const std::shared_ptr<Device>& device) {
    std::vector<ProgramTable> tables;
    if (plan.config_tensors.empty()) return tables;
    CallRecorder* const recorder = call_recorder();
    if (recorder != nullptr) recorder->begin_tables();
    static const record::TextId kConversion = record::intern("tt::tt_metal::to_dtype");
    for (const TensorSpec& spec : plan.config_tensors) {
        if (plan.converts_config_tensors) in_scope(kConversion, std::tie(spec.shape), [] {});
        // Semaphores are set up on the device itself, nothing is sent.
        const std::shared_ptr<Buffer> buffer =
            spec.memory_config.buffer_type == BufferType::L1
                ? Buffer::allocate(device, spec)
                : upload(Tensor::planned_on_host(spec), device, spec.memory_config).shared_buffer();
        buffer->keep_until_close();
        tables.push_back({buffer->address(), buffer->id()});
    }
    if (recorder != nullptr) recorder->end_tables();
    return tables;
}

TensorSpecs validated_outputs(const Launch& launch, const TensorSpecs& inputs, Outputs& outputs) {
    validate(launch, inputs, outputs);
    TensorSpecs specs = launch.operation.infer(inputs, launch.device->description());
    for (TensorSpec& each : specs)
        if (each.memory_config.nd_shard_spec) each = placed_shards(std::move(each));
    require_shards(launch.operation, specs, "output");
    return specs;
}

void make_or_use(Launch& launch, const std::vector<PlannedTensor>& planned, Outputs& outputs) {
    if (launch.into.empty()) return outputs.make(planned, launch.device);
    for (const Tensor& output : launch.into)
        require_on_device(output, launch.operation.name(), "output tensor");
    outputs.use(std::move(launch.into));
}

}  // namespace tilemeter::launching
