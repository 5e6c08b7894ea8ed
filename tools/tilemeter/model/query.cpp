// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A compiler's questions from any language: one JSON object a line, one answer a line, in the same order.

#include "runtime/query/query.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "tools/oracle_check/operation_table.hpp"
#include "tools/tilemeter/model/verbs.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/terminal.hpp"

namespace tilemeter::cli {
namespace {

using nlohmann::json;
using query::AllocationRecord;

struct QueryOptions {
    std::string file, what, memory, baseline, percent;
    std::string device = "n150";
    std::int64_t jobs = 1;
    std::int64_t l1_small_size = 0;
    bool ignore_clashes = false;
    bool json = false;
};

/// A line that asks nothing that could be answered.
class BadLine : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A question as it stands in a line.
struct Question {
    oracle::Row row;
    const oracle::CallOperation* call = nullptr;
    std::optional<std::vector<AllocationRecord>> state{};
    bool ignores_clashes = false;
};

const json& member(const json& object, const char* name, const char* expected) {
    const auto found = object.find(name);
    if (found == object.end()) throw BadLine(std::string(name) + ": expected " + expected + ", found none");
    return *found;
}

MemoryType memory_of(const json& text) {
    const std::string name = text.is_string() ? text.get<std::string>() : text.dump();
    for (const MemoryType each :
         {MemoryType::kDram, MemoryType::kL1, MemoryType::kL1Small, MemoryType::kTrace})
        if (tilemeter::name_of(each) == name) return each;
    throw BadLine("buffer_type: expected DRAM, L1, L1_SMALL or TRACE, found " + name);
}

TensorSpec spec_of(const json& text) {
    TensorSpec spec;
    spec.shape = Shape(member(text, "shape", "a list of sizes").get<std::vector<std::uint32_t>>());
    spec.dtype = oracle::data_type(member(text, "dtype", "a dtype such as bfloat16"));
    const std::string layout = member(text, "layout", "TILE or ROW_MAJOR");
    if (layout != "TILE" && layout != "ROW_MAJOR")
        throw BadLine("layout: expected TILE or ROW_MAJOR, found " + layout);
    spec.layout = layout == "TILE" ? Layout::TILE : Layout::ROW_MAJOR;
    spec.memory_config = oracle::memory_config(member(text, "memory_config", "a memory config"));
    return spec;
}

Question parse(const std::string& line, const QueryOptions& options) {
    const json text = parsed_json<json>(line, [] {
        throw BadLine("expected at most " + std::to_string(kMostLevels) + " levels of nesting, found more");
    });
    if (text.is_discarded() || !text.is_object())
        throw BadLine("expected a JSON object, found " + line.substr(0, 60));
    Question question;
    question.ignores_clashes = text.value("ignore_clashes", options.ignore_clashes);
    oracle::Row& row = question.row;
    row.board = text.value("board", options.device);
    if (row.board != options.device)
        throw BadLine("board: expected " + options.device + " (--device), found " + row.board);
    row.operation = member(text, "op", "the name of an operation").get<std::string>();
    question.call = oracle::find_operation(row.operation);
    if (question.call == nullptr)
        throw BadLine("op: expected the name of an operation, found " + row.operation);
    for (const json& each : member(text, "inputs", "a list of tensors"))
        row.inputs.push_back(spec_of(each));
    row.arguments = text.value("args", json::object());
    if (text.contains("out_mem") && !text["out_mem"].is_null())
        row.out_memory_config = oracle::memory_config(text["out_mem"]);
    if (!text.contains("state") || text["state"].is_null()) return question;
    question.state.emplace();
    for (const json& each : text["state"]) {
        question.state->push_back({memory_of(member(each, "buffer_type", "a memory")),
                                   member(each, "address", "a number").get<std::uint64_t>(),
                                   member(each, "size_per_bank", "a number").get<std::uint64_t>()});
    }
    return question;
}

Json json_of(const AllocationRecord& record) {
    return {{"buffer_type", std::string(tilemeter::name_of(record.memory))},
            {"address", record.address},
            {"size_per_bank", record.size_per_bank}};
}

Json json_of(const std::vector<AllocationRecord>& records) {
    Json list = Json::array();
    for (const AllocationRecord& each : records)
        list.push_back(json_of(each));
    return list;
}

Json json_of(const query::Refusal& refusal) {
    const auto figure = [](std::uint64_t value) { return value == 0 ? Json() : Json(value); };
    return {
        {"kind", std::string(query::name_of(refusal.kind))},
        {"memory", std::string(tilemeter::name_of(refusal.memory))},
        {"wanted_bytes_per_bank", figure(refusal.bytes_wanted)},
        {"free_bytes_per_bank", figure(refusal.free_bytes)},
        {"largest_free_block_bytes_per_bank", figure(refusal.largest_free_block)},
        {"region_end", figure(refusal.region_end)},
        {"lowest_live_address", refusal.lowest_live_address ? Json(*refusal.lowest_live_address) : Json()},
        {"in_the_way", json_of(refusal.in_the_way)},
        {"fewest_to_go", json_of(refusal.fewest_to_go)},
        {"operation", refusal.operation}};
}

Json json_of(const query::ResourceUsage& usage) {
    return {{"cb_peak_bytes_per_core", usage.cb_peak_size_per_core},
            {"l1_buffers_peak_bytes_per_core", usage.l1_buffers_peak_per_core},
            {"peak_memory_usage_bytes_per_core", usage.peak_memory_usage_per_core},
            {"l1_output_buffer_bytes_per_core", usage.l1_output_buffer_per_core},
            {"dataflow_buffer_peak_bytes_per_core", usage.dataflow_buffer_peak_per_core},
            {"scratchpad_peak_bytes_per_core", usage.scratchpad_peak_per_core},
            {"peak_of_all_kinds_bytes_per_core", usage.peak_of_all_kinds_per_core},
            {"program_region_end", usage.program_region_end}};
}

Json json_of(const query::Answer& answer, bool has_state) {
    Json text{{"status", answer.status == query::ExecutionStatus::Success ? "success" : "error"},
              {"usage", answer.refusal ? Json() : json_of(answer.usage)},
              {"outputs", Json::array()},
              {"new_state", has_state ? json_of(answer.new_state.allocations()) : Json()},
              {"error", answer.refusal ? Json(answer.error) : Json()},
              {"refusal", answer.refusal ? json_of(*answer.refusal) : Json()}};
    for (std::size_t i = 0; i < answer.outputs.size(); ++i) {
        const TensorSpec& spec = answer.output_specs[i];
        const query::OutputPlace& place = answer.outputs[i];
        text["outputs"].push_back(
            {{"shape", spec.shape.dimensions()},
             {"dtype", oracle::lower_case_name(spec.dtype)},
             {"layout", std::string(tilemeter::name_of(spec.layout))},
             {"memory_layout", std::string(tilemeter::name_of(spec.memory_config.memory_layout))},
             {"buffer_type", std::string(tilemeter::name_of(place.memory))},
             {"address", place.address == 0 ? Json() : Json(place.address)},
             {"size_per_bank", place.size_per_bank},
             {"shares_input", place.shares_input ? Json(*place.shares_input) : Json()}});
    }
    return text;
}

Json answered(const Question& question, const std::shared_ptr<Device>& device) {
    const ScopedCallStyle python(CallStyle::kPython);
    const query::Function call = [&](std::span<const Tensor> tensors) {
        const oracle::CallResult result = (*question.call)(question.row, {tensors.begin(), tensors.end()});
        return result.others.empty() ? std::vector{result.output} : result.others;
    };
    if (!question.state) return json_of(query::ask(device, question.row.inputs, call), false);
    const auto state = query::AllocatorState::empty(*device).with_allocations(*question.state);
    return json_of(query::ask_beside(device, state, question.row.inputs, call,
                                     {.ignores_clashes = question.ignores_clashes}),
                   true);
}

/// A line and what is said to it.
struct Line {
    std::size_t number = 0;
    std::string text;
    std::string answer{};
    bool is_bad = false;
};

void answer(Line& line, const std::shared_ptr<Device>& device, const QueryOptions& options) {
    Json text{{"schema", "tilemeter.query/1"}, {"line", line.number}};
    try {
        text.update(answered(parse(line.text, options), device));
    } catch (const std::exception& error) {
        line.is_bad = true;
        query::Answer refused;
        refused.error = error.what();
        refused.refusal.emplace();
        text.update(json_of(refused, false));
    }
    line.answer = text.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// As many threads as jobs, each line by whichever is free.
void answer_all(std::vector<Line>& lines, const std::shared_ptr<Device>& device,
                const QueryOptions& options) {
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < lines.size(); i = next++)
            answer(lines[i], device, options);
    };
    std::vector<std::thread> others;
    for (std::int64_t i = 1; i < options.jobs && static_cast<std::size_t>(i) < lines.size(); ++i)
        others.emplace_back(work);
    work();
    for (std::thread& each : others)
        each.join();
}

void run_query(const QueryOptions& options) {
    if (!options.what.empty()) throw needs_fleet("query");
    std::ifstream file;
    if (options.file != "-") {
        std::error_code unknown;
        if (std::filesystem::is_directory(options.file, unknown))
            throw Failure(
                options.file +
                ": expected a file of questions, found a folder: what a dataset is asked stands behind it");
        errno = 0;
        file.open(options.file);
        if (!file)
            throw Failure(options.file + ": cannot be read: " + std::generic_category().message(errno));
    }
    std::istream& input = options.file == "-" ? std::cin : file;
    DeviceOptions device_options;
    device_options.description = options.device;
    device_options.l1_small_size = static_cast<std::uint64_t>(options.l1_small_size);
    std::shared_ptr<Device> device;
    try {
        device = open_device(0, device_options);
    } catch (const std::exception& error) {
        throw Failure(error.what(), kWrongUsage);
    }
    // One job answers each line before it reads the next, so that a program can ask on.
    const std::size_t at_once = options.jobs == 1 ? 1 : 4096;
    std::size_t number = 0, bad = 0, first_bad = 0;
    for (bool ends = false; !ends;) {
        std::vector<Line> lines;
        std::string text;
        while (lines.size() < at_once && !ends) {
            ends = !std::getline(input, text);
            if (!ends && ++number != 0 && text.find_first_not_of(" \t\r") != std::string::npos)
                lines.push_back({number, text});
        }
        answer_all(lines, device, options);
        const AsItIs as_it_is;
        for (const Line& each : lines) {
            if (each.is_bad && bad++ == 0) first_bad = each.number;
            std::cout << each.answer << '\n';
        }
        if (!std::cout.flush()) throw Failure("standard output: cannot be written");
    }
    close_device(*device);
    if (bad != 0) {
        throw Failure(options.file + ": " + std::to_string(bad) + " of " + std::to_string(number) +
                      " lines are no questions, the first is line " + std::to_string(first_bad));
    }
}

}  // namespace

