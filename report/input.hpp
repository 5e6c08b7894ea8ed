// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The input of readers: a file, standard input or another pipe, as it is or compressed by gzip or zstd.
//
// Thread safety: calls are free, also those on copies.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "report/result.hpp"

namespace tilemeter::report {

/// Bytes that can be read at any place, again and again. A regular file is read as it is. A pipe, and a compressed file
/// (told by its beginning, not by its name), is copied as far as it is read: 1 MiB into memory, the rest into a file
/// without a name in the temporary folder. Copies of an Input share that.
///
/// Errors name a byte of the content, or "of the compressed file" where the archive is cut off, wrong, or
/// followed by something else.
class Input {
public:
    /// "-" is standard input, which can be taken once unless it is a regular file with something left. Waits
    /// for a pipe's first bytes. Folders, terminals and archives of other kinds are errors.
    static Result<Input> open(const std::filesystem::path& path);
    /// The same, of a file that a report could be made of (ReportsMadeOfFiles) as well.
    static Result<Input> open_as_it_is(const std::filesystem::path& path);
    /// A report that another document holds; `name` is for messages.
    static Input of_text(std::string name, std::string text);

    /// As the caller said, for messages.
    [[nodiscard]] const std::string& name() const;
    /// As many bytes as asked for; fewer only at the end, or in front of what cannot be read: the next call
    /// says why.
    Result<std::size_t> read(std::uint64_t offset, char* into, std::size_t size);
    /// The size of the content, or `limit` where it is larger. What is copied is copied that far.
    [[nodiscard]] std::uint64_t size_up_to(std::uint64_t limit);
    /// Why reading the content failed with `found`: a damaged archive, which may not be noticed before its
    /// end, or else `found` itself. Nothing more is to be read afterwards.
    [[nodiscard]] Error cause_of(Error found);
    /// In bytes, for telling people how far a reading is: the size, or a guess while it is not known.
    [[nodiscard]] std::uint64_t expected_size() const;

private:
    struct State;
    static Result<Input> open_anew(const std::filesystem::path& path);
    explicit Input(std::shared_ptr<State> state) : state_(std::move(state)) {}

    std::shared_ptr<State> state_;
};

/// While one of these lives, standard input and pipes can be opened again by the path that they were opened
/// by: that gives the same Input. For programs that look at a report several times.
class KeptPipes {
public:
    KeptPipes();
    ~KeptPipes();
    KeptPipes(const KeptPipes&) = delete;
    KeptPipes& operator=(const KeptPipes&) = delete;
};

/// Files of another kind that a report can be made of, as a compiled program is planned. While one lives, Input::open()
/// gives that report in place of the file, made once for each path. `make` opens the file as it is. Thread safety: one at
/// a time; opening is free.
class ReportsMadeOfFiles {
public:
    using Claims = std::function<bool(const std::filesystem::path& path)>;
    using Make = std::function<Result<std::string>(const std::filesystem::path& path)>;
    ReportsMadeOfFiles(Claims claims, Make make);
    ~ReportsMadeOfFiles();
    ReportsMadeOfFiles(const ReportsMadeOfFiles&) = delete;
    ReportsMadeOfFiles& operator=(const ReportsMadeOfFiles&) = delete;
};

/// `path`, or path.gz or path.zst: the first that is there. Empty: none is.
std::filesystem::path find_compressed_or_not(const std::filesystem::path& path);
/// "a.json" for a.json, a.json.gz and a.json.zst, with its folders.
std::filesystem::path without_compression(const std::filesystem::path& path);
/// The file `ending` (".python_io.json") that belongs to a report, compressed or not: beside X.json,
/// X.json.gz and X.json.zst lies X.python_io.json. Empty: there is none, or the report has no name (standard
/// input).
std::filesystem::path find_sidecar(const std::filesystem::path& report, std::string_view ending);
/// The name that a report gives to what is made of it: "X" for X.json, X.json.gz and X.json.zst; "stdin" for
/// standard input.
std::string report_stem(const std::filesystem::path& report);

}  // namespace tilemeter::report
