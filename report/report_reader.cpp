// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_reader.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/internal/element_fetcher.hpp"
#include "report/internal/elements_ahead.hpp"
#include "report/internal/json_stream.hpp"
#include "report/internal/read_ahead.hpp"
#include "report/internal/record_fields.hpp"
#include "report/internal/record_form.hpp"
#include "report/internal/records_ahead.hpp"
#include "report/text.hpp"

namespace tilemeter::report {
namespace {

using internal::JsonStream;
using internal::RecordForm;

class Reader final : public GraphAccess {
public:
    Reader(JsonStream stream, JsonStream fetcher, ReportHandler& handler, const ReadProgress& progress,
           std::uint64_t ahead_from_bytes)
        : stream_(std::move(stream)),
          fetcher_(std::move(fetcher)),
          handler_(handler),
          progress_(progress),
          ahead_from_bytes_(ahead_from_bytes) {}

    Status read();

    [[nodiscard]] const NodeIndex& index() const override { return index_; }
    Result<Node> node_at(std::size_t i) override;

private:
    Status section(const std::string& key);
    Status known_value(const std::string& key);
    Status graph_index();
    Status graph_nodes();
    Status final_pages();
    Status pages_by_address();
    Status page_snapshots(std::int64_t address);
    Status page_snapshot(std::int64_t address);
    Status page_list(std::int64_t address, std::int64_t alloc_counter);
    Status operation_buffers();
    Status run_waiting(bool at_end);

    template <class Record, class Take>
    Status records(const std::string& what, RecordForm<Record>& form, Take&& take);
    template <class Record, class Take>
    Result<bool> records_of_form(RecordForm<Record>& form, std::vector<Record>& batch, Take&& take);
    template <class Use>
    Status graph_slices(Use&& use);
    template <class Use>
    Status ahead_slices(Use&& use);
    template <class Use>
    Status each_node(const JsonValue& slice, std::uint64_t offset, std::size_t index, Use&& use);
    Status records_of(Status (Reader::*reading)());
    template <class Take>
    Status members(Take&& take);  // take(key) of an object whose '{' comes next
    Status at(Status status, std::size_t element);
    Status at_failed_node(Status status);
    void report_progress();
    [[nodiscard]] bool in_one_thread() const { return stream_.size_bytes() < ahead_from_bytes_; }

