// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/torch/snapshot.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "capture/record/stack.hpp"
#include "capture/record/text.hpp"
#include "report/foreign/base/bytes.hpp"
#include "report/foreign/pickle/document.hpp"
#include "report/python_io.hpp"

namespace tilemeter::foreign::torch {

namespace {

using pickle::Document;
using pickle::Kind;
using pickle::Value;
using record::TextId;

constexpr std::uint64_t kMostDevices = std::uint64_t{1} << record::kDeviceNumberBits;

struct KnownAction {
    std::string_view name;
    Action action;
};
constexpr std::array kActions{KnownAction{"alloc", Action::kAlloc},
                              KnownAction{"free_requested", Action::kFreeRequested},
                              KnownAction{"free_completed", Action::kFreeCompleted},
                              KnownAction{"free", Action::kFreeCompleted},
                              KnownAction{"segment_alloc", Action::kSegmentAlloc},
                              KnownAction{"segment_map", Action::kSegmentAlloc},
                              KnownAction{"segment_free", Action::kSegmentFree},
                              KnownAction{"segment_unmap", Action::kSegmentFree},
                              KnownAction{"oom", Action::kOutOfMemory}};

/// A frame of C++ or of torch's own Python.
bool is_within_torch(std::string_view file) {
    for (const std::string_view ending : {".cpp", ".cc", ".c", ".h", ".hpp", ".cu", ".so", ".S"})
        if (file.ends_with(ending)) return true;
    return file.empty() || file == "??" || file.find(".so.") != std::string_view::npos ||
           file.find("/torch/") != std::string_view::npos || file.starts_with("torch/") ||
           file.starts_with("<frozen");
}

/// A field's place in the document, for messages.
struct Place {
    std::string_view list;  ///< "device_traces"
    std::uint64_t first = 0;
    std::optional<std::uint64_t> second;
    std::string_view within = {};  ///< ".blocks"
    std::optional<std::uint64_t> third = {};

    [[nodiscard]] std::string text(std::string_view field) const {
        std::string text(list);
        text += "[" + std::to_string(first) + "]";
        if (second) text += "[" + std::to_string(*second) + "]";
        text += within;
        if (third) text += "[" + std::to_string(*third) + "]";
        if (!field.empty()) text += "." + std::string(field);
        return text;
    }
};

class SnapshotReader {
public:
    explicit SnapshotReader(const Document& document)
        : document_(document),
          action_(document.key_of("action")),
          addr_(document.key_of("addr")),
          address_(document.key_of("address")),
          size_(document.key_of("size")),
          time_(document.key_of("time_us")),
          frames_(document.key_of("frames")),
          metadata_(document.key_of("user_metadata")),
          device_free_(document.key_of("device_free")) {
        read_.stacks.emplace_back();
        for (const KnownAction& each : kActions)
            actions_.emplace(document.key_of(each.name).payload(), each.action);
    }

    Snapshot read() {
        const Value root = document_.root();
        if (root.kind() == Kind::kList) {  // torch.cuda.memory_snapshot(): the segments alone
            if (document_.size(root) == 0) refuse("the pickle", "a snapshot", "an empty list");
            read_segments(root, "snapshot", false);
            return finish();
        }
        if (root.kind() != Kind::kDict)
            refuse("the pickle", "a snapshot: a dict with segments", pickle::name_of(root.kind()));
        const auto segments = document_.find(root, "segments");
        const auto traces = document_.find(root, "device_traces");
        if (!segments && !traces)
            refuse("the pickle", "a snapshot: a dict with segments or device_traces", "a dict without them");
        if (segments) read_segments(*segments, "segments", false);
        if (traces) read_traces(*traces);
        if (const auto found = document_.find(root, "host_segments"))
            read_segments(*found, "host_segments", true);
        if (const auto found = document_.find(root, "host_traces")) read_host_traces(*found);
        if (const auto found = document_.find(root, "external_annotations")) read_annotations(*found);
        return finish();
    }

private:
    [[noreturn]] static void refuse(std::string position, std::string expected, std::string found) {
        throw FormatError{std::move(position), std::move(expected), std::move(found)};
    }

