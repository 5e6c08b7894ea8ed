// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/failure.hpp"

#include <charconv>

namespace tilemeter::graph {
namespace {

/// The number after the first `key`.
std::optional<std::uint64_t> number_after(std::string_view text, std::string_view key) {
    const std::size_t at = text.find(key);
    if (at == std::string_view::npos) return {};
    std::string_view rest = text.substr(at + key.size());
    while (!rest.empty() && rest.front() == ' ')
        rest.remove_prefix(1);
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (problem != std::errc{}) return {};
    return value;
}

std::string core_range_in(std::string_view text) {
    const std::size_t key = text.find("core range");
    if (key == std::string_view::npos) return {};
    const std::size_t open = text.find('[', key);
    const std::size_t close = text.find(']', key);
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
    return std::string(text.substr(open, close - open + 1));
}

}  // namespace

const char* name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::kFits:
            return "fits";
        case Verdict::kClash:
            return "clash";
        case Verdict::kExhausted:
            return "exhausted";
        case Verdict::kFragmented:
            return "fragmented";
        case Verdict::kNeverFits:
            return "never fits";
    }
    return "";
}

Verdict OutOfMemory::verdict() const {
    if (bank_size_bytes && per_bank_bytes > *bank_size_bytes) return Verdict::kNeverFits;
    if (free_bytes && *free_bytes >= per_bank_bytes) {
        const bool hole_is_enough = largest_free_bytes && *largest_free_bytes >= per_bank_bytes;
        return hole_is_enough ? Verdict::kFits : Verdict::kFragmented;
    }
    return Verdict::kExhausted;
}

std::uint64_t OutOfMemory::missing_bytes() const {
    std::uint64_t there = 0;
    switch (verdict()) {
        case Verdict::kNeverFits:
            there = *bank_size_bytes;
            break;
        case Verdict::kFragmented:
            there = largest_free_bytes.value_or(0);
            break;
        default:
            there = free_bytes.value_or(0);
    }
    return per_bank_bytes > there ? per_bank_bytes - there : 0;
}

std::optional<Clash> parse_clash(std::string_view message) {
    const auto tensor = number_after(message, "L1 buffer allocated at");
    const auto end = number_after(message, "region ends at");
    if (!tensor || !end) return {};
    return Clash{*tensor, *end, core_range_in(message)};
}

std::optional<OutOfMemory> parse_out_of_memory(std::string_view message) {
    const auto total = number_after(message, "Not enough space to allocate");
    const auto banks = number_after(message, "across");
    const auto per_bank = number_after(message, "each bank needs to store");
    if (!total || !banks || !per_bank) return {};
    OutOfMemory failure;
    failure.total_bytes = *total;
    failure.banks = *banks;
    failure.per_bank_bytes = *per_bank;
    failure.in_l1_small = message.find(" L1_SMALL buffer") != std::string_view::npos;
    failure.in_l1 = failure.in_l1_small || message.find(" L1 buffer") != std::string_view::npos;
    failure.bank_size_bytes = number_after(message, "bank size is");
    if (!failure.bank_size_bytes) failure.bank_size_bytes = number_after(message, "bank size is only");
    failure.allocated_bytes = number_after(message, "allocated:");
    failure.free_bytes = number_after(message, "free:");
    failure.largest_free_bytes = number_after(message, "largest free block:");
    return failure;
}

std::optional<ProgramTooLarge> parse_program_too_large(std::string_view message) {
    const auto bytes = number_after(message, "grow to");
    const auto l1 = number_after(message, "max L1 size of");
    if (!bytes || !l1) return {};
    return ProgramTooLarge{*bytes, *l1, core_range_in(message)};
}

}  // namespace tilemeter::graph
