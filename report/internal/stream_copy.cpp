// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/internal/stream_copy.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace tilemeter::report::internal {
namespace {

std::string at_byte(std::uint64_t offset) {
    return "byte " + std::to_string(offset);
}

std::string byte_found(char c) {
    const auto value = static_cast<unsigned char>(c);
    return value > 0x20 && value < 0x7F ? std::string("'") + c + "'" : "byte value " + std::to_string(value);
}

}  // namespace

StreamCopy::StreamCopy(std::string name, int descriptor, std::string head,
                       std::unique_ptr<Decompressor> decompressor, std::uint64_t source_bytes)
    : name_(std::move(name)),
      source_bytes_(source_bytes),
      source_(descriptor),
      decompressor_(std::move(decompressor)),
      read_(std::max(kBlockBytes, head.size())),
      read_end_(head.size()) {
    std::ranges::copy(head, read_.begin());
}

StreamCopy::~StreamCopy() {
    if (source_ >= 0) ::close(source_);
    if (file_ >= 0) ::close(file_);
}

Result<std::size_t> StreamCopy::read(std::uint64_t offset, char* into, std::size_t size) {
    copy_up_to(offset + size);
    const std::uint64_t copied = copied_.load(std::memory_order_acquire);
    if (offset >= copied) {
        if (failure_) return *failure_;
        return std::size_t{0};
    }
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, copied - offset));
    std::size_t done = 0;
    if (offset < kInMemoryBytes) {
        done = std::min(size, kInMemoryBytes - static_cast<std::size_t>(offset));
        std::memcpy(into, memory_.get() + offset, done);
    }
    while (done < size) {
        const auto count =
            ::pread(file_, into + done, size - done, static_cast<off_t>(offset + done - kInMemoryBytes));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0)
            return Error{name_, at_byte(offset + done), "its copy in " + file_folder_ + " to be readable",
                         count < 0 ? std::strerror(errno) : "the end of it"};
        done += static_cast<std::size_t>(count);
    }
    return size;
}

std::uint64_t StreamCopy::size_up_to(std::uint64_t limit) {
    copy_up_to(limit);
    return std::min(limit, copied_.load(std::memory_order_acquire));
}

std::uint64_t StreamCopy::expected_size() const {
    const std::uint64_t copied = copied_.load(std::memory_order_acquire);
    const std::uint64_t taken = taken_.load(std::memory_order_relaxed);
    if (ended_.load(std::memory_order_acquire) || taken == 0 || source_bytes_ <= taken) return copied;
    const double share = static_cast<double>(taken) / static_cast<double>(source_bytes_);
    return std::max(copied, static_cast<std::uint64_t>(static_cast<double>(copied) / share));
}

Error StreamCopy::cause_of(Error found) {
    const std::lock_guard lock(mutex_);
    if (decompressor_ && !failure_) {
        if (!block_) block_ = std::make_unique_for_overwrite<char[]>(kBlockBytes);
        Result<std::size_t> count = std::size_t{0};
        do {
            count = next_content(block_.get(), kBlockBytes);
        } while (count && *count > 0);
        failure_ = count ? found : count.error();
        end_copying();
    }
    return failure_ ? *failure_ : found;
}

void StreamCopy::copy_up_to(std::uint64_t end) {
    const auto is_there = [&] {
        return copied_.load(std::memory_order_acquire) >= end || ended_.load(std::memory_order_acquire);
    };
    if (is_there()) return;
    const std::lock_guard lock(mutex_);
    while (!is_there())
        copy_block();
}

void StreamCopy::copy_block() {
    const std::uint64_t copied = copied_.load(std::memory_order_relaxed);
    const bool to_memory = copied < kInMemoryBytes;
    if (!to_memory && !block_) block_ = std::make_unique_for_overwrite<char[]>(kBlockBytes);
    char* const into = to_memory ? memory_.get() + copied : block_.get();
    const std::size_t space =
        to_memory ? std::min(kBlockBytes, kInMemoryBytes - static_cast<std::size_t>(copied)) : kBlockBytes;
    auto count = next_content(into, space);
    Status status = count ? Status() : Status(count.error());
    if (status && *count > 0 && !to_memory) status = append_to_file(into, *count);
    if (!status) failure_ = status.error();
    if (!status || *count == 0) return end_copying();
    copied_.store(copied + *count, std::memory_order_release);
}