    void expect(Value value, Kind kind, const std::string& position) const {
        if (value.kind() != kind) refuse(position, pickle::name_of(kind), pickle::name_of(value.kind()));
    }

    /// A number that is not negative. Absent: nothing.
    std::optional<std::uint64_t> number(Value dict, Value key, const Place& place,
                                        std::string_view field) const {
        const auto value = document_.find(dict, key);
        if (!value || value->kind() == Kind::kNone) return std::nullopt;
        if (value->kind() != Kind::kInteger)
            refuse(place.text(field), "an integer", pickle::name_of(value->kind()));
        if (value->integer() < 0)
            refuse(place.text(field), "a number that is not negative", std::to_string(value->integer()));
        return static_cast<std::uint64_t>(value->integer());
    }

    std::uint64_t needed(Value dict, Value key, const Place& place, std::string_view field) const {
        const auto found = number(dict, key, place, field);
        if (!found) refuse(place.text(field), "an integer", "none");
        return *found;
    }

    /// Containers may be named many times: what is looked at is no more than what the pickle says itself.
    void count_visit(const Place& place) {
        if (++visited_ > document_.instructions())
            refuse(place.text({}), "each entry once", "the same ones many times");
    }

    Memory& memory_of(std::uint64_t device, const std::string& position) {
        if (device >= kMostDevices)
            refuse(position, "a device below " + std::to_string(kMostDevices), std::to_string(device));
        Memory& memory = devices_[static_cast<std::uint16_t>(device)];
        memory.device = static_cast<std::uint16_t>(device);
        return memory;
    }

    void read_segments(Value segments, std::string_view name, bool is_host) {
        expect(segments, Kind::kList, std::string(name));
        for (std::uint64_t i = 0; i < document_.size(segments); ++i) {
            const Place place{name, i, {}};
            count_visit(place);
            const Value segment = document_.element(segments, i);
            expect(segment, Kind::kDict, place.text({}));
            const auto device = number(segment, document_.key_of("device"), place, "device");
            Memory& memory = is_host ? read_.host : memory_of(device.value_or(0), place.text("device"));
            const auto size = number(segment, document_.key_of("total_size"), place, "total_size");
            memory.reserved_bytes += size.value_or(0);
            ++memory.segments;
            const auto blocks = document_.find(segment, "blocks");
            if (!blocks) {
                if (!size)
                    refuse(place.text({}), "a segment with blocks and total_size", "a dict without them");
                continue;
            }
            expect(*blocks, Kind::kList, place.text("blocks"));
            const auto begin = number(segment, address_, place, "address");
            read_blocks(*blocks, place, begin.value_or(0), memory);
        }
    }

    void read_blocks(Value blocks, Place place, std::uint64_t address, Memory& into) {
        place.within = ".blocks";
        const Value state_key = document_.key_of("state"), requested_key = document_.key_of("requested_size"),
                    history_key = document_.key_of("history"), real_key = document_.key_of("real_size");
        for (std::uint64_t i = 0; i < document_.size(blocks); ++i) {
            place.third = i;
            count_visit(place);
            const Value block = document_.element(blocks, i);
            expect(block, Kind::kDict, place.text({}));
            const std::uint64_t size = needed(block, size_, place, "size");
            const auto state = document_.find(block, state_key);
            if (!state) refuse(place.text("state"), "a text", "none");
            expect(*state, Kind::kText, place.text("state"));
            const std::string_view name = document_.text(*state);
            Block made{number(block, address_, place, "address").value_or(address), size, 0,
                       name.ends_with("pending_free") || name.ends_with("awaiting_free")};
            address = made.address + size;
            if (name == "inactive" || name == "unmapped") continue;
            auto frames = document_.find(block, frames_);
            auto requested = number(block, requested_key, place, "requested_size");
            // Before torch 2.1 a block had what it had been, the latest first, in place of both.
            const auto history = document_.find(block, history_key);
            if (history && history->kind() == Kind::kList && document_.size(*history) > 0) {
                const Value latest = document_.element(*history, 0);
                expect(latest, Kind::kDict, place.text("history"));
                if (!requested) requested = number(latest, real_key, place, "history.real_size");
                if (!frames) frames = document_.find(latest, frames_);
            }
            made.size = requested.value_or(size);
            made.stack = stack_of(frames, place);
            into.blocks.push_back(made);
        }
    }

