// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/same_file.hpp"

#include <system_error>

#include "report/input.hpp"

namespace tilemeter::report {

namespace fs = std::filesystem;

bool same_file(const fs::path& one, const fs::path& other) {
    std::error_code problem;
    return fs::equivalent(one, other, problem) && !problem;
}

Status refuse_input_as_output(const fs::path& output, std::span<const fs::path> inputs) {
    for (const fs::path& input : inputs) {
        if (!same_file(output, input)) continue;
        Error error{output.string(), "", "a file to write that is no input",
                    output == input ? "the input itself" : "the input " + input.string()};
        error.wrong_usage = true;
        return error;
    }
    return {};
}

std::vector<fs::path> files_of_report(const fs::path& report) {
    if (report == "-") return {"/dev/stdin"};
    std::vector<fs::path> files{report};
    const fs::path plain = without_compression(report);
    for (const fs::path& sidecar : {plain.parent_path() / "comparison_records.json",
                                    fs::path(plain).replace_extension(".python_io.json"),
                                    fs::path(plain).replace_extension(".comparison_records.json")})
        for (const char* const compression : {"", ".gz", ".zst"})
            files.push_back(fs::path(sidecar) += compression);
    return files;
}

}  // namespace tilemeter::report
