// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/pages/table_pages.hpp"

#include <algorithm>
#include <cstring>

#include "visualizer_import/pages/sqlite_format.hpp"

namespace tilemeter::visualizer_import {
namespace {

using namespace sqlite_format;

// The part of a row that stays in the leaf, by 1.6 "B-tree Pages", on cell payload overflow.
std::size_t local_size(std::size_t page_bytes, std::uint64_t record_bytes) {
    const std::size_t most = page_bytes - 35;
    if (record_bytes <= most) return static_cast<std::size_t>(record_bytes);
    const std::size_t least = (page_bytes - 12) * 32 / 255 - 23;
    const std::size_t filling = least + (record_bytes - least) % (page_bytes - kPageNumberBytes);
    return filling <= most ? filling : least;
}

std::uint8_t* put_value(std::uint8_t* out, const RowValue& value) {
    switch (value.kind) {
        case ValueKind::kNull:
            return out;
        case ValueKind::kInteger: {
            const std::size_t bytes = integer_form(value.bits).bytes;
            put_number(out, static_cast<std::uint64_t>(value.bits), bytes);
            return out + bytes;
        }
        case ValueKind::kReal:
            put_number(out, static_cast<std::uint64_t>(value.bits), 8);
            return out + 8;
        case ValueKind::kText:
            if (!value.text.empty()) std::memcpy(out, value.text.data(), value.text.size());
            return out + value.text.size();
    }
    return out;
}

}  // namespace

bool TablePages::append(std::span<const RowValue> row, PageStream& stream) {
    types_.resize(row.size() * kLongestVarint);
    std::uint8_t* types_end = types_.data();
    std::uint64_t body_bytes = 0;
    for (const RowValue& value : row) {
        switch (value.kind) {
            case ValueKind::kNull:
                *types_end++ = kSerialNull;
                break;
            case ValueKind::kInteger: {
                const IntegerForm form = integer_form(value.bits);
                *types_end++ = form.serial;
                body_bytes += form.bytes;
                break;
            }
            case ValueKind::kReal:
                *types_end++ = kSerialReal;
                body_bytes += 8;
                break;
            case ValueKind::kText:
                types_end = put_varint(types_end, kSerialFirstText + 2 * value.text.size());
                body_bytes += value.text.size();
                break;
        }
    }
    const auto types_bytes = static_cast<std::size_t>(types_end - types_.data());
    types_.resize(types_bytes);
    // The header begins with its own size.
    std::size_t header_bytes = types_bytes + 1;
    if (varint_bytes(header_bytes) > 1) header_bytes = types_bytes + varint_bytes(types_bytes + 2);
    const std::uint64_t record_bytes = header_bytes + body_bytes;
    if (record_bytes > kLongestRecord) return false;
    ++row_count_;
    const std::size_t local_bytes = local_size(page_.size(), record_bytes);
    if (local_bytes < record_bytes) {
        append_with_overflow(row, header_bytes, record_bytes, local_bytes, stream);
        return true;
    }
    const auto row_id = static_cast<std::uint64_t>(row_count_);
    std::uint8_t* out = new_cell(varint_bytes(record_bytes) + varint_bytes(row_id) + local_bytes, stream);
    out = put_varint(put_varint(out, record_bytes), row_id);
    out = put_varint(out, header_bytes);
    std::memcpy(out, types_.data(), types_bytes);
    out += types_bytes;
    for (const RowValue& value : row)
        out = put_value(out, value);
    return true;
}

// The rest of the record lies in a chain of pages of its own: the number of the next, then content.
void TablePages::append_with_overflow(std::span<const RowValue> row, std::size_t header_bytes,
                                      std::uint64_t record_bytes, std::size_t local_bytes,
                                      PageStream& stream) {
    record_.resize(record_bytes);
    std::uint8_t* end = put_varint(record_.data(), header_bytes);
    std::memcpy(end, types_.data(), types_.size());
    end += types_.size();
    for (const RowValue& value : row)
        end = put_value(end, value);
    const auto row_id = static_cast<std::uint64_t>(row_count_);
    const std::size_t cell_bytes =
        varint_bytes(record_bytes) + varint_bytes(row_id) + local_bytes + kPageNumberBytes;
    std::uint8_t* out = new_cell(cell_bytes, stream);
    out = put_varint(put_varint(out, record_bytes), row_id);
    std::memcpy(out, record_.data(), local_bytes);
    out += local_bytes;
    stream.send_if_full();
    put_number(out, stream.next(), kPageNumberBytes);
    pointers_.push_back(static_cast<std::uint32_t>(out - page_.data()));
    overflow_.resize(page_.size());
    constexpr std::uint32_t kNextPage = 0;
    // The leaf, which points to the chain, is added behind it.
    for (std::size_t at = local_bytes; at < record_.size();) {
        const std::size_t bytes = std::min(record_.size() - at, page_.size() - kPageNumberBytes);
        const bool last = at + bytes == record_.size();
        put_number(overflow_.data(), last ? 0 : stream.next() + 1, kPageNumberBytes);
        std::memcpy(overflow_.data() + kPageNumberBytes, record_.data() + at, bytes);
        std::fill(overflow_.begin() + static_cast<std::ptrdiff_t>(kPageNumberBytes + bytes), overflow_.end(),
                  std::uint8_t{0});
        stream.add(overflow_, last ? std::span<const std::uint32_t>() : std::span(&kNextPage, 1));
        at += bytes;
    }
    if (record_.capacity() > 4 * PageBatch::kFullBytes) record_ = {};
}

std::uint8_t* TablePages::new_cell(std::size_t bytes, PageStream& stream) {
    bytes = std::max(bytes, kShortestCell);
    if (kLeafHeaderBytes + (cell_count_ + 1) * kCellPointerBytes + bytes > content_)
        send_page(row_count_ - 1, stream);
    content_ -= bytes;
    put_number(page_.data() + kLeafHeaderBytes + cell_count_ * kCellPointerBytes, content_,
               kCellPointerBytes);
    ++cell_count_;
    return page_.data() + content_;
}

void TablePages::complete_page() {
    put_page_header(page_.data(), kLeafTable, cell_count_, content_);
    const std::size_t pointers_end = kLeafHeaderBytes + cell_count_ * kCellPointerBytes;
    std::fill(page_.begin() + static_cast<std::ptrdiff_t>(pointers_end),
              page_.begin() + static_cast<std::ptrdiff_t>(content_), std::uint8_t{0});
}

void TablePages::send_page(std::int64_t last_row_id, PageStream& stream) {
    complete_page();
    stream.add_leaf(table_, last_row_id, page_, pointers_);
    any_sent_ = true;
    content_ = page_.size();
    cell_count_ = 0;
    pointers_.clear();
}

bool TablePages::finish(PageStream& stream) {
    if (cell_count_ == 0) return false;
    if (any_sent_) {
        send_page(row_count_, stream);
        return false;
    }
    complete_page();
    return true;
}

}  // namespace tilemeter::visualizer_import
