// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/nodes/internal/python_calls.hpp"

#include <deque>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "capture/log/log.hpp"
#include "report/analysis/nodes/load.hpp"
#include "report/analysis/nodes/scopes.hpp"
#include "report/input.hpp"
#include "report/internal/json_stream.hpp"
#include "report/result.hpp"

namespace tilemeter::analysis {
namespace internal {
namespace {

constexpr std::string_view kEnding = ".python_io.json";

/// Records of one name that no operation has taken yet, in call order.
using Waiting = std::unordered_map<std::string, std::deque<PythonCall>>;

PythonCall call_of(const report::JsonValue& record) {
    PythonCall call;
    for (auto frame = record.at("python_stack_trace").children(); frame.valid(); frame.next())
        call.frames.emplace_back(frame.value().text().value_or(""));
    for (auto id = record.at("output_tensor_ids").children(); id.valid(); id.next())
        if (const auto number = report::integer_of(id.value()); number && number.value())
            call.output_tensor_ids.push_back(*number.value());
    const report::JsonValue error = record.at("error");
    call.error_type = error.at("type").text().value_or("");
    call.error_message = error.at("message").text().value_or("");
    return call;
}

report::Status add_record(const report::JsonValue& record, const std::string& source, std::size_t index,
                          Waiting& waiting) {
    const auto name = record.is_object() ? record.at("name").text() : std::nullopt;
    if (!name)
        return report::Error{source, "record " + std::to_string(index), "an object with a name",
                             "something else"};
    waiting[std::string(*name)].push_back(call_of(record));
    return {};
}

report::Status read_records(report::internal::JsonStream& stream, Waiting& waiting) {
    if (auto open = stream.expect('[', "an array of records"); !open) return open.error();
    report::JsonDocument document;
    stream.begin_elements();
    for (std::size_t index = 0;;) {
        auto elements = stream.next_elements(document);
        if (!elements) return elements.error();
        if (!elements.value()) return stream.expect_end();
        for (auto child = elements.value()->children(); child.valid(); child.next(), ++index)
            if (auto added = add_record(child.value(), stream.name(), index, waiting); !added) return added;
    }
}

/// Operations that Python called: the outermost functions, or those in scopes that the user opened, which
/// have no records.
void match(NodeList& list, Waiting& waiting) {
    const Scopes scopes = find_scopes(list);
    std::vector<bool> is_call(scopes.scopes.size(), false);
    std::vector<bool> in_call(scopes.scopes.size(), false);
    for (std::uint32_t scope = 0; scope < scopes.scopes.size(); ++scope) {
        const Scope& it = scopes.scopes[scope];
        if (it.parent != kNoIndex && (in_call[it.parent] || is_call[it.parent])) {
            in_call[scope] = true;
            continue;
        }
        const auto found = waiting.find(std::string(list.name(it.start)));
        if (found == waiting.end()) continue;
        is_call[scope] = true;
        if (found->second.empty()) continue;
        PythonCall call = std::move(found->second.front());
        found->second.pop_front();
        call.node = it.start;
        if (call.frames.empty() && call.output_tensor_ids.empty() && call.error_message.empty() &&
            call.error_type.empty())
            continue;
        list.source.python_calls.push_back(std::move(call));
    }
    for (auto& [name, calls] : waiting)
        for (PythonCall& call : calls)
            if (!call.error_message.empty() || !call.error_type.empty())
                list.source.unlisted_errors.push_back(
                    {name, std::move(call.error_type), std::move(call.error_message)});
}

}  // namespace

void read_sidecar(const std::filesystem::path& path, NodeList& list) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return;  // a pipe has nothing beside it
    ListSource& source = list.source;
    const std::filesystem::path sidecar = report::find_sidecar(path, kEnding);
    if (sidecar.empty()) {
        source.sidecar_file = report::without_compression(path).replace_extension(kEnding).string();
        source.sidecar = ListSource::Sidecar::kMissing;
        logging::debug({source.sidecar_file, ": not there, so calls have no lines of Python"});
        return;
    }
    source.sidecar_file = sidecar.string();
    Waiting waiting;
    auto stream = report::internal::JsonStream::open(sidecar);
    report::Status read = stream ? read_records(stream.value(), waiting) : report::Status(stream.error());
    if (stream && !read) read = stream->input().cause_of(read.error());
    source.sidecar = read ? ListSource::Sidecar::kRead : ListSource::Sidecar::kUnreadable;
    if (!read) source.sidecar_problem = read.error().message();
    if (read && waiting.empty()) {
        source.sidecar = ListSource::Sidecar::kUnreadable;
        source.sidecar_problem = source.sidecar_file + ": it has no records";
    }
    logging::debug({source.sidecar_file, ": ",
                    source.sidecar_problem.empty() ? std::string_view("read") : source.sidecar_problem});
    match(list, waiting);
}

}  // namespace internal

report::Status add_python_records(NodeList& list, std::string_view json) {
    const std::string name = "records of calls";
    report::JsonDocument document;
    const auto records = document.parse(json);
    if (!records)
        return report::Error{name, records.error().position, records.error().expected, records.error().found};
    if (!records.value().is_array()) return report::Error{name, "", "an array of records", "something else"};
    internal::Waiting waiting;
    std::size_t index = 0;
    for (auto child = records.value().children(); child.valid(); child.next(), ++index)
        if (auto added = internal::add_record(child.value(), name, index, waiting); !added) return added;
    list.source.sidecar = ListSource::Sidecar::kRead;
    internal::match(list, waiting);
    return {};
}

}  // namespace tilemeter::analysis
