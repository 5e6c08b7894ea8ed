// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/query/internal/refusal.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "capture/record/tensor_info.hpp"
#include "capture/record/text.hpp"
#include "runtime/device/errors.hpp"

namespace tilemeter::query::internal {

namespace {

void fill_in(Refusal& refusal, const BankAllocator& bank) {
    const BankStatistics statistics = bank.statistics();
    refusal.free_bytes = statistics.free;
    refusal.largest_free_block = statistics.largest_free_block;
    refusal.lowest_live_address = bank.lowest_allocated();
}

// What the shadow's memory was when the request was made: its outputs and temporaries may be gone by now, so the error's
// own owners count.
std::vector<AllocationRecord> owners_of(const std::vector<BufferOwner>& owners, MemoryType memory) {
    std::vector<AllocationRecord> records;
    for (const BufferOwner& each : owners)
        records.push_back({memory, each.address, each.size_per_bank_bytes});
    return records;
}

// The bank with these allocations.
BankAllocator bank_with(const BankAllocator& like, Direction direction,
                        const std::vector<AllocationRecord>& records) {
    BankAllocator bank(like.begin(), like.end(), like.granularity(), direction);
    for (const AllocationRecord& each : records)
        bank.allocate_at(each.address, each.size_per_bank);
    return bank;
}

Refusal of_error(const OutOfMemoryError& error, const BankAllocator& bank) {
    Refusal refusal;
    refusal.memory = error.memory;
    refusal.in_the_way = owners_of(error.owners, error.memory);
    const BankAllocator then = bank_with(bank, Direction::kTopDown, refusal.in_the_way);
    fill_in(refusal, then);
    refusal.bytes_wanted =
        (error.size_per_bank_bytes + bank.granularity() - 1) / bank.granularity() * bank.granularity();
    refusal.kind =
        refusal.free_bytes >= refusal.bytes_wanted ? RefusalKind::kFragmented : RefusalKind::kOutOfMemory;
    refusal.fewest_to_go = fewest_to_go(then, error.memory, refusal.bytes_wanted);
    refusal.operation = error.operation;
    return refusal;
}

Refusal of_error(const ProgramMemoryClashError& error, const BankAllocator& bank,
                 const DeviceDescription& device) {
    Refusal refusal;
    refusal.kind = RefusalKind::kClash;
    const std::vector<AllocationRecord> all = owners_of(error.owners, MemoryType::kL1);
    fill_in(refusal, bank_with(bank, Direction::kTopDown, all));
    refusal.bytes_wanted = error.region_end - device.l1_unreserved_base;
    refusal.region_end = error.region_end;
    refusal.lowest_live_address = error.lowest_buffer_address;
    std::ranges::copy_if(all, std::back_inserter(refusal.in_the_way),
                         [&](const AllocationRecord& each) { return each.address < error.region_end; });
    refusal.fewest_to_go = refusal.in_the_way;
    refusal.operation = error.operation;
    return refusal;
}

Refusal of_error(const ProgramMemoryTooLargeError& error, const BankAllocator& bank,
                 const DeviceDescription& device) {
    Refusal refusal;
    refusal.kind = RefusalKind::kProgramTooLarge;
    fill_in(refusal, bank);
    refusal.bytes_wanted = error.region_end - device.l1_unreserved_base;
    refusal.region_end = error.region_end;
    refusal.operation = error.operation;
    return refusal;
}

}  // namespace

std::vector<AllocationRecord> fewest_to_go(const BankAllocator& bank, MemoryType memory,
                                           std::uint64_t bytes) {
    const std::vector<BankBlock> blocks = bank.blocks();
    std::size_t best_begin = 0, best_end = 0, best_count = blocks.size() + 1, count = 0, begin = 0;
    std::uint64_t best_bytes = 0, span = 0, taken = 0;
    for (std::size_t end = 0; end < blocks.size(); ++end) {
        span += blocks[end].size;
        if (blocks[end].allocated) ++count, taken += blocks[end].size;
        // From the left all that the run can do without.
        while (span - blocks[begin].size >= bytes && begin < end) {
            span -= blocks[begin].size;
            if (blocks[begin].allocated) --count, taken -= blocks[begin].size;
            ++begin;
        }
        if (span < bytes || count > best_count || (count == best_count && taken >= best_bytes)) continue;
        best_begin = begin, best_end = end + 1, best_count = count, best_bytes = taken;
    }
    std::vector<AllocationRecord> fewest;
    for (std::size_t i = best_end; i-- > best_begin;)
        if (blocks[i].allocated) fewest.push_back({memory, blocks[i].address, blocks[i].size});
    return fewest;
}

Refusal refusal_of(const std::exception& error, const QueryShadow& shadow, const Device& device) {
    const DeviceMemory& memory = std::as_const(const_cast<QueryShadow&>(shadow).state().memory);
    const DeviceDescription& description = device.description();
    const BankAllocator& l1 = memory.allocator(MemoryType::kL1);
    const auto classify = [&](const std::exception& each) {
        if (const auto* out = dynamic_cast<const OutOfMemoryError*>(&each))
            return of_error(*out, memory.allocator(out->memory));
        if (const auto* clash = dynamic_cast<const ProgramMemoryClashError*>(&each))
            return of_error(*clash, l1, description);
        if (const auto* large = dynamic_cast<const ProgramMemoryTooLargeError*>(&each))
            return of_error(*large, l1, description);
        Refusal refusal;
        if (dynamic_cast<const ProgramMemoryExhaustedError*>(&each) != nullptr) {
            refusal.kind = RefusalKind::kProgramTooLarge;
            fill_in(refusal, l1);
        } else if (dynamic_cast<const NotModelledError*>(&each) != nullptr) {
            refusal.kind = RefusalKind::kNotSupported;
        }
        return refusal;
    };
    // An operation that tries a smaller form after one was refused leaves a note, too: the last error's text counts.
    if (shadow.refusal()) {
        try {
            std::rethrow_exception(shadow.refusal());
        } catch (const std::exception& noted) {
            if (std::string_view(error.what()).find(one_line(noted.what())) != std::string_view::npos)
                return classify(noted);
        }
    }
    return classify(error);
}

std::string text_of(const Allocation& allocation) {
    const record::TensorInfo tensor = record::tensor_info_of(allocation.spec);
    std::string text = "Shape([";
    for (std::size_t i = 0; i < tensor.shape.size(); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(tensor.shape[i]);
    text += "]) " + std::string(record::text_of(tensor.dtype));
    if (const std::string_view call = record::text_of(allocation.operation); !call.empty())
        text += " of " + std::string(call);
    return text;
}

std::string one_line(std::string_view text) {
    std::string line(text.substr(0, text.find("\n\nAt:")));
    std::ranges::replace(line, '\n', ' ');
    return line;
}

}  // namespace tilemeter::query::internal
