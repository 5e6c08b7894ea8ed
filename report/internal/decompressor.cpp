// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/internal/decompressor.hpp"

#include <array>
#include <utility>

#include <zlib.h>
#include <zstd.h>

namespace tilemeter::report::internal {
namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";
// Frames of zstd that hold nothing to decompress; the first byte's lower half is free.
constexpr std::string_view kSkippableEnd = "\x2a\x4d\x18";
constexpr unsigned char kSkippableFirst = 0x50;

bool is_skippable_first(char c) {
    return (static_cast<unsigned char>(c) & 0xF0U) == kSkippableFirst;
}

class Gzip final : public Decompressor {
public:
    Gzip() {
        constexpr int kWindowBits = 15 + 16;  // the largest window, in gzip's wrapping only
        sound_ = inflateInit2(&stream_, kWindowBits) == Z_OK;
    }
    ~Gzip() override { inflateEnd(&stream_); }
    Gzip(const Gzip&) = delete;
    Gzip& operator=(const Gzip&) = delete;

    Result<Step> step(std::span<const char> in, std::span<char> out) override {
        if (!sound_) return Error{"", "", "memory to decompress with", "none"};
        if (between_members_ && in.empty()) return Step{};
        if (std::exchange(between_members_, false)) inflateReset(&stream_);
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
        stream_.avail_in = static_cast<uInt>(in.size());
        stream_.next_out = reinterpret_cast<Bytef*>(out.data());
        stream_.avail_out = static_cast<uInt>(out.size());
        const int code = inflate(&stream_, Z_NO_FLUSH);
        if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
            return Error{"", "", "a sound gzip member", stream_.msg != nullptr ? stream_.msg : zError(code)};
        between_members_ = code == Z_STREAM_END;
        return Step{in.size() - stream_.avail_in, out.size() - stream_.avail_out};
    }
    bool between_members() const override { return between_members_; }
    bool may_begin(char first) const override { return first == kGzipMagic[0]; }
    std::string member_name() const override { return "gzip member"; }

private:
    z_stream stream_{};
    bool sound_ = false;
    bool between_members_ = true;
};

class Zstd final : public Decompressor {
public:
    Result<Step> step(std::span<const char> in, std::span<char> out) override {
        if (!stream_) return Error{"", "", "memory to decompress with", "none"};
        if (between_members_ && in.empty()) return Step{};
        ZSTD_inBuffer from{in.data(), in.size(), 0};
        ZSTD_outBuffer to{out.data(), out.size(), 0};
        const std::size_t code = ZSTD_decompressStream(stream_.get(), &to, &from);
        if (ZSTD_isError(code) != 0U) return Error{"", "", "a sound zstd frame", ZSTD_getErrorName(code)};
        between_members_ = code == 0;
        return Step{from.pos, to.pos};
    }
    bool between_members() const override { return between_members_; }
    bool may_begin(char first) const override { return first == kZstdMagic[0] || is_skippable_first(first); }
    std::string member_name() const override { return "zstd frame"; }

private:
    struct Free {
        void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
    };
    std::unique_ptr<ZSTD_DStream, Free> stream_{ZSTD_createDStream()};
    bool between_members_ = true;
};

// The formats that people compress files with, too.
constexpr std::array<std::pair<std::string_view, const char*>, 4> kOthers{{
    {{"\xfd\x37zXZ\0", 6}, "an xz archive"},
    {"BZh", "a bzip2 archive"},
    {"PK\x03\x04", "a zip archive"},
    {"\x04\x22\x4d\x18", "an lz4 archive"},
}};

}  // namespace

Result<std::unique_ptr<Decompressor>> Decompressor::for_file_with(std::string_view head) {
    using Made = std::unique_ptr<Decompressor>;
    if (head.starts_with(kGzipMagic)) return Made(std::make_unique<Gzip>());
    if (head.starts_with(kZstdMagic) ||
        (head.size() >= 4 && is_skippable_first(head[0]) && head.substr(1).starts_with(kSkippableEnd)))
        return Made(std::make_unique<Zstd>());
    for (const auto& [magic, name] : kOthers)
        if (head.starts_with(magic))
            return Error{"", "byte 0", "JSON, as it is or compressed by gzip or zstd", name};
    return Made();
}

}  // namespace tilemeter::report::internal
