// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/recordings/recording_bytes.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "capture/events/recording_error.hpp"

namespace tilemeter::record::internal {

RecordingBytes::RecordingBytes(const std::filesystem::path& path)
    : path_(path), file_(path, std::ios::binary) {
    if (!file_) fail("cannot be opened: " + std::string(std::strerror(errno)));
    std::error_code unknown;
    if (std::filesystem::is_directory(path, unknown)) fail("expected a recording, found a folder");
    file_.rdbuf()->pubsetbuf(nullptr, 0);
    file_.seekg(0, std::ios::end);
    if (!file_ || file_.tellg() < 0) fail("cannot be read: not a file");
}

void RecordingBytes::fail(const std::string& what) const {
    throw RecordingError(path_.string() + ": " + what);
}

std::uint64_t RecordingBytes::block_count() {
    file_.clear();
    file_.seekg(0, std::ios::end);
    const std::streamoff size = file_.tellg();
    return size < 0 ? 0 : static_cast<std::uint64_t>(size) / kBlockBytes;
}

bool RecordingBytes::read_at(std::uint64_t offset, void* bytes, std::size_t size) {
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    file_.read(static_cast<char*>(bytes), static_cast<std::streamsize>(size));
    return file_.gcount() == static_cast<std::streamsize>(size);
}

RecordingHead RecordingBytes::read_head() {
    RecordingHead header{};
    file_.clear();
    file_.seekg(0, std::ios::end);
    const auto bytes = static_cast<std::uint64_t>(std::max<std::streamoff>(file_.tellg(), 0));
    if (bytes < kBlockBytes || !read_at(0, &header, sizeof header))
        fail("expected a recording of at least " + std::to_string(kBlockBytes) + " bytes, found " +
             std::to_string(bytes));
    if (header.magic != kMagic) fail("byte 0: expected a recording (TMRECORD), found something else");
    if (header.byte_order != kByteOrderMark)
        fail("byte 12: expected a recording of a machine of this byte order, found another");
    if (header.format != kFormat)
        fail("byte 8: expected format " + std::to_string(kFormat) + ", found " +
             std::to_string(header.format));
    if (header.event_bytes != sizeof(Event) || header.block_bytes != kBlockBytes)
        fail("byte 16: expected events of " + std::to_string(sizeof(Event)) + " bytes in blocks of " +
             std::to_string(kBlockBytes) + ", found " + std::to_string(header.event_bytes) + " in " +
             std::to_string(header.block_bytes));
    return header;
}

}  // namespace tilemeter::record::internal
