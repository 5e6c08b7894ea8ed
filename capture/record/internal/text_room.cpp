// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/internal/text_room.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tilemeter::record::internal {

TextRoom::~TextRoom() {
    for (const Mapping& each : mappings_)
        munmap(each.begin, each.size);
    if (file_ >= 0) close(file_);
}

std::string_view TextRoom::keep(std::string_view text) {
    const char* place = nullptr;
    if (in_memory_ + text.size() > most_in_memory_) place = keep_in_file(text);
    if (place == nullptr) place = keep_in_memory(text);
    return {place, text.size()};
}

const char* TextRoom::keep_in_memory(std::string_view text) {
    constexpr std::size_t kBlock = std::size_t{16} << 10;
    if (used_ + text.size() > room_) {
        const std::size_t size = std::max(kBlock, text.size());
        blocks_.push_back(std::make_unique_for_overwrite<char[]>(size));
        used_ = 0;
        room_ = size;
    }
    char* const place = blocks_.back().get() + used_;
    std::memcpy(place, text.data(), text.size());
    used_ += text.size();
    in_memory_ += text.size();
    return place;
}

const char* TextRoom::keep_in_file(std::string_view text) {
    if (failed_) return nullptr;
    if (file_ < 0 || writer_ != getpid()) failed_ = !make_file();
    if (!failed_ && (mappings_.empty() || written_ + text.size() > mappings_.back().size))
        failed_ = !map_more(text.size());
    if (failed_) return nullptr;
    const Mapping& last = mappings_.back();
    const auto place = static_cast<off_t>(file_end_ - last.size + written_);
    failed_ = pwrite(file_, text.data(), text.size(), place) != static_cast<ssize_t>(text.size());
    if (failed_) return nullptr;
    const char* const made = last.begin + written_;
    written_ += text.size();
    in_files_ += text.size();
    return made;
}

bool TextRoom::make_file() {
    std::error_code failed;
    std::string name = std::filesystem::temp_directory_path(failed) / "tilemeter_texts_XXXXXX";
    if (failed) return false;
    if (file_ >= 0) close(file_);  // the parent's: what is mapped of it stays
    file_ = mkostemp(name.data(), O_CLOEXEC);
    if (file_ < 0) return false;
    unlink(name.c_str());
    writer_ = getpid();
    file_end_ = 0;
    return map_more(0);
}

bool TextRoom::map_more(std::size_t size) {
    constexpr std::size_t kMapped = std::size_t{64} << 20;
    const std::size_t wanted = (std::max(kMapped, size) + kMapped - 1) / kMapped * kMapped;
    if (ftruncate(file_, static_cast<off_t>(file_end_ + wanted)) != 0) return false;
    void* const begin = mmap(nullptr, wanted, PROT_READ, MAP_SHARED, file_, static_cast<off_t>(file_end_));
    if (begin == MAP_FAILED) return false;
    mappings_.push_back({static_cast<char*>(begin), wanted});
    file_end_ += wanted;
    written_ = 0;
    return true;
}

}  // namespace tilemeter::record::internal
