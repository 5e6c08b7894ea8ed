// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/python_io.hpp"

#include <unordered_map>
#include <utility>

#include "report/internal/json_stream.hpp"
#include "report/node.hpp"

namespace tilemeter::report {
namespace {

struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

}  // namespace

struct PythonIo::State {
    struct Place {
        std::uint64_t file_offset;
        std::size_t first_input;
    };
    struct Queue {
        std::vector<RecordId> records;
        std::size_t taken = 0;
    };

    explicit State(internal::JsonStream in) : stream(std::move(in)) {}
    Status add(const JsonValue& record, std::uint64_t file_offset);
    Status scan(std::uint64_t file_offset);

    internal::JsonStream stream;
    JsonDocument document;
    std::vector<Place> places;
    std::vector<std::int64_t> input_ids;
    std::unordered_map<std::string, Queue, TextHash, std::equal_to<>> queues;
    bool has_stack_traces = false;
};

Status PythonIo::State::add(const JsonValue& record, std::uint64_t file_offset) {
    const auto problem = [&](std::string expected, const JsonValue& found) {
        return Error{stream.name(),
                     "byte " + std::to_string(file_offset) + ", record " + std::to_string(places.size()),
                     std::move(expected), std::string(kind_name(found.kind()))};
    };
    if (!record.is_object()) return problem("an object", record);
    const auto name = record.at("name").text();
    if (!name) return problem("a name, which is a text", record.at("name"));
    auto found = queues.find(*name);
    if (found == queues.end()) found = queues.emplace(std::string(*name), Queue{}).first;
    found->second.records.push_back({places.size()});
    places.push_back({file_offset, input_ids.size()});
    for (auto id = record.at("input_tensor_ids").children(); id.valid(); id.next()) {
        auto number = integer_of(id.value());
        if (!number || !*number) return problem("input_tensor_ids, which are integers", id.value());
        input_ids.push_back(**number);
    }
    has_stack_traces = has_stack_traces || record.at("python_stack_trace").size() > 0;
    return {};
}

Status PythonIo::State::scan(std::uint64_t file_offset) {
    stream.seek(file_offset);
    auto next = stream.peek();
    if (!next) return next.error();
    if (file_offset != 0 && *next == 'n') return {};  // "python_io": null
    if (Status open = stream.expect('[', "an array of records"); !open) return open;
    stream.begin_elements();
    while (true) {
        auto elements = stream.next_elements(document);
        if (!elements) return elements.error();
        if (!elements->has_value()) break;
        std::size_t i = 0;
        for (auto element = (*elements)->children(); element.valid(); element.next(), ++i)
            if (Status added = add(element.value(), stream.element_offset(i)); !added) return added;
    }
    return file_offset == 0 ? stream.expect_end() : Status();
}

PythonIo::PythonIo() = default;
PythonIo::~PythonIo() = default;
PythonIo::PythonIo(PythonIo&&) noexcept = default;
PythonIo& PythonIo::operator=(PythonIo&&) noexcept = default;

Result<PythonIo> PythonIo::open(const std::filesystem::path& path, std::uint64_t file_offset) {
    auto stream = internal::JsonStream::open(path);
    if (!stream) return stream.error();
    PythonIo io;
    io.state_ = std::make_unique<State>(std::move(stream).value());
    if (Status scanned = io.state_->scan(file_offset); !scanned) return scanned.error();
    return io;
}

std::size_t PythonIo::size() const {
    return state_->places.size();
}
bool PythonIo::has_stack_traces() const {
    return state_->has_stack_traces;
}

std::span<const PythonIo::RecordId> PythonIo::waiting(std::string_view name) const {
    const auto found = state_->queues.find(name);
    if (found == state_->queues.end()) return {};
    return std::span(found->second.records).subspan(found->second.taken);
}

void PythonIo::take(std::string_view name, std::size_t count) {
    const auto found = state_->queues.find(name);
    if (found != state_->queues.end()) found->second.taken += count;
}

std::span<const std::int64_t> PythonIo::input_tensor_ids(RecordId id) const {
    const std::size_t begin = state_->places[id.value].first_input;
    const std::size_t end = id.value + 1 < state_->places.size() ? state_->places[id.value + 1].first_input
                                                                 : state_->input_ids.size();
    return std::span(state_->input_ids).subspan(begin, end - begin);
}

Result<JsonValue> PythonIo::record(RecordId id) {
    state_->stream.seek(state_->places[id.value].file_offset);
    return state_->stream.read_value(state_->document);
}

}  // namespace tilemeter::report
