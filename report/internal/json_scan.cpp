// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/internal/json_scan.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace tilemeter::report::internal {
namespace {

constexpr std::size_t kBlockBytes = 64;

// One bit per byte of a block.
struct Masks {
    std::uint64_t quotes = 0;
    std::uint64_t backslashes = 0;
    std::uint64_t opens = 0;
    std::uint64_t closes = 0;
    std::uint64_t commas = 0;
};

#ifdef __SSE2__
Masks classify(const char* block) {
    Masks masks;
    for (int part = 0; part < 4; ++part) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block) + part);
        // '[' and '{', ']' and '}' differ in this bit only
        const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
        const auto bits = [&](__m128i in, char c) {
            const auto equal =
                static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(in, _mm_set1_epi8(c))));
            return std::uint64_t{equal} << (16 * part);
        };
        masks.quotes |= bits(bytes, '"');
        masks.backslashes |= bits(bytes, '\\');
        masks.opens |= bits(folded, '{');
        masks.closes |= bits(folded, '}');
        masks.commas |= bits(bytes, ',');
    }
    return masks;
}
#else
Masks classify(const char* block) {
    Masks masks;
    for (std::size_t i = 0; i < kBlockBytes; ++i) {
        const auto bit = [&](bool set) { return std::uint64_t{set} << i; };
        masks.quotes |= bit(block[i] == '"');
        masks.backslashes |= bit(block[i] == '\\');
        masks.opens |= bit(block[i] == '{' || block[i] == '[');
        masks.closes |= bit(block[i] == '}' || block[i] == ']');
        masks.commas |= bit(block[i] == ',');
    }
    return masks;
}
#endif

// Bit i = parity of the bits 0..i: from quotes to "inside a string".
std::uint64_t prefix_parity(std::uint64_t bits) {
    for (int shift = 1; shift < 64; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

// Brackets and commas outside strings, block after block.
class StructureScanner {
public:
    Masks next(const char* block) {
        Masks masks = classify(block);
        if (masks.backslashes != 0 || first_escaped_) masks.quotes &= ~escaped(masks.backslashes);
        const std::uint64_t inside = prefix_parity(masks.quotes) ^ in_string_;
        in_string_ = (inside >> 63U) != 0 ? ~std::uint64_t{0} : 0;
        masks.opens &= ~inside;
        masks.closes &= ~inside;
        masks.commas &= ~inside;
        return masks;
    }

private:
    std::uint64_t escaped(std::uint64_t backslashes) {
        std::uint64_t result = 0;
        bool escape = first_escaped_;
        for (unsigned i = 0; i < kBlockBytes; ++i) {
            const std::uint64_t bit = std::uint64_t{1} << i;
            if (escape) {
                result |= bit;
                escape = false;
            } else {
                escape = (backslashes & bit) != 0;
            }
        }
        first_escaped_ = escape;
        return result;
    }

    std::uint64_t in_string_ = 0;  // all ones while a string is open at the block's start
    bool first_escaped_ = false;
};

// Calls visit(position, depth change or 0 for a comma) for what lies near depth 0; false from visit stops.
template <class Visit>
void walk(std::string_view text, Visit&& visit) {
    StructureScanner scanner;
    std::int64_t depth = 0;
    for (std::size_t at = 0; at < text.size(); at += kBlockBytes) {
        char tail[kBlockBytes];
        const char* block = text.data() + at;
        if (text.size() - at < kBlockBytes) {
            std::memset(tail, ' ', sizeof tail);
            std::memcpy(tail, block, text.size() - at);
            block = tail;
        }
        const Masks masks = scanner.next(block);
        const int closes = std::popcount(masks.closes);
        if (depth > closes) {  // too deep for anything at depth 0 in this block
            depth += std::popcount(masks.opens) - closes;
            continue;
        }
        for (std::uint64_t bits = masks.opens | masks.closes | masks.commas; bits != 0; bits &= bits - 1) {
            const std::uint64_t bit = bits & (~bits + 1);
            const int change = (masks.opens & bit) != 0 ? 1 : (masks.closes & bit) != 0 ? -1 : 0;
            depth += change;
            if (depth <= 0 && !visit(at + static_cast<std::size_t>(std::countr_zero(bit)), change, depth))
                return;
        }
    }
}

}  // namespace

ElementScan scan_elements(std::string_view text, std::size_t target_bytes,
                          std::vector<std::size_t>& element_ends) {
    ElementScan scan;
    element_ends.clear();
    walk(text, [&](std::size_t position, int change, std::int64_t depth) {
        if (depth < 0) {
            scan.closed = true;
            scan.closing_bracket = position;
            element_ends.push_back(position);
            return false;
        }
        if (change != 0) return true;
        scan.elements_end = position;
        element_ends.push_back(position);
        return position < target_bytes;
    });
    return scan;
}

std::size_t scan_value(std::string_view text) {
    std::size_t size = ElementScan::kNone;
    if (text.empty()) return size;
    if (text[0] == '"') {
        for (std::size_t i = 1; i < text.size(); ++i) {
            if (text[i] == '\\') {
                ++i;
            } else if (text[i] == '"') {
                return i + 1;
            }
        }
        return size;
    }
    walk(text, [&](std::size_t position, int change, std::int64_t depth) {
        if (change >= 0 || depth != 0) return true;
        size = position + 1;
        return false;
    });
    return size;
}

}  // namespace tilemeter::report::internal
