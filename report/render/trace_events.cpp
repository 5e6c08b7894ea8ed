// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/trace_events.hpp"

#include <algorithm>
#include <cstdio>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/analysis/answers/call_tree.hpp"
#include "report/analysis/answers/peak.hpp"
#include "report/analysis/memory/failures.hpp"
#include "report/analysis/memory/operation_source.hpp"
#include "report/analysis/memory/tensor_flow.hpp"
#include "report/render/trace_times.hpp"
#include "report/text.hpp"

namespace tilemeter::analysis {
namespace {

using nlohmann::json;

constexpr std::size_t kMostListed =
    64;  // arguments, tensors of a slice; user scopes take whole models' weights

std::string microseconds(std::uint64_t ns) {
    char text[32];
    std::snprintf(text, sizeof text, "%llu.%03llu", static_cast<unsigned long long>(ns / 1000),
                  static_cast<unsigned long long>(ns % 1000));
    return text;
}

std::string json_text(std::string_view text) {
    return json(report::to_valid_utf8(text)).dump();
}

/// The members of one object, in the order they are added.
class Members {
public:
    void add(const char* key, const std::string& value) {
        text_ += (text_.empty() ? "\"" : ",\"") + std::string(key) + "\":" + value;
    }
    void add_number(const char* key, std::uint64_t number) { add(key, std::to_string(number)); }
    void add_text(const char* key, std::string_view text) {
        if (!text.empty()) add(key, json_text(text));
    }
    void add_list(const char* key, const std::vector<std::string>& texts) {
        if (texts.empty()) return;
        std::string list = "[";
        for (const std::string& text : std::span(texts).first(std::min(texts.size(), kMostListed)))
            list += (list.size() > 1 ? "," : "") + json_text(text);
        if (texts.size() > kMostListed)
            list += ",\"... " + std::to_string(texts.size() - kMostListed) + " more\"";
        add(key, list + "]");
    }
    std::string object() const { return "{" + text_ + "}"; }

private:
    std::string text_;
};

class EventWriter {
public:
    EventWriter(const NodeList& list, const MemoryLifetimes& lifetimes)
        : list_(list),
          lifetimes_(lifetimes),
          times_(trace_times(list, lifetimes)),
          uses_(find_tensor_uses(list, lifetimes)),
          tensors_(tensors_of_scopes(list, lifetimes.scopes, uses_)),
          calls_(call_nodes(list, lifetimes)) {}

    std::string run() {
        find_flows();
        find_devices();
        find_program_records();
        text_ = "{\"displayTimeUnit\":\"ns\",\"otherData\":" + other_data() + ",\"traceEvents\":[\n";
        text_ += R"({"ph":"M","ts":0,"pid":1,"tid":0,"name":"process_name","args":{"name":"capture"}})";
        text_ +=
            ",\n"
            R"({"ph":"M","ts":0,"pid":1,"tid":1,"name":"thread_name","args":{"name":"functions"}})";
        std::size_t next_flow = 0;
        for (std::uint32_t scope = 0; scope < times_.spans.size(); ++scope) {
            add_slice(scope);
            // Right behind their slice: before those in it, which may begin at the same time.
            for (; next_flow < flow_ends_.size() && flow_ends_[next_flow].scope == scope; ++next_flow)
                add_flow(flow_ends_[next_flow]);
        }
        for (const MemorySample& sample : times_.samples)
            add_counters(sample);
        add_failures();
        return std::move(text_ += "\n]}\n");
    }

private:
    struct FlowEnd {
        std::uint32_t scope;
        std::uint32_t id;
        std::uint32_t tensor;  // node
        bool is_start;
    };

    const Scope& scope_at(std::uint32_t scope) const { return lifetimes_.scopes.scopes[scope]; }

    std::string other_data() const {
        Members data;
        data.add_text("producer", "tilemeter");
        data.add_text(
            "times",
            "durations are recorded, times are not: functions are placed one after the other, and a "
            "function's own time after the functions in it; what has no time lasts 1 ns");
        data.add_list("notes", find_peak(list_, lifetimes_).caveats);
        return data.object();
    }

    void find_flows() {
        std::unordered_set<std::uint64_t> known;
        std::uint32_t id = 0;
        for (const TensorUse& use : uses_) {
            if (use.producer == kNoIndex) continue;
            const FlowEnds ends = flow_ends(lifetimes_.scopes, use);
            if (!known.insert(std::uint64_t{ends.from} << 32U | ends.to).second) continue;
            flow_ends_.push_back({ends.from, ++id, use.tensor, true});
            flow_ends_.push_back({ends.to, id, use.tensor, false});
        }
        std::stable_sort(flow_ends_.begin(), flow_ends_.end(),
                         [](const FlowEnd& a, const FlowEnd& b) { return a.scope < b.scope; });
    }

