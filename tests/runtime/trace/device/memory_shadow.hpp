// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Whose each 16 bytes of every bank are, by the events of what was done: what hazards are held against.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "capture/record/private_log.hpp"
#include "capture/record/text.hpp"
#include "report/buffer_pages.hpp"
#include "runtime/device/device_description.hpp"
#include "runtime/trace/device/replay/hazards.hpp"
#include "tests/cases.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter::test {

inline constexpr std::uint64_t kUnit = 16;  // bytes

/// Units of a bank of L1, or of DRAM: [begin, end).
struct Place {
    bool is_l1;
    std::uint32_t bank;
    std::uint64_t begin, end;
};

/// In L1 or not, bank, unit of it, whose that was.
using Change = std::tuple<bool, std::uint32_t, std::uint64_t, std::uint64_t>;
using Changes = std::vector<Change>;

/// In order, each once.
inline Changes in_order(Changes changes) {
    std::ranges::sort(changes);
    const auto repeated = std::ranges::unique(changes);
    changes.erase(repeated.begin(), repeated.end());
    return changes;
}

/// Follows the events of replays and allocations by the places of pages that reports have.
class Shadow {
public:
    explicit Shadow(const DeviceDescription& device)
        : device_(device), l1_(device.compute_grid.x, device.compute_grid.y) {}

    void allocate(const record::Event& event) {
        for_each_place(event, [&](const Place& place) { give(place, event.id); });
        live_.insert_or_assign(event.id, event);
    }
    void free(std::uint64_t id) {
        const auto found = live_.find(id);
        if (found == live_.end()) return;
        for_each_place(found->second, [&](const Place& place) { give(place, 0); });
        live_.erase(found);
    }
    /// Allocations and frees; everything that is done meanwhile is.
    void follow(const record::ThreadSlice& events) {
        events.for_each(events.begin, events.end, [&](const record::Event& event) {
            if (event.kind == record::EventKind::kBufferAllocate) allocate(event);
            if (event.kind == record::EventKind::kBufferFree) free(event.id);
        });
    }
    /// The changes of live memory by a replay with these events.
    Changes changes_of(const record::ThreadSlice& events) const {
        Changes changes;
        std::set<std::uint64_t> gone;
        const auto change = [&](const Place& place) {
            const auto& banks = owners_[place.is_l1 ? 1 : 0];
            if (place.bank >= banks.size()) return;
            const std::vector<std::uint64_t>& bank = banks[place.bank];
            const std::uint64_t end = std::min<std::uint64_t>(place.end, bank.size());
            for (std::uint64_t unit = place.begin; unit < end; ++unit)
                if (bank[unit] != 0 && !gone.contains(bank[unit]))
                    changes.emplace_back(place.is_l1, place.bank, unit, bank[unit]);
        };
        events.for_each(events.begin, events.end, [&](const record::Event& event) {
            switch (event.kind) {
                case record::EventKind::kBufferFree:
                    gone.insert(event.id);
                    break;
                case record::EventKind::kBufferAllocate:
                    for_each_place(event, change);
                    break;
                case record::EventKind::kCircularBuffer:
                case record::EventKind::kDataflowBuffer:
                case record::EventKind::kScratchpad:
                    if (event.payload.program_memory.shared_buffer == record::BufferId::kNone)
                        for_each_place_of_program(event, change);
                    break;
                default:
                    break;
            }
        });
        return in_order(std::move(changes));
    }

private:
    void give(const Place& place, std::uint64_t owner) {
        auto& banks = owners_[place.is_l1 ? 1 : 0];
        if (place.bank >= banks.size()) banks.resize(place.bank + std::size_t{1});
        std::vector<std::uint64_t>& bank = banks[place.bank];
        if (place.end > bank.size()) bank.resize(place.end);
        std::fill(bank.begin() + static_cast<std::ptrdiff_t>(place.begin),
                  bank.begin() + static_cast<std::ptrdiff_t>(place.end), owner);
    }

