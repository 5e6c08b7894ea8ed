// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Pages and live buffers: the part of Reader that goes through records.
#include <charconv>

#include "report/internal/reader.hpp"
#include "report/internal/record_fields.hpp"
#include "report/internal/records_ahead.hpp"
#include "report/text.hpp"

namespace tilemeter::report::internal {
namespace {

Result<std::int64_t> decimal_key(const std::string& key) {
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(key.data(), key.data() + key.size(), number);
    if (problem == std::errc{} && end == key.data() + key.size()) return number;
    return Error{"", "", "a decimal number as key", in_quotes(key.substr(0, 40))};
}

}  // namespace

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
        if (Status wanted = report_progress(); !wanted) return wanted.error();
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
            if (Status read = read_record(element.value(), record); !read) return at(read, batch.size());
            batch.push_back(record);
        }
        if (Status taken = take(std::span<const Record>(batch)); !taken) return at(taken, 0);
        if (Status wanted = report_progress(); !wanted) return wanted;
    }
}

// A section of records; read by another thread where the file is large.
Status Reader::records_of(Status (Reader::*reading)()) {
    if (in_one_thread()) return (this->*reading)();
    RecordsAhead ahead([&](ReportHandler& queue) {
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
        Status read = records<LiveBufferRecord>(
            "live buffers", buffer_form_, [&](std::span<const LiveBufferRecord> buffers) {
                return records_to_->on_operation_buffers(*counter, buffers, false);
            });
        if (!read) return read;
        return records_to_->on_operation_buffers(*counter, {}, true);
    });
}

}  // namespace tilemeter::report::internal
