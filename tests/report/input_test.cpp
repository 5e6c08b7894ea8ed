// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/input.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/python_io.hpp"
#include "report/report_reader.hpp"
#include "tests/report/compressed.hpp"
#include "tests/scratch_folder.hpp"

namespace tilemeter::report {
namespace {

namespace fs = std::filesystem;
using test::gzipped;
using test::zstd_compressed;

// A text of a few megabytes, compressible, nowhere twice the same.
std::string long_text() {
    std::mt19937 random(7);
    std::string text;
    while (text.size() < 3'000'000)
        text.append("line ").append(std::to_string(random() % 100'000)) += '\n';
    return text;
}

class InputTest : public testing::Test {
protected:
    fs::path write(const std::string& name, const std::string& content) const {
        return scratch_.write(name, content);
    }
    Result<Input> open(const std::string& content) const { return Input::open(write("file", content)); }
    // All of it, in reads of `step` bytes.
    static Result<std::string> content_of(Input input, std::size_t step = 100'000) {
        std::string content;
        while (true) {
            const std::size_t size = content.size();
            content.resize(size + step);
            auto count = input.read(size, content.data() + size, step);
            if (!count) return count.error();
            content.resize(size + *count);
            if (*count == 0) return content;
        }
    }
    std::string error_of(const std::string& content) const {
        auto input = open(content);
        if (!input) return input.error().message();
        auto read = content_of(*input);
        return read ? "" : read.error().message();
    }
    [[nodiscard]] std::string file() const { return (folder_ / "file").string(); }

    const test::ScratchFolder scratch_;
    const fs::path folder_ = scratch_.path();
};

// A folder of its own for temporary files, until the end of the scope.
class TemporaryFolderIs {
public:
    explicit TemporaryFolderIs(const fs::path& folder) {
        if (const char* const before = std::getenv("TMPDIR")) before_ = before;
        ::setenv("TMPDIR", folder.c_str(), 1);
    }
    ~TemporaryFolderIs() {
        if (before_)
            ::setenv("TMPDIR", before_->c_str(), 1);
        else
            ::unsetenv("TMPDIR");
    }
    TemporaryFolderIs(const TemporaryFolderIs&) = delete;
    TemporaryFolderIs& operator=(const TemporaryFolderIs&) = delete;

private:
    std::optional<std::string> before_;
};

TEST_F(InputTest, is_the_content_whatever_wraps_it) {
    const std::string text = long_text();
    const std::string_view view = text;
    const std::string skippable("\x5a\x2a\x4d\x18\x03\0\0\0abc", 11);
    const std::vector<std::string> wrapped{
        text,
        gzipped(text),
        zstd_compressed(text),
        gzipped(view.substr(0, 100)) + gzipped("") + gzipped(view.substr(100)),
        zstd_compressed(view.substr(0, 2'000'000)) + skippable + zstd_compressed(view.substr(2'000'000)),
        skippable + zstd_compressed(text),
    };
    for (std::size_t i = 0; i < wrapped.size(); ++i) {
        auto input = open(wrapped[i]);
        ASSERT_TRUE(input.ok()) << i;
        EXPECT_EQ(input->size_up_to(1000), 1000U) << i;
        auto content = content_of(*input, 333'333);
        ASSERT_TRUE(content.ok()) << i << ": " << content.error().message();
        EXPECT_TRUE(*content == text) << i;
        EXPECT_EQ(input->size_up_to(UINT64_MAX), text.size()) << i;
        EXPECT_EQ(input->expected_size(), text.size()) << i;
    }
}

TEST_F(InputTest, is_read_at_any_place_by_any_thread) {
    const std::string text = long_text();
    for (const std::string& wrapped : {text, gzipped(text, 1), zstd_compressed(text)}) {
        auto input = open(wrapped);
        ASSERT_TRUE(input.ok());
        std::array<std::size_t, 4> wrong{};
        std::vector<std::thread> readers;
        for (std::size_t reader = 0; reader < wrong.size(); ++reader)
            readers.emplace_back([&, reader, mine = *input]() mutable {
                std::mt19937 random(static_cast<unsigned>(reader));
                std::string bytes(70'000, '\0');
                for (int i = 0; i < 200; ++i) {
                    const std::size_t offset = random() % (text.size() + 10);
                    const std::size_t size = random() % bytes.size();
                    auto count = mine.read(offset, bytes.data(), size);
                    const std::string_view expected = offset < text.size()
                                                          ? std::string_view(text).substr(offset, size)
                                                          : std::string_view();
                    if (!count || std::string_view(bytes).substr(0, *count) != expected) ++wrong[reader];
                }
            });
        for (std::thread& reader : readers)
            reader.join();
        EXPECT_EQ(wrong, (std::array<std::size_t, 4>{}));
    }
}

TEST_F(InputTest, an_archive_that_is_cut_off_anywhere_is_an_error_that_says_where) {
    const std::string text = R"({"version": 1, "graph": []})";
    for (const bool gzip : {true, false}) {
        const std::string whole = gzip ? gzipped(text) : zstd_compressed(text);
        const std::string member = gzip ? "gzip member" : "zstd frame";
        for (std::size_t size = 4; size < whole.size(); ++size)
            EXPECT_EQ(error_of(whole.substr(0, size)),
                      file() + ": byte " + std::to_string(size) +
                          " of the compressed file: expected the rest of a " + member + ", found the end");
    }
}

TEST_F(InputTest, what_follows_an_archive_and_is_none_is_an_error) {
    for (const char* const more : {"x", "\n", "{}", "\x1fzz"}) {
        const std::string packed = gzipped("[]");
        EXPECT_NE(error_of(packed + more).find("of the compressed file: expected"), std::string::npos)
            << more;
    }
    EXPECT_EQ(error_of(gzipped("[]") + "x"),
              file() + ": byte " + std::to_string(gzipped("[]").size()) +
                  " of the compressed file: expected another gzip member or the end, found 'x'");
    EXPECT_EQ(error_of(zstd_compressed("[]") + std::string(1, '\0')),
              file() + ": byte " + std::to_string(zstd_compressed("[]").size()) +
                  " of the compressed file: expected another zstd frame or the end, found byte value 0");
}

// With JSON that a wrong byte makes wrong, too: what is said is that the archive is damaged.
TEST_F(InputTest, a_damaged_archive_is_never_read_as_something_else) {
    std::string text = R"({"devices": [], "graph": [)";
    for (int i = 0; i < 50; ++i)
        text.append(i > 0 ? ", " : "")
            .append(R"({"counter": )" + std::to_string(i) +
                    R"(, "node_type": "buffer", "connections": [], "params": {}})");
    text += R"(], "metadata": {}, "version": 1})";
    struct Counter final : ReportHandler {
        Status on_node(const JsonNode& node) override {
            sum += node.counter.value_or(0) + 1;
            return {};
        }
        std::int64_t sum = 0;
    };
    const auto read = [](const fs::path& path, std::int64_t& sum) {
        Counter counter;
        const Status status = read_report(path, counter);
        sum = counter.sum;
        return status;
    };
    for (const std::string& whole : {gzipped(text), zstd_compressed(text)}) {
        int errors = 0;
        for (std::size_t at = 4; at < whole.size(); ++at) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ 0x11);
            std::int64_t sum = 0;
            const Status status = read(write("damaged", damaged), sum);
            if (status) {  // a time stamp, say
                EXPECT_EQ(sum, 1275) << at;
                continue;
            }
            ++errors;
            EXPECT_NE(status.error().message().find("of the compressed file: expected"), std::string::npos)
                << at << ": " << status.error().message();
        }
        EXPECT_GT(errors, static_cast<int>(whole.size()) / 2);
    }
}

TEST_F(InputTest, other_archives_are_named) {
    EXPECT_EQ(
        error_of("BZh91AY"),
        file() + ": byte 0: expected JSON, as it is or compressed by gzip or zstd, found a bzip2 archive");
    EXPECT_NE(error_of(std::string("\xfd\x37zXZ\0", 6)).find("an xz archive"), std::string::npos);
    EXPECT_NE(error_of("PK\x03\x04").find("a zip archive"), std::string::npos);
    EXPECT_NE(error_of("\x04\x22\x4d\x18").find("an lz4 archive"), std::string::npos);
}

TEST_F(InputTest, a_pipe_is_read_again_and_again) {
    const std::string text = long_text();
    const fs::path pipe = folder_ / "pipe";
    for (const std::string& sent : {text, gzipped(text), std::string("12"), std::string()}) {
        ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
        std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << sent; });
        auto input = Input::open(pipe);
        ASSERT_TRUE(input.ok());
        const std::string expected = sent.size() > 2 ? text : sent;
        for (int round = 0; round < 2; ++round) {
            auto content = content_of(*input);
            ASSERT_TRUE(content.ok());
            EXPECT_TRUE(*content == expected);
        }
        writer.join();
        fs::remove(pipe);
    }
}

TEST_F(InputTest, what_has_no_content_to_read_is_refused) {
    EXPECT_EQ(Input::open(folder_).error().message(),
              folder_.string() + ": expected a file or a pipe, found a folder");
    EXPECT_EQ(Input::open(folder_ / "nothing").error().message(),
              (folder_ / "nothing").string() + ": expected a readable file, found No such file or directory");
}

TEST_F(InputTest, leaves_nothing_in_the_temporary_folder) {
    const TemporaryFolderIs temporary(folder_);
    auto input = open(gzipped(long_text()));
    ASSERT_TRUE(content_of(*input).ok());
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_))
        ++files;
    EXPECT_EQ(files, 1U);  // the archive itself, while the copy is open
}

