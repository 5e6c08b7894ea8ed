// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "tests/fuzz/fuzzed_file.hpp"
#include "visualizer_import/import_reports.hpp"

namespace {

// One for all inputs, gone at the end.
struct OutputFolder {
    OutputFolder() : name((std::filesystem::temp_directory_path() / "tilemeter-fuzz-XXXXXX").string()) {
        if (::mkdtemp(name.data()) == nullptr) std::abort();
    }
    ~OutputFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(name, ignored);
    }
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;
    std::string name;
};

}  // namespace

// The first byte chooses the options, the rest is the report. Files are too small here for a thread that
// reads ahead, and for more than one slice, unless the options say so.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const tilemeter::FuzzedFile file(data + 1, size - 1);
    tilemeter::visualizer_import::ImportOptions options;
    options.reference_quirks = (data[0] & 1U) != 0;
    options.materialize = (data[0] & 2U) != 0;
    options.read_ahead_from_bytes = (data[0] & 4U) != 0 ? 0 : UINT64_MAX;
    if ((data[0] & 8U) != 0) options.read_window_bytes = 512;
    options.lenient = (data[0] & 16U) != 0;
    static const OutputFolder folder;
    const auto imported = tilemeter::visualizer_import::import_reports(file.path(), folder.name, options);
    if (!imported && imported.error().message().find('\n') != std::string::npos) std::abort();
    return 0;
}
