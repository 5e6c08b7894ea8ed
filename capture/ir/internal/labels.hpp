// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The labels of values and graphs in a text: %x, %x.2, %7, @main.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/ir/internal/text_cursor.hpp"
#include "capture/ir/internal/text_format.hpp"

namespace tilemeter::ir::internal {

/// "%x.2" or "%7", after its % or @.
struct Label {
    std::string name;          ///< empty: it is only numbered
    std::uint64_t number = 0;  ///< 0 where a name has none
    std::size_t offset = 0;
};

inline Label read_label(TextCursor& cursor, std::string_view expected) {
    Label label;
    label.offset = cursor.offset();
    if (is_digit(cursor.next())) {
        label.number = cursor.count(expected);
        return label;
    }
    label.name = cursor.name(expected);
    if (label.name.empty()) cursor.refuse_at(label.offset, expected);
    if (cursor.peek() == '.') {
        cursor.accept('.');
        label.number = cursor.count("a number after '.'");
    }
    return label;
}

/// The meanings of labels. Numbers as they count up are kept in a list, names and far numbers in a hash table.
template <class T>
class LabelTable {
public:
    /// Null if the label is not known.
    const T* find(const Label& label) const {
        if (label.name.empty() && label.number < numbered_.size() && numbered_[label.number])
            return &*numbered_[label.number];
        if (others_.empty()) return nullptr;
        const auto found = others_.find(key_of(label));
        return found == others_.end() ? nullptr : &found->second;
    }

    /// False if the label is known already.
    bool insert(const Label& label, T value) {
        if (find(label) != nullptr) return false;
        // As long as the list has a value for every second number.
        if (label.name.empty() && label.number < 2 * count_ + 64) {
            if (label.number >= numbered_.size()) numbered_.resize(label.number + 1);
            numbered_[label.number] = std::move(value);
            ++count_;
            return true;
        }
        return others_.emplace(key_of(label), std::move(value)).second;
    }

private:
    // The number ends it, and what comes before begins with a quote where there is a name.
    static std::string key_of(const Label& label) {
        return (label.name.empty() ? "" : '"' + label.name + '"') + std::to_string(label.number);
    }

    std::vector<std::optional<T>> numbered_;
    std::size_t count_ = 0;  ///< of numbered_, those that have a value
    std::unordered_map<std::string, T> others_;
};

}  // namespace tilemeter::ir::internal
