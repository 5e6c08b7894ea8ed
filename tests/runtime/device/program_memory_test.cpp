// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/program_memory.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/matches.hpp"
#include "tests/paths.hpp"
#include "tests/property.hpp"

namespace tilemeter {
namespace {

constexpr auto kCircular = ProgramMemoryKind::kCircularBuffer;
constexpr auto kDataflow = ProgramMemoryKind::kDataflowBuffer;

CoreRange rectangle(std::uint32_t x0, std::uint32_t y0, std::uint32_t x1, std::uint32_t y1) {
    return {{x0, y0}, {x1, y1}};
}

ProgramMemory piece(std::uint64_t size, const CoreRangeSet& cores, ProgramMemoryKind kind = kCircular) {
    return {kind, size, cores, ProgramMemory::kOwn};
}

const DeviceDescription& n150() {
    static const DeviceDescription description = load_device_description("n150");
    return description;
}

std::vector<std::uint64_t> addresses(const std::vector<ProgramMemory>& pieces) {
    return place_program_memory(pieces, n150()).addresses;
}

std::string message_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const RuntimeError& error) {
        return error.what();
    }
    return "nothing thrown";
}

std::string refusal(const std::vector<ProgramMemory>& pieces, std::optional<std::uint64_t> lowest,
                    std::uint64_t program = 1) {
    return message_of([&] {
        require_program_memory_fits(pieces, place_program_memory(pieces, n150()), n150(), program, lowest);
    });
}

// The bytes of every core, one flag each.
class NaiveL1 {
public:
    explicit NaiveL1(const DeviceDescription& device) : device_(device) {}

    std::uint64_t place(const ProgramMemory& wanted) {
        std::uint64_t address = device_.l1_unreserved_base;
        for (std::uint32_t x = 0; x < device_.compute_grid.x; ++x) {
            for (std::uint32_t y = 0; y < device_.compute_grid.y; ++y) {
                if (wanted.cores.contains({x, y})) address = std::max(address, first_free({x, y}));
            }
        }
        while (address % device_.dram_alignment != 0)
            ++address;
        for (std::uint32_t x = 0; x < device_.compute_grid.x; ++x) {
            for (std::uint32_t y = 0; y < device_.compute_grid.y; ++y) {
                if (!wanted.cores.contains({x, y})) continue;
                std::vector<bool>& core = bytes_[{x, y}];
                core.resize(std::max(core.size(), address + wanted.size_bytes), false);
                for (std::uint64_t byte = address; byte < address + wanted.size_bytes; ++byte)
                    core[byte] = true;
            }
        }
        return address;
    }

    std::uint64_t highest() const {
        std::uint64_t end = device_.l1_unreserved_base;
        for (const auto& [core, bytes] : bytes_)
            end = std::max(end, first_free(core));
        return end;
    }

private:
    // One above the highest byte in use.
    std::uint64_t first_free(CoreCoord core) const {
        const auto bytes = bytes_.find(core);
        if (bytes == bytes_.end()) return 0;
        std::uint64_t end = bytes->second.size();
        while (end > 0 && !bytes->second[end - 1])
            --end;
        return end;
    }

    const DeviceDescription& device_;
    std::map<CoreCoord, std::vector<bool>> bytes_;
};

DeviceDescription small_device() {
    DeviceDescription device = n150();
    device.compute_grid = {5, 4};
    device.l1_unreserved_base = 64;
    return device;
}

TEST(ProgramMemory, lies_where_the_bytes_of_every_core_leave_room_for_it) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const DeviceDescription device = small_device();
        std::vector<ProgramMemory> pieces;
        const auto count = test::in_range(0, 14);
        for (int i = 0; i < count; ++i) {
            const auto x = test::in_range(0U, device.compute_grid.x);
            const auto y = test::in_range(0U, device.compute_grid.y);
            const CoreRange cores = rectangle(x, y, test::in_range(x, device.compute_grid.x),
                                              test::in_range(y, device.compute_grid.y));
            pieces.push_back(piece(test::in_range<std::uint64_t>(1, 200), cores));
            if (test::in_range(0, 5) == 0) pieces.back().shared_with = 0;
        }
        const ProgramPlacement placement = place_program_memory(pieces, device);
        NaiveL1 naive(device);
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            const bool own = pieces[i].shared_with == ProgramMemory::kOwn;
            PROPERTY_ASSERT(placement.addresses[i] == (own ? naive.place(pieces[i]) : 0));
        }
        PROPERTY_ASSERT(placement.region_end == naive.highest());
    }));
}

