// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "report/python_io.hpp"
#include "report/python_text.hpp"
#include "report/report_reader.hpp"
#include "tests/fuzz/fuzzed_file.hpp"
#include "tests/report/compressed.hpp"

namespace {

using namespace tilemeter::report;

constexpr std::size_t kSmallWindowBytes = 512;

// Looks at all there is.
class Looker final : public ReportHandler {
public:
    [[nodiscard]] std::size_t seen() const { return seen_; }

    Status on_final_pages(std::span<const PageRecord> pages) override { return look_at(pages); }
    Status on_pages(std::int64_t, std::int64_t, std::span<const PageRecord> pages, bool) override {
        return look_at(pages);
    }
    Status on_operation_buffers(std::int64_t, std::span<const LiveBufferRecord> buffers, bool) override {
        return look_at(buffers);
    }
    Status on_metadata(const JsonValue& value) override { return look(value); }
    Status on_devices(const JsonValue& value) override { return look(value); }
    Status on_graph_begin(GraphAccess& graph) override {
        graph_ = &graph;
        return {};
    }
    Status on_node(const JsonNode& node) override {
        for (auto target = node.connections.children(); target.valid(); target.next()) {
            const auto counter = target.value().integer();
            if (!counter || *counter < 0 || static_cast<std::size_t>(*counter) >= graph_->index().size())
                continue;
            const auto place = static_cast<std::size_t>(*counter);
            (void)graph_->index().tensor_id(place);
            (void)graph_->node_at(place);
        }
        return look(node.json);
    }

private:
    Status look(const JsonValue& value) {
        text_.clear();
        append_python_str(text_, value);
        Status dumped = append_json_dumps(text_, value);
        seen_ = 31 * seen_ + std::hash<std::string>()(text_);
        return dumped;
    }
    template <class Record>
    Status look_at(std::span<const Record> records) {
        for (const Record& record : records)
            seen_ = 31 * seen_ + static_cast<std::size_t>(record.address);
        return {};
    }
    GraphAccess* graph_ = nullptr;
    std::string text_;
    std::size_t seen_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const tilemeter::FuzzedFile file(data, size);
    // By one thread and by two: nobody may see a difference.
    Looker by_one, by_two;
    ReadOptions options;
    options.ahead_from_bytes = UINT64_MAX;
    const Status one = read_report(file.path(), by_one, options);
    options.ahead_from_bytes = 0;
    const Status two = read_report(file.path(), by_two, options);
    if (one.ok() != two.ok() || by_one.seen() != by_two.seen()) std::abort();
    if (!one && one.error().message() != two.error().message()) std::abort();
    // In slices of a few elements, of which some are used and some being parsed: what is wrong may be noticed
    // elsewhere, what is sound is the same.
    Looker by_slices;
    options.window_bytes = kSmallWindowBytes;
    const Status slices = read_report(file.path(), by_slices, options);
    if (one.ok() != slices.ok() || (one && by_one.seen() != by_slices.seen())) std::abort();
    // Compressed, it is the same, unless it was compressed before.
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::string packed =
        size % 2 == 0 ? tilemeter::test::gzipped(text, 0) : tilemeter::test::zstd_compressed(text);
    const tilemeter::FuzzedFile packed_file(reinterpret_cast<const std::uint8_t*>(packed.data()),
                                            packed.size());
    Looker by_packed;
    options = {};
    options.ahead_from_bytes = UINT64_MAX;
    const Status unpacked = read_report(packed_file.path(), by_packed, options);
    const bool was_packed = one.ok() && text.find_first_not_of(" \t\r\n{") == 0;
    if (unpacked.ok() != (one.ok() && !was_packed)) std::abort();
    if (unpacked && by_one.seen() != by_packed.seen()) std::abort();
    if (auto io = PythonIo::open(file.path()); io && io->size() > 0) (void)io->record({0});
    return 0;
}
