// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The key of a program in the program cache: the operation, its attributes and the specs of its tensors, as
// bytes.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

class ProgramKey {
public:
    ProgramKey() {
        constexpr std::size_t kMostAreShorter = 384;
        bytes_.reserve(kMostAreShorter);
    }

    template <typename T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void append(T value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void append(std::string_view text) {
        append(text.size());
        bytes_.append(text);
    }
    void append(const std::string& text) { append(std::string_view(text)); }
    void append(const Shape& shape) {
        append(shape.rank());
        for (const std::uint32_t dimension : shape.dimensions())
            append(dimension);
    }
    void append(CoreCoord core) {
        append(core.x);
        append(core.y);
    }
    void append(const CoreRangeSet& cores) {
        append(cores.ranges().size());
        for (const CoreRange& range : cores.ranges()) {
            append(range.start);
            append(range.end);
        }
    }
    void append(const MemoryConfig& config) {
        const unsigned shards = (config.shard_spec ? 1U : 0U) | (config.nd_shard_spec ? 2U : 0U) |
                                (config.has_nd_shards_filled_in ? 4U : 0U);
        append(static_cast<std::uint32_t>(config.memory_layout) |
               static_cast<std::uint32_t>(config.buffer_type) << 8U | shards << 16U);
        if (config.nd_shard_spec) {
            append(config.nd_shard_spec->shape);
            append(config.nd_shard_spec->grid);
            append(config.nd_shard_spec->orientation);
            append(config.nd_shard_spec->strategy);
        }
        if (!config.shard_spec) return;
        append(config.shard_spec->grid);
        append(config.shard_spec->shape[0]);
        append(config.shard_spec->shape[1]);
        append(config.shard_spec->orientation);
    }
    void append(const TensorSpec& spec) {
        append(spec.shape);
        append(static_cast<std::uint32_t>(spec.dtype) | static_cast<std::uint32_t>(spec.layout) << 8U);
        append(spec.memory_config);
        // At once: a key is made at each call.
        const std::array<std::uint32_t, 4> last{spec.alignment[0], spec.alignment[1], spec.tile.height,
                                                spec.tile.width};
        bytes_.append(reinterpret_cast<const char*>(last.data()), sizeof last);
    }
    template <typename T>
    void append(const std::optional<T>& value) {
        append(value.has_value());
        if (value) append(*value);
    }
    template <typename... Ts>
    void append(const std::variant<Ts...>& value) {
        append(value.index());
        std::visit([this](const auto& each) { append(each); }, value);
    }
    /// A structure that lists its members.
    template <typename T>
    requires requires(const T& value) { value.key_fields(); }
    void append(const T& value) {
        std::apply([this](const auto&... each) { (append(each), ...); }, value.key_fields());
    }
    template <typename T, std::size_t kSize>
    void append(const std::array<T, kSize>& values) {
        for (const T& value : values)
            append(value);
    }
    template <typename T>
    void append(std::span<const T> values) {
        append(values.size());
        for (const T& value : values)
            append(value);
    }
    template <typename T>
    void append(const std::vector<T>& values) {
        append(std::span<const T>(values));
    }

    /// Element type and place of a tensor of any shape.
    void append_kind(const TensorSpec& spec) {
        append(spec.dtype);
        append(spec.memory_config);
    }

    const std::string& bytes() const { return bytes_; }
    std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

}  // namespace tilemeter