TEST(ProgramMemory, stacks_in_order_of_declaration_from_the_base) {
    const CoreRangeSet grid = whole_grid({8, 8});
    EXPECT_EQ(addresses({piece(4096, grid), piece(4096, grid), piece(4096, grid)}),
              (std::vector<std::uint64_t>{105824, 109920, 114016}));
}

// Recorded on both boards with sizes that no tile has.
TEST(ProgramMemory, begins_at_a_multiple_of_the_dram_alignment) {
    const auto odd = [](const char* board) {
        const DeviceDescription device = load_device_description(board);
        const CoreRangeSet grid = whole_grid({8, 8});
        const std::vector<ProgramMemory> pieces = {piece(2424, grid), piece(72, grid), piece(24, grid),
                                                   piece(24, grid)};
        return place_program_memory(pieces, device).addresses;
    };
    EXPECT_EQ(odd("n150"), (std::vector<std::uint64_t>{105824, 108256, 108352, 108384}));
    EXPECT_EQ(odd("p150"), (std::vector<std::uint64_t>{111744, 114176, 114304, 114368}));
}

// Recorded from programs that were built for it: circular buffers on sets of cores that touch.
TEST(ProgramMemory, shares_addresses_on_disjoint_cores) {
    const auto a = rectangle(0, 0, 1, 1);
    const auto b = rectangle(1, 1, 3, 3);
    EXPECT_EQ(addresses({piece(20480, a), piece(40960, b), piece(2048, rectangle(0, 0, 0, 0))}),
              (std::vector<std::uint64_t>{105824, 126304, 126304}));
    EXPECT_EQ(addresses({piece(20480, a), piece(40960, b), piece(2048, a)}),
              (std::vector<std::uint64_t>{105824, 126304, 167264}));
    EXPECT_EQ(addresses({piece(20480, a), piece(40960, b), piece(2048, rectangle(3, 3, 4, 4)),
                         piece(2048, rectangle(0, 0, 0, 0))}),
              (std::vector<std::uint64_t>{105824, 126304, 167264, 126304}));
    EXPECT_EQ(addresses({piece(20480, CoreRangeSet({a, rectangle(4, 4, 5, 5)})), piece(40960, b),
                         piece(2048, rectangle(4, 4, 5, 5)), piece(2048, rectangle(5, 5, 6, 6))}),
              (std::vector<std::uint64_t>{105824, 126304, 126304, 128352}));
    EXPECT_EQ(addresses({piece(20480, whole_grid({8, 8})), piece(4096, rectangle(0, 0, 3, 3)),
                         piece(4096, rectangle(4, 4, 7, 7)), piece(2048, rectangle(4, 0, 7, 3))}),
              (std::vector<std::uint64_t>{105824, 126304, 126304, 126304}));
}

TEST(ProgramMemory, in_a_tensors_buffer_takes_no_room) {
    const CoreRangeSet grid = whole_grid({8, 8});
    std::vector<ProgramMemory> pieces = {piece(4096, grid), piece(8192, grid), piece(64, grid, kDataflow)};
    pieces[1].shared_with = 0;
    const ProgramPlacement placement = place_program_memory(pieces, n150());
    EXPECT_EQ(placement.addresses, (std::vector<std::uint64_t>{105824, 0, 109920}));
    EXPECT_EQ(placement.region_end, 109984U);
    EXPECT_EQ(placement.highest_kind, kDataflow);
    EXPECT_EQ(placement.fullest, rectangle(0, 0, 7, 7));
}

TEST(ProgramMemory, nothing_ends_at_the_base) {
    const ProgramPlacement placement = place_program_memory({}, n150());
    EXPECT_TRUE(placement.addresses.empty());
    EXPECT_EQ(placement.region_end, 105824U);
}

TEST(ProgramMemory, may_reach_up_to_the_lowest_buffer) {
    const std::vector<ProgramMemory> pieces = {piece(1387168, whole_grid({8, 8}))};
    EXPECT_EQ(refusal(pieces, 1492992), "nothing thrown");
    EXPECT_EQ(refusal(pieces, std::nullopt), "nothing thrown");
    EXPECT_EQ(refusal({piece(1387200, whole_grid({8, 8}))}, 1492992, 28),
              "Statically allocated circular buffers in program 28 clash with L1 buffers on core range [0-0 "
              "- 7-7]. L1 buffer allocated at 1492992 and static circular buffer region ends at 1493024");
}

