// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Shapes of meshes of chips, places in them, rectangles of them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <span>
#include <vector>

#include "tt_stl/small_vector.hpp"

namespace tt::tt_metal::distributed {

class MeshShape {
public:
    explicit MeshShape(std::uint32_t size) : dimensions_{size} {}
    MeshShape(std::uint32_t rows, std::uint32_t columns) : dimensions_{rows, columns} {}
    MeshShape(std::uint32_t x, std::uint32_t y, std::uint32_t z) : dimensions_{x, y, z} {}
    MeshShape(std::initializer_list<std::uint32_t> dimensions) : dimensions_(dimensions) {}
    explicit MeshShape(std::span<const std::uint32_t> dimensions)
        : dimensions_(dimensions.begin(), dimensions.end()) {}
    explicit MeshShape(const std::vector<std::uint32_t>& dimensions)
        : dimensions_(dimensions.begin(), dimensions.end()) {}
    explicit MeshShape(const ttsl::SmallVector<std::uint32_t>& dimensions) : dimensions_(dimensions) {}
    explicit MeshShape(ttsl::SmallVector<std::uint32_t>&& dimensions) : dimensions_(std::move(dimensions)) {}

    std::size_t dims() const { return dimensions_.size(); }
    std::size_t mesh_size() const;
    std::size_t get_stride(std::size_t dimension) const;
    bool is_line_topology() const;
    std::span<const std::uint32_t> view() const { return dimensions_; }
    auto cbegin() const { return dimensions_.cbegin(); }
    auto cend() const { return dimensions_.cend(); }
    auto begin() const { return dimensions_.cbegin(); }
    auto end() const { return dimensions_.cend(); }
    /// Negative places count from the end. Throws std::runtime_error where there is none.
    std::uint32_t operator[](std::int32_t index) const;
    std::uint32_t& operator[](std::int32_t index);
    bool operator==(const MeshShape&) const = default;

private:
    ttsl::SmallVector<std::uint32_t> dimensions_;
};
std::ostream& operator<<(std::ostream& out, const MeshShape& shape);  ///< "MeshShape([2, 4])"

class MeshCoordinate {
public:
    enum class BoundaryMode : std::uint8_t { WRAP, CLAMP, NONE };

    explicit MeshCoordinate(std::uint32_t place) : places_{place} {}
    MeshCoordinate(std::uint32_t row, std::uint32_t column) : places_{row, column} {}
    MeshCoordinate(std::uint32_t x, std::uint32_t y, std::uint32_t z) : places_{x, y, z} {}
    explicit MeshCoordinate(std::span<const std::uint32_t> places) : places_(places.begin(), places.end()) {}
    static MeshCoordinate zero_coordinate(std::size_t dimensions);

    std::size_t dims() const { return places_.size(); }
    std::span<const std::uint32_t> coords() const { return places_; }
    std::uint32_t operator[](std::int32_t index) const;
    std::uint32_t& operator[](std::int32_t index);
    /// The number of the chip, counted row by row.
    std::size_t to_linear_index(const MeshShape& shape) const;
    bool operator==(const MeshCoordinate&) const = default;
    auto operator<=>(const MeshCoordinate& other) const {
        return static_cast<const std::vector<std::uint32_t>&>(places_) <=> other.places_;
    }

private:
    ttsl::SmallVector<std::uint32_t> places_;
};
std::ostream& operator<<(std::ostream& out, const MeshCoordinate& place);  ///< "MeshCoordinate([0, 1])"

/// All places between two, both in it.
class MeshCoordinateRange {
public:
    MeshCoordinateRange(const MeshCoordinate& start, const MeshCoordinate& end) : start_(start), end_(end) {}
    explicit MeshCoordinateRange(const MeshCoordinate& place) : start_(place), end_(place) {}
    explicit MeshCoordinateRange(const MeshShape& shape);

    std::size_t dims() const { return start_.dims(); }
    const MeshCoordinate& start_coord() const { return start_; }
    const MeshCoordinate& end_coord() const { return end_; }
    MeshShape shape() const;
    bool contains(const MeshCoordinate& place) const;
    bool contains(const MeshCoordinateRange& other) const;
    bool operator==(const MeshCoordinateRange&) const = default;

    class Iterator {
    public:
        using value_type = MeshCoordinate;
        Iterator(const MeshCoordinateRange* range, MeshCoordinate current, std::size_t number)
            : range_(range), current_(std::move(current)), number_(number) {}
        const MeshCoordinate& operator*() const { return current_; }
        Iterator& operator++();
        bool operator==(const Iterator& other) const { return number_ == other.number_; }

    private:
        const MeshCoordinateRange* range_;
        MeshCoordinate current_;
        std::size_t number_;
    };
    Iterator begin() const { return {this, start_, 0}; }
    Iterator end() const { return {this, start_, shape().mesh_size()}; }

private:
    MeshCoordinate start_;
    MeshCoordinate end_;
};

}  // namespace tt::tt_metal::distributed

template <>
struct std::hash<tt::tt_metal::distributed::MeshCoordinate> {
    std::size_t operator()(const tt::tt_metal::distributed::MeshCoordinate& place) const noexcept {
        std::size_t mixed = place.dims();
        for (const std::uint32_t each : place.coords())
            mixed = mixed * 1000003U ^ each;
        return mixed;
    }
};

namespace ttnn {
using tt::tt_metal::distributed::MeshCoordinate;
using tt::tt_metal::distributed::MeshCoordinateRange;
using tt::tt_metal::distributed::MeshShape;
namespace distributed {
using tt::tt_metal::distributed::MeshCoordinate;
using tt::tt_metal::distributed::MeshCoordinateRange;
using tt::tt_metal::distributed::MeshShape;
}  // namespace distributed
}  // namespace ttnn
