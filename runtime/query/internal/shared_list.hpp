// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A list whose copies share the pieces that none of them has changed: of two copies, what differs is found without reading what
// does not.
//
// Thread safety: as for a vector.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace tilemeter::query::internal {

template <typename Value>
class SharedList {
public:
    SharedList() = default;
    explicit SharedList(std::size_t size) { resize(size); }

    std::size_t size() const { return size_; }
    const Value& operator[](std::size_t index) const { return (*pieces_[index / kPiece])[index % kPiece]; }
    void set(std::size_t index, const Value& value) {
        std::shared_ptr<Piece>& piece = pieces_[index / kPiece];
        if (piece.use_count() != 1) piece = std::make_shared<Piece>(*piece);
        (*piece)[index % kPiece] = value;
    }
    /// Those behind the ones that were there are new.
    void resize(std::size_t size) {
        pieces_.resize((size + kPiece - 1) / kPiece);
        for (std::shared_ptr<Piece>& each : pieces_)
            if (!each) each = std::make_shared<Piece>();
        size_ = size;
    }
    void push_back(const Value& value) {
        resize(size_ + 1);
        set(size_ - 1, value);
    }

    /// The first and the last index at which two lists of one size differ; the size and 0: they are equal.
    static std::pair<std::size_t, std::size_t> difference(const SharedList& a, const SharedList& b) {
        std::pair<std::size_t, std::size_t> found{a.size_, 0};
        for (std::size_t i = 0; i < a.pieces_.size(); ++i) {
            if (a.pieces_[i] == b.pieces_[i]) continue;
            for (std::size_t at = i * kPiece; at < std::min(a.size_, (i + 1) * kPiece); ++at) {
                if (a[at] == b[at]) continue;
                found.first = std::min(found.first, at);
                found.second = at;
            }
        }
        return found;
    }

private:
    static constexpr std::size_t kPiece = 32;
    using Piece = std::array<Value, kPiece>;

    std::vector<std::shared_ptr<Piece>> pieces_;
    std::size_t size_ = 0;
};

}  // namespace tilemeter::query::internal