    JsonStream stream_;
    internal::ElementFetcher fetcher_;
    JsonDocument document_;
    internal::ElementsAhead ahead_;
    ReportHandler& handler_;
    ReportHandler* records_to_ = &handler_;  // whom pages and live buffers are told
    const ReadProgress& progress_;
    std::uint64_t ahead_from_bytes_;
    NodeIndex index_;
    RecordForm<PageRecord> page_form_;
    RecordForm<BufferRecord> buffer_form_;
    std::set<std::string, std::less<>> seen_;
    std::optional<std::uint64_t> waiting_graph_;
    std::optional<std::uint64_t> waiting_buffers_;
    bool graph_done_ = false;
    struct {
        std::uint64_t slice_offset = 0;
        std::size_t element = 0;
    } failed_node_;
};

Result<std::int64_t> decimal_key(const std::string& key) {
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(key.data(), key.data() + key.size(), number);
    if (problem == std::errc{} && end == key.data() + key.size()) return number;
    return Error{"", "", "a decimal number as key", in_quotes(key.substr(0, 40))};
}

void Reader::report_progress() {
    if (progress_) progress_(stream_.position(), stream_.size_bytes());
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

// Nobody knows yet where in its slice the node begins.
Status Reader::at_failed_node(Status status) {
    if (status || !status.error().file.empty()) return status;
    stream_.seek(failed_node_.slice_offset);
    stream_.begin_elements();
    for (std::size_t begin = 0;;) {
        auto slice = stream_.next_elements(document_);
        if (!slice) return slice.error();
        if (!slice->has_value()) return status;
        if (failed_node_.element < begin + (*slice)->size()) return at(status, failed_node_.element - begin);
        begin += (*slice)->size();
    }
}

template <class Take>
Status Reader::members(Take&& take) {
    if (Status open = stream_.expect('{', "an object"); !open) return open;
    std::string key;
    for (bool first = true;;) {
        auto more = stream_.next_key(key, first);
        if (!more) return more.error();
        if (!*more) return {};
        if (Status taken = take(key); !taken) return taken;
    }
}

// Those at the start of an array that have the form; false when the array goes on with others, or with what
// is left for the parser at the end of the file.
template <class Record, class Take>
Result<bool> Reader::records_of_form(RecordForm<Record>& form, std::vector<Record>& batch, Take&& take) {
    bool learned = false;
    while (true) {
        auto next = stream_.peek();
        if (!next) return next.error();
        if (*next != '{') return false;
        if (!form.complete()) learned = form.learn(stream_.buffered());
        batch.clear();
        const std::size_t size = form.read(stream_.buffered(), batch);
        if (size == 0) {
            if (stream_.buffered().size() < form.enough_bytes()) {
                auto more = stream_.buffer_more();
                if (!more) return more.error();
                if (*more) continue;
            }
            if (learned || !form.learn(stream_.buffered())) return false;
            learned = true;
            continue;
        }
        learned = false;
        const std::uint64_t begin = stream_.position();
        stream_.consume(size);
        if (Status taken = take(std::span<const Record>(batch)); !taken) {
            Error error = taken.error();
            if (error.file.empty())
                error.position =
                    "byte " + std::to_string(begin) + (error.position.empty() ? "" : ", ") + error.position;
            if (error.file.empty()) error.file = stream_.name();
            return error;
        }
        report_progress();
        auto another = stream_.next_separator();
        if (!another) return another.error();
        if (!*another) return true;
    }
}

// The records of the array that comes next; take(records) for some at a time.
template <class Record, class Take>
Status Reader::records(const std::string& what, RecordForm<Record>& form, Take&& take) {
    if (Status open = stream_.expect('[', "an array of " + what); !open) return open;
    stream_.begin_elements();
    std::vector<Record> batch;
    if (auto done = records_of_form(form, batch, take); !done || *done) return done ? Status() : done.error();
    while (true) {
        auto elements = stream_.next_elements(document_);
        if (!elements) return elements.error();
        if (!elements->has_value()) return {};
        batch.clear();
        for (auto element = (*elements)->children(); element.valid(); element.next()) {
            Record record{};
            if (Status read = internal::read_record(element.value(), record); !read)
                return at(read, batch.size());
            batch.push_back(record);
        }
        if (Status taken = take(std::span<const Record>(batch)); !taken) return at(taken, 0);
        report_progress();
    }
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
    static constexpr std::array<std::pair<std::string_view, Call>, 4> kValues{{
        {"version", &ReportHandler::on_version},
        {"metadata", &ReportHandler::on_metadata},
        {"devices", &ReportHandler::on_devices},
        {"comparison_records", &ReportHandler::on_comparison_records},
    }};
    using TextCall = Status (ReportHandler::*)(std::string_view);
    static constexpr std::array<std::pair<std::string_view, TextCall>, 2> kTexts{{
        {"cluster_descriptor", &ReportHandler::on_cluster_descriptor},
        {"mesh_coordinate_mapping", &ReportHandler::on_mesh_coordinate_mapping},
    }};
    const std::string byte = "byte " + std::to_string(stream_.position());
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
    if (Status told = handler_.on_unknown_section(key); !told) return told;
    return stream_.skip_value(document_);
}

// graph_slices with a second thread.
template <class Use>
Status Reader::ahead_slices(Use&& use) {
    ahead_.begin(stream_);
    Status used;
    while (used) {
        auto& slice = ahead_.next();
        if (!slice.elements) used = slice.elements.error();
        if (!used || !slice.elements->has_value()) break;
        used = use(**slice.elements, slice.file_offset);
        if (progress_) progress_(slice.file_offset, stream_.size_bytes());
    }
    ahead_.end();
    return used;
}

// The nodes of the graph, which comes next, some at a time: use(nodes, offset) for an array of them and where
// it lies in the file.
template <class Use>
Status Reader::graph_slices(Use&& use) {
    if (Status open = stream_.expect('[', "the graph, an array of nodes"); !open) return open;
    Status used;
    if (in_one_thread()) {
        stream_.begin_elements();
        while (used) {
            auto slice = stream_.next_elements(document_);
            if (!slice) return slice.error();
            if (!slice->has_value()) return {};
            used = use(**slice, stream_.elements_offset());
            report_progress();
        }
    } else {
        used = ahead_slices(use);
    }
    return at_failed_node(used);
}

// use(node) for each, numbered from `index` on.
template <class Use>
Status Reader::each_node(const JsonValue& slice, std::uint64_t offset, std::size_t index, Use&& use) {
    std::size_t i = 0;
    for (auto element = slice.children(); element.valid(); element.next(), ++i) {
        auto node = node_from_json(element.value(), index + i);
        const Status used = node ? use(*node) : Status(node.error());
        if (used) continue;
        failed_node_ = {offset, i};
        return used;
    }
    return {};
}

Status Reader::graph_index() {
    return graph_slices([this](const JsonValue& slice, std::uint64_t offset) {
        fetcher_.add_slice(index_.size(), offset);
        return each_node(slice, offset, index_.size(),
                         [this](const Node& node) { return index_.append(node); });
    });
}

Status Reader::graph_nodes() {
    if (Status begun = handler_.on_graph_begin(*this); !begun) return begun;
    std::size_t index = 0;
    Status read = graph_slices([&](const JsonValue& slice, std::uint64_t offset) {
        return each_node(slice, offset, index, [&](const Node& node) {
            ++index;
            return handler_.on_node(node);
        });
    });
    return read ? handler_.on_graph_end() : read;
}

Result<Node> Reader::node_at(std::size_t i) {
    auto value = fetcher_.element(i);
    if (!value) return value.error();
    return node_from_json(*value, i);
}

// A section of records; read by another thread where the file is large.
Status Reader::records_of(Status (Reader::*reading)()) {
    if (in_one_thread()) return (this->*reading)();
    internal::RecordsAhead ahead([&](ReportHandler& queue) {
        records_to_ = &queue;
        return (this->*reading)();
    });
    Status delivered = ahead.deliver(handler_);
    records_to_ = &handler_;
    return delivered;
}

Status Reader::final_pages() {
    return records<PageRecord>("pages", page_form_, [this](std::span<const PageRecord> pages) {
        return records_to_->on_final_pages(pages);
    });
}

Status Reader::page_list(std::int64_t address, std::int64_t alloc_counter) {
    Status read = records<PageRecord>("pages", page_form_, [&](std::span<const PageRecord> pages) {
        return records_to_->on_pages(address, alloc_counter, pages, false);
    });
    if (!read) return read;
    return records_to_->on_pages(address, alloc_counter, {}, true);
}

Status Reader::pages_by_address() {
    return members([this](const std::string& key) -> Status {
        auto address = decimal_key(key);
        if (!address) return stream_.error_here(address.error().expected);
        return page_snapshots(*address);
    });
}

// An array of {alloc_counter, pages}; before 0.81 the array of the pages itself.
Status Reader::page_snapshots(std::int64_t address) {
    const std::uint64_t begin = stream_.position();
    if (Status open = stream_.expect('[', "an array of page snapshots"); !open) return open;
    auto next = stream_.peek();
    if (!next) return next.error();
    if (*next == '{') {
        const std::uint64_t element = stream_.position();
        (void)stream_.expect('{', "");
        std::string key;
        bool first = true;
        auto more = stream_.next_key(key, first);
        if (!more) return more.error();
        const bool plain_pages = *more && key != "alloc_counter" && key != "pages";
        stream_.seek(plain_pages ? begin : element);
        if (plain_pages) return page_list(address, 0);
    }
    if (*next == ']') {
        if (Status told = records_to_->on_pages(address, 0, {}, true); !told) return told;
    }
    for (bool first = true;; first = false) {
        next = stream_.peek();
        if (!next) return next.error();
        if (*next == ']') return stream_.expect(']', "");
        if (!first)
            if (Status comma = stream_.expect(',', "',' or ']'"); !comma) return comma;
        if (Status read = page_snapshot(address); !read) return read;
    }
}

Status Reader::page_snapshot(std::int64_t address) {
    std::optional<std::int64_t> alloc_counter;
    std::optional<std::uint64_t> early_pages;  // in front of their counter: read when that is known
    const auto counter_or_zero = [&] { return alloc_counter.value_or(0); };
    Status read = members([&](const std::string& key) -> Status {
        if (key == "alloc_counter") {
            auto value = stream_.read_value(document_);
            if (!value) return value.error();
            auto number = integer_of(*value);
            if (!number) return stream_.error_here("alloc_counter, an integer");
            alloc_counter = number->value_or(0);
            return {};
        }
        if (key != "pages") return stream_.skip_value(document_);
        if (alloc_counter) return page_list(address, counter_or_zero());
        (void)stream_.peek();
        early_pages = stream_.position();
        return stream_.skip_value(document_);
    });
    if (!read || !early_pages) return read;
    const std::uint64_t after = stream_.position();
    stream_.seek(*early_pages);
    read = page_list(address, counter_or_zero());
    stream_.seek(after);
    return read;
}

Status Reader::operation_buffers() {
    return members([this](const std::string& key) -> Status {
        auto counter = decimal_key(key);
        if (!counter) return stream_.error_here(counter.error().expected);
        Status read =
            records<BufferRecord>("live buffers", buffer_form_, [&](std::span<const BufferRecord> buffers) {
                return records_to_->on_operation_buffers(*counter, buffers, false);
            });
        if (!read) return read;
        return records_to_->on_operation_buffers(*counter, {}, true);
    });
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

}  // namespace

Status internal::read_report_ahead(const std::filesystem::path& path, ReportHandler& handler,
                                   const ReadProgress& progress, std::uint64_t from_bytes) {
    auto stream = JsonStream::open(path);
    if (!stream) return stream.error();
    auto fetcher = JsonStream::open(path);
    if (!fetcher) return fetcher.error();
    Status read =
        Reader(std::move(stream).value(), std::move(fetcher).value(), handler, progress, from_bytes).read();
    if (read || !read.error().file.empty()) return read;
    Error error = read.error();
    error.file = path.string();
    return error;
}

Status read_report(const std::filesystem::path& path, ReportHandler& handler, const ReadProgress& progress) {
    return internal::read_report_ahead(path, handler, progress, internal::kReadAheadFromBytes);
}

}  // namespace tilemeter::report
