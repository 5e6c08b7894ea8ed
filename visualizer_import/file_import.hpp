// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/input.hpp"
#include "report/python_io.hpp"
#include "report/report_kind.hpp"
#include "report/report_reader.hpp"
#include "visualizer_import/buffer_rows.hpp"
#include "visualizer_import/graph_import.hpp"
#include "visualizer_import/tables/comparison_rows.hpp"

namespace tilemeter::visualizer_import {

// True if a report of that version is imported. The reference compares with the number 1; here a text will do.
bool is_our_version(const report::FoundVersion& version, bool reference_quirks);
// "version: expected 1, found 2"
report::Error other_version(const std::filesystem::path& path, const report::FoundVersion& version);

// The additions of one file to the database and to the files beside it.
class FileImport final : public report::ReportHandler {
public:
    // The restart of this file's import, knowing more.
    struct Again {
        std::optional<report::FoundVersion> left_out;     // it is of this version
        std::optional<std::uint64_t> embedded_python_io;  // found behind the graph it belongs to
    };
    // Rank and device of the rows that earlier files brought.
    using KnownDevices = std::set<std::pair<std::int64_t, std::int64_t>>;
    // The first operation id of a file of that rank, less one.
    using BaseOfRank = std::function<std::int64_t(std::int64_t)>;

    // path: where the input's sidecars are looked for
    FileImport(Database& database, const ImportOptions& options, StackSources& sources,
               KnownDevices& known_devices, BaseOfRank base_of_rank, report::Input input,
               std::filesystem::path path, std::optional<std::uint64_t> embedded_python_io);

    // False with `again` set: nothing of the database so far is of use.
    report::Result<bool> read(const report::ReadOptions& reading, bool use_folder_comparison, Again& again);

    [[nodiscard]] std::int64_t rank() const { return rank_; }
    [[nodiscard]] std::int64_t last_operation_id() const;
    [[nodiscard]] bool used_folder_comparison() const { return used_folder_comparison_; }
    // File name and content, for the output folder.
    [[nodiscard]] const std::map<std::string, std::string>& side_files() const { return side_files_; }
    // Name and value of what is worth telling of this file.
    [[nodiscard]] std::vector<std::pair<std::string, std::int64_t>> info() const;

    report::Status on_version(const report::JsonValue& version) override;
    report::Status on_metadata(const report::JsonValue& metadata) override;
    report::Status on_devices(const report::JsonValue& devices) override;
    report::Status on_graph_begin(report::GraphAccess& graph) override;
    report::Status on_node(const report::JsonNode& node) override;
    report::Status on_graph_end() override;
    report::Status on_final_pages(std::span<const report::PageRecord> pages) override;
    report::Status on_pages(std::int64_t address, std::int64_t alloc_counter,
                            std::span<const report::PageRecord> pages, bool last) override;
    report::Status on_operation_buffers(std::int64_t start_counter,
                                        std::span<const report::LiveBufferRecord> buffers,
                                        bool last) override;
    report::Status on_cluster_descriptor(std::string_view yaml) override;
    report::Status on_mesh_coordinate_mapping(std::string_view yaml) override;
    report::Status on_comparison_records(const report::JsonValue& records) override;
    report::Status on_embedded_python_io(std::uint64_t file_offset) override;
    report::Status on_unknown_section(std::string_view key) override;

private:
    static constexpr std::size_t kDeviceColumns = 18;
    using DeviceRow = std::array<std::int64_t, kDeviceColumns>;

    report::Status open_python_io();
    report::Status write_rest(bool use_folder_comparison);
    report::Status write_comparisons(bool use_folder_comparison);
    void write_metadata();
    [[nodiscard]] FileContext context();
    [[nodiscard]] std::string ranked_name(std::string_view stem) const;

    Database& database_;
    const ImportOptions& options_;
    StackSources& sources_;
    KnownDevices& known_devices_;
    BaseOfRank base_of_rank_;
    report::Input input_;
    std::filesystem::path path_;
    std::optional<std::uint64_t> embedded_python_io_;

    std::int64_t rank_ = 0;
    std::int64_t world_size_ = 1;
    std::optional<std::int64_t> base_;
    std::vector<std::pair<std::string, std::string>> metadata_;
    DeviceMap devices_;
    std::vector<DeviceRow> device_rows_;
    std::optional<report::PythonIo> python_io_;
    std::optional<FileContext> context_;
    std::optional<GraphImport> graph_;
    BufferRows buffers_;
    bool comparisons_embedded_ = false;
    ComparisonRows comparisons_;
    std::string cluster_descriptor_;
    std::string mesh_coordinate_mapping_;
    bool used_folder_comparison_ = false;
    bool version_seen_ = false;
    std::optional<report::FoundVersion> left_out_;
    std::uint64_t unknown_sections_ = 0;
    std::map<std::string, std::string> side_files_;
};

}  // namespace tilemeter::visualizer_import
