// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/python_io.hpp"

#include <unordered_map>
#include <utility>

#include "report/internal/element_fetcher.hpp"
#include "report/internal/json_stream.hpp"
#include "report/json_node.hpp"

namespace tilemeter::report {
namespace {

// Small slices: records are asked for in about their order, and a slice is read for each that is elsewhere.
constexpr std::size_t kWindowBytes = 128 * 1024;

struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

}  // namespace

std::string python_frame(std::string_view file, std::int64_t line, std::string_view name) {
    std::string text = "File \"";
    text.append(file).append("\", line ").append(std::to_string(line));
    if (!name.empty()) text.append(", in ").append(name);
    return text;
}

std::string source_line_of_frame(std::string_view frame) {
    constexpr std::string_view kFile = "File \"";
    constexpr std::string_view kLine = ", line ";
    const std::size_t key = frame.find_first_not_of(' ');
    if (key == std::string_view::npos || !frame.substr(key).starts_with(kFile)) return {};
    const std::string_view path = frame.substr(key + kFile.size());
    const std::size_t close = path.find('"');
    if (close == std::string_view::npos) return {};
    std::string result(path.substr(0, close));
    if (path.substr(close + 1).starts_with(kLine)) {
        const std::string_view rest = path.substr(close + 1 + kLine.size());
        result += ":" + std::string(rest.substr(0, rest.find_first_not_of("0123456789")));
    }
    return result;
}

bool SourceOfStack::take(std::string_view frame) {
    std::string line = source_line_of_frame(frame);
    if (line.empty()) return false;
    const auto is_in = [&line](std::string_view folder) { return line.find(folder) != std::string::npos; };
    const bool is_of_package = is_in("/site-packages/") || is_in("/dist-packages/");
    if (line_.empty() || !is_of_package) line_ = std::move(line);
    return !is_of_package;
}

struct PythonIo::State {
    struct Queue {
        std::vector<RecordId> records;
        std::size_t taken = 0;
    };

    State(internal::JsonStream in, internal::JsonStream again)
        : stream(std::move(in)), fetcher(std::move(again)) {}
    Status add(const JsonValue& record, std::size_t place_in_slice);
    Status scan(std::uint64_t file_offset);

    internal::JsonStream stream;
    internal::ElementFetcher fetcher;
    std::vector<std::size_t> first_inputs;  // per record: in input_ids
    std::vector<std::int64_t> input_ids;
    std::unordered_map<std::string, Queue, TextHash, std::equal_to<>> queues;
    bool has_stack_traces = false;
};

Status PythonIo::State::add(const JsonValue& record, std::size_t place_in_slice) {
    const auto problem = [&](std::string expected, const JsonValue& found) {
        std::string position = "byte " + std::to_string(stream.element_offset(place_in_slice));
        position.append(", record ").append(std::to_string(first_inputs.size()));
        return Error{stream.name(), std::move(position), std::move(expected),
                     std::string(kind_name(found.kind()))};
    };
    if (!record.is_object()) return problem("an object", record);
    const auto name = record.at("name").text();
    if (!name) return problem("a name, which is a text", record.at("name"));
    auto found = queues.find(*name);
    if (found == queues.end()) found = queues.emplace(std::string(*name), Queue{}).first;
    found->second.records.push_back({first_inputs.size()});
    first_inputs.push_back(input_ids.size());
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
    JsonDocument document;
    while (true) {
        auto elements = stream.next_elements(document);
        if (!elements) return elements.error();
        if (!elements->has_value()) break;
        fetcher.add_slice(first_inputs.size(), stream.elements_offset());
        std::size_t i = 0;
        for (auto element = (*elements)->children(); element.valid(); element.next(), ++i)
            if (Status added = add(element.value(), i); !added) return added;
    }
    return file_offset == 0 ? stream.expect_end() : Status();
}

PythonIo::PythonIo() = default;
PythonIo::~PythonIo() = default;
PythonIo::PythonIo(PythonIo&&) noexcept = default;
PythonIo& PythonIo::operator=(PythonIo&&) noexcept = default;

Result<PythonIo> PythonIo::open(const Input& input, std::uint64_t file_offset) {
    PythonIo io;
    io.state_ = std::make_unique<State>(internal::JsonStream(input, kWindowBytes),
                                        internal::JsonStream(input, kWindowBytes));
    if (Status scanned = io.state_->scan(file_offset); !scanned)
        return io.state_->stream.input().cause_of(scanned.error());
    return io;
}

Result<PythonIo> PythonIo::open(const std::filesystem::path& path) {
    auto input = Input::open(path);
    if (!input) return input.error();
    return open(*input);
}

std::size_t PythonIo::size() const {
    return state_->first_inputs.size();
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
    const std::size_t begin = state_->first_inputs[id.value];
    const std::size_t end = id.value + 1 < state_->first_inputs.size() ? state_->first_inputs[id.value + 1]
                                                                       : state_->input_ids.size();
    return std::span(state_->input_ids).subspan(begin, end - begin);
}

Result<JsonValue> PythonIo::record(RecordId id) {
    return state_->fetcher.element(id.value);
}

}  // namespace tilemeter::report
