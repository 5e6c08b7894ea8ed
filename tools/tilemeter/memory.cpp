// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/tilemeter/memory.hpp"

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "report/input.hpp"
#include "report/render/memory_page.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 30U;

struct MemoryOptions {
    std::string memory, page;
    std::size_t top = 10;
    bool json = false;
};

Json load_memory(const std::string& path) {
    if (path != "-") note_input(path);
    report::Result<report::Input> input = report::Input::open(path);
    if (!input) throw failure_of(input.error());
    const std::uint64_t size = input.value().size_up_to(kLargestFile);
    if (size == kLargestFile)
        throw failure_of({input.value().name(), "",
                          "a plan's memory, below " + std::to_string(kLargestFile) + " bytes", "more"});
    std::string text(size, '\0');
    const report::Result<std::size_t> read = input.value().read(0, text.data(), text.size());
    if (!read) throw failure_of(read.error());
    text.resize(read.value());
    const Json memory = parsed_json<Json>(text, [&] {
        throw failure_of({input.value().name(), "",
                          "at most " + std::to_string(kMostLevels) + " levels of nesting", "more"});
    });
    if (memory.is_discarded()) throw failure_of({input.value().name(), "", "JSON", "something else"});
    if (const report::Status sound = analysis::check_memory(nlohmann::json(memory)); !sound) {
        report::Error error = sound.error();
        error.file = input.value().name();
        throw failure_of(error);
    }
    return memory;
}

std::string text_or(const Json& value, const char* otherwise) {
    return value.is_string() ? value.get<std::string>() : otherwise;
}

std::string bytes(const Json& value) {
    return grouped(value.get<std::uint64_t>());
}

/// Columns as wide as what is in them; the first `numbers` are aligned to the right.
std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t numbers) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const std::vector<std::string>& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    }
    std::ostringstream text;
    for (const std::vector<std::string>& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            text << "  " << (i < numbers ? std::right : std::left);
            if (i + 1 < row.size()) text << std::setw(static_cast<int>(widths[i]));
            text << row[i];
        }
        text << '\n';
    }
    return text.str();
}

/// "12 ttnn.matmul (model.py:51)"
std::string equation_text(const Json& memory, const Json& number) {
    const Json& equation = memory["equations"][number.get<std::size_t>()];
    std::string text =
        std::to_string(number.get<std::uint64_t>()) + " " + equation["operation"].get<std::string>();
    if (equation["source"].is_string()) text += " (" + equation["source"].get<std::string>() + ")";
    return text;
}

std::string left_out(std::size_t count) {
    return count == 0 ? "" : "  and " + std::to_string(count) + " more (--top)\n";
}

std::string peak_text(const Json& memory, const char* member, const char* title, std::size_t top) {
    const Json& peak = memory[member];
    std::string text = std::string(title) + ": ";
    if (peak["equation"].is_null())
        return text +
               (peak["bytes"] == 0 ? "nothing\n" : bytes(peak["bytes"]) + " B before the first equation\n");
    text += bytes(peak["bytes"]) + " B in equation " + equation_text(memory, peak["equation"]);
    const char* separator = ": ";
    if (peak["program_bytes"] != 0) {
        text += separator + bytes(peak["program_bytes"]) + " of programs";
        separator = ", ";
    }
    for (const auto& [role, amount] : peak["by_role"].items()) {
        text += separator + bytes(amount) + " " + role;
        separator = ", ";
    }
    text += '\n';
    std::vector<std::vector<std::string>> rows;
    for (const Json& number : peak["alive"]) {
        if (rows.size() == top) break;
        const Json& buffer = memory["buffers"][number.get<std::size_t>()];
        rows.push_back({bytes(buffer["bytes_per_bank"]), bytes(buffer["address"]),
                        buffer["role"].get<std::string>(),
                        text_or(buffer["name"], std::to_string(number.get<std::uint64_t>()).c_str()),
                        text_or(buffer["shape"], "-"),
                        buffer["birth"].is_null() ? "there before"
                                                  : "made by " + equation_text(memory, buffer["birth"])});
    }
    if (!rows.empty()) {
        rows.insert(rows.begin(), {"bytes", "address", "role", "buffer", "shape", ""});
        text += table(rows, 2) + left_out(peak["alive"].size() - (rows.size() - 1));
    }
    return text;
}

std::string saved_text(const Json& memory, std::size_t top) {
    const Json& saved = memory["saved"];
    if (saved.empty()) return "The way back keeps nothing.\n";
    std::vector<std::vector<std::string>> rows = {{"bytes", "equations", "shape", "made by", "needed by"}};
    for (const Json& each : saved) {
        if (rows.size() == top + 1) break;
        std::string needed;
        for (const Json& by : each["needed_by"])
            needed += (needed.empty() ? "" : ", ") + equation_text(memory, by["equation"]);
        rows.push_back({bytes(each["bytes"]), bytes(each["held_equations"]), text_or(each["shape"], "-"),
                        equation_text(memory, each["made_by"]["equation"]), needed});
    }
    return "The way back keeps " + std::to_string(saved.size()) + " buffer(s), dearest first:\n" +
           (top == 0 ? "" : table(rows, 2)) + left_out(saved.size() - (rows.size() - 1));
}

std::string page_of(const Json& memory, const std::string& file) {
    report::Result<std::string> page = analysis::memory_page(nlohmann::json(memory));
    if (page) return std::move(page).value();
    report::Error error = page.error();
    error.file = file;
    throw failure_of(error);
}

void run_memory(const MemoryOptions& options) {
    const Json memory = load_memory(options.memory);
    if (!options.page.empty()) write_text(options.page, page_of(memory, options.memory));
    if (options.json) return print(memory);
    if (options.page == "-") return;
    std::cout << memory["name"].get<std::string>() << " on " << memory["device"].get<std::string>() << ": "
              << memory["equations"].size() << " equations, " << memory["buffers"].size() << " buffers\n"
              << peak_text(memory, "l1_per_core", "L1 per core", options.top)
              << peak_text(memory, "dram_per_bank", "DRAM per bank", options.top)
              << saved_text(memory, options.top);
}

}  // namespace

bool is_memory_file(const std::string& path) {
    constexpr std::string_view kBegin = R"({"schema": "tilemeter.memory/1")";
    std::string begin(kBegin.size(), '\0');
    return std::ifstream(path).read(begin.data(), static_cast<std::streamsize>(begin.size())) &&
           begin == kBegin;
}

std::string memory_file_page(const std::string& path) {
    return page_of(load_memory(path), path);
}

command::Verb memory_verb() {
    auto options = std::make_shared<MemoryOptions>();
    return {
        .name = "memory",
        .documentation =
            "The memory of a step before it runs: peaks, who is alive there, what the way back keeps",
        .parameters =
            {{"memory",
              &options->memory,
              "what trace.plan(f, x).save_memory(FILE) wrote, or - for standard input",
              {.required = true}},
             {"--html", &options->page, "file to write the page to: that of a report, with passes and roles"},
             {"--top", &options->top, "rows of each list", {.shows_default = true, .range = kAnyCount}},
             {"--json", &options->json, "machine-readable"}},
        .example = "tilemeter memory step.json --html page.html",
        .run = [options] { run_memory(*options); }};
}

}  // namespace tilemeter::cli
