// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/node_texts.hpp"

#include <array>
#include <charconv>
#include <cstdint>

#include "capture/record/text.hpp"

namespace tilemeter::graph {

namespace {

using record::ArgumentType;
using record::Event;

template <typename Number>
void append_number(std::string& text, Number number) {
    std::array<char, 24> digits;
    text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

// Six digits, as a C++ stream writes it: "1e-05", "0.0104167".
void append_real(std::string& text, double number) {
    std::array<char, 32> digits;
    constexpr int kDigits = 6;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number,
                                   std::chars_format::general, kDigits);
    text.append(digits.data(), end.ptr);
}

void append_value(std::string& text, const Event::Payload::Argument& argument) {
    switch (argument.type) {
        case ArgumentType::kText:
            text += record::text_of(static_cast<record::TextId>(argument.text_or_spec));
            return;
        case ArgumentType::kInteger:
            return append_number(text, argument.integer);
        case ArgumentType::kReal:
            return append_real(text, argument.real);
        case ArgumentType::kBoolean:
            text += argument.integer != 0 ? '1' : '0';
            return;
        case ArgumentType::kTensor:
            text += record::text_of(
                record::tensor_facts_of(static_cast<record::TensorSpecId>(argument.text_or_spec))
                    .argument_text);
            return;
        case ArgumentType::kListBegin:
        case ArgumentType::kListEnd:
            return;
    }
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
    constexpr std::array kTexts = {"INTERLEAVED",   "SINGLE_BANK",   "HEIGHT_SHARDED",
                                   "WIDTH_SHARDED", "BLOCK_SHARDED", "ND_SHARDED"};
    const auto index = static_cast<std::size_t>(layout);
    return index < kTexts.size() ? kTexts[index] : "UNKNOWN";
}

const char* memory_text(record::MemoryType memory) {
    return memory == record::MemoryType::kDram ? "DRAM" : "L1";
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
        append_field("mesh_device_id", static_cast<std::uint16_t>(device));
        text += '}';
    }
    text += ']';
    return text;
}

std::vector<std::string> argument_texts(std::span<const Event* const> events) {
    std::vector<std::string> texts;
    std::size_t depth = 0;
    bool first_in_list = false;
    for (const Event* event : events) {
        const Event::Payload::Argument& argument = event->payload.argument;
        if (argument.type == ArgumentType::kListEnd) {
            if (depth == 0) continue;
            --depth;
            texts.back() += '}';
            first_in_list = false;
            continue;
        }
        if (depth == 0) {
            texts.emplace_back();
        } else if (!first_in_list) {
            texts.back() += ", ";
        }
        first_in_list = argument.type == ArgumentType::kListBegin;
        if (first_in_list) {
            texts.back() += '{';
            ++depth;
        } else {
            append_value(texts.back(), argument);
        }
    }
    if (depth > 0) texts.back().append(depth, '}');
    return texts;
}

}  // namespace tilemeter::graph
