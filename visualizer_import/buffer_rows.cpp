// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/buffer_rows.hpp"

#include <algorithm>
#include <optional>

namespace tilemeter::visualizer_import {
namespace {

using report::LiveBufferRecord;
using report::Status;

// Layouts that the viewer has no name for (single bank, N-dimensional) take down its page: unknown instead.
std::optional<std::int64_t> shown_layout(std::int64_t layout, bool reference_quirks) {
    const bool known = layout == 0 || (layout >= 2 && layout <= 4);
    return known || reference_quirks ? std::optional(layout) : std::nullopt;
}

// TT-NN's dialect has 0 where an address is not known, and where no place was found for the buffer.
std::optional<std::int64_t> shown_address(std::int64_t address, bool reference_quirks) {
    return address != 0 || reference_quirks ? std::optional(address) : std::nullopt;
}

}  // namespace

void BufferRows::begin_snapshots(const FileContext& context, const std::vector<OperationInfo>& operations) {
    context_ = &context;
    operations_ = &operations;
    has_snapshot_.assign(operations.size(), false);
    for (OperationIndex i = 0; i < operations.size(); ++i)
        if (operations[i].start_counter) by_start_counter_[*operations[i].start_counter] = i;
}

Status BufferRows::add_snapshot(std::int64_t start_counter, std::span<const LiveBufferRecord> buffers,
                                bool last) {
    any_snapshot_ = true;
    const auto found = by_start_counter_.find(start_counter);
    if (found == by_start_counter_.end()) return {};
    const OperationIndex index = found->second;
    const OperationInfo& info = (*operations_)[index];
    has_snapshot_[index] = true;
    renumbered_.assign(buffers.begin(), buffers.end());
    for (LiveBufferRecord& buffer : renumbered_) {
        buffer.device_id = context_->devices.mapped(buffer.device_id);
        if (buffer.is_l1()) live_l1_bytes_ = wrapped_sum(live_l1_bytes_, buffer.max_size_per_bank);
    }
    if (info.has_live_buffers) snapshots_.add(index, renumbered_);
    if (with_chunks_ && !timeline_.empty()) add_chunks(info, buffers);
    if (!last) return database_.status();
    const std::int64_t operation_id = context_->base_operation_id + 1 + index;
    if (live_l1_bytes_ > peak_.live_l1_bytes) peak_ = {live_l1_bytes_, operation_id};
    live_l1_bytes_ = 0;
    write_chunks(operation_id);
    return database_.status();
}

void BufferRows::add_chunks(const OperationInfo& info, std::span<const LiveBufferRecord> buffers) {
    for (const LiveBufferRecord& buffer : buffers) {
        const ChunkTimeline::SetId set = timeline_.find(buffer.address, info.end_counter);
        if (set != ChunkTimeline::kNone) placed_.push_back({set, buffer.device_id, buffer.buffer_type});
    }
}

void BufferRows::write_chunk(std::int64_t operation_id, const Chunk& chunk, std::int64_t times) {
    database_.insert<Table::kBufferChunks>(
        operation_id, context_->devices.mapped(chunk.device_id), chunk.address, chunk.bank_id, chunk.core_x,
        chunk.core_y, chunk.begin, wrapped_difference(chunk.end, chunk.begin), chunk.page_size,
        chunk.page_count * times, chunk.buffer_type, context_->rank);
}

// The reference goes by address alone: a buffer brings the pages of whatever lay there, once per buffer with
// that address. Otherwise only its own pages count.
void BufferRows::write_chunks(std::int64_t operation_id) {
    if (placed_.empty()) return;
    std::ranges::sort(placed_);
    if (!reference_quirks_) {
        placed_.erase(std::unique(placed_.begin(), placed_.end()), placed_.end());
        for (const Placed& placed : placed_)
            for (const Chunk& chunk : timeline_.chunks(placed.set))
                if (chunk.device_id == placed.device_id && chunk.buffer_type == placed.buffer_type)
                    write_chunk(operation_id, chunk, 1);
        placed_.clear();
        return;
    }
    ChunkGroups merged;
    for (const Placed& placed : placed_)
        for (Chunk chunk : timeline_.chunks(placed.set)) {
            chunk.device_id = context_->devices.mapped(chunk.device_id);
            merged.add(chunk);
        }
    for (const Chunk& chunk : merged.take())
        database_.insert<Table::kBufferChunks>(operation_id, chunk.device_id, chunk.address, chunk.bank_id,
                                               chunk.core_x, chunk.core_y, chunk.begin,
                                               wrapped_difference(chunk.end, chunk.begin), chunk.page_size,
                                               chunk.page_count, chunk.buffer_type, context_->rank);
    placed_.clear();
}

Status BufferRows::write(const FileContext& context, EventLifetimes* events) {
    context_ = &context;
    if (operations_ != nullptr) {
        std::vector<bool> live(operations_->size());
        for (std::size_t i = 0; i < live.size(); ++i)
            live[i] = (*operations_)[i].has_live_buffers && !has_snapshot_[i];
        std::vector<BufferSpan> spans = snapshots_.take_spans();
        if (events != nullptr) {
            const std::vector<BufferSpan> of_events = restricted(events->take_spans(), live);
            spans.insert(spans.end(), of_events.begin(), of_events.end());
        }
        write_spans(context, std::move(spans));
    }
    const bool placed_over_time = !timeline_.empty() && any_snapshot_;
    if (!placed_over_time && !final_pages_.empty()) {
        const bool any_operation = operations_ != nullptr && !operations_->empty();
        const std::int64_t operation_id = context.base_operation_id + (any_operation ? 1 : 0);
        for (const Chunk& chunk : final_pages_.take())
            write_chunk(operation_id, chunk, 1);
    }
    return database_.status();
}

void BufferRows::write_spans(const FileContext& context, std::vector<BufferSpan> spans) {
    std::ranges::stable_sort(spans, {}, &BufferSpan::first);
    const std::int64_t first_id = context.base_operation_id + 1;
    for (const BufferSpan& span : spans) {
        const LiveBufferRecord& buffer = span.buffer;
        database_.insert<Table::kBufferSpans>(
            first_id + span.first, first_id + span.last, buffer.device_id,
            shown_address(buffer.address, reference_quirks_), buffer.max_size_per_bank, buffer.buffer_type,
            shown_layout(buffer.buffer_layout, reference_quirks_), context.rank);
    }
}

Status finish_buffers(Database& database, bool as_rows) {
    if (!as_rows) return database.execute(create_buffers_view());
    if (Status made = database.create_table(Table::kBuffers); !made) return made;
    struct Row {
        std::int64_t last, device_id;
        std::optional<std::int64_t> address;
        std::int64_t size, type;
        std::optional<std::int64_t> layout;
        std::int64_t rank;
    };
    std::vector<Row> alive;
    std::int64_t next = 0;
    const auto write_until = [&](std::int64_t end) {
        for (; next < end && !alive.empty() && database.status(); ++next) {
            std::erase_if(alive, [&](const Row& row) { return row.last < next; });
            for (const Row& row : alive)
                database.insert<Table::kBuffers>(next, row.device_id, row.address, row.size, row.type,
                                                 row.layout, row.rank);
        }
        next = end;
    };
    std::vector<std::vector<std::int64_t>> spans;
    Status read = database.query(
        "SELECT first_operation_id, last_operation_id, device_id, ifnull(address, 0), max_size_per_bank, "
        "buffer_type, ifnull(buffer_layout, 0), rank, address IS NULL, buffer_layout IS NULL FROM buffer_spans "
        "ORDER BY rank, first_operation_id",
        spans);
    if (!read) return read;
    const auto end_of_all = [&] {
        std::int64_t last = next;
        for (const Row& row : alive)
            last = std::max(last, row.last + 1);
        return last;
    };
    std::int64_t rank = 0;
    for (const std::vector<std::int64_t>& span : spans) {
        if (span[7] != rank) {
            write_until(end_of_all());
            alive.clear();
            rank = span[7];
            next = 0;
        }
        write_until(span[0]);
        const auto known = [&](std::size_t value, std::size_t is_null) {
            return span[is_null] != 0 ? std::nullopt : std::optional(span[value]);
        };
        alive.push_back({span[1], span[2], known(3, 8), span[4], span[5], known(6, 9), span[7]});
    }
    write_until(end_of_all());
    return database.status();
}

}  // namespace tilemeter::visualizer_import
