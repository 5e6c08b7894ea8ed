// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_kind.hpp"

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace tilemeter::report {
namespace {

namespace fs = std::filesystem;

class ReportKind : public testing::Test {
protected:
    ~ReportKind() override { fs::remove(path_); }
    const fs::path& file(const std::string& text) {
        std::ofstream(path_, std::ios::binary) << text;
        return path_;
    }
    const fs::path path_ =
        fs::temp_directory_path() / ("report_kind_test." + std::to_string(::getpid()) + ".json");
};

TEST_F(ReportKind, reports_and_what_may_be_left_of_one) {
    for (const std::string text :
         {R"({"version": 1, "graph": [], "metadata": {"rank": 0}})", R"({"graph": [1, 2]})",
          R"({"metadata": {"rank": 0}})", R"({"cluster_descriptor": "x"})", R"({"buffer_pages": [)",
          R"({"graph": [)", R"({"version": )", R"({"metadata": {"rank": 0)", R"({"devices": [{"arch")", "{",
          "", "  ", "{ // a comment", "\xEF\xBB\xBF{}", "what is this", "nothing", "\x1F\x8B\x08"})
        EXPECT_EQ(why_no_report(file(text)), std::nullopt) << text;
    EXPECT_EQ(why_no_report(path_ / "nowhere"), std::nullopt);
}

TEST_F(ReportKind, other_files_say_what_they_are) {
    const std::vector<std::pair<std::string, std::string>> others = {
        {"[1, 2", "an array"},
        {R"("text")", "a text"},
        {"-1.5", "a number"},
        {"null", "null"},
        {" true ", "a boolean"},
        {"{}", "an object without members"},
        {R"({"max_l1": 1048576, "max_dram": 2})", "an object with max_l1, max_dram"},
        {R"({"name": "n", "version": "1.2.3", "main": "m", "scripts": {}})",
         "an object with name, version, main, ..."},
        {R"({"version": 1, "metadata": {"title": "t"}})", "an object with version, metadata"},
        {R"({"metadata": {"rank": null}})", "an object with metadata"},
        {R"({"graph": {"nodes": []}})", "an object with graph"},
        {R"({"name": "n", "vers)", "an object with name, which is damaged"},
        {R"({"name": "n",})", "an object with name, which is damaged"},
    };
    for (const auto& [text, kind] : others)
        EXPECT_EQ(why_no_report(file(text)), kind) << text;
}

TEST_F(ReportKind, of_a_report_only_its_begin_is_read) {
    EXPECT_EQ(why_no_report(file(R"({"devices": [], "graph": [!!! no JSON from here on)")), std::nullopt);
}

TEST_F(ReportKind, versions_are_found_whatever_the_rest_holds) {
    const auto found = [&](const std::string& text) {
        const auto version = version_of_report(file(text));
        return version ? version->text : "none";
    };
    EXPECT_EQ(found(R"({"graph": [{"counter": "x"}], "version": 2})"), "2");
    EXPECT_EQ(found(R"({"version": "1", "graph": 5})"), "1");
    EXPECT_EQ(found(R"({"version": 1.0})"), "1.0");
    EXPECT_EQ(found(R"({"version": null})"), "None");
    EXPECT_EQ(found(R"({"graph": []})"), "none");
    EXPECT_EQ(found(R"({"version": 2, "graph": [)"), "none");  // who knows what else it is
    EXPECT_EQ(found(R"([{"version": 2}])"), "none");
    EXPECT_EQ(version_of_report(file(R"({"version": "1"})"))->kind, JsonKind::kText);
}

}  // namespace
}  // namespace tilemeter::report
