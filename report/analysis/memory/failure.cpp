// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/memory/failure.hpp"

#include <charconv>

namespace tilemeter::analysis {
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

const char* name_of(FailureCause cause) {
    switch (cause) {
        case FailureCause::kNone:
            return "none";
        case FailureCause::kClash:
            return "clash";
        case FailureCause::kExhausted:
            return "exhausted";
        case FailureCause::kFragmented:
            return "fragmented";
        case FailureCause::kNeverFits:
            return "never fits";
        case FailureCause::kOther:
            return "other";
        case FailureCause::kNotRecorded:
            return "not recorded";
    }
    return "";
}

bool is_lack_of_memory(FailureCause cause) {
    switch (cause) {
        case FailureCause::kClash:
        case FailureCause::kExhausted:
        case FailureCause::kFragmented:
        case FailureCause::kNeverFits:
            return true;
        case FailureCause::kNone:
        case FailureCause::kOther:
        case FailureCause::kNotRecorded:
            return false;
    }
    return false;
}

FailureCause OutOfMemory::cause() const {
    if (bank_size_bytes && per_bank_bytes > *bank_size_bytes) return FailureCause::kNeverFits;
    // It was refused: whatever the figures say, no hole was large enough.
    if (free_bytes && *free_bytes >= per_bank_bytes) return FailureCause::kFragmented;
    return FailureCause::kExhausted;
}

std::uint64_t OutOfMemory::missing_bytes() const {
    std::uint64_t there = 0;
    switch (cause()) {
        case FailureCause::kNeverFits:
            there = *bank_size_bytes;
            break;
        case FailureCause::kFragmented:
            there = largest_free_bytes.value_or(0);
            break;
        default:
            there = free_bytes.value_or(0);
    }
    return per_bank_bytes > there ? per_bank_bytes - there : 0;
}

FailureMessage read_failure_message(std::string_view message) {
    FailureMessage read;
    if (message.empty()) return read;
    if ((read.clash = parse_clash(message)))
        read.cause = FailureCause::kClash;
    else if ((read.out_of_memory = parse_out_of_memory(message)))
        read.cause = read.out_of_memory->cause();
    else if ((read.program_too_large = parse_program_too_large(message)))
        read.cause = FailureCause::kNeverFits;
    else if ((read.no_room_for_program = parse_no_room_for_program(message)))
        read.cause = FailureCause::kExhausted;
    else
        read.cause = FailureCause::kOther;
    return read;
}

std::optional<Clash> parse_clash(std::string_view message) {
    const auto tensor = number_after(message, "L1 buffer allocated at");
    const auto end = number_after(message, "region ends at");
    if (!tensor || !end) return {};
    return Clash{*tensor, *end, core_range_in(message)};
}

std::optional<OutOfMemory> parse_out_of_memory(std::string_view message) {
    if (const auto asked = number_after(message, "out of memory:"); message.starts_with("out of memory:")) {
        // What our own recorders say of PyTorch, whose devices are one bank each.
        const auto free = number_after(message, " had");
        if (!asked || !free) return {};
        OutOfMemory failure;
        failure.total_bytes = failure.per_bank_bytes = *asked;
        failure.banks = 1;
        failure.free_bytes = free;
        failure.device = number_after(message, "asked for, device");
        return failure;
    }
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

std::optional<NoRoomForProgram> parse_no_room_for_program(std::string_view message) {
    const auto bytes = number_after(message, "circular buffers require");
    const auto free = number_after(message, "but only");
    if (!bytes || !free || message.find("L1 span") == std::string_view::npos) return {};
    return NoRoomForProgram{*bytes, *free};
}

}  // namespace tilemeter::analysis
