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
          address_(document.key_of("address")),
          size_key_(document.key_of("size")),
          time_key_(document.key_of("time_us")),
          frames_key_(document.key_of("frames")) {
        constexpr std::array<const char*, kFields> kNames{"action", "addr",          "size",       "time_us",
                                                          "frames", "user_metadata", "device_free"};
        for (std::size_t i = 0; i < kFields; ++i)
            fields_[i] = document.key_of(kNames[i]);
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
        for (auto& [number, memory] : devices_)
            memory.is_state_known = segments.has_value();
        const auto host_segments = document_.find(root, "host_segments");
        if (host_segments) read_segments(*host_segments, "host_segments", true);
        read_.host.is_state_known = host_segments.has_value();
        if (const auto found = document_.find(root, "host_traces")) read_host_traces(*found);
        if (const auto found = document_.find(root, "external_annotations")) read_annotations(*found);
        return finish();
    }

private:
    [[noreturn]] static void refuse(std::string position, std::string expected, std::string found) {
        throw FormatError{std::move(position), std::move(expected), std::move(found)};
    }

    /// The field's text is made where something is wrong.
    void expect(Value value, Kind kind, const Place& place, std::string_view field) const {
        if (value.kind() != kind)
            refuse(place.text(field), pickle::name_of(kind), pickle::name_of(value.kind()));
    }
    void expect(Value value, Kind kind, std::string_view list) const {
        if (value.kind() != kind)
            refuse(std::string(list), pickle::name_of(kind), pickle::name_of(value.kind()));
    }

    /// A number that is not negative. Absent: nothing.
    std::optional<std::uint64_t> number(Value dict, Value key, const Place& place,
                                        std::string_view field) const {
        return number(document_.find(dict, key), place, field);
    }

    static std::optional<std::uint64_t> number(std::optional<Value> value, const Place& place,
                                               std::string_view field) {
        if (!value || value->kind() == Kind::kNone) return std::nullopt;
        if (value->kind() != Kind::kInteger)
            refuse(place.text(field), "an integer", pickle::name_of(value->kind()));
        if (value->integer() < 0)
            refuse(place.text(field), "a number that is not negative", std::to_string(value->integer()));
        return static_cast<std::uint64_t>(value->integer());
    }

    std::uint64_t needed(Value dict, Value key, const Place& place, std::string_view field) const {
        return needed(document_.find(dict, key), place, field);
    }

    static std::uint64_t needed(std::optional<Value> value, const Place& place, std::string_view field) {
        const auto found = number(value, place, field);
        if (!found) refuse(place.text(field), "an integer", "none");
        return *found;
    }

    /// Containers may be named many times: what is looked at is no more than what the pickle says itself.
    void count_visit(const Place& place) {
        if (++visited_ > document_.instructions())
            refuse(place.text({}), "each entry once", "the same ones many times");
    }

    Memory& memory_of(std::uint64_t device, const Place& place, std::string_view field) {
        if (device >= kMostDevices)
            refuse(place.text(field), "a device below " + std::to_string(kMostDevices),
                   std::to_string(device));
        Memory& memory = devices_[static_cast<std::uint16_t>(device)];
        memory.device = static_cast<std::uint16_t>(device);
        return memory;
    }

    void read_segments(Value segments, std::string_view name, bool is_host) {
        expect(segments, Kind::kList, name);
        for (std::uint64_t i = 0; i < document_.size(segments); ++i) {
            const Place place{name, i, {}};
            count_visit(place);
            const Value segment = document_.element(segments, i);
            expect(segment, Kind::kDict, place, {});
            const auto device = number(segment, document_.key_of("device"), place, "device");
            Memory& memory = is_host ? read_.host : memory_of(device.value_or(0), place, "device");
            const auto size = number(segment, document_.key_of("total_size"), place, "total_size");
            memory.reserved_bytes += size.value_or(0);
            ++memory.segments;
            const auto blocks = document_.find(segment, "blocks");
            if (!blocks) {
                if (!size)
                    refuse(place.text({}), "a segment with blocks and total_size", "a dict without them");
                continue;
            }
            expect(*blocks, Kind::kList, place, "blocks");
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
            expect(block, Kind::kDict, place, {});
            const std::uint64_t size = needed(block, size_key_, place, "size");
            const auto state = document_.find(block, state_key);
            if (!state) refuse(place.text("state"), "a text", "none");
            expect(*state, Kind::kText, place, "state");
            const std::string_view name = document_.text(*state);
            Block made{number(block, address_, place, "address").value_or(address), size, 0,
                       name.ends_with("pending_free") || name.ends_with("awaiting_free")};
            address = made.address + size;
            if (name == "inactive" || name == "unmapped") continue;
            auto frames = document_.find(block, frames_key_);
            auto requested = number(block, requested_key, place, "requested_size");
            // Before torch 2.1 a block had what it had been, the latest first, in place of both.
            const auto history = document_.find(block, history_key);
            if (history && history->kind() == Kind::kList && document_.size(*history) > 0) {
                const Value latest = document_.element(*history, 0);
                expect(latest, Kind::kDict, place, "history");
                if (!requested) requested = number(latest, real_key, place, "history.real_size");
                if (!frames) frames = document_.find(latest, frames_key_);
            }
            made.size = requested.value_or(size);
            made.is_requested = requested.has_value();
            made.stack = stack_of(frames, place);
            into.blocks.push_back(made);
        }
    }

    void read_traces(Value traces) {
        expect(traces, Kind::kList, "device_traces");
        for (std::uint64_t device = 0; device < document_.size(traces); ++device) {
            const Value trace = document_.element(traces, device);
            const Place place{"device_traces", device, {}};
            expect(trace, Kind::kList, place, {});
            if (document_.size(trace) > 0) read_trace(trace, place, memory_of(device, place, {}));
        }
    }

    /// One trace, or a list of them.
    void read_host_traces(Value traces) {
        expect(traces, Kind::kList, "host_traces");
        if (document_.size(traces) > 0 && document_.element(traces, 0).kind() == Kind::kList) {
            for (std::uint64_t i = 0; i < document_.size(traces); ++i) {
                const Place place{"host_traces", i, {}};
                expect(document_.element(traces, i), Kind::kList, place, {});
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
            expect(entry, Kind::kDict, place, {});
            into.entries.push_back(read_entry(entry, i, place));
        }
    }

    /// What is read of an entry.
    enum Field : std::uint8_t { kAction, kAddr, kSize, kTime, kFrames, kMetadata, kDeviceFree, kFields };

    /// A field of an entry. Thousands of entries have one shape: the places of its fields are looked up once.
    std::optional<Value> field(Value entry, Field which) {
        const std::uint64_t shape = document_.shape(entry);
        if (shape == Document::kNoShape) return document_.find(entry, fields_[which]);
        if (shape != shape_) {
            shape_ = shape;
            for (std::size_t i = 0; i < kFields; ++i)
                places_[i] = document_.place_of(shape, fields_[i]);
        }
        return places_[which] ? std::optional(document_.at(entry, *places_[which])) : std::nullopt;
    }

    Entry read_entry(Value entry, std::uint64_t index, const Place& place) {
        const auto action = field(entry, kAction);
        if (!action) refuse(place.text("action"), "a text", "none");
        expect(*action, Kind::kText, place, "action");
        Entry made;
        const auto known = actions_.find(action->payload());
        if (known == actions_.end()) {
            ++read_.other[std::string(document_.text(*action))];
        } else {
            made.action = known->second;
        }
        const bool has_memory = made.action != Action::kOther && made.action != Action::kOutOfMemory;
        made.address = has_memory ? needed(field(entry, kAddr), place, "addr") : 0;
        made.size = has_memory || made.action == Action::kOutOfMemory
                        ? needed(field(entry, kSize), place, "size")
                        : 0;
        if (made.action == Action::kOutOfMemory) {
            // Older forms say it as the address.
            const auto free = number(field(entry, kDeviceFree), place, "device_free");
            made.address = free ? *free : number(field(entry, kAddr), place, "addr").value_or(0);
        }
        const auto time = number(field(entry, kTime), place, "time_us");
        if (!time) read_.has_times = false;
        made.time_ns = time.value_or(index) * 1000;
        made.stack = stack_of(field(entry, kFrames), place);
        if (const auto noted = field(entry, kMetadata); noted && noted->kind() == Kind::kText)
            made.metadata = text_id(*noted);
        return made;
    }

    void read_annotations(Value annotations) {
        expect(annotations, Kind::kList, "external_annotations");
        for (std::uint64_t i = 0; i < document_.size(annotations); ++i) {
            const Place place{"external_annotations", i, {}};
            count_visit(place);
            const Value each = document_.element(annotations, i);
            expect(each, Kind::kDict, place, {});
            const auto stage = document_.find(each, "stage");
            const auto name = document_.find(each, "name");
            const auto time = number(each, time_key_, place, "time_us");
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

    std::uint32_t stack_of(std::optional<Value> frames, const Place& place) {
        if (!frames || frames->kind() != Kind::kList || document_.size(*frames) == 0) return 0;
        const auto [entry, is_new] = stack_numbers_.try_emplace(frames->payload(), 0);
        if (!is_new) return entry->second;
        frames_.clear();
        const Frame* owner = nullptr;  // the innermost outside of torch
        const Frame* outermost = nullptr;
        const std::uint64_t size = document_.size(*frames);
        for (std::uint64_t i = 0; i < size; ++i) {
            count_visit(place);
            const Frame& frame = frame_of(document_.element(*frames, i), place);
            frames_.push_back(frame.number);
            if (owner != nullptr || (frame.is_within_torch && i + 1 < size && !frame.has_file)) continue;
            outermost = &frame;
            if (!frame.is_within_torch && !frame.text.empty()) owner = &frame;
        }
        if (frames_.size() > record::kMostFrames) frames_.resize(record::kMostFrames);
        if (owner == nullptr) owner = outermost;
        const Stack stack{owner == nullptr ? record::intern("") : record::intern(owner->text),
                          record::intern_stack(frames_)};
        // Torch makes the same frames anew for another entry.
        const auto [number, is_new_stack] = stack_of_frames_.try_emplace(
            static_cast<std::uint32_t>(stack.frames), static_cast<std::uint32_t>(read_.stacks.size()));
        if (is_new_stack) read_.stacks.push_back(stack);
        return entry->second = number->second;
    }

    struct Frame {
        std::uint64_t number = 0;  ///< of a stack
        std::string text;          ///< as an owner's name: "forward net.py:30"
        bool is_within_torch = false;
        bool has_file = false;
    };

    const Frame& frame_of(Value frame, const Place& place) {
        expect(frame, Kind::kDict, place, "frames");
        const auto [entry, is_new] = known_frames_.try_emplace(frame.payload());
        Frame& made = entry->second;
        if (!is_new) return made;
        const std::string_view file = text_of(frame, "filename");
        const std::string_view name = text_of(frame, "name");
        const auto found = document_.find(frame, "line");
        const std::int64_t line = found && found->kind() == Kind::kInteger ? found->integer() : 0;
        made.number = record::text_frame(frame_text(file, line, name));
        made.is_within_torch = is_within_torch(file);
        made.has_file = !file.empty();
        std::string source(file.substr(file.rfind('/') + 1));
        if (line > 0) source += ":" + std::to_string(line);
        made.text = name;
        if (!source.empty() && !made.text.ends_with(source)) made.text += " " + source;
        return made;
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
    const Value address_, size_key_, time_key_, frames_key_;
    std::array<Value, kFields> fields_;
    std::uint64_t shape_ = Document::kNoShape;  // of the latest entry
    std::array<std::optional<std::uint64_t>, kFields> places_ = {};
    std::vector<std::uint64_t> frames_;                      // of the stack that is being read
    std::unordered_map<std::uint64_t, Frame> known_frames_;  // by the frame's dict
    std::unordered_map<std::uint64_t, Action> actions_;
    std::unordered_map<std::uint64_t, TextId> text_ids_;
    std::unordered_map<std::uint64_t, std::uint32_t> stack_numbers_;  // by the list of frames
    std::unordered_map<std::uint32_t, std::uint32_t> stack_of_frames_;
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
