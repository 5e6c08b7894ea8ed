// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/trace_times.hpp"

#include <algorithm>
#include <utility>

#include "report/analysis/memory/occupancy.hpp"

namespace tilemeter::analysis {
namespace {

constexpr std::uint64_t kLeastNs = 1;
constexpr std::uint64_t kNodeNs = 1000;                     // where the list has no durations
constexpr std::uint64_t kMostNs = std::uint64_t{1} << 53U;  // 104 days: what is more is no duration

class Clock {
public:
    Clock(const NodeList& list, const MemoryLifetimes& lifetimes)
        : list_(list), lifetimes_(lifetimes), occupancy_(lifetimes) {}

    TraceTimes run() {
        result_.spans.resize(lifetimes_.scopes.scopes.size());
        last_.resize(lifetimes_.devices.size());
        const bool has_durations = std::any_of(list_.ends.begin(), list_.ends.end(), [](const auto& end) {
            return end.duration_ns.size_bytes() != 0;
        });
        for (std::uint32_t node = 0; node < list_.size(); ++node) {
            if (!has_durations && node > 0) move_to(now_ns_ + kNodeNs);
            enter(node);
            apply_events(node);
            if (node == 0) sample_all();
        }
        sample();
        result_.end_ns = std::max(now_ns_, last_sample_ns_ + kLeastNs);
        for (std::uint32_t scope = 0; scope < result_.spans.size(); ++scope) {
            TraceSpan& span = result_.spans[scope];
            if (lifetimes_.scopes.scopes[scope].end != kNoIndex) continue;
            result_.end_ns = std::max(result_.end_ns, span.begin_ns + kLeastNs);
            left_open_.push_back(scope);
        }
        for (const std::uint32_t scope : left_open_)
            result_.spans[scope].end_ns = result_.end_ns;
        now_ns_ = result_.end_ns;
        sample_all();
        return std::move(result_);
    }

private:
    void enter(std::uint32_t node) {
        const std::uint32_t scope = lifetimes_.scopes.of_node[node];
        if (list_.nodes[node].kind == NodeType::kError) result_.failures.push_back({node, now_ns_});
        if (scope == kNoIndex) return;
        TraceSpan& span = result_.spans[scope];
        if (lifetimes_.scopes.scopes[scope].start == node) span.begin_ns = now_ns_;
        if (lifetimes_.scopes.scopes[scope].end != node) return;
        // Before what the end does to memory: what the function held it held until now.
        move_to(span.begin_ns + std::clamp(lifetimes_.scopes.duration_ns(list_, scope), kLeastNs, kMostNs));
        span.end_ns = now_ns_;
    }

    void apply_events(std::uint32_t node) {
        for (; next_ < lifetimes_.events.size() && lifetimes_.events[next_].node <= node; ++next_) {
            const MemoryEvent& event = lifetimes_.events[next_];
            const bool lowers =
                event.kind == MemoryEvent::Kind::kRelease || event.kind == MemoryEvent::Kind::kProgramEnd;
            if (lowers && risen_) sample();
            occupancy_.apply(event);
            risen_ = risen_ || !lowers;
        }
    }

    void move_to(std::uint64_t ns) {
        if (ns <= now_ns_) return;
        sample();
        now_ns_ = std::max(now_ns_, ns);
    }

    MemorySample state_of(std::uint16_t device) const {
        const Occupancy::Tensors& tensors = occupancy_.tensors(device);
        MemorySample state;
        state.at_ns = now_ns_;
        state.device = device;
        state.l1_tensor_bytes = tensors.l1_bytes + tensors.l1_small_bytes;
        state.l1_program_bytes = occupancy_.l1_peak_bytes(device) - state.l1_tensor_bytes;
        state.dram_bytes = tensors.dram_bytes;
        return state;
    }

    void sample_all() {
        if (!result_.samples.empty()) now_ns_ = std::max(now_ns_, last_sample_ns_ + kLeastNs);
        for (std::uint16_t device = 0; device < last_.size(); ++device) {
            last_[device] = state_of(device);
            result_.samples.push_back(last_[device]);
        }
        last_sample_ns_ = now_ns_;
        risen_ = false;
    }

    /// Notes what changed; what was noted before has lasted then.
    void sample() {
        if (result_.samples.empty()) return sample_all();
        risen_ = false;
        bool moved = false;
        for (std::uint16_t device = 0; device < last_.size(); ++device) {
            MemorySample state = state_of(device);
            const MemorySample& before = last_[device];
            state.l1_changed = state.l1_tensor_bytes != before.l1_tensor_bytes ||
                               state.l1_program_bytes != before.l1_program_bytes;
            state.dram_changed = state.dram_bytes != before.dram_bytes;
            if (!state.l1_changed && !state.dram_changed) continue;
            if (!std::exchange(moved, true)) now_ns_ = std::max(now_ns_, last_sample_ns_ + kLeastNs);
            state.at_ns = now_ns_;
            last_[device] = state;
            result_.samples.push_back(state);
        }
        if (moved) last_sample_ns_ = now_ns_;
    }

    const NodeList& list_;
    const MemoryLifetimes& lifetimes_;
    Occupancy occupancy_;
    TraceTimes result_;
    std::vector<MemorySample> last_;  // by device
    std::vector<std::uint32_t> left_open_;
    std::size_t next_ = 0;
    std::uint64_t now_ns_ = 0;
    std::uint64_t last_sample_ns_ = 0;
    bool risen_ = false;  // by something that is not noted yet
};

}  // namespace

TraceTimes trace_times(const NodeList& list, const MemoryLifetimes& lifetimes) {
    return Clock(list, lifetimes).run();
}

}  // namespace tilemeter::analysis
