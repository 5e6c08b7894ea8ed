// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The peak against a replay that keeps, for every core, a map of bytes.

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "report/analysis/answers/peak.hpp"
#include "tests/cases.hpp"
#include "tests/report/analysis/list_maker.hpp"

namespace tilemeter::analysis {
namespace {

constexpr std::size_t kGrid = 3;            // cores a side
constexpr std::size_t kBytes = 256;         // of program addresses per core
constexpr std::int64_t kProgramBase = 100;  // addresses must not be 0: that means unknown

/// The contents of one core of one device.
struct NaiveCore {
    std::array<int, kBytes> covered{};  // the number of pieces on each byte
    std::uint64_t without_address = 0;
};

class RandomTrace {
public:
    explicit RandomTrace(std::uint32_t seed) : random_(seed) {}

    void run() {
        maker.begin("open");  // so that the list knows of both devices
        for (std::int64_t device = 0; device < kDevices; ++device)
            maker.deallocate_all(device);
        maker.end();
        for (std::int64_t device = 0; device < kDevices; ++device) {
            cores_[device].resize(kGrid * kGrid);
            // Older than the list, noted whenever the list comes to it, there from its beginning.
            for (int i = below(3); i > 0; --i)
                older_.push_back(
                    {{.per_bank = static_cast<std::uint64_t>(below(500)), .device = device}, -1});
        }
        for (auto& [info, node] : older_)
            tensors_[info.device] += info.per_bank;
        look();
        for (auto& [info, node] : older_) {
            node = maker.buffer(info, true);
            live_.push_back({node, info});
        }
        for (int operations = below(6); operations >= 0; --operations)
            operation(0);
    }

    ListMaker maker;
    std::map<std::int64_t, std::uint64_t> peak;

private:
    static constexpr std::int64_t kDevices = 2;
    struct Live {
        std::int64_t node;
        ListMaker::BufferInfo info;
    };

    int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint32_t>(limit)); }

    void operation(int depth) {
        maker.begin("op" + std::to_string(below(4)));
        for (int events = below(8); events > 0; --events) {
            const int what = below(10);
            if (what < 3)
                allocate();
            else if (what < 5 && !live_.empty())
                release();
            else if (what < 6 && depth < 3 && !in_program_)
                operation(depth + 1);
            else if (!in_program_)
                program();
        }
        maker.end();
    }

    // Its own function, as device operations are: its memory ends with it.
    void program() {
        in_program_ = true;
        const std::int64_t device = below(kDevices);
        maker.begin("program");
        if (below(4) > 0) maker.deallocate_all(device);
        for (int pieces = below(7); pieces > 0; --pieces) {
            piece(device);
            if (below(4) == 0) allocate();
        }
        maker.end();
        cores_[device].assign(kGrid * kGrid, {});
        in_program_ = false;
        look();
    }

    void piece(std::int64_t device) {
        ListMaker::Piece piece;
        piece.kind = static_cast<ProgramMemoryKind>(below(4));
        piece.device = device;
        piece.shared = below(6) == 0;
        piece.size = static_cast<std::uint64_t>(1 + below(100));
        if (below(2) == 0) piece.address = kProgramBase + below(100);
        if (cores_of_last_.empty() || below(3) == 0)
            choose_cores();  // most programs have all on the same cores
        piece.cores = cores_of_last_;
        const std::vector<bool>& on = is_on_last_;
        maker.piece(piece);
        for (std::size_t core = 0; core < on.size() && !piece.shared; ++core) {
            if (!on[core]) continue;
            NaiveCore& naive = cores_[device][core];
            if (piece.address == 0) {
                naive.without_address += piece.size;
                continue;
            }
            for (std::uint64_t byte = 0; byte < piece.size; ++byte)
                ++naive.covered[static_cast<std::size_t>(piece.address - kProgramBase) + byte];
        }
        look();
    }

