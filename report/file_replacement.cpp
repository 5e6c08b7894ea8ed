// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/file_replacement.hpp"

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilemeter::report {

namespace fs = std::filesystem;

namespace {

/// The end of a chain of links, whether something is there or not.
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

Error FileReplacement::named_as_said(Error error) const {
    error.file = named_.string();
    return error;
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
    const fs::file_status found = fs::status(named_, error);
    target_ = named_;
    if (fs::is_directory(found)) return Error{named_.string(), {}, "a file", "a directory"};
    if (fs::exists(found) && !fs::is_regular_file(found)) {
        // Its links may end at no path: those of /dev/stdout at "pipe:[4711]".
        descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor_ < 0) return failure("a file that can be written");
        return {};
    }
    target_ = end_of_links(named_);
    // Its folder would let it be replaced, but its owner wants it to stay.
    if (fs::exists(found) && !may_write(target_)) return failure("a file that can be written");
    auto pending = PendingFile::create(target_);
    if (!pending) return failure("a file that can be written");
    pending_.emplace(std::move(*pending));
    constexpr auto kPermissions = static_cast<unsigned>(fs::perms::all);
    if (fs::exists(found))
        ::fchmod(pending_->descriptor(), static_cast<unsigned>(found.permissions()) & kPermissions);
    return {};
}

Status FileReplacement::write(std::string_view bytes) {
    const int descriptor = pending_ ? pending_->descriptor() : descriptor_;
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) return failure("room for the whole file");
        bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    return {};
}

Status FileReplacement::commit() {
    if (pending_) {
        if (Status published = pending_->publish(); !published) return named_as_said(published.error());
        pending_.reset();
    } else if (::close(std::exchange(descriptor_, -1)) != 0) {
        return failure("room for the whole file");
    }
    made_directories_.clear();
    return {};
}

FileReplacement::FileReplacement(FileReplacement&& other) noexcept
    : named_(std::move(other.named_)),
      target_(std::move(other.target_)),
      pending_(std::exchange(other.pending_, std::nullopt)),
      made_directories_(std::exchange(other.made_directories_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

FileReplacement::~FileReplacement() {
    if (descriptor_ >= 0) ::close(descriptor_);
    pending_.reset();
    // Only what is empty goes: somebody else may have put something there.
    for (auto folder = made_directories_.rbegin(); folder != made_directories_.rend(); ++folder)
        ::rmdir(folder->c_str());
}

}  // namespace tilemeter::report