    void read_traces(Value traces) {
        expect(traces, Kind::kList, "device_traces");
        for (std::uint64_t device = 0; device < document_.size(traces); ++device) {
            const Value trace = document_.element(traces, device);
            const Place place{"device_traces", device, {}};
            expect(trace, Kind::kList, place.text({}));
            if (document_.size(trace) > 0) read_trace(trace, place, memory_of(device, place.text({})));
        }
    }

    /// One trace, or a list of them.
    void read_host_traces(Value traces) {
        expect(traces, Kind::kList, "host_traces");
        if (document_.size(traces) > 0 && document_.element(traces, 0).kind() == Kind::kList) {
            for (std::uint64_t i = 0; i < document_.size(traces); ++i) {
                const Place place{"host_traces", i, {}};
                expect(document_.element(traces, i), Kind::kList, place.text({}));
                read_trace(document_.element(traces, i), place, read_.host);
            }
        } else {
            read_trace(traces, {"host_traces", 0, {}}, read_.host);
        }
    }

    void read_trace(Value trace, Place place, Memory& into) {
        const std::uint64_t size = document_.size(trace);
        if (visited_ + size > document_.instructions())
            refuse(place.text({}), "each entry once", "the same ones many times");
        into.entries.reserve(into.entries.size() + size);
        for (std::uint64_t i = 0; i < size; ++i) {
            place.second = i;
            count_visit(place);
            const Value entry = document_.element(trace, i);
            expect(entry, Kind::kDict, place.text({}));
            into.entries.push_back(read_entry(entry, i, place));
        }
    }

    Entry read_entry(Value entry, std::uint64_t index, const Place& place) {
        const auto action = document_.find(entry, action_);
        if (!action) refuse(place.text("action"), "a text", "none");
        expect(*action, Kind::kText, place.text("action"));
        Entry made;
        const auto known = actions_.find(action->payload());
        if (known == actions_.end()) {
            ++read_.other[std::string(document_.text(*action))];
        } else {
            made.action = known->second;
        }
        const bool has_memory = made.action != Action::kOther && made.action != Action::kOutOfMemory;
        made.address = has_memory ? needed(entry, addr_, place, "addr") : 0;
        made.size =
            has_memory || made.action == Action::kOutOfMemory ? needed(entry, size_, place, "size") : 0;
        if (made.action == Action::kOutOfMemory) {
            // Older forms say it as the address.
            const auto free = number(entry, device_free_, place, "device_free");
            made.device_free = free ? *free : number(entry, addr_, place, "addr").value_or(0);
        }
        const auto time = number(entry, time_, place, "time_us");
        if (!time) read_.has_times = false;
        made.time_ns = time.value_or(index) * 1000;
        made.stack = stack_of(document_.find(entry, frames_), place);
        if (const auto noted = document_.find(entry, metadata_); noted && noted->kind() == Kind::kText)
            made.metadata = text_id(*noted);
        return made;
    }

    void read_annotations(Value annotations) {
        expect(annotations, Kind::kList, "external_annotations");
        for (std::uint64_t i = 0; i < document_.size(annotations); ++i) {
            const Place place{"external_annotations", i, {}};
            count_visit(place);
            const Value each = document_.element(annotations, i);
            expect(each, Kind::kDict, place.text({}));
            const auto stage = document_.find(each, "stage");
            const auto name = document_.find(each, "name");
            const auto time = number(each, time_, place, "time_us");
            if (!stage || !name || stage->kind() != Kind::kText || name->kind() != Kind::kText || !time)
                continue;
            const auto device = number(each, document_.key_of("device"), place, "device");
            const auto memory = devices_.find(static_cast<std::uint16_t>(device.value_or(0)));
            if (memory == devices_.end()) continue;
            memory->second.annotations.push_back(
                {text_id(*name), *time * 1000, document_.text(*stage) == "START"});
        }
    }

