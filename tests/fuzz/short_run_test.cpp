// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The work of a fuzzer, for a second and with any compiler: its function on the real reports and on what a few random
// changes make of them. It aborts where something is wrong.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/paths.hpp"
#include "tests/report/compressed.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace tilemeter {
namespace {

constexpr std::size_t kLargestInputBytes = 40'000;
constexpr int kChangedInputs = 60;

std::vector<std::string> real_reports() {
    std::vector<std::string> reports;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(test::data_folder() + "/reports")) {
        if (entry.path().filename() != "report.json" || entry.file_size() > kLargestInputBytes) continue;
        std::ifstream file(entry.path(), std::ios::binary);
        reports.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    std::ranges::sort(reports);
    return reports;
}

void run(const std::string& input) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

// Cut, repeated, spliced with another, or a few bytes of the kind that means something.
std::string changed(std::string text, const std::string& other, std::mt19937& random) {
    static const std::string kTokens = "{}[]\",:0-9eE.\\tfn \x80\xFF";
    const auto place = [&](const std::string& in) { return random() % (in.size() + 1); };
    switch (random() % 4) {
        case 0:
            text.erase(place(text), random() % 200);
            break;
        case 1: {
            const std::size_t from = place(text);
            text.insert(place(text), text.substr(from, random() % 2000));
            break;
        }
        case 2:
            text.insert(place(text), other.substr(place(other), random() % 500));
            break;
        default:
            break;
    }
    for (unsigned change = random() % 4; change > 0 && !text.empty(); --change)
        text[random() % text.size()] = kTokens[random() % kTokens.size()];
    return text;
}

TEST(FuzzShortRun, real_reports_with_every_option) {
    const auto reports = real_reports();
    ASSERT_GE(reports.size(), 3U);
    for (const std::string& report : reports) {
        run(report);
        for (char options = 0; options < 32; options += 3)
            run(options + report);
    }
    run("");
}

TEST(FuzzShortRun, changed_reports) {
    const auto reports = real_reports();
    std::mt19937 random(1);
    for (int i = 0; i < kChangedInputs; ++i) {
        const std::string& report = reports[random() % reports.size()];
        const std::string input = changed(report, reports[random() % reports.size()], random);
        run(i % 2 == 0 ? input : static_cast<char>(random() % 32) + input);
    }
}

TEST(FuzzShortRun, changed_archives) {
    const auto reports = real_reports();
    std::mt19937 random(2);
    for (int i = 0; i < kChangedInputs; ++i) {
        const std::string& report = reports[random() % reports.size()];
        const std::string archive = i % 2 == 0 ? test::gzipped(report) : test::zstd_compressed(report);
        const std::string input = changed(archive, reports[random() % reports.size()], random);
        run(input);
        run(static_cast<char>(random() % 32) + input);
    }
}

}  // namespace
}  // namespace tilemeter
