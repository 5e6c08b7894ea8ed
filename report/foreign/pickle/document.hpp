// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Python's pickles of plain values (None, numbers, texts, bytes, lists, tuples, sets, dicts), protocols 2 to 5. Nothing is
// imported, called or made by a class, ever: a pickle that wants that is refused. Source of the format: the comments of CPython's
// pickletools.
//
// A value takes 8 bytes, a dict 16 and a list 24 beside its values; equal texts and small tuples are kept once. A container that is
// named several times is one container here as well, so that a small file cannot mean a large document.
//
// Thread safety: values are values; const calls are free.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "report/input.hpp"
#include "report/result.hpp"

namespace tilemeter::foreign::pickle {

enum class Kind : std::uint8_t {
    kNone,
    kBoolean,
    kInteger,
    kLargeInteger,  ///< beyond 59 bits: that it was one is known, not its value
    kReal,
    kText,  ///< bytes as well
    kList,  ///< tuples and sets as well
    kDict
};

/// A value, or where it lies in its document.
class Value {
public:
    constexpr Value() = default;
    constexpr Value(Kind kind, std::uint64_t payload)
        : bits_(payload << kKindBits | static_cast<std::uint64_t>(kind)) {}

    [[nodiscard]] constexpr Kind kind() const { return static_cast<Kind>(bits_ & ((1U << kKindBits) - 1)); }
    [[nodiscard]] constexpr std::uint64_t payload() const { return bits_ >> kKindBits; }
    /// REQUIRES: kInteger or kBoolean.
    [[nodiscard]] constexpr std::int64_t integer() const {
        return static_cast<std::int64_t>(bits_) >> kKindBits;
    }
    friend constexpr bool operator==(Value, Value) = default;

private:
    static constexpr unsigned kKindBits = 4;
    std::uint64_t bits_ = 0;
};

/// What Python's type() would name it: "a dict", "an integer".
const char* name_of(Kind kind);

/// Cells in blocks that never move.
class Cells {
public:
    /// `count` cells in a row, by the number of the first.
    std::uint64_t take(std::uint64_t count);
    Value& operator[](std::uint64_t cell) { return blocks_[cell >> kBlockBits][cell & kBlockMask]; }
    Value operator[](std::uint64_t cell) const { return blocks_[cell >> kBlockBits][cell & kBlockMask]; }

private:
    static constexpr unsigned kBlockBits = 16;
    static constexpr std::uint64_t kBlockMask = (std::uint64_t{1} << kBlockBits) - 1;
    std::vector<std::unique_ptr<Value[]>> blocks_;
    std::uint64_t used_ = 0;
};

class Document {
public:
    [[nodiscard]] Value root() const { return root_; }
    /// REQUIRES: kText. Valid as long as the document.
    [[nodiscard]] std::string_view text(Value value) const { return texts_[value.payload()]; }
    [[nodiscard]] double real(Value value) const { return reals_[value.payload()]; }
    /// Elements of a list, pairs of a dict. REQUIRES: kList or kDict.
    [[nodiscard]] std::uint64_t size(Value container) const {
        const std::uint64_t head = cells_[container.payload()].payload();
        return container.kind() == Kind::kList ? head >> 1U : head & kMostSize;
    }
    /// REQUIRES: kList, index < size.
    [[nodiscard]] Value element(Value list, std::uint64_t index) const {
        const std::uint64_t at = list.payload();
        const bool is_tuple = (cells_[at].payload() & 1U) != 0;
        return cells_[(is_tuple ? at + 1 : cells_[at + 1].payload()) + index];
    }
    /// The value of a key; of one that is there twice, the last. REQUIRES: kDict.
    [[nodiscard]] std::optional<Value> find(Value dict, std::string_view key) const;
    /// The same by the key's own value, as key_of() gives it.
    [[nodiscard]] std::optional<Value> find(Value dict, Value key) const;
    /// Dicts of one shape have the same keys, each at the same place; kNoShape: a dict has keys of its own.
    static constexpr std::uint64_t kNoShape = 0;
    [[nodiscard]] std::uint64_t shape(Value dict) const {
        return cells_[dict.payload()].payload() >> kSizeBits;
    }
    [[nodiscard]] std::optional<std::uint64_t> place_of(std::uint64_t shape, Value key) const;
    /// REQUIRES: a dict of a shape, a place in it.
    [[nodiscard]] Value at(Value dict, std::uint64_t place) const {
        return cells_[cells_[dict.payload() + 1].payload() + place];
    }
    /// The text as a value to find() with; one that no dict has where the document does not have that text.
    [[nodiscard]] Value key_of(std::string_view text) const;
    /// Instructions that made the document: no reader has to look at more containers than that.
    [[nodiscard]] std::uint64_t instructions() const { return instructions_; }

private:
    friend class Machine;

    // A list: [size << 1 | 0] [first cell] [capacity]; a tuple: [size << 1 | 1] elements; a dict: [size | shape] [first cell],
    // where values lie, or pairs if it has no shape.
    static constexpr unsigned kSizeBits = 32;
    static constexpr std::uint64_t kMostSize = (std::uint64_t{1} << kSizeBits) - 1;

    Value root_;
    Cells cells_;
    std::vector<double> reals_;
    std::vector<std::string_view> texts_;  // views into text_blocks_
    std::vector<std::unique_ptr<char[]>> text_blocks_;
    std::unordered_map<std::string_view, std::uint64_t> text_numbers_;
    std::vector<std::vector<Value>> shapes_;  // the keys of dicts, which thousands share
    std::uint64_t instructions_ = 0;
};

/// The document of a pickle. The error names the byte.
report::Result<Document> load(report::Input& input);

}  // namespace tilemeter::foreign::pickle
