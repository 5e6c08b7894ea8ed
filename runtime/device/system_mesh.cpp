// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/system_mesh.hpp"

#include <cstdlib>
#include <string>

#include "runtime/device/errors.hpp"

namespace tilemeter {

namespace {

std::string text_of(std::uint32_t rows, std::uint32_t columns) {
    return "[" + std::to_string(rows) + ", " + std::to_string(columns) + "]";
}

// The first line of a length in the order right, down, left, up: a depth-first search.
class LineSearch {
public:
    LineSearch(const SystemMesh& system, MeshPlace start, std::size_t length, bool closes)
        : system_(system),
          start_(start),
          length_(length),
          closes_(closes),
          taken_(system.chips.size(), false) {}

    std::vector<std::uint16_t> run() {
        extend(static_cast<int>(start_.row), static_cast<int>(start_.column));
        return line_;
    }

private:
    bool extend(int row, int column) {
        const int rows = static_cast<int>(system_.rows), columns = static_cast<int>(system_.columns);
        if (row < 0 || column < 0 || row >= rows || column >= columns) return false;
        const auto place = static_cast<std::size_t>(row * columns + column);
        if (taken_[place]) return false;
        const int away =
            std::abs(row - static_cast<int>(start_.row)) + std::abs(column - static_cast<int>(start_.column));
        const int left = static_cast<int>(length_ - line_.size()) - 1;
        if (closes_ && away > left + 1) return false;  // the way back is longer than what is left
        taken_[place] = true;
        line_.push_back(system_.chips[place]);
        if (left == 0 || extend(row, column + 1) || extend(row + 1, column) || extend(row, column - 1) ||
            extend(row - 1, column))
            return true;
        line_.pop_back();
        taken_[place] = false;
        return false;
    }

    const SystemMesh& system_;
    MeshPlace start_;
    std::size_t length_;
    bool closes_;
    std::vector<bool> taken_;
    std::vector<std::uint16_t> line_;
};

}  // namespace

std::vector<std::uint16_t> chips_of_mesh(const SystemMesh& system, MeshShape shape, MeshPlace offset) {
    const std::string requested = "MeshShape(" + text_of(shape.rows, shape.columns) + ")";
    const std::string whole = "MeshShape(" + text_of(system.rows, system.columns) + ")";
    if (shape.size() == 0) throw RuntimeError("Requested mesh shape " + requested + " has no devices");
    if (shape.size() > system.chips.size()) {
        throw RuntimeError("Requested mesh shape " + requested + " requires " + std::to_string(shape.size()) +
                           " devices, but only " + std::to_string(system.chips.size()) +
                           " devices are available in the system mesh " + whole + ".");
    }
    if (offset.row >= system.rows || offset.column >= system.columns) {
        throw RuntimeError("The specified offset MeshCoordinate(" + text_of(offset.row, offset.column) +
                           ") is out of bounds for the system mesh shape " + whole);
    }
    if (shape.rows == 1 || shape.columns == 1) {
        const std::size_t length = shape.size();
        const bool closes = system.lines_close_rings && length > 2 && length % 2 == 0;
        std::vector<std::uint16_t> line = LineSearch(system, offset, length, closes).run();
        if (!line.empty()) return line;
    }
    const auto fits = [&](std::uint32_t rows, std::uint32_t columns) {
        return offset.row + rows <= system.rows && offset.column + columns <= system.columns;
    };
    const bool is_turned = !fits(shape.rows, shape.columns);
    if (is_turned && !fits(shape.columns, shape.rows)) {
        throw RuntimeError("Requested mesh is too big and is not rotatable: " + requested +
                           " and SystemMesh " + whole + ", offset MeshCoordinate(" +
                           text_of(offset.row, offset.column) + ")");
    }
    std::vector<std::uint16_t> chips;
    for (std::uint32_t i = 0; i < shape.rows; ++i) {
        for (std::uint32_t j = 0; j < shape.columns; ++j) {
            const std::uint32_t row = offset.row + (is_turned ? j : i),
                                column = offset.column + (is_turned ? i : j);
            chips.push_back(system.chips[row * system.columns + column]);
        }
    }
    return chips;
}

}  // namespace tilemeter
