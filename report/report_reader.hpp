// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "report/input.hpp"
#include "report/json_node.hpp"
#include "report/json_value.hpp"
#include "report/node_index.hpp"
#include "report/result.hpp"

namespace tilemeter::report {

// Absent numbers are 0, as the reference takes them.
struct PageRecord {
    std::int64_t device_id, address, core_x, core_y, bank_id, page_index, page_address, page_size,
        buffer_type;
};
// A buffer that is alive at the end of an operation.
struct LiveBufferRecord {
    std::int64_t device_id, address, max_size_per_bank, buffer_type, buffer_layout;
    /// L1 or L1_SMALL, by TT-NN's numbers of buffer types.
    [[nodiscard]] bool is_l1() const { return buffer_type == 1 || buffer_type == 3; }
    bool operator==(const LiveBufferRecord&) const = default;
};

// Random access to the graph while its nodes are handed out.
class GraphAccess {
public:
    virtual ~GraphAccess() = default;
    [[nodiscard]] virtual const NodeIndex& index() const = 0;
    // Reads one node again; it lives until the next call. REQUIRES: i < index().size()
    virtual Result<JsonNode> node_at(std::size_t i) = 0;
    // The place of a node in the file. REQUIRES: i < index().size()
    virtual Result<std::uint64_t> byte_of_node(std::size_t i) = 0;
};

// Takes what a report holds, section by section. The sections come in the order of the file, except that the
// graph waits for devices and metadata, and the buffers per operation wait for graph and pages; what a file
// lacks is not called. A failure ends the reading.
class ReportHandler {
public:
    virtual ~ReportHandler() = default;
    // Comes before a section that is handed over whole: where its value lies in the file.
    virtual void on_section(std::string_view /*key*/, std::uint64_t /*file_offset*/) {}
    virtual Status on_version(const JsonValue&) { return {}; }
    virtual Status on_metadata(const JsonValue&) { return {}; }
    virtual Status on_devices(const JsonValue&) { return {}; }
    virtual Status on_graph_begin(GraphAccess&) { return {}; }
    // Comes before on_node of a node whose numbers are none, and before on_graph_begin: what of it is sound is
    // taken if this succeeds.
    virtual Status on_damage(const JsonNode&, const Error& problem) { return problem; }
    virtual Status on_node(const JsonNode&) { return {}; }
    virtual Status on_graph_end() { return {}; }
    // All live L1 pages at the end of the capture, some at a time.
    virtual Status on_final_pages(std::span<const PageRecord>) { return {}; }
    // The pages of a buffer, some at a time; the last call for one snapshot says so.
    virtual Status on_pages(std::int64_t /*address*/, std::int64_t /*alloc_counter*/,
                            std::span<const PageRecord>, bool /*last*/) {
        return {};
    }
    // The buffers alive at the end of a function, some at a time, under the counter of its start.
    virtual Status on_operation_buffers(std::int64_t /*start_counter*/, std::span<const LiveBufferRecord>,
                                        bool /*last*/) {
        return {};
    }
    virtual Status on_cluster_descriptor(std::string_view) { return {}; }
    virtual Status on_mesh_coordinate_mapping(std::string_view) { return {}; }
    virtual Status on_comparison_records(const JsonValue&) { return {}; }
    // Buffers from before the capture that no node tells of.
    virtual Status on_memory_at_begin(const JsonValue&) { return {}; }
    // The sidecar's content inside the report itself: where its value begins.
    virtual Status on_embedded_python_io(std::uint64_t /*file_offset*/) { return {}; }
    virtual Status on_unknown_section(std::string_view /*key*/) { return {}; }
};

// The progress of reading: bytes done of bytes in all (a guess as long as a pipe's size is not known). False: the rest
// is not wanted, and read_report fails. May be called by another thread than the handler, one call at a time.
using ReadProgress = std::function<bool(std::uint64_t, std::uint64_t)>;

// However it is set, the same is read.
struct ReadOptions {
    ReadProgress progress;
    // Files from this size on are read and parsed ahead of the handler by another thread: starting it costs as much as
    // reading some 50 kB.
    std::uint64_t ahead_from_bytes = 500'000;
    // The bytes of a file that are in memory at a time; more where one element is larger.
    std::size_t window_bytes = 512 * 1024;
};

// Reads a report of any size in memory that grows with the number of nodes only (9 bytes each). The handler
// is called by this thread.
Status read_report(const Input& input, ReportHandler& handler, const ReadOptions& options = {});
Status read_report(const std::filesystem::path& path, ReportHandler& handler,
                   const ReadOptions& options = {});

}  // namespace tilemeter::report
