// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/paths.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/scratch_folder.hpp"
#include "tools/trace_check/checks.hpp"

namespace tilemeter::trace_check {
namespace {

using nlohmann::json;

json contents(const std::string& path) {
    std::ifstream file(path);
    return json::parse(file);
}

std::string checked(const json& file, const Options& options = {}) {
    std::ostringstream out;
    Tally tally(out);
    check_file(file, options, tally);
    tally.finish();
    return out.str();
}

// The last line says that nothing failed.
void expect_all_pass(const std::string& path) {
    for (const ir::ElementType element : {ir::ElementType::kF64, ir::ElementType::kF32}) {
        const std::string said = checked(contents(path), {.precision = {element}});
        EXPECT_NE(said.find(" passed, 0 failed\n"), std::string::npos) << said;
    }
}

TEST(TraceCheck, passes_what_is_recorded) {
    expect_all_pass(test::data_folder() + "/trace/functions.json");
    expect_all_pass(test::data_folder() + "/trace/passes.json");
    expect_all_pass(test::data_folder() + "/trace/random_numbers.json");
    expect_all_pass(test::data_folder() + "/trace/shapes.json");
}

TEST(TraceCheck, passes_the_oracles) {
    const std::string folder = test::shared_folder() + "/tracing-oracles";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "needs the folder shared/";
    expect_all_pass(folder + "/functions.json");
    expect_all_pass(folder + "/passes.json");
    expect_all_pass(folder + "/prng.json");
    expect_all_pass(folder + "/remat.json");
    expect_all_pass(folder + "/shapes.json");
}

TEST(TraceCheck, says_what_differs) {
    json file = contents(test::data_folder() + "/trace/functions.json");
    json& function = file.at("functions")[0];
    function.at("outputs")[0].at("data")[0] = 1e6;
    const std::string name = function.at("name");
    const std::string said = checked(file, {.only = {"value"}});
    EXPECT_NE(said.find("FAIL value " + name + ": result 0: element 0: found "), std::string::npos) << said;
    EXPECT_NE(said.find(" passed, 1 failed\n"), std::string::npos) << said;
}

TEST(TraceCheck, says_which_random_numbers_differ) {
    json file = contents(test::data_folder() + "/trace/random_numbers.json");
    file.at("original").at("bits")[0].at("bits")[0] = "00";
    const std::string said = checked(file, {.only = {"bits"}});
    EXPECT_NE(said.find("FAIL bits original bits 0: element 0: found "), std::string::npos) << said;
}

// Those that hold grad, jvp, vjp or vmap as well.
TEST(TraceCheck, asks_all_functions_in_arrays) {
    const std::string said =
        checked(contents(test::data_folder() + "/trace/functions.json"), {.only = {"value", "trace"}});
    EXPECT_NE(said.find("value: 24 of 24\n"), std::string::npos) << said;
    EXPECT_NE(said.find("trace: 24 of 24\n"), std::string::npos) << said;
}

TEST(TraceCheck, writes_modules) {
    const test::ScratchFolder folder;
    const Options options{.only = {"value"}, .stablehlo = folder.path()};
    const json file = contents(test::data_folder() + "/trace/functions.json");
    EXPECT_NE(checked(file, options).find("stablehlo: 24 of 24"), std::string::npos);
    EXPECT_TRUE(std::filesystem::exists(folder.path() /
                                        (file.at("functions")[0].at("name").get<std::string>() + ".mlir")));
}

TEST(TraceCheck, places_functions_on_a_device) {
    const test::OpenDevice device;
    const json file = contents(test::data_folder() + "/trace/functions.json");
    const std::string said = checked(file, {.only = {"none"}, .on = device.get()});
    EXPECT_NE(said.find("placed: 24 of 24\n"), std::string::npos) << said;
}

// A fifth of the functions, but no more.
TEST(TraceCheck, lists_what_cannot_be_placed) {
    for (const bool too_many : {false, true}) {
        std::ostringstream out;
        Tally tally(out);
        for (int i = 0; i < 4; ++i)
            tally.passed("placed");
        tally.cannot_be_placed("placed", {"convolution", "sort of i32"});
        if (too_many) tally.cannot_be_placed("placed", {"convolution"});
        EXPECT_EQ(tally.finish(), !too_many);
        const std::string count = too_many ? "2" : "1";
        EXPECT_NE(out.str().find("4 of " + std::string(too_many ? "6" : "5") + ", " + count +
                                 " cannot be placed\n"),
                  std::string::npos)
            << out.str();
        EXPECT_NE(out.str().find("cannot be placed: convolution (" + count + ")\n"), std::string::npos)
            << out.str();
    }
}

TEST(TraceCheck, refuses_a_file_of_something_else) {
    EXPECT_THROW(checked(json::parse(R"({"rows": []})")), std::runtime_error);
}

}  // namespace
}  // namespace tilemeter::trace_check
