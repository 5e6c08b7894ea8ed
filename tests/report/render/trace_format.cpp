// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/report/render/trace_format.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "report/render/trace_events.hpp"

namespace tilemeter::test {
namespace {

using nlohmann::json;

std::int64_t nanoseconds(const json& microseconds) {
    return std::llround(microseconds.get<double>() * 1000);
}

class Judge {
public:
    std::vector<std::string> run(const json& trace) {
        for (const json& event : trace.at("traceEvents"))
            if (has_fields(event)) note(event);
        for (auto& [thread, events] : by_thread_)
            walk(events);
        for (const auto& [id, ends] : flows_)
            check_flow(id, ends);
        if (names_.count("process_name") != 1 || names_.count("thread_name") != 1) fault("names", json());
        return std::move(faults_);
    }

private:
    using Thread = std::pair<std::int64_t, std::int64_t>;
    struct Timed {
        std::int64_t ns;
        const json* event;
    };
    struct Open {
        std::int64_t end_ns;
        const json* slice;
    };
    struct FlowEnd {
        std::string phase, name;
        std::int64_t ns;
        const json* slice;
    };

    void fault(const std::string& what, const json& event) {
        faults_.push_back(what + ": " + event.dump().substr(0, 300));
    }

    bool has_fields(const json& event) {
        static const std::map<std::string, std::vector<const char*>> kMore{
            {"X", {"dur", "args"}}, {"M", {"args"}},      {"C", {"args"}},
            {"i", {"s"}},           {"s", {"id", "cat"}}, {"f", {"id", "cat", "bp"}}};
        const std::size_t before = faults_.size();
        for (const char* key : {"ph", "pid", "tid", "name", "ts"})
            if (!event.contains(key)) fault(std::string("no ") + key, event);
        if (faults_.size() != before) return false;
        const auto more = kMore.find(event["ph"].get<std::string>());
        if (more == kMore.end()) {
            fault("an unknown phase", event);
            return false;
        }
        for (const char* key : more->second)
            if (!event.contains(key)) fault(std::string("no ") + key, event);
        for (const char* key : {"pid", "tid"})
            if (!event[key].is_number_integer()) fault(std::string(key) + " is no integer", event);
        if (!event["name"].is_string()) fault("the name is no text", event);
        if (!event["ts"].is_number() || event["ts"].get<double>() < 0) fault("a bad ts", event);
        if (event.contains("dur") && !(event["dur"].get<double>() > 0)) fault("a bad dur", event);
        return faults_.size() == before;
    }

    void note(const json& event) {
        const std::string phase = event["ph"];
        if (phase == "M") names_.insert(event["name"].get<std::string>());
        if (phase == "C") check_counter(event);
        if (phase == "i" && event["s"] != "t" && event["s"] != "p" && event["s"] != "g")
            fault("a bad scope of an instant", event);
        if (phase == "X" || phase == "s" || phase == "f" || phase == "i")
            by_thread_[{event["pid"], event["tid"]}].push_back({nanoseconds(event["ts"]), &event});
    }

    void check_counter(const json& event) {
        if (event["args"].empty()) fault("a counter without a value", event);
        for (const json& value : event["args"])
            if (!value.is_number_unsigned()) fault("a counter's value is no number of bytes", event);
        const std::int64_t ns = nanoseconds(event["ts"]);
        const auto [last, is_first] = last_counter_.try_emplace(event["name"], ns);
        if (!is_first && last->second >= ns) fault("a counter that does not go on in time", event);
        last->second = ns;
    }

    // Events of one time count in the order of the file, as viewers take them.
    void walk(std::vector<Timed>& events) {
        std::stable_sort(events.begin(), events.end(),
                         [](const Timed& a, const Timed& b) { return a.ns < b.ns; });
        std::vector<Open> open;
        for (const Timed& it : events) {
            const std::string phase = (*it.event)["ph"];
            if (phase == "i") continue;
            while (!open.empty() && open.back().end_ns <= it.ns)
                open.pop_back();
            if (phase == "X") {
                const std::int64_t end = it.ns + nanoseconds((*it.event)["dur"]);
                if (!open.empty() && end > open.back().end_ns) fault("a slice that does not nest", *it.event);
                open.push_back({end, it.event});
            } else if (open.empty()) {
                fault("a flow outside of all slices", *it.event);
            } else {
                flows_[(*it.event)["cat"].get<std::string>() + (*it.event)["id"].dump()].push_back(
                    {phase, (*it.event)["name"], it.ns, open.back().slice});
            }
        }
    }

    void check_flow(const std::string& id, const std::vector<FlowEnd>& ends) {
        const bool paired = ends.size() == 2 && ends[0].phase == "s" && ends[1].phase == "f";
        if (!paired || ends[0].name != ends[1].name || ends[0].ns >= ends[1].ns ||
            ends[0].slice == ends[1].slice)
            fault("a flow that is no pair", id);
    }

    std::vector<std::string> faults_;
    std::multiset<std::string> names_;
    std::map<std::string, std::int64_t> last_counter_;
    std::map<Thread, std::vector<Timed>> by_thread_;
    std::map<std::string, std::vector<FlowEnd>> flows_;
};

/// By counter: the highest sum of its values that has a duration.
std::map<std::string, std::uint64_t> highest_that_last(const json& trace) {
    std::map<std::string, std::pair<std::int64_t, std::uint64_t>> now;
    std::map<std::string, std::uint64_t> highest;
    for (const json& event : trace.at("traceEvents")) {
        if (event["ph"] != "C") continue;
        std::uint64_t sum = 0;
        for (const json& value : event["args"])
            sum += value.get<std::uint64_t>();
        const std::int64_t ns = nanoseconds(event["ts"]);
        const auto before = now.find(event["name"]);
        std::uint64_t& best = highest[event["name"]];
        if (before != now.end() && ns > before->second.first) best = std::max(best, before->second.second);
        now[event["name"]] = {ns, sum};
    }
    return highest;
}

}  // namespace

std::vector<std::string> format_faults(const json& trace) {
    return Judge().run(trace);
}

std::vector<std::string> peak_faults(const json& trace, const analysis::PeakAnswer& peak) {
    std::vector<std::string> faults;
    std::map<std::string, std::uint64_t> expected;
    for (const analysis::DevicePeak& device : peak.devices) {
        const std::string suffix =
            device.device.given() ? " (device " + std::to_string(device.device.value_or(0)) + ")" : "";
        expected["L1 per core" + suffix] = device.l1.bytes;
        expected["total L1 per core" + suffix] = device.l1.bytes;
        expected["DRAM per bank" + suffix] = device.dram.bytes;
    }
    const auto found = highest_that_last(trace);
    for (const auto& [name, bytes] : expected) {
        const auto counter = found.find(name);
        if (counter == found.end())
            faults.push_back(name + " is missing");
        else if (counter->second != bytes)
            faults.push_back(name + ": " + std::to_string(counter->second) + ", the peak is " +
                             std::to_string(bytes));
    }
    if (found.size() != expected.size()) faults.emplace_back("other counters than devices");
    return faults;
}

nlohmann::json judged(const analysis::NodeList& list, const analysis::ProgramLibrary* programs) {
    const analysis::MemoryLifetimes lifetimes = analysis::find_lifetimes(list, programs);
    nlohmann::json trace = nlohmann::json::parse(analysis::trace_events(list, lifetimes));
    EXPECT_EQ(format_faults(trace), std::vector<std::string>());
    EXPECT_EQ(peak_faults(trace, analysis::find_peak(list, lifetimes)), std::vector<std::string>());
    return trace;
}

}  // namespace tilemeter::test