    // The devices of programs and buffers in the function, else of its tensors, else of a function in it.
    void find_devices() {
        device_of_.assign(times_.spans.size(), kNoIndex);
        const auto note = [this](std::uint32_t scope, std::uint16_t device) {
            if (scope != kNoIndex && device_of_[scope] == kNoIndex) device_of_[scope] = device;
        };
        for (const ProgramLifetime& program : lifetimes_.programs)
            note(program.scope, program.device);
        for (const BufferLifetime& lifetime : lifetimes_.buffers)
            note(lifetime.maker, lifetime.device);
        for (auto scope = static_cast<std::uint32_t>(device_of_.size()); scope-- > 0;) {
            for (const auto* tensors : {&tensors_[scope].outputs, &tensors_[scope].inputs})
                for (const std::uint32_t tensor : *tensors)
                    if (const std::uint32_t lifetime = lifetimes_.lifetime_of_tensor[tensor];
                        lifetime != kNoIndex)
                        note(scope, lifetimes_.buffers[lifetime].device);
            if (device_of_[scope] != kNoIndex)
                note(scope_at(scope).parent, static_cast<std::uint16_t>(device_of_[scope]));
        }
    }

    void find_program_records() {
        record_of_.assign(times_.spans.size(), ProgramRecord::kRecorded);
        for (const ProgramLifetime& program : lifetimes_.programs)
            if (program.scope != kNoIndex) record_of_[program.scope] = program.record;
    }

    std::vector<std::string> texts_of(const std::vector<std::uint32_t>& tensors) const {
        std::vector<std::string> texts;
        for (const std::uint32_t tensor : tensors) {
            const std::string type = tensor_type(list_, tensor);
            texts.push_back(tensor_name(list_, tensor) + (type.empty() ? "" : " " + type));
        }
        return texts;
    }

    std::string error_of(std::uint32_t scope) const {
        const PythonCall* call = list_.source.python_call(scope_at(scope).start);
        return call == nullptr ? std::string() : call->error_message;
    }

    std::string args_of(std::uint32_t scope) const {
        const Scope& it = scope_at(scope);
        const NodeList::End* end = it.end == kNoIndex ? nullptr : list_.end(it.end);
        Members args;
        args.add_number("node", it.start);
        if (end != nullptr && end->duration_ns.given())
            args.add_number("duration_ns", end->duration_ns.size_bytes());
        args.add_text("source", source_of(list_, lifetimes_.scopes, scope));
        if (const NodeList::Function* function = list_.function(it.start)) {
            std::vector<std::string> arguments;
            for (const TextRef argument : list_.arguments(*function))
                arguments.emplace_back(list_.text(argument));
            args.add_list("arguments", arguments);
            if (function->cache_hit) args.add("program_cache_hit", "true");
        }
        args.add_list("inputs", texts_of(tensors_[scope].inputs));
        args.add_list("outputs", texts_of(tensors_[scope].outputs));
        const std::uint32_t device = device_of_[scope];
        if (device != kNoIndex && lifetimes_.devices[device].id.given())
            args.add("device", std::to_string(lifetimes_.devices[device].id.value_or(0)));
        args.add_number("l1_peak_bytes_per_core", calls_[scope].l1_peak_bytes);
        args.add_number("dram_peak_bytes_per_bank", calls_[scope].dram_peak_bytes);
        if (record_of_[scope] != ProgramRecord::kRecorded)
            args.add_text("program_memory", record_of_[scope] == ProgramRecord::kUnknown
                                                ? "unknown: not recorded"
                                                : "taken from another run of the program");
        if (end == nullptr) args.add("no_end_recorded", "true");
        if (end != nullptr && end->aborted) args.add("aborted", "true");
        if (end != nullptr) args.add_text("abort_reason", list_.text(end->abort_reason));
        args.add_text("error", error_of(scope));
        return args.object();
    }

    // The beginning of an event on the thread of functions.
    void begin(const char* phase, std::uint64_t ns, std::string_view name) {
        text_ += ",\n{\"ph\":\"" + std::string(phase) + "\",\"pid\":1,\"tid\":1,\"ts\":" + microseconds(ns) +
                 ",\"name\":" + json_text(name);
    }