TEST_F(InputTest, a_temporary_folder_that_is_none_or_full_is_one_line) {
    auto packed = gzipped(long_text());
    {
        const TemporaryFolderIs temporary(folder_ / "nothing");
        const std::string expected =
            file() + ": byte 1048576: expected a temporary folder for a copy of it (TMPDIR), found ";
        EXPECT_EQ(error_of(packed).substr(0, expected.size()), expected);
        EXPECT_EQ(error_of(gzipped("[]")), "");  // a small file needs none
    }
    const TemporaryFolderIs temporary(folder_);
    const fs::path file = write("file", packed);
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit little{1'000'000, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &little);
    auto input = Input::open(file);
    auto content = content_of(*input);
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    ASSERT_FALSE(content.ok());
    EXPECT_EQ(content.error().message(),
              file.string() + ": byte 2048576: expected room for a copy of it in " + folder_.string() +
                  " (TMPDIR names another folder), found File too large");
}

TEST_F(InputTest, sidecars_are_found_however_they_and_the_report_are_compressed) {
    const auto sidecar = [&](const char* report) {
        return find_sidecar(folder_ / report, ".python_io.json").filename().string();
    };
    EXPECT_EQ(sidecar("a.json"), "");
    write("a.python_io.json.zst", "");
    for (const char* const report : {"a.json", "a.json.gz", "a.json.zst"})
        EXPECT_EQ(sidecar(report), "a.python_io.json.zst") << report;
    write("a.python_io.json.gz", "");
    EXPECT_EQ(sidecar("a.json.zst"), "a.python_io.json.gz");
    write("a.python_io.json", "");
    EXPECT_EQ(sidecar("a.json.gz"), "a.python_io.json");
    EXPECT_EQ(find_sidecar("-", ".python_io.json"), "");
    EXPECT_EQ(report_stem("x/a.json"), "a");
    EXPECT_EQ(report_stem("x/a.b.json.gz"), "a.b");
    EXPECT_EQ(report_stem("a.zst"), "a");
    EXPECT_EQ(report_stem("-"), "stdin");
}

TEST_F(InputTest, records_of_python_are_read_from_a_compressed_sidecar) {
    const std::string text = R"([{"name": "a", "input_tensor_ids": [7]}, {"name": "b"}])";
    for (const std::string& packed : {gzipped(text), zstd_compressed(text)}) {
        auto io = PythonIo::open(write("x.python_io.json.gz", packed));
        ASSERT_TRUE(io.ok()) << io.error().message();
        EXPECT_EQ(io->size(), 2U);
        EXPECT_EQ(io->record({1})->at("name").text(), "b");
        EXPECT_EQ(io->record({0})->at("name").text(), "a");
    }
}

}  // namespace
}  // namespace tilemeter::report
