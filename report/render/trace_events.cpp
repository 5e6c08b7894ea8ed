// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/trace_events.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/analysis/occupancy.hpp"
#include "report/text.hpp"

namespace tilemeter::graph {
namespace {

using nlohmann::json;

class EventWriter {
public:
    EventWriter(const NodeList& list, const MemoryLives& lives)
        : list_(list), lives_(lives), occupancy_(lives) {}

    std::string run() {
        text_ =
            "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
            "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"capture\"}}";
        const bool has_durations = std::any_of(list_.ends.begin(), list_.ends.end(),
                                               [](const auto& end) { return end.duration_ns.given(); });
        std::vector<std::uint64_t> started(lives_.scopes.scopes.size(), 0);
        std::size_t next = 0;
        for (std::uint32_t node = 0; node < list_.size(); ++node) {
            const std::uint32_t scope = lives_.scopes.of_node[node];
            if (!has_durations) now_ns_ += 1000;
            if (scope != kNoIndex && lives_.scopes.scopes[scope].start == node) started[scope] = now_ns_;
            bool changed = false;
            for (; next < lives_.events.size() && lives_.events[next].node <= node; ++next) {
                occupancy_.apply(lives_.events[next]);
                changed = true;
            }
            if (changed) add_counters();
            if (scope != kNoIndex && lives_.scopes.scopes[scope].end == node) {
                now_ns_ = std::max(now_ns_, started[scope] + lives_.scopes.duration_ns(list_, scope));
                add_slice(scope, started[scope]);
            }
        }
        for (std::uint32_t scope = 0; scope < started.size(); ++scope)
            if (lives_.scopes.scopes[scope].end == kNoIndex) add_slice(scope, started[scope]);
        return std::move(text_ += "\n]}\n");
    }

private:
    static std::string microseconds(std::uint64_t ns) {
        char text[32];
        std::snprintf(text, sizeof text, "%llu.%03llu", static_cast<unsigned long long>(ns / 1000),
                      static_cast<unsigned long long>(ns % 1000));
        return text;
    }
    static std::string quoted(std::string_view text) { return json(report::to_valid_utf8(text)).dump(); }

    void add_slice(std::uint32_t scope, std::uint64_t start_ns) {
        const Scope& it = lives_.scopes.scopes[scope];
        text_ += ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":" + quoted(list_.name(it.start)) +
                 ",\"ts\":" + microseconds(start_ns) + ",\"dur\":" + microseconds(now_ns_ - start_ns) +
                 ",\"args\":{\"node\":" + std::to_string(it.start) + "}}";
    }

    void add_counters() {
        for (std::uint16_t device = 0; device < lives_.devices.size(); ++device) {
            const Occupancy::Tensors& tensors = occupancy_.tensors(device);
            const std::uint64_t l1_tensors = tensors.l1_bytes + tensors.l1_small_bytes;
            const std::uint64_t programs = occupancy_.l1_peak_bytes(device) - l1_tensors;
            const Number id = lives_.devices[device].id;
            const std::string suffix = id.given() ? " (device " + std::to_string(id.value_or(0)) + ")" : "";
            text_ += ",\n{\"ph\":\"C\",\"pid\":1,\"name\":\"L1 per core" + suffix +
                     "\",\"ts\":" + microseconds(now_ns_) +
                     ",\"args\":{\"tensors\":" + std::to_string(l1_tensors) +
                     ",\"programs\":" + std::to_string(programs) + "}}";
            text_ += ",\n{\"ph\":\"C\",\"pid\":1,\"name\":\"DRAM per bank" + suffix +
                     "\",\"ts\":" + microseconds(now_ns_) +
                     ",\"args\":{\"bytes\":" + std::to_string(tensors.dram_bytes) + "}}";
        }
    }

    const NodeList& list_;
    const MemoryLives& lives_;
    Occupancy occupancy_;
    std::string text_;
    std::uint64_t now_ns_ = 0;
};

}  // namespace

std::string trace_events(const NodeList& list, const MemoryLives& lives) {
    return EventWriter(list, lives).run();
}

}  // namespace tilemeter::graph