// Recorded: which rectangle the message names when several are too full.
TEST(ProgramMemory, the_first_rectangle_that_is_too_full_is_named) {
    const auto a = rectangle(0, 0, 1, 1);
    const auto b = rectangle(2, 2, 3, 3);
    const auto c = rectangle(4, 4, 5, 7);
    EXPECT_EQ(refusal({piece(389120, a), piece(614400, b), piece(716800, c)}, 471040, 12),
              "Statically allocated circular buffers in program 12 clash with L1 buffers on core range [0-0 "
              "- 1-1]. L1 buffer allocated at 471040 and static circular buffer region ends at 494944");
    EXPECT_EQ(refusal({piece(716800, a), piece(614400, b), piece(389120, c)}, 471040, 14),
              "Statically allocated circular buffers in program 14 clash with L1 buffers on core range [0-0 "
              "- 1-1]. L1 buffer allocated at 471040 and static circular buffer region ends at 822624");
    EXPECT_EQ(refusal({piece(614400, a), piece(1024000, rectangle(1, 1, 3, 3))}, std::nullopt),
              "Statically allocated circular buffers on core range [0-0 - 1-1] grow to 1744224 B which is "
              "beyond max L1 size of 1499136 B");
    EXPECT_EQ(refusal({piece(2048, CoreRangeSet({a, rectangle(4, 4, 5, 5)})),
                       piece(1413120, rectangle(5, 5, 6, 6))},
                      1492992),
              "Statically allocated circular buffers on core range [4-4 - 5-5] grow to 1520992 B which is "
              "beyond max L1 size of 1499136 B");
}

TEST(ProgramMemory, larger_than_L1_is_said_before_a_clash) {
    EXPECT_EQ(refusal({piece(1638400, rectangle(0, 0, 1, 1), kDataflow)}, 471040),
              "Statically allocated dataflow buffers on core range [0-0 - 1-1] grow to 1744224 B which is "
              "beyond max L1 size of 1499136 B");
}

CoreRangeSet parse_cores(const std::string& text) {
    std::vector<CoreRange> ranges;
    for (const auto& match : test::matches(text, R"(\[([0-9]+)-([0-9]+) - ([0-9]+)-([0-9]+)\])")) {
        const auto number = [&](std::size_t group) {
            return static_cast<std::uint32_t>(std::stoul(match[group]));
        };
        ranges.push_back(rectangle(number(1), number(2), number(3), number(4)));
    }
    return CoreRangeSet(std::move(ranges));
}

// Circular buffers of one recorded program: size, cores, address, ga ("1": in a tensor's buffer).
void expect_recorded(const DeviceDescription& device, const nlohmann::json& circular_buffers) {
    std::vector<ProgramMemory> pieces;
    std::vector<std::uint64_t> recorded;
    for (const auto& buffer : circular_buffers) {
        pieces.push_back(piece(buffer.at("size"), parse_cores(buffer.at("cores"))));
        if (buffer.at("ga") == "1") pieces.back().shared_with = 0;
        recorded.push_back(buffer.at("ga") == "1" ? 0 : buffer.at("address").get<std::uint64_t>());
    }
    EXPECT_EQ(place_program_memory(pieces, device).addresses, recorded) << circular_buffers;
}

TEST(ProgramMemory, lies_where_recorded_programs_had_theirs) {
    for (const char* board : {"n150", "p150"}) {
        const DeviceDescription device = load_device_description(board);
        std::ifstream in(std::filesystem::path(test::data_folder()) / "programs" /
                         (std::string(board) + ".jsonl"));
        std::size_t programs = 0;
        for (std::string line; std::getline(in, line); ++programs)
            expect_recorded(device, nlohmann::json::parse(line).at("circular_buffers"));
        EXPECT_GT(programs, 10U) << board;
    }
}

TEST(ProgramMemory, lies_where_all_recorded_programs_had_theirs) {
    const std::filesystem::path facts = std::filesystem::path(test::shared_folder()) / "facts";
    if (!std::filesystem::exists(facts)) GTEST_SKIP() << "no shared facts beside the repository";
    std::size_t programs = 0;
    for (const char* file : {"oracle_n150", "oracle_p150", "oracle_random_n150", "oracle_random_p150"}) {
        std::ifstream in(facts / (std::string(file) + ".jsonl"));
        for (std::string line; std::getline(in, line);) {
            const auto row = nlohmann::json::parse(line);
            if (!row.contains("normal") || !row.at("normal").contains("programs")) continue;
            const DeviceDescription device = load_device_description(row.at("board").get<std::string>());
            for (const auto& program : row.at("normal").at("programs")) {
                expect_recorded(device, program.at("cbs"));
                programs += program.at("cbs").empty() ? 0 : 1;
            }
        }
    }
    EXPECT_GT(programs, 500U);
}

}  // namespace
}  // namespace tilemeter
