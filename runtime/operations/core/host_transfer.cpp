// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/host_transfer.hpp"

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "capture/record/text.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/device_hooks.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/metal_trace.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/write_log.hpp"
#include "runtime/tensor/stored_values.hpp"
#include "runtime/types/tile_text.hpp"

namespace tilemeter {

namespace {

// True if a hook took the write: the tensor's values are not known.
bool is_hooked_write(const Tensor& tensor) {
    DeviceHooks* const hooks = device_hooks();
    if (hooks == nullptr || !hooks->takes_write(tensor.buffer())) return false;
    static const auto kHooked = uncomputed_values("a hook took their write");
    if (!is_planned_only()) tensor.shared_buffer()->set_values(kHooked);
    return true;
}

}  // namespace

Tensor upload_filled(const TensorSpec& spec, float value, const std::shared_ptr<Device>& device) {
    TensorSpec on_host = spec;
    on_host.memory_config = DRAM_MEMORY_CONFIG;
    const Tensor host = host_or_planned(on_host, [on_host, value] {
        return HostArray::from_floats(std::vector<float>(on_host.shape.volume(), value), on_host.dtype,
                                      on_host.shape);
    });
    return upload(host, device, spec.memory_config);
}

Tensor upload(const Tensor& host, const std::shared_ptr<Device>& device, const MemoryConfig& memory_config) {
    static const record::TextId kName = record::intern("Tensor::to_device");
    const std::string on = "device " + std::to_string(static_cast<unsigned>(device->id()));
    return in_scope(kName, std::tie(host, on, memory_config), [&] {
        if (host.storage_type() != StorageType::HOST) {
            if (host.shared_device() == device) return host;
            refuse_with("to_device: tensor ", host.shape(),
                        ": expected on the host or on this device, is on another");
        }
        device->traces().require_not_recording("Writes are not supported during trace capture.");
        TensorSpec spec = host.spec();
        spec.memory_config = memory_config;
        spec = placed_shards(std::move(spec));
        const std::size_t chips = device->chips().size();
        require(!host.has_values() || host.chip_values()->size() == 1 || host.chip_values()->size() == chips,
                [&] {
                    return "to_device: expected values for 1 or " + std::to_string(chips) + " chip(s), got " +
                           std::to_string(host.chip_values()->size());
                });
        Tensor tensor = Tensor::on_device(spec, Buffer::allocate(device, spec));
        if (!is_hooked_write(tensor)) take_values(tensor, host);
        tensor.set_distribution(host.distribution());
        return tensor;
    });
}

void overwrite(const Tensor& host, const Tensor& device_tensor, CopiedShards shards) {
    static const record::TextId kAll = record::intern("tt::tt_metal::copy_to_device");
    static const record::TextId kSome =
        record::intern("ttnn::experimental::core_subset_write::copy_to_device_filtered");
    in_scope(shards == CopiedShards::kAll ? kAll : kSome, std::tie(host, device_tensor), [&] {
        require_on_device(device_tensor, "copy_to_device", "device tensor");
        if (host.shape() != device_tensor.shape() || host.dtype() != device_tensor.dtype() ||
            host.layout() != device_tensor.layout() || host.spec().tile != device_tensor.spec().tile) {
            const auto text = [](const Tensor& tensor) {
                const Tile tile = tensor.spec().tile;
                return tensor.shape().to_string() + " " + std::string(name_of(tensor.dtype())) + " " +
                       std::string(name_of(tensor.layout())) +
                       (tile == kWholeTile ? "" : " of " + size_text(tile));
            };
            refuse_with("copy_to_device: expected ", text(device_tensor), ", got ", text(host));
        }
        device_tensor.device().traces().require_not_recording(
            "Writes are not supported during trace capture.");
        note_write(device_tensor.buffer());
        if (is_hooked_write(device_tensor)) return device_tensor;
        if (!is_planned_only()) {
            take_values(device_tensor, host);
        } else if (call_recorder() != nullptr) {
            internal::record_moved(device_tensor, host, {});
        }
        return device_tensor;
    });
}

Tensor download(const Tensor& tensor) {
    static const record::TextId kName = record::intern("Tensor::cpu");
    const bool blocking = true;
    if (tensor.storage_type() == StorageType::HOST) return tensor;
    return in_scope(kName, std::tie(tensor, blocking), [&] {
        require_on_device(tensor, "from_device", "tensor");
        tensor.device().traces().require_not_recording("Reads are not supported during trace capture.");
        TensorSpec spec = tensor.spec();  // with its memory config: to_device brings it back to its place
        if (call_recorder() != nullptr) {
            Tensor host = Tensor::planned_on_host(std::move(spec));
            internal::record_moved(host, tensor, {});
            if (!tensor.chip()) host.set_distribution(tensor.distribution());
            return host;
        }
        DeviceHooks* const hooks = device_hooks();
        if (hooks != nullptr && hooks->takes_read(tensor.buffer())) [[unlikely]]
            return Tensor::planned_on_host(std::move(spec));
        if (tensor.is_uncomputed()) return Tensor::uncomputed_on_host(std::move(spec), tensor);
        if (!tensor.has_values()) return Tensor::planned_on_host(std::move(spec));
        ChipValues values;
        const auto all_chips = tensor.chip_values();
        for (const HostArray& stored : *all_chips)
            values.push_back(stored.reshaped(tensor.shape()));
        Tensor host = Tensor::on_host(std::move(spec), std::move(values));
        if (const float padding = padding_of(tensor.buffer().values()); padding != 0.0F)
            note_padding(host.chip_values(), padding);
        if (!tensor.chip()) host.set_distribution(tensor.distribution());
        return host;
    });
}

}  // namespace tilemeter