    void add_slice(std::uint32_t scope) {
        const TraceSpan& span = times_.spans[scope];
        begin("X", span.begin_ns, list_.name(scope_at(scope).start));
        text_ += ",\"dur\":" + microseconds(span.end_ns - span.begin_ns) + ",\"cat\":\"function\"";
        if (calls_[scope].aborted || !error_of(scope).empty()) text_ += ",\"cname\":\"terrible\"";
        text_ += ",\"args\":" + args_of(scope) + "}";
    }

    void add_flow(const FlowEnd& flow) {
        const std::string type = tensor_type(list_, flow.tensor);
        begin(flow.is_start ? "s" : "f", times_.spans[flow.scope].begin_ns, type.empty() ? "tensor" : type);
        text_ += std::string(flow.is_start ? "" : ",\"bp\":\"e\"") +
                 ",\"cat\":\"tensor\",\"id\":" + std::to_string(flow.id) + "}";
    }

    void add_counter(const std::string& name, std::uint64_t ns, const Members& values) {
        text_ += ",\n{\"ph\":\"C\",\"pid\":1,\"tid\":0,\"ts\":" + microseconds(ns) +
                 ",\"name\":" + json_text(name) + ",\"args\":" + values.object() + "}";
    }

    void add_counters(const MemorySample& sample) {
        const Number id = lifetimes_.devices[sample.device].id;
        const std::string suffix = id.given() ? " (device " + std::to_string(id.value_or(0)) + ")" : "";
        if (sample.l1_changed) {
            Members kinds;
            kinds.add_number("tensors", sample.l1_tensor_bytes);
            kinds.add_number("programs", sample.l1_program_bytes);
            add_counter("L1 per core" + suffix, sample.at_ns, kinds);
            Members total;
            total.add_number("bytes", sample.l1_tensor_bytes + sample.l1_program_bytes);
            add_counter("total L1 per core" + suffix, sample.at_ns, total);
        }
        if (!sample.dram_changed) return;
        Members bytes;
        bytes.add_number("bytes", sample.dram_bytes);
        add_counter("DRAM per bank" + suffix, sample.at_ns, bytes);
    }

    void add_failure(std::uint64_t ns, std::string_view name, std::uint32_t node, std::uint32_t scope,
                     std::string_view message) {
        Members args;
        args.add_number("node", node);
        args.add_text("operation", lifetimes_.scopes.path(list_, scope));
        args.add_text("message", message);
        begin("i", ns, name);
        text_ += ",\"s\":\"t\",\"cat\":\"failure\",\"args\":" + args.object() + "}";
    }

    // Error nodes; functions that were left by an exception without one; operations whose failure is known
    // from the sidecar only.
    void add_failures() {
        std::vector<bool> is_told(times_.spans.size(), false);  // by outermost scope: has error nodes
        for (const FailureTime& failure : times_.failures) {
            const std::uint32_t scope = lifetimes_.scopes.of_node[failure.node];
            const NodeList::Failure& row = list_.failures[list_.nodes[failure.node].detail];
            const std::string_view type = list_.text(row.type);
            add_failure(failure.at_ns, type.empty() ? "error" : type, failure.node, scope,
                        list_.text(row.message));
            if (scope != kNoIndex) is_told[scope_at(scope).top] = true;
        }
        for (const RecordedFailure& failure : find_failures(list_, lifetimes_)) {
            if (is_told[scope_at(failure.scope).top]) continue;
            const Scope& it = scope_at(failure.scope);
            const bool aborted = it.end != kNoIndex && list_.end(it.end)->aborted;
            add_failure(times_.spans[failure.scope].end_ns, aborted ? "aborted" : "error", failure.node,
                        failure.scope, failure.message);
        }
    }

    const NodeList& list_;
    const MemoryLifetimes& lifetimes_;
    const TraceTimes times_;
    const std::vector<TensorUse> uses_;
    const std::vector<ScopeTensors> tensors_;
    const std::vector<CallNode> calls_;
    std::vector<FlowEnd> flow_ends_;        // by scope
    std::vector<std::uint32_t> device_of_;  // by scope
    std::vector<ProgramRecord> record_of_;  // by scope
    std::string text_;
};

}  // namespace

std::string trace_events(const NodeList& list, const MemoryLifetimes& lifetimes) {
    return EventWriter(list, lifetimes).run();
}

}  // namespace tilemeter::analysis
