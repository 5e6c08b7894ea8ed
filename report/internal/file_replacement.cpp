// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/internal/file_replacement.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace tilemeter::report::internal {

namespace fs = std::filesystem;

namespace {

/// A name that no other writer uses: process and running number. Starts with the target's own.
fs::path name_beside(const fs::path& target) {
    static constinit std::atomic<unsigned> running{0};
    fs::path name = target;
    name += ".part." + std::to_string(::getpid()) + "." + std::to_string(running.fetch_add(1));
    return name;
}

/// Where a chain of links leads, whether something is there or not.
fs::path end_of_links(fs::path path) {
    constexpr int kMostLinks = 40;  // as the system's own limit; beyond it opening fails and says why
    std::error_code error;
    for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(path, error)); ++i)
        path = path.parent_path() / fs::read_symlink(path, error);
    return path;
}

/// With the rights that opening would have. Else the reason is in errno.
bool may_write(const fs::path& path) {
    return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

}  // namespace

Error FileReplacement::failure(const char* expected) const {
    return {named_.string(), {}, expected, std::generic_category().message(errno)};
}

Result<FileReplacement> FileReplacement::open(const fs::path& target) {
    if (target.filename().empty()) return Error{target.string(), {}, "the name of a file", "none"};
    if (target.native().find('\0') != std::string::npos)
        return Error{target.string(), {}, "the name of a file", "one with a zero byte"};
    FileReplacement file(target);
    if (Status made = file.make_directories(); !made) return made.error();
    if (Status opened = file.open_file(); !opened) return opened.error();
    return file;
}

Status FileReplacement::check(const fs::path& target) {
    std::error_code error;
    const fs::file_status found = fs::status(target, error);
    if (!fs::exists(found) || fs::is_regular_file(found) || fs::is_directory(found)) {
        const auto opened = open(target);
        return opened ? Status() : Status(opened.error());
    }
    if (may_write(target)) return {};
    return Error{target.string(), {}, "a file that can be written", std::generic_category().message(errno)};
}

Status FileReplacement::make_directories() {
    std::error_code error;
    const fs::path parent = fs::absolute(named_, error).parent_path();
    std::vector<fs::path> missing;
    for (fs::path folder = parent; !folder.empty() && !fs::exists(folder, error) && !error;
         folder = folder.parent_path()) {
        missing.push_back(folder);
        if (folder == folder.root_path()) break;
    }
    for (auto folder = missing.rbegin(); folder != missing.rend(); ++folder) {
        if (fs::create_directory(*folder, error)) made_directories_.push_back(*folder);
        if (error) break;
    }
    if (!error) return {};
    return Error{named_.string(), {}, "a directory that can be made", error.message()};
}

Status FileReplacement::open_file() {
    std::error_code error;
    target_ = end_of_links(named_);
    const fs::file_status found = fs::status(target_, error);
    if (fs::is_directory(found)) return Error{named_.string(), {}, "a file", "a directory"};
    constexpr int kAnybodyReadsAndWrites = 0666;  // less the process's mask
    if (fs::exists(found) && !fs::is_regular_file(found)) {
        descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    } else if (fs::exists(found) && !may_write(target_)) {
        // Its folder would let it be replaced, but its owner wants it to stay.
        return failure("a file that can be written");
    } else {
        const fs::path beside = name_beside(target_);
        descriptor_ = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kAnybodyReadsAndWrites);
        if (descriptor_ >= 0) written_ = beside;
    }
    if (descriptor_ < 0) return failure("a file that can be written");
    return {};
}

Status FileReplacement::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) return failure("room for the whole file");
        bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    return {};
}

Status FileReplacement::commit() {
    // Some file systems report only here that there was no room.
    if (::close(std::exchange(descriptor_, -1)) != 0) return failure("room for the whole file");
    if (!written_.empty() && ::rename(written_.c_str(), target_.c_str()) != 0)
        return failure("a file that can be replaced");
    written_.clear();
    made_directories_.clear();
    return {};
}

FileReplacement::FileReplacement(FileReplacement&& other) noexcept
    : named_(std::move(other.named_)),
      target_(std::move(other.target_)),
      written_(std::exchange(other.written_, {})),
      made_directories_(std::exchange(other.made_directories_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

FileReplacement::~FileReplacement() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!written_.empty()) ::unlink(written_.c_str());
    // Only what is empty goes: somebody else may have put something there.
    for (auto folder = made_directories_.rbegin(); folder != made_directories_.rend(); ++folder)
        ::rmdir(folder->c_str());
}

}  // namespace tilemeter::report::internal
