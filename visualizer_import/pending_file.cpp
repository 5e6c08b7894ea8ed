// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/pending_file.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "capture/log/log.hpp"

namespace tilemeter::visualizer_import {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".partial";

std::string hidden_prefix(const fs::path& final_path) {
    return "." + final_path.filename().string() + ".";
}

fs::path hidden_path(const fs::path& final_path) {
    static std::atomic<unsigned> next{0};
    std::string name = hidden_prefix(final_path);
    name.append(std::to_string(::getpid())).append("-").append(std::to_string(next++)).append(kSuffix);
    return final_path.parent_path() / name;
}

// By this path a file without a name gets one.
std::string link_path(int file) {
    return "/proc/self/fd/" + std::to_string(file);
}

// A partial file whose writer is gone is locked by nobody.
void remove_abandoned(const fs::path& final_path) {
    const std::string prefix = hidden_prefix(final_path);
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(final_path.parent_path(), ignored)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(prefix) || !name.ends_with(kSuffix)) continue;
        const int file = ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0) continue;
        if (::flock(file, LOCK_EX | LOCK_NB) == 0 && fs::remove(entry.path(), ignored))
            logging::info({entry.path().native(), ": removed, what an import left that was killed"});
        ::close(file);
    }
}

}  // namespace

report::Error PendingFile::failure(std::string_view expected) const {
    return {final_path_.string(), "", std::string(expected), std::strerror(errno)};
}

report::Result<PendingFile> PendingFile::create(const fs::path& final_path) {
    PendingFile pending;
    pending.final_path_ = fs::absolute(final_path);
    const fs::path folder = pending.final_path_.parent_path();
    remove_abandoned(pending.final_path_);
    pending.file_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (pending.file_ >= 0 && ::access(link_path(pending.file_).c_str(), F_OK) == 0) return pending;
    if (pending.file_ >= 0) ::close(pending.file_);
    pending.named_path_ = hidden_path(pending.final_path_);
    pending.file_ = ::open(pending.named_path_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
    if (pending.file_ < 0) {
        pending.named_path_.clear();
        return pending.failure("a folder that can be written to");
    }
    ::flock(pending.file_, LOCK_EX | LOCK_NB);
    return pending;
}

PendingFile::~PendingFile() {
    if (file_ < 0) return;
    if (!named_path_.empty()) ::unlink(named_path_.c_str());
    ::close(file_);
}

PendingFile::PendingFile(PendingFile&& other) noexcept {
    *this = std::move(other);
}

PendingFile& PendingFile::operator=(PendingFile&& other) noexcept {
    if (this == &other) return *this;
    std::swap(file_, other.file_);
    std::swap(final_path_, other.final_path_);
    std::swap(named_path_, other.named_path_);
    return *this;
}

report::Status PendingFile::write(std::string_view text) {
    while (!text.empty()) {
        const auto count = ::write(file_, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return failure("a file that can be written to");
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
}

report::Status PendingFile::publish() {
    if (named_path_.empty()) {
        const fs::path name = hidden_path(final_path_);
        if (::linkat(AT_FDCWD, link_path(file_).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0)
            return failure("a folder that takes a new file");
        named_path_ = name;
        ::flock(file_, LOCK_EX | LOCK_NB);
    }
    if (::rename(named_path_.c_str(), final_path_.c_str()) != 0)
        return failure("a file that can be replaced");
    ::close(std::exchange(file_, -1));
    named_path_.clear();
    return {};
}

}  // namespace tilemeter::visualizer_import
