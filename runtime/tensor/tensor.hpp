// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A tensor: values on the host, or memory on a device. Objects are handles: copies are the same tensor, with
// the same id.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "capture/record/records.hpp"
#include "runtime/device/buffer.hpp"
#include "runtime/types/host_array.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

enum class StorageType : std::uint8_t { HOST, DEVICE };

/// The distribution of a tensor's values over the chips of a mesh: for each axis the number of parts, and the
/// dimension of the tensor that is cut; none: the parts are replicas.
struct Distribution {
    std::vector<std::uint32_t> parts;
    std::vector<std::optional<int>> dimensions;
};

class Tensor {
public:
    /// No tensor. Everything but is_allocated() and the destructor throws RuntimeError.
    Tensor() = default;

    /// A host tensor. `values`: one array for all chips of a device it may go to, or one per chip; each of
    /// the spec's shape and dtype. Its memory config says where to_device() puts it by default.
    static Tensor on_host(TensorSpec spec, ChipValues values);
    static Tensor on_host(TensorSpec spec, HostArray values);

    /// A planned host tensor: it has no values and reads as zeros.
    static Tensor planned_on_host(TensorSpec spec);
    /// A host tensor whose values would be made of those of `source`, which no operation computed (stored_values.hpp).
    static Tensor uncomputed_on_host(TensorSpec spec, const Tensor& source);

    /// A device tensor over `buffer`; `is_view`: of another tensor's buffer, or a part of it, under another shape.
    /// Without that, the buffer was made for `spec`.
    static Tensor on_device(TensorSpec spec, std::shared_ptr<Buffer> buffer, bool is_view = false);

    /// The part of a device tensor on one chip of a mesh: the same memory, that chip's values.
    static Tensor of_chip(const Tensor& tensor, std::size_t chip);

    record::TensorId id() const { return state().id; }
    const TensorSpec& spec() const { return state().spec; }
    const Shape& logical_shape() const { return spec().shape; }
    const Shape& shape() const { return spec().shape; }
    Shape padded_shape() const { return spec().padded_shape(); }
    DataType dtype() const { return spec().dtype; }
    Layout layout() const { return spec().layout; }
    const MemoryConfig& memory_config() const { return spec().memory_config; }
    StorageType storage_type() const { return state().buffer ? StorageType::DEVICE : StorageType::HOST; }
    bool is_sharded() const { return storage_type() == StorageType::DEVICE && memory_config().is_sharded(); }

    /// True while the tensor has its values (host) or its memory (device).
    bool is_allocated() const;

    /// The tensor's device. Throws RuntimeError for a host tensor.
    Device& device() const { return buffer().device(); }
    const std::shared_ptr<Device>& shared_device() const { return buffer().shared_device(); }
    Buffer& buffer() const { return *shared_buffer(); }
    const std::shared_ptr<Buffer>& shared_buffer() const {
        if (!state().buffer) [[unlikely]]
            throw_on_host();
        return state_->buffer;
    }

    /// Frees the device memory, also for all other tensors that share it (`force`), or only if none does.
    /// Recorded as the function "Tensor::deallocate". A host tensor is left alone. Where another tensor has freed the
    /// memory, the function is recorded all the same for the last view of it, as TT-NN does, and frees nothing.
    void deallocate(bool force = true);

    /// Lets this tensor, with all its handles, be what `other` is; it gives up its own memory, which is freed unless other
    /// tensors share it. Some operations do so with an output that the caller brings.
    void become(const Tensor& other) const;

    /// Values as they are on the device or host; `chip` counts the chips of a mesh. A tensor planned in a
    /// NO_DISPATCH capture has no values and reads as zeros. Throws RuntimeError when the tensor is
    /// deallocated.
    HostArray values(std::size_t chip = 0) const;

    /// Values of all chips, zeros if there are none. Throws RuntimeError when the tensor is deallocated or was
    /// not computed.
    std::shared_ptr<const ChipValues> chip_values() const;

    /// False for planned tensors, which read as zeros, and for those that were not computed.
    bool has_values() const;
    /// True if no operation computed its values (a capture without values was open, a kernel of somebody else's made
    /// it), so that reading it throws.
    bool is_uncomputed() const;
    /// The stand-in for the values, which knows why; else null.
    std::shared_ptr<const ChipValues> uncomputed() const;

    /// Logical elements in row-major order, as T (float, double, or an integer type).
    template <typename T>
    std::vector<T> to_vector(std::size_t chip = 0) const;

    /// The tensor's record for captures.
    record::TensorRecord record() const;
    record::TensorSpecId record_spec_id() const;

    /// True if another handle or another tensor shares the device memory.
    bool shares_memory() const;

    bool is_view() const { return state().is_view; }

    /// The chip whose part this tensor is; none: all chips.
    std::optional<std::size_t> chip() const { return state().chip; }

    /// The distribution over chips; null: all chips have the same values.
    const std::shared_ptr<const Distribution>& distribution() const { return state().distribution; }
    void set_distribution(std::shared_ptr<const Distribution> distribution) {
        state();
        state_->distribution = std::move(distribution);
    }

    /// True if no other handle and no view shares the device memory. Bindings of garbage-collected languages
    /// check it before they free. False for a host tensor.
    bool is_last_owner() const {
        return state_.use_count() == 1 && state_->buffer != nullptr && !Buffer::is_shared(state_->buffer);
    }

    /// The tensor's spec.
    std::string to_string() const;

private:
    struct State {
        record::TensorId id{};
        TensorSpec spec;
        bool is_view = false;
        bool is_freed = false;  // this tensor, not another that shares its memory
        std::optional<std::size_t> chip;
        std::shared_ptr<const Distribution> distribution;
        std::shared_ptr<Buffer> buffer;                           // device tensors
        std::shared_ptr<const ChipValues> host_values;            // host tensors
        mutable std::atomic<record::TensorSpecId> record_spec{};  // interned at the first mention
    };
    const State& state() const {
        if (!state_) [[unlikely]]
            throw_empty();
        return *state_;
    }
    bool frees_in_scope() const;
    [[noreturn]] static void throw_empty();
    [[noreturn]] void throw_on_host() const;

    std::shared_ptr<State> state_;
};

template <typename T>
std::vector<T> Tensor::to_vector(std::size_t chip) const {
    const HostArray array = values(chip);
    if constexpr (std::is_floating_point_v<T>) {
        const std::vector<float> floats = array.to_floats();
        return {floats.begin(), floats.end()};
    } else {
        const std::vector<std::int64_t> integers = array.to_integers();
        std::vector<T> result;
        result.reserve(integers.size());
        for (const std::int64_t value : integers)
            result.push_back(static_cast<T>(value));
        return result;
    }
}

/// Throws RuntimeError, naming `operation` and `argument`, unless the tensor is on an open device and
/// allocated.
void require_on_device(const Tensor& tensor, std::string_view operation, std::string_view argument);

}  // namespace tilemeter
