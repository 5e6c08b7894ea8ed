// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/internal/spill_file.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

namespace tilemeter::record::internal {

SpillFile::~SpillFile() {
    for (const Mapping& each : mappings_)
        munmap(const_cast<char*>(each.begin), each.size);
    for (const int file : files_)
        close(file);
}

std::optional<std::uint64_t> SpillFile::append(std::span<const char> head, std::span<const char> tail) {
    const std::size_t size = head.size() + tail.size();
    if (failed_) return {};
    if (files_.empty() || writer_ != getpid()) failed_ = !make_file();
    if (!failed_ && written_ + size > mappings_.back().size) failed_ = !map_more(size);
    if (failed_) return {};
    const Mapping& last = mappings_.back();
    const std::array<iovec, 2> parts{
        {{const_cast<char*>(head.data()), head.size()}, {const_cast<char*>(tail.data()), tail.size()}}};
    failed_ = pwritev(last.file, parts.data(), parts.size(), static_cast<off_t>(last.place + written_)) !=
              static_cast<ssize_t>(size);
    if (failed_) return {};
    const std::uint64_t position = last.position + written_;
    written_ += size;
    size_ += size;
    return position;
}

bool SpillFile::read(std::uint64_t position, std::span<char> into) const {
    const Mapping& mapping = mapping_of(position);
    const auto place = static_cast<off_t>(mapping.place + (position - mapping.position));
    return pread(mapping.file, into.data(), into.size(), place) == static_cast<ssize_t>(into.size());
}

const char* SpillFile::mapped(std::uint64_t position) const {
    const Mapping& mapping = mapping_of(position);
    return mapping.begin + (position - mapping.position);
}

const SpillFile::Mapping& SpillFile::mapping_of(std::uint64_t position) const {
    return *std::prev(std::ranges::upper_bound(mappings_, position, {}, &Mapping::position));
}

bool SpillFile::make_file() {
    std::error_code failed;
    std::string name = std::filesystem::temp_directory_path(failed) / "tilemeter_interned_XXXXXX";
    if (failed) return false;
    const int file = mkostemp(name.data(), O_CLOEXEC);
    if (file < 0) return false;
    unlink(name.c_str());
    files_.push_back(file);
    writer_ = getpid();
    file_end_ = 0;
    return map_more(0);
}

bool SpillFile::map_more(std::size_t size) {
    constexpr std::size_t kMapped = std::size_t{64} << 20;
    const std::size_t wanted = (std::max(kMapped, size) + kMapped - 1) / kMapped * kMapped;
    if (ftruncate(files_.back(), static_cast<off_t>(file_end_ + wanted)) != 0) return false;
    void* const begin =
        mmap(nullptr, wanted, PROT_READ, MAP_SHARED, files_.back(), static_cast<off_t>(file_end_));
    if (begin == MAP_FAILED) return false;
    const std::uint64_t position = mappings_.empty() ? 0 : mappings_.back().position + mappings_.back().size;
    mappings_.push_back({position, static_cast<const char*>(begin), wanted, files_.back(), file_end_});
    file_end_ += wanted;
    written_ = 0;
    return true;
}

}  // namespace tilemeter::record::internal
