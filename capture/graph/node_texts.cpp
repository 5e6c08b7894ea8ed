// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/node_texts.hpp"

#include <array>
#include <charconv>
#include <cstdint>

namespace tilemeter::graph {

namespace {

template <typename Number>
void append_number(std::string& text, Number number) {
    std::array<char, 24> digits;
    text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

}  // namespace

std::string shape_text(std::span<const std::uint64_t> shape) {
    std::string text = "Shape([";
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (i > 0) text += ", ";
        append_number(text, shape[i]);
    }
    text += "])";
    return text;
}

const char* layout_text(record::BufferLayout layout) {
    // TT-NN has no text for kNdSharded here.
    constexpr std::array kTexts = {"INTERLEAVED", "SINGLE_BANK", "HEIGHT_SHARDED", "WIDTH_SHARDED",
                                   "BLOCK_SHARDED"};
    const auto index = static_cast<std::size_t>(layout);
    return index < kTexts.size() ? kTexts[index] : "UNKNOWN";
}

const char* memory_text(record::MemoryType memory) {
    const bool is_dram = memory == record::MemoryType::kDram || memory == record::MemoryType::kTrace;
    return is_dram ? "DRAM" : "L1";
}

std::string device_tensors_text(record::DeviceId device, std::span<const std::uint16_t> chips,
                                std::uint64_t address, std::string_view quote) {
    std::string text = "[";
    const auto append_field = [&](std::string_view key, std::uint64_t value) {
        text.append(quote).append(key).append(quote) += ':';
        append_number(text, value);
    };
    for (const std::uint16_t chip : chips) {
        text += text.size() > 1 ? ",{" : "{";
        append_field("address", address);
        text += ',';
        append_field("device_id", chip);
        text += ',';
        append_field("mesh_device_id", record::number_of(device));
        text += '}';
    }
    text += ']';
    return text;
}

std::string real_text(double number) {
    std::array<char, 32> digits;
    constexpr int kDigits = 6;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number,
                                   std::chars_format::general, kDigits);
    return {digits.data(), end.ptr};
}

}  // namespace tilemeter::graph
