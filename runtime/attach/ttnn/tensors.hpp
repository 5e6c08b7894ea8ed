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
            if (api.memory_config_is_sharded(config)) key.sharded = tensor.id + 1;
        }
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
        std::uint64_t sharded = 0;
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
/// What a tensor argument or output may be wrapped in.
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

/// What the text of an argument is a function of.
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

/// Types of arguments that were met, by where their information lies.
class HeldTypes {
public:
    HeldType of(const std::type_info& type) {
        // Taking a name apart costs a microsecond, so that two types which come in turns must not share a place.
        const std::size_t first = reinterpret_cast<std::uintptr_t>(&type) * 0x9e3779b97f4a7c15 >> 32;
        for (std::size_t i = 0; i < kTries; ++i) {
            Entry& entry = entries_[(first + i) % entries_.size()];
            if (entry.type == &type) return entry.held;
            if (entry.type == nullptr) return (entry = {&type, type_of(type)}).held;
        }
        return (entries_[first % entries_.size()] = {&type, type_of(type)}).held;
    }

private:
    struct Entry {
        const std::type_info* type = nullptr;
        HeldType held;
    };
    static constexpr std::size_t kTries = 8;
    std::array<Entry, 128> entries_;
};
/// The object in `value`: libstdc++ keeps a pointer beside the manager, or small objects in its place.
const void* object_in(const std::any& value, bool by_reference, std::size_t size);

/// Calls `add` for each tensor in `value`.
void emit_tensors_in(const std::any& value, HeldType type,
                     void (*add)(std::uint8_t, const tilemeter_tensor*));

}  // namespace tilemeter::attach::ttnn
