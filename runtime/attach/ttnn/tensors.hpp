// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors in arguments and outputs of TT-NN's functions, as events.
//
// Thread safety: the caches are their thread's own.

#pragma once

#include <algorithm>
#include <any>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <typeinfo>

#include "capture/record/emit_table.h"
#include "runtime/attach/ttnn/ttnn_api.hpp"

namespace tilemeter::attach::ttnn {

/// Types of tensors, by what tells them apart.
class TensorTypes {
public:
    std::uint32_t of(const Tensor& tensor, const Buffer* buffer, bool on_device) {
        Key key;
        const std::span<const std::uint32_t> shape = api.shape_view(api.tensor_shape(&tensor));
        key.rank = static_cast<std::uint32_t>(std::min(shape.size(), key.shape.size()));
        std::copy_n(shape.begin(), key.rank, key.shape.begin());
        key.dtype = api.tensor_dtype(&tensor);
        key.layout = api.tensor_layout(&tensor);
        key.on_device = on_device;
        const MemoryConfig* const config = on_device ? api.tensor_memory_config(&tensor) : nullptr;
        if (config != nullptr) {
            key.memory = api.memory_config_type(config);
            key.buffer_layout = api.memory_config_layout(config);
            // A sharded one has ranges of cores and shapes in it: its text is made for each tensor.
            if (api.memory_config_is_sharded(config)) key.alone = tensor.id + 1;
        }
        if (shape.size() > key.shape.size()) key.alone = tensor.id + 1;
        key.buffer_size = buffer != nullptr ? api.buffer_size(buffer) : 0;
        Entry& entry = entries_[key.hash() % entries_.size()];
        if (entry.id == 0 || std::memcmp(&entry.key, &key, sizeof key) != 0) {
            entry.id = make(tensor, key, shape, config);
            entry.key = key;
        }
        return entry.id;
    }

private:
    struct Key {
        std::array<std::uint32_t, 8> shape{};
        std::uint64_t alone = 0;  // the tensor, where more tells it from others than what stands here
        std::uint64_t buffer_size = 0;
        std::uint32_t rank = 0;
        std::uint8_t dtype = 0;
        std::uint8_t layout = 0;
        std::uint8_t on_device = 0;
        std::uint8_t memory = 0;
        std::uint8_t buffer_layout = 0;
        std::array<std::uint8_t, 7> unused{};

        std::uint64_t hash() const {
            std::array<std::uint64_t, sizeof(Key) / sizeof(std::uint64_t)> words;
            std::memcpy(words.data(), this, sizeof words);
            std::uint64_t made = 0;
            for (const std::uint64_t each : words)
                made = (made ^ each) * 0x9e3779b97f4a7c15;
            return made >> 32;
        }
    };
    static_assert(sizeof(Key) % sizeof(std::uint64_t) == 0);

    struct Entry {
        Key key;
        std::uint32_t id = 0;
    };

    static std::uint32_t make(const Tensor& tensor, const Key& key, std::span<const std::uint32_t> shape,
                              const MemoryConfig* config);

    std::array<Entry, 256> entries_{};
};

/// Tensors in the memory of devices, as they were told lately: a tensor is mentioned by each function that it passes
/// through. What tells one is its number, what it consists of and its buffer's number; its shape and layout are its for
/// good.
class KnownTensors {
public:
    /// Null: to be read. REQUIRES: the tensor lies in `buffer`.
    const tilemeter_tensor* find(const Tensor& tensor, const Buffer* buffer) const {
        const Entry& entry = entries_[tensor.id % entries_.size()];
        if (entry.made.id != tensor.id || entry.attributes != tensor.attributes.get() ||
            entry.buffer != buffer || entry.made.buffer != api.buffer_id(buffer))
            return nullptr;
        return &entry.made;
    }
    void add(const Tensor& tensor, const Buffer* buffer, const tilemeter_tensor& made) {
        entries_[tensor.id % entries_.size()] = {tensor.attributes.get(), buffer, made};
    }

private:
    struct Entry {
        const TensorAttributes* attributes = nullptr;
        const Buffer* buffer = nullptr;
        tilemeter_tensor made{};
    };
    std::array<Entry, 64> entries_{};
};

/// The wrappers of a tensor argument or output.
enum class Holds : std::uint8_t {
    kOther,
    kTensor,
    kOptional,
    kTensors,
    kReferences,
    kOptionals,
    kArray2,
    kArray3,
    kArray4,
    kAborted
};

/// The source of an argument's text.
enum class TextOf : std::uint8_t {
    kOther,
    kByte,     ///< its first one: an enumeration of fewer than 256
    kPointer,  ///< its value
    kShape     ///< the dimensions
};

struct HeldType {
    Holds holds = Holds::kOther;
    TextOf text = TextOf::kOther;
    bool by_reference = false;
};

using OptionalTensor = std::optional<Tensor>;
static_assert(sizeof(OptionalTensor) == 32);
HeldType type_of(const std::type_info& type);

/// libstdc++'s std::any: a function that knows the type, and a pointer or a small object.
struct AnyLayout {
    const void* manager;
    void* storage;
};
static_assert(sizeof(AnyLayout) == sizeof(std::any));

/// Types of arguments that were met, by the functions that know them, which need not be called.
class HeldTypes {
public:
    HeldType of(const std::any& value) {
        const void* const manager = reinterpret_cast<const AnyLayout&>(value).manager;
        // Taking a name apart costs a microsecond, so that two types which come in turns must not share a place.
        const std::size_t first = reinterpret_cast<std::uintptr_t>(manager) * 0x9e3779b97f4a7c15 >> 32;
        for (std::size_t i = 0; i < kTries; ++i) {
            Entry& entry = entries_[(first + i) % entries_.size()];
            if (entry.manager == manager) return entry.held;
            if (entry.manager == nullptr) return (entry = {manager, type_of(value.type())}).held;
        }
        return (entries_[first % entries_.size()] = {manager, type_of(value.type())}).held;
    }

private:
    struct Entry {
        const void* manager = nullptr;
        HeldType held;
    };
    static constexpr std::size_t kTries = 8;
    std::array<Entry, 128> entries_;
};

/// The object in `value`: libstdc++ keeps a pointer beside the manager, or small objects in its place.
const void* object_in(const std::any& value, bool by_reference, std::size_t size);

struct ThreadState;

/// Calls `add` for each tensor in `value`.
void emit_tensors_in(ThreadState& here, const std::any& value, HeldType type,
                     void (*add)(std::uint8_t, const tilemeter_tensor*));

}  // namespace tilemeter::attach::ttnn
