// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <thread>
#include <vector>

#include "report/internal/ring.hpp"
#include "report/report_reader.hpp"

namespace tilemeter::report::internal {

// Pages and live buffers, read by another thread while those in front are handled.
class RecordsAhead final : public ReportHandler {
public:
    // read(handler): tells that handler what it reads; in the other thread
    explicit RecordsAhead(std::function<Status(ReportHandler&)> read)
        : read_(std::move(read)), thread_([this] { run(); }) {}
    ~RecordsAhead() override { end(); }
    RecordsAhead(const RecordsAhead&) = delete;
    RecordsAhead& operator=(const RecordsAhead&) = delete;

    // Tells all of it to the handler: its failure, or that of reading. The other thread is gone then.
    Status deliver(ReportHandler& handler);

private:
    static constexpr std::size_t kBlocks = 4;
    static constexpr std::size_t kFullBytes = std::size_t{256} << 10U;

    // A call of the handler; its records lie behind those of the calls before.
    struct Call {
        enum class Kind : std::uint8_t { kFinalPages, kPages, kBuffers } kind;
        bool last;
        std::uint32_t record_count;
        std::int64_t key;            // address or counter of the start
        std::int64_t alloc_counter;  // of pages
    };
    struct Block {
        std::vector<Call> calls;
        std::vector<PageRecord> pages;
        std::vector<LiveBufferRecord> buffers;
    };

    Status on_final_pages(std::span<const PageRecord> pages) override;
    Status on_pages(std::int64_t address, std::int64_t alloc_counter, std::span<const PageRecord> pages,
                    bool last) override;
    Status on_operation_buffers(std::int64_t start_counter, std::span<const LiveBufferRecord> buffers,
                                bool last) override;

    void run();
    void end();
    Status add(const Call& call, std::span<const PageRecord> pages,
               std::span<const LiveBufferRecord> buffers);
    static Status deliver(const Block& block, ReportHandler& handler);

    std::function<Status(ReportHandler&)> read_;
    Status status_;  // of reading
    Ring<Block> blocks_{kBlocks};
    Block* filling_ = nullptr;
    std::thread thread_;
};

}  // namespace tilemeter::report::internal