    void choose_cores() {
        is_on_last_.assign(kGrid * kGrid, false);
        cores_of_last_ = "{";
        for (int ranges = 1 + below(2); ranges > 0; --ranges) {
            const int x0 = below(kGrid);
            const int y0 = below(kGrid);
            const int x1 = x0 + below(static_cast<int>(kGrid) - x0);
            const int y1 = y0 + below(static_cast<int>(kGrid) - y0);
            cores_of_last_ += (cores_of_last_.size() > 1 ? ", [" : "[") + std::to_string(x0) + "-" +
                              std::to_string(y0) + " - " + std::to_string(x1) + "-" + std::to_string(y1) +
                              "]";
            for (int y = y0; y <= y1; ++y)
                for (int x = x0; x <= x1; ++x)
                    is_on_last_[static_cast<std::size_t>(y) * kGrid + static_cast<std::size_t>(x)] = true;
        }
        cores_of_last_ += "}";
    }

    void allocate() {
        ListMaker::BufferInfo info;
        info.per_bank = static_cast<std::uint64_t>(below(1000));
        info.device = below(kDevices);
        const int memory = below(4);
        info.memory = memory == 0 ? MemoryType::kDram : memory == 1 ? MemoryType::kL1Small : MemoryType::kL1;
        live_.push_back({maker.buffer(info), info});
        if (info.memory != MemoryType::kDram) tensors_[info.device] += info.per_bank;
        look();
    }

    void release() {
        const auto at = live_.begin() + below(static_cast<int>(live_.size()));
        maker.free(at->node, at->info);
        if (at->info.memory != MemoryType::kDram) tensors_[at->info.device] -= at->info.per_bank;
        live_.erase(at);
        look();
    }

    void look() {
        for (std::int64_t device = 0; device < kDevices; ++device)
            for (const NaiveCore& core : cores_[device]) {
                const auto covered = static_cast<std::uint64_t>(std::count_if(
                    core.covered.begin(), core.covered.end(), [](int pieces) { return pieces > 0; }));
                peak[device] = std::max(peak[device], tensors_[device] + core.without_address + covered);
            }
    }

    std::mt19937 random_;
    std::map<std::int64_t, std::vector<NaiveCore>> cores_;
    std::map<std::int64_t, std::uint64_t> tensors_;
    std::vector<std::pair<ListMaker::BufferInfo, std::int64_t>> older_;
    std::vector<Live> live_;
    bool in_program_ = false;
    std::string cores_of_last_;  // of the last piece
    std::vector<bool> is_on_last_;
};

TEST(PeakProperty, equals_a_byte_map_of_every_core_on_random_traces) {
    for (std::uint32_t seed = 0; seed < test::cases(10'000); ++seed) {
        RandomTrace trace(seed);
        trace.run();
        NodeList list = trace.maker.take();
        list.program_memory_told.emplace();  // a program without pieces has none
        const PeakAnswer answer = find_peak(list);
        std::map<std::int64_t, std::uint64_t> found;
        for (const DevicePeak& device : answer.devices) {
            found[device.device.value_or(-1)] = device.l1.bytes;
            std::uint64_t sum = 0;
            for (const Contributor& it : device.l1.contributors)
                sum += it.bytes;
            ASSERT_EQ(sum, device.l1.bytes) << "seed " << seed;
        }
        for (const auto& [device, bytes] : trace.peak)
            ASSERT_EQ(found[device], bytes) << "seed " << seed << ", device " << device;
        const PeakMoments moments = find_peak_moments(find_lifetimes(list));
        const auto expect_same = [&](const PeakMoment& moment, const MemoryPeak* peak) {
            EXPECT_EQ(moment.bytes, peak == nullptr ? 0 : peak->bytes) << "seed " << seed;
            EXPECT_EQ(moment.node, peak == nullptr ? kNoIndex : peak->node) << "seed " << seed;
        };
        expect_same(moments.l1, answer.l1());
        expect_same(moments.dram, answer.dram());
    }
}

}  // namespace
}  // namespace tilemeter::analysis