command::Verb query_verb() {
    auto options = std::make_shared<QueryOptions>();
    return {.name = "query",
            .documentation =
                "What calls take, and whether they fit beside what is alive: a question and an answer a line",
            .parameters = {{"file",
                            &options->file,
                            "questions, a JSON object a line; - for standard input",
                            {.required = true}},
                           {"what", &options->what,
                            "of a dataset in place of a file: peak-trend, top-owners, regressions, or SQL"},
                           {"--memory",
                            &options->memory,
                            "of a dataset's top-owners: L1 or DRAM",
                            {.one_of = {"L1", "DRAM"}, .needs = {"what"}}},
                           {"--baseline",
                            &options->baseline,
                            "of a dataset's regressions: the commit to compare with",
                            {.needs = {"what"}}},
                           {"--percent",
                            &options->percent,
                            "of a dataset's regressions: the growth that counts",
                            {.needs = {"what"}}},
                           {"--device",
                            &options->device,
                            "the board that is asked about, or the path of a description",
                            {.shows_default = true}},
                           {"--ignore-clashes", &options->ignore_clashes,
                            "programs may reach into tensors that are alive, which no query of TT-NN sees"},
                           {"--jobs",
                            &options->jobs,
                            "threads that answer",
                            {.shows_default = true, .range = command::Range{1, 1024}}},
                           {"--l1-small-size",
                            &options->l1_small_size,
                            "bytes per core reserved at the top of L1",
                            {.shows_default = true, .range = command::Range{0, 1 << 30}}},
                           {"--json", &options->json, "machine-readable, as always"}},
            .example = "tilemeter query questions.jsonl --jobs 4",
            .run = [options] { run_query(*options); }};
}

}  // namespace tilemeter::cli
