// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/internal/records_ahead.hpp"

namespace tilemeter::report::internal {

void RecordsAhead::run() {
    status_ = read_(*this);
    if (filling_ != nullptr) blocks_.end_put();
    blocks_.close();
}

void RecordsAhead::end() {
    blocks_.stop();
    if (thread_.joinable()) thread_.join();
}

Status RecordsAhead::add(const Call& call, std::span<const PageRecord> pages,
                         std::span<const LiveBufferRecord> buffers) {
    if (filling_ == nullptr) {
        filling_ = blocks_.begin_put();
        if (filling_ == nullptr) return Error{"", "", "a handler that goes on", "none"};  // nobody sees it
        filling_->calls.clear();
        filling_->pages.clear();
        filling_->buffers.clear();
    }
    filling_->calls.push_back(call);
    filling_->pages.insert(filling_->pages.end(), pages.begin(), pages.end());
    filling_->buffers.insert(filling_->buffers.end(), buffers.begin(), buffers.end());
    const std::size_t bytes = filling_->calls.size() * sizeof(Call) +
                              filling_->pages.size() * sizeof(PageRecord) +
                              filling_->buffers.size() * sizeof(LiveBufferRecord);
    if (bytes >= kFullBytes) {
        blocks_.end_put();
        filling_ = nullptr;
    }
    return {};
}

Status RecordsAhead::on_final_pages(std::span<const PageRecord> pages) {
    return add({Call::Kind::kFinalPages, false, static_cast<std::uint32_t>(pages.size()), 0, 0}, pages, {});
}

Status RecordsAhead::on_pages(std::int64_t address, std::int64_t alloc_counter,
                              std::span<const PageRecord> pages, bool last) {
    return add({Call::Kind::kPages, last, static_cast<std::uint32_t>(pages.size()), address, alloc_counter},
               pages, {});
}

Status RecordsAhead::on_operation_buffers(std::int64_t start_counter,
                                          std::span<const LiveBufferRecord> buffers, bool last) {
    return add({Call::Kind::kBuffers, last, static_cast<std::uint32_t>(buffers.size()), start_counter, 0}, {},
               buffers);
}

Status RecordsAhead::deliver(const Block& block, ReportHandler& handler) {
    std::span<const PageRecord> pages = block.pages;
    std::span<const LiveBufferRecord> buffers = block.buffers;
    const auto next = [](auto& records, std::size_t count) {
        const auto first = records.first(count);
        records = records.subspan(count);
        return first;
    };
    for (const Call& call : block.calls) {
        Status handled;
        switch (call.kind) {
            case Call::Kind::kFinalPages:
                handled = handler.on_final_pages(next(pages, call.record_count));
                break;
            case Call::Kind::kPages:
                handled =
                    handler.on_pages(call.key, call.alloc_counter, next(pages, call.record_count), call.last);
                break;
            case Call::Kind::kBuffers:
                handled = handler.on_operation_buffers(call.key, next(buffers, call.record_count), call.last);
                break;
        }
        if (!handled) return handled;
    }
    return {};
}

Status RecordsAhead::deliver(ReportHandler& handler) {
    Status handled;
    while (const Block* const block = handled ? blocks_.take() : nullptr)
        handled = deliver(*block, handler);
    end();
    return handled ? status_ : handled;
}

}  // namespace tilemeter::report::internal