    TextId text_id(Value text) {
        const auto [entry, is_new] = text_ids_.try_emplace(text.payload(), TextId::kNone);
        if (is_new) entry->second = record::intern(document_.text(text));
        return entry->second;
    }

    std::string_view text_of(Value dict, std::string_view key) const {
        const auto value = document_.find(dict, key);
        return value && value->kind() == Kind::kText ? document_.text(*value) : std::string_view();
    }

    std::uint64_t stack_of(std::optional<Value> frames, const Place& place) {
        if (!frames || frames->kind() != Kind::kList || document_.size(*frames) == 0) return 0;
        const auto [entry, is_new] = stack_numbers_.try_emplace(frames->payload(), 0);
        if (!is_new) return entry->second;
        std::vector<std::uint64_t> made;
        std::string owner, outermost;
        for (std::uint64_t i = 0; i < document_.size(*frames); ++i) {
            count_visit(place);
            const Value frame = document_.element(*frames, i);
            expect(frame, Kind::kDict, place.text("frames"));
            std::string_view file = text_of(frame, "filename");
            const std::string_view name = text_of(frame, "name");
            const auto found = document_.find(frame, "line");
            const std::int64_t line = found && found->kind() == Kind::kInteger ? found->integer() : 0;
            made.push_back(record::text_frame(frame_text(file, line, name)));
            const bool is_within = is_within_torch(file);
            if (!owner.empty() || (is_within && i + 1 < document_.size(*frames) && file.empty())) continue;
            std::string source(file.substr(file.rfind('/') + 1));
            if (line > 0) source += ":" + std::to_string(line);
            outermost = name;
            if (!source.empty() && !outermost.ends_with(source)) outermost += " " + source;
            if (!is_within) owner = outermost;
        }
        if (made.size() > record::kMostFrames) made.resize(record::kMostFrames);
        const Stack stack{record::intern(owner.empty() ? outermost : owner), record::intern_stack(made)};
        // Torch makes the same frames anew for another entry.
        const auto [number, is_new_stack] =
            stack_of_frames_.try_emplace(static_cast<std::uint32_t>(stack.frames), read_.stacks.size());
        if (is_new_stack) read_.stacks.push_back(stack);
        return entry->second = number->second;
    }

    TextId frame_text(std::string_view file, std::int64_t line, std::string_view name) {
        std::string text = report::python_frame(file, line, name);
        const auto [entry, is_new] = frame_texts_.try_emplace(std::move(text), TextId::kNone);
        if (is_new) entry->second = record::intern(entry->first);
        return entry->second;
    }

    Snapshot finish() {
        for (auto& [number, memory] : devices_)
            read_.devices.push_back(std::move(memory));
        return std::move(read_);
    }

    const Document& document_;
    const Value action_, addr_, address_, size_, time_, frames_, metadata_, device_free_;
    std::unordered_map<std::uint64_t, Action> actions_;
    std::unordered_map<std::uint64_t, TextId> text_ids_;
    std::unordered_map<std::uint64_t, std::uint64_t> stack_numbers_;  // by the list of frames
    std::unordered_map<std::uint32_t, std::uint64_t> stack_of_frames_;
    std::unordered_map<std::string, TextId> frame_texts_;
    std::map<std::uint16_t, Memory> devices_;
    Snapshot read_;
    std::uint64_t visited_ = 0;
};

}  // namespace

report::Result<Snapshot> load_snapshot(report::Input& input) {
    const auto document = pickle::load(input);
    if (!document) return document.error();
    try {
        return SnapshotReader(document.value()).read();
    } catch (const FormatError& error) {
        return error.in(input.name());
    }
}

}  // namespace tilemeter::foreign::torch