    template <typename Visit>
    void mark(bool is_l1, std::uint32_t bank, std::uint64_t begin, std::uint64_t size, Visit visit) const {
        visit(Place{is_l1, bank, begin / kUnit, (begin + size + kUnit - 1) / kUnit});
    }

    template <typename Visit>
    void for_each_place(const record::Event& event, Visit visit) const {
        const std::uint64_t page = event.payload.buffer.page_size_and_layout >> 8U;
        if (event.memory == record::MemoryType::kL1) {
            const bool is_sharded = event.detail != 0;
            report::for_each_page(event, l1_, [&](const report::PagePlace& at) {
                mark(true, l1_.bank_of(at.core), at.page_address, is_sharded ? page : (page + 15) / 16 * 16,
                     visit);
            });
            return;
        }
        const std::uint64_t aligned =
            (page + device_.dram_alignment - 1) / device_.dram_alignment * device_.dram_alignment;
        for (std::uint64_t i = 0; i < event.payload.buffer.size_bytes / page; ++i)
            mark(false, static_cast<std::uint32_t>(i % device_.dram_banks),
                 event.payload.buffer.address + i / device_.dram_banks * aligned, aligned, visit);
    }

    // From the text of a report, "{[0-0 - 7-3]}".
    template <typename Visit>
    void for_each_place_of_program(const record::Event& event, Visit visit) const {
        std::vector<unsigned> numbers;
        unsigned number = 0;
        bool is_in_number = false;
        for (const char each : record::text_of(static_cast<record::TextId>(event.detail))) {
            if (each >= '0' && each <= '9') {
                number = number * 10 + static_cast<unsigned>(each - '0');
                is_in_number = true;
            } else if (is_in_number) {
                numbers.push_back(number);
                number = 0;
                is_in_number = false;
            }
        }
        for (std::size_t i = 0; i + 3 < numbers.size(); i += 4) {
            for (unsigned y = numbers[i + 1]; y <= numbers[i + 3]; ++y) {
                for (unsigned x = numbers[i]; x <= numbers[i + 2]; ++x)
                    mark(true, l1_.bank_of({static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y)}),
                         event.payload.program_memory.address, event.payload.program_memory.size_bytes,
                         visit);
            }
        }
    }

    const DeviceDescription& device_;
    const report::L1Banks l1_;
    /// The owners in DRAM and L1, by bank and unit; 0: free.
    std::array<std::vector<std::vector<std::uint64_t>>, 2> owners_;
    std::map<std::uint64_t, record::Event> live_;
};

inline Changes named_by(const std::vector<trace::Hazard>& hazards) {
    Changes changes;
    for (const trace::Hazard& each : hazards) {
        for (const trace::BankRange& part : each.parts) {
            for (std::uint64_t unit = part.begin / kUnit; unit * kUnit < part.end; ++unit)
                changes.emplace_back(each.memory == record::MemoryType::kL1, part.bank, unit,
                                     static_cast<std::uint64_t>(each.buffer));
        }
    }
    return in_order(std::move(changes));
}

/// Runs `Sequence(device, seed).run(steps)` for each seed below cases(cases_wanted), until one fails. More than half as many
/// checks as sequences found hazards, and as many found none.
template <typename Sequence>
void expect_in_random_sequences(std::uint32_t cases_wanted, int steps) {
    const std::uint32_t count = cases(cases_wanted);
    int hazardous = 0;
    int harmless = 0;
    for (unsigned seed = 0; seed < count && !testing::Test::HasFailure(); ++seed) {
        const OpenDevice device;
        Sequence sequence(device.get(), seed);
        sequence.run(steps);
        hazardous += sequence.hazardous();
        harmless += sequence.harmless();
        if (testing::Test::HasFailure()) ADD_FAILURE() << "in sequence " << seed;
    }
    testing::Test::RecordProperty("hazardous", hazardous);
    testing::Test::RecordProperty("harmless", harmless);
    EXPECT_GT(hazardous, static_cast<int>(count) / 2);
    EXPECT_GT(harmless, static_cast<int>(count) / 2);
}

}  // namespace tilemeter::test
