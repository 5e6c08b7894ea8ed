// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_reader.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "report/internal/reader.hpp"
#include "report/text.hpp"

namespace tilemeter::report {
namespace internal {
namespace {

// Ours, beside each `error` node: whoever wants it has the events that lead there. Checked, and told to
// nobody.
constexpr std::string_view kMemoryAtFailure = "memory_at_failure";

}  // namespace

Status Reader::report_progress(std::uint64_t position) {
    if (!options_.progress ||
        options_.progress(position, std::max(position, stream_.input().expected_size())))
        return {};
    return Error{stream_.name(), "byte " + std::to_string(position), "to be read to its end",
                 "a request to stop"};
}

Status Reader::at(Status status, std::size_t element) {
    if (status) return status;
    Error error = status.error();
    if (error.file.empty()) {
        error.file = stream_.name();
        const std::string byte = "byte " + std::to_string(stream_.element_offset(element));
        error.position = error.position.empty() ? byte : byte + ", " + error.position;
    }
    return error;
}

Status Reader::read() {
    auto next = stream_.peek();
    if (!next) return next.error();
    if (*next != '{') return stream_.error_here("a graph report, which is a JSON object");
    Status done = members([this](const std::string& key) {
        if (!seen_.insert(key).second)
            return Status(stream_.error_here("each key once, not " + in_quotes(key) + " again"));
        if (Status read = section(key); !read) return read;
        return run_waiting(false);
    });
    if (!done) return done;
    if (Status end = stream_.expect_end(); !end) return end;
    return run_waiting(true);
}

Status Reader::section(const std::string& key) {
    if (key == "graph") {
        waiting_graph_ = stream_.position();
        return graph_index();
    }
    if (key == "per_operation_buffers") {
        // Written by key, the pages are in front; else they may still come.
        const bool pages_are_behind =
            seen_.contains("buffer_pages") || seen_.contains("buffer_pages_by_address");
        if (graph_done_ && pages_are_behind) return records_of(&Reader::operation_buffers);
        waiting_buffers_ = stream_.position();
        return stream_.skip_value(document_);
    }
    if (key == "buffer_pages") return records_of(&Reader::final_pages);
    if (key == "buffer_pages_by_address") return records_of(&Reader::pages_by_address);
    if (key == "python_io") {
        (void)stream_.peek();
        if (Status told = handler_.on_embedded_python_io(stream_.position()); !told) return told;
        return stream_.skip_value(document_);
    }
    return known_value(key);
}

Status Reader::known_value(const std::string& key) {
    using Call = Status (ReportHandler::*)(const JsonValue&);
    static constexpr std::array<std::pair<std::string_view, Call>, 5> kValues{{
        {"version", &ReportHandler::on_version},
        {"metadata", &ReportHandler::on_metadata},
        {"devices", &ReportHandler::on_devices},
        {"comparison_records", &ReportHandler::on_comparison_records},
        {"memory_at_begin", &ReportHandler::on_memory_at_begin},
    }};
    using TextCall = Status (ReportHandler::*)(std::string_view);
    static constexpr std::array<std::pair<std::string_view, TextCall>, 2> kTexts{{
        {"cluster_descriptor", &ReportHandler::on_cluster_descriptor},
        {"mesh_coordinate_mapping", &ReportHandler::on_mesh_coordinate_mapping},
    }};
    if (const auto begin = stream_.peek(); !begin) return begin.error();
    const std::uint64_t offset = stream_.position();
    const std::string byte = "byte " + std::to_string(offset);
    const auto located = [&](Status status) {
        if (status || !status.error().file.empty()) return status;
        Error error = status.error();
        error.file = stream_.name();
        error.position = byte + ", " + key + (error.position.empty() ? "" : error.position);
        return Status(error);
    };
    for (const auto& [name, call] : kValues) {
        if (key != name) continue;
        auto value = stream_.read_value(document_);
        if (!value) return value.error();
        handler_.on_section(key, offset);
        return located((handler_.*call)(*value));
    }
    for (const auto& [name, call] : kTexts) {
        if (key != name) continue;
        auto value = stream_.read_value(document_);
        if (!value) return value.error();
        if (value->is_null()) return {};
        if (!value->text()) return located(Error{"", "", "a text", std::string(kind_name(value->kind()))});
        return located((handler_.*call)(*value->text()));
    }
    if (key != kMemoryAtFailure)
        if (Status told = handler_.on_unknown_section(key); !told) return told;
    return stream_.skip_value(document_);
}

Status Reader::run_waiting(bool at_end) {
    const std::uint64_t resume = stream_.position();
    if (waiting_graph_ && (at_end || (seen_.contains("devices") && seen_.contains("metadata")))) {
        stream_.seek(*std::exchange(waiting_graph_, std::nullopt));
        if (Status read = graph_nodes(); !read) return read;
        graph_done_ = true;
    }
    if (waiting_buffers_ && at_end) {
        stream_.seek(*std::exchange(waiting_buffers_, std::nullopt));
        if (Status read = records_of(&Reader::operation_buffers); !read) return read;
    }
    stream_.seek(resume);
    return {};
}

}  // namespace internal

Status read_report(const Input& input, ReportHandler& handler, const ReadOptions& options) {
    Input source = input;
    bool stopped = false;
    ReadOptions watched = options;
    if (options.progress)
        watched.progress = [&](std::uint64_t done, std::uint64_t all) {
            stopped = !options.progress(done, all);
            return !stopped;
        };
    Status read = internal::Reader(internal::JsonStream(source, options.window_bytes),
                                   internal::JsonStream(source, options.window_bytes), handler, watched)
                      .read();
    if (read) return read;
    Error error = read.error();
    if (error.file.empty()) error.file = source.name();
    const bool of_content = error.file == source.name() && !stopped;
    return of_content ? source.cause_of(std::move(error)) : error;
}

Status read_report(const std::filesystem::path& path, ReportHandler& handler, const ReadOptions& options) {
    auto input = Input::open(path);
    return input ? read_report(*input, handler, options) : Status(input.error());
}

}  // namespace tilemeter::report
