// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/internal/element_fetcher.hpp"
#include "report/internal/elements_ahead.hpp"
#include "report/internal/json_stream.hpp"
#include "report/internal/record_form.hpp"
#include "report/report_reader.hpp"

namespace tilemeter::report::internal {

// One reading of one report: its sections (report_reader.cpp), the graph (reader_graph.cpp), pages and live
// buffers (reader_records.cpp).
class Reader final : public GraphAccess {
public:
    Reader(JsonStream stream, JsonStream fetcher, ReportHandler& handler, const ReadOptions& options)
        : stream_(std::move(stream)), fetcher_(std::move(fetcher)), handler_(handler), options_(options) {}

    Status read();

    [[nodiscard]] const NodeIndex& index() const override { return index_; }
    Result<JsonNode> node_at(std::size_t i) override;
    Result<std::uint64_t> byte_of_node(std::size_t i) override;

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
    Status report_progress(std::uint64_t position);  // fails when nobody wants the rest
    Status report_progress() { return report_progress(stream_.position()); }
    [[nodiscard]] bool in_one_thread() {
        return stream_.input().size_up_to(options_.ahead_from_bytes) < options_.ahead_from_bytes;
    }

    JsonStream stream_;
    ElementFetcher fetcher_;
    JsonDocument document_;
    ElementsAhead ahead_;
    ReportHandler& handler_;
    ReportHandler* records_to_ = &handler_;  // whom pages and live buffers are told
    const ReadOptions& options_;
    NodeIndex index_;
    RecordForm<PageRecord> page_form_;
    RecordForm<LiveBufferRecord> buffer_form_;
    std::set<std::string, std::less<>> seen_;
    std::optional<std::uint64_t> waiting_graph_;
    std::optional<std::uint64_t> waiting_buffers_;
    bool graph_done_ = false;
    struct {
        std::uint64_t slice_offset = 0;
        std::size_t element = 0;
    } failed_node_;
};

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

}  // namespace tilemeter::report::internal