void StreamCopy::end_copying() {
    ::close(std::exchange(source_, -1));
    decompressor_.reset();
    read_ = {};
    block_.reset();
    ended_.store(true, std::memory_order_release);
}

Result<std::size_t> StreamCopy::next_content(char* into, std::size_t size) {
    if (!decompressor_) {
        if (read_at_ == read_end_) return read_source(into, size);
        const std::size_t count = std::min(size, read_end_ - read_at_);  // the head
        std::memcpy(into, read_.data() + read_at_, count);
        read_at_ += count;
        return count;
    }
    while (true) {
        bool at_end = false;
        if (read_at_ == read_end_) {
            auto count = read_source(read_.data(), read_.size());
            if (!count) return count.error();
            read_at_ = 0;
            read_end_ = *count;
            at_end = *count == 0;
        }
        if (decompressor_->between_members()) {
            if (at_end) return std::size_t{0};
            if (const char next = read_[read_at_]; !decompressor_->may_begin(next))
                return source_error(
                    {"", "", "another " + decompressor_->member_name() + " or the end", byte_found(next)});
        }
        auto step =
            decompressor_->step(std::span(read_).subspan(read_at_, read_end_ - read_at_), {into, size});
        if (!step) return source_error(step.error());
        read_at_ += step->taken;
        taken_.fetch_add(step->taken, std::memory_order_relaxed);
        if (step->given > 0) return step->given;
        if (at_end) return source_error({"", "", "the rest of a " + decompressor_->member_name(), "the end"});
    }
}

Error StreamCopy::source_error(Error error) const {
    error.file = name_;
    error.position = at_byte(taken_) + " of the compressed file";
    return error;
}

Result<std::size_t> StreamCopy::read_source(char* into, std::size_t size) {
    while (true) {
        const auto count = ::read(source_, into, size);
        if (count >= 0) return static_cast<std::size_t>(count);
        if (errno == EAGAIN) {  // whoever started this process left it so
            pollfd waiting{source_, POLLIN, 0};
            (void)::poll(&waiting, 1, -1);
        } else if (errno != EINTR) {
            const std::uint64_t offset = decompressor_ ? taken_.load() : copied_.load();
            return Error{name_, at_byte(offset), "readable bytes", std::strerror(errno)};
        }
    }
}

Error StreamCopy::no_room(std::uint64_t offset, int problem) const {
    return {name_, at_byte(offset),
            "room for a copy of it in " + file_folder_ + " (TMPDIR names another folder)",
            std::strerror(problem)};
}

Status StreamCopy::make_file() {
    std::error_code problem;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(problem);
    if (problem)
        return Error{name_, at_byte(kInMemoryBytes), "a temporary folder for a copy of it (TMPDIR)",
                     problem.message()};
    file_folder_ = folder.string();
    int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT || errno == EINVAL)) {
        std::string name = (folder / "tilemeter-XXXXXX").string();
        file = ::mkostemp(name.data(), O_CLOEXEC);
        if (file >= 0) ::unlink(name.c_str());
    }
    if (file < 0) return no_room(kInMemoryBytes, errno);
    file_ = file;
    return {};
}

Status StreamCopy::append_to_file(const char* bytes, std::size_t size) {
    if (file_ < 0)
        if (Status made = make_file(); !made) return made;
    std::uint64_t offset = copied_;
    while (size > 0) {
        const auto count = ::pwrite(file_, bytes, size, static_cast<off_t>(offset - kInMemoryBytes));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return no_room(offset, errno);
        bytes += count;
        offset += static_cast<std::uint64_t>(count);
        size -= static_cast<std::size_t>(count);
    }
    return {};
}

}  // namespace tilemeter::report::internal
