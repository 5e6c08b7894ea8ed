// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "report/analysis/memory/device_limits.hpp"
#include "report/analysis/memory/memory_lifetimes.hpp"
#include "report/analysis/nodes/node_list.hpp"
#include "report/report_reader.hpp"
#include "tools/tilemeter/run.hpp"

namespace tilemeter::cli {

/// The loaded files, sidecars included: write_text refuses to write there.
const std::vector<std::filesystem::path>& inputs();

/// One more file that was read: a budget, a baseline.
void note_input(const std::filesystem::path& file);

/// Forgets what was loaded: another run of the program begins.
void forget_inputs();

/// For its life load() takes these lists, before files of their names, and reads each file once.
class KeptLists {
public:
    explicit KeptLists(NamedLists lists);
    ~KeptLists();
    KeptLists(const KeptLists&) = delete;
    KeptLists& operator=(const KeptLists&) = delete;
};
/// True if one lives: what is printed then goes to no terminal.
bool are_lists_kept();
/// True if a name stands for a list in memory: there is no such file.
bool is_in_memory(const std::string& name);

/// The file's node list; Failure with one line if it cannot be read. `listener` (may be null) is told the rest of a
/// report.
analysis::NodeList load(const std::string& path, report::ReportHandler* listener = nullptr);

/// The same of a report whose figures can all be relied on; Failure with the first that cannot. For answers that have
/// no verdict, and so no word for "unknown".
analysis::NodeList load_sound(const std::string& path);
/// One line on standard error where the capture has a part of the memory only: of verbs that print amounts without a verdict.
void say_what_is_unseen(const analysis::NodeList& list);

/// The capture that --programs-from names: one that recorded its programs, or a folder of such; nothing for an empty
/// path.
class ProgramSource {
public:
    explicit ProgramSource(const std::string& path);
    /// For a report: of a folder what that of the same name recorded, else what all of them did.
    analysis::ProgramLibrary of(const std::filesystem::path& report) const;
    const analysis::ProgramLibrary& all() const { return all_; }

private:
    std::map<std::string, analysis::ProgramLibrary> by_name_;
    analysis::ProgramLibrary all_;
};
/// All that `path` has.
analysis::ProgramLibrary load_programs(const std::string& path);

/// A built-in device or a description file; Failure with what was expected otherwise.
analysis::DeviceLimits device_limits(const std::string& name_or_file);

/// An option's size in bytes ("1048576", "1MiB"); Failure (wrong usage) for what is none, and for shares.
std::uint64_t size_option(const std::string& option, const std::string& text);

}  // namespace tilemeter::cli
