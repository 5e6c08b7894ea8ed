// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Texts as gzip and zstd write them.

#pragma once

#include <string>
#include <string_view>

#include <zlib.h>
#include <zstd.h>

namespace tilemeter::test {

inline std::string gzipped(std::string_view text, int level = 6) {
    z_stream stream{};
    constexpr int kGzip = 15 + 16;
    constexpr int kMemory = 8;
    deflateInit2(&stream, level, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY);
    std::string result(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(result.data());
    stream.avail_out = static_cast<uInt>(result.size());
    deflate(&stream, Z_FINISH);
    result.resize(stream.total_out);
    deflateEnd(&stream);
    return result;
}

// With a checksum, as the program zstd writes it.
inline std::string zstd_compressed(std::string_view text) {
    ZSTD_CCtx* const context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    std::string result(ZSTD_compressBound(text.size()), '\0');
    result.resize(ZSTD_compress2(context, result.data(), result.size(), text.data(), text.size()));
    ZSTD_freeCCtx(context);
    return result;
}

}  // namespace tilemeter::test
