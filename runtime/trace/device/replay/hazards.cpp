// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/replay/hazards.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "capture/graph/l1_banks.hpp"
#include "capture/record/placement.hpp"
#include "capture/record/tensor_info.hpp"
#include "capture/record/text.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/types/rounding.hpp"

namespace tilemeter::trace {

namespace {

using record::BufferRecord;

std::string range_text(std::uint64_t begin, std::uint64_t end) {
    return "[" + std::to_string(begin) + ", " + std::to_string(end) + ")";
}

std::vector<BankRange> interleaved(const BufferRecord& buffer, const DeviceDescription& device) {
    std::vector<BankRange> ranges;
    if (buffer.page_size_bytes == 0) return ranges;
    const std::uint64_t alignment = is_in_l1(buffer.memory) ? device.l1_alignment : device.dram_alignment;
    const std::uint64_t page = ceil_div(buffer.page_size_bytes, alignment) * alignment;
    const std::uint64_t pages = buffer.size_bytes / buffer.page_size_bytes;
    const std::uint64_t banks = num_banks_of(buffer.memory, device);
    for (std::uint64_t bank = 0; bank < std::min(banks, pages); ++bank) {
        const std::uint64_t here = ceil_div(pages - bank, banks);
        ranges.push_back({static_cast<std::uint32_t>(bank), buffer.address, buffer.address + here * page});
    }
    return ranges;
}

// The common banks and bytes of two lists in order of banks, one range a bank.
std::vector<BankRange> common(const std::vector<BankRange>& a, const std::vector<BankRange>& b) {
    std::vector<BankRange> both;
    auto other = b.begin();
    for (const BankRange& each : a) {
        while (other != b.end() && other->bank < each.bank)
            ++other;
        if (other == b.end()) break;
        if (other->bank != each.bank) continue;
        const BankRange shared = {each.bank, std::max(each.begin, other->begin),
                                  std::min(each.end, other->end)};
        if (shared.begin < shared.end) both.push_back(shared);
    }
    return both;
}

}  // namespace

std::vector<BankRange> banks_of(const BufferRecord& buffer, const DeviceDescription& device) {
    if (buffer.num_cores == 0) return interleaved(buffer, device);
    const record::ShardPlacement placement = record::placement_of(buffer.placement);
    const std::uint64_t end = buffer.address + buffer.size_per_bank_bytes;
    std::vector<BankRange> ranges;
    if (placement.cores.empty() || placement.shard_page_rows == 0 || placement.shard_page_columns == 0) {
        for (std::uint32_t bank = 0; bank < num_banks_of(buffer.memory, device); ++bank)
            ranges.push_back({bank, buffer.address, end});
        return ranges;
    }
    const graph::L1Banks l1(device.compute_grid.x, device.compute_grid.y);
    const std::uint64_t rows = ceil_div(placement.page_rows, placement.shard_page_rows);
    const std::uint64_t columns = ceil_div(placement.page_columns, placement.shard_page_columns);
    for (std::uint64_t row = 0; row < rows; ++row) {
        for (std::uint64_t column = 0; column < columns; ++column) {
            const std::uint64_t shard = row * placement.shards_per_row + column;
            if (shard >= placement.cores.size()) continue;
            const record::Core core = placement.cores[shard];
            ranges.push_back({is_in_l1(buffer.memory) ? l1.bank_of(core) : core.x, buffer.address, end});
        }
    }
    std::ranges::sort(ranges);
    const auto repeated = std::ranges::unique(ranges);
    ranges.erase(repeated.begin(), repeated.end());
    return ranges;
}

std::vector<BankRange> banks_of(const ProgramMemory& piece, std::uint64_t address,
                                const DeviceDescription& device) {
    const graph::L1Banks l1(device.compute_grid.x, device.compute_grid.y);
    std::vector<BankRange> ranges;
    for (const CoreCoord each : cores_of(piece.cores)) {
        const record::Core core = {static_cast<std::uint16_t>(each.x), static_cast<std::uint16_t>(each.y)};
        ranges.push_back({l1.bank_of(core), address, address + piece.size_bytes});
    }
    std::ranges::sort(ranges);
    return ranges;
}

bool Hazard::is_in_l1() const {
    return record::is_in_l1(memory);
}

std::uint64_t Hazard::overwritten_bytes() const {
    std::uint64_t bytes = 0;
    for (const BankRange& each : parts)
        bytes += each.end - each.begin;
    return bytes;
}

std::string Hazard::to_string() const {
    const record::TensorInfo tensor = record::tensor_info_of(spec);
    std::string text = "buffer " + std::to_string(static_cast<std::uint64_t>(buffer)) + " (";
    for (std::size_t i = 0; i < tensor.shape.size(); ++i)
        text += (i == 0 ? "[" : ", ") + std::to_string(tensor.shape[i]);
    text += tensor.shape.empty() ? "" : "] ";
    text += record::text_of(tensor.dtype);
    if (operation != record::TextId::kNone) text += ", made by " + std::string(record::text_of(operation));
    text += std::string(") at ") + (is_in_l1() ? "L1 " : "DRAM ") +
            range_text(address, address + size_per_bank_bytes) + ": ";
    if (by == Overwriter::kItself) {
        if (by_operation != record::TextId::kNone)
            text += std::string(record::text_of(by_operation)) + " of the trace";
        else
            text += "the trace";
        return text + " writes it anew, " + std::to_string(overwritten_bytes()) + " B in " +
               std::to_string(parts.size()) + " bank(s)";
    }
    if (by == Overwriter::kReader) {
        text += by_operation != record::TextId::kNone
                    ? std::string(record::text_of(by_operation)) + " of the trace"
                    : std::string("the trace");
        return text + " reads it in the place of an input that was freed, at " +
               range_text(by_address, by_address + by_size_bytes);
    }
    text += by == Overwriter::kBuffer ? "a buffer" : "program memory";
    if (by_operation != record::TextId::kNone) text += " of " + std::string(record::text_of(by_operation));
    text += " at " + range_text(by_address, by_address + by_size_bytes);
    if (parts.empty()) return text + " shares its block, and no byte";
    return text + " overwrites " + std::to_string(overwritten_bytes()) + " B in " +
           std::to_string(parts.size()) + " bank(s)";
}

HazardFinder::HazardFinder(std::vector<Allocation> live, const DeviceDescription& device)
    : live_(std::move(live)), device_(device) {}

void HazardFinder::free(record::BufferId buffer) {
    std::erase_if(live_, [&](const Allocation& each) { return each.buffer_record.buffer == buffer; });
}

template <typename Banks>
void HazardFinder::find(const Written& written, Banks banks) {
    const auto block_of = [&](std::uint64_t size) {
        return ceil_div(size, device_.allocation_granularity) * device_.allocation_granularity;
    };
    const bool takes_block = written.by == Overwriter::kBuffer || written.by == Overwriter::kReader;
    const std::uint64_t end = written.address + (takes_block ? block_of(written.size) : written.size);
    for (const Allocation& each : live_) {
        const BufferRecord& buffer = each.buffer_record;
        if (is_in_l1(buffer.memory) != written.is_l1 || buffer.address >= end ||
            buffer.address + block_of(buffer.size_per_bank_bytes) <= written.address)
            continue;
        std::vector<BankRange> parts = common(banks_of(buffer, device_), banks());
        if (parts.empty() && !takes_block) continue;
        found_.push_back({buffer.buffer, buffer.memory, buffer.address, buffer.size_per_bank_bytes, each.spec,
                          each.operation, written.by, written.address, written.size, written.operation,
                          std::move(parts)});
    }
}

void HazardFinder::write(const BufferRecord& buffer, record::TextId operation) {
    if (buffer.size_bytes == 0) return;
    find(
        {Overwriter::kBuffer, is_in_l1(buffer.memory), buffer.address, buffer.size_per_bank_bytes, operation},
        [&] { return banks_of(buffer, device_); });
}

void HazardFinder::read(const BufferRecord& buffer, record::TextId operation) {
    if (buffer.size_bytes == 0) return;
    find(
        {Overwriter::kReader, is_in_l1(buffer.memory), buffer.address, buffer.size_per_bank_bytes, operation},
        [&] { return banks_of(buffer, device_); });
}

void HazardFinder::write(const ProgramMemory& piece, std::uint64_t address, record::TextId operation) {
    if (piece.shared_with != ProgramMemory::kOwn || piece.cores.empty() || piece.size_bytes == 0) return;
    find({Overwriter::kProgramMemory, true, address, piece.size_bytes, operation},
         [&] { return banks_of(piece, address, device_); });
}

std::string summary_of(const std::vector<Hazard>& hazards) {
    std::set<record::BufferId> buffers;
    std::uint64_t bytes = 0;
    for (const Hazard& each : hazards) {
        buffers.insert(each.buffer);
        bytes += each.overwritten_bytes();
    }
    std::string text = std::to_string(buffers.size()) + " live buffer(s), " + std::to_string(bytes) +
                       " B: " + hazards.front().to_string();
    if (hazards.size() > 1) text += "; and " + std::to_string(hazards.size() - 1) + " more";
    return text;
}

}  // namespace tilemeter::trace
