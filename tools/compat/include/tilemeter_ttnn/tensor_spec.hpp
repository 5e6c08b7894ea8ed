// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What a tensor is without its memory: TensorSpec, of a shape and a TensorLayout.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "tilemeter_ttnn/memory_config.hpp"

namespace tt::tt_metal {

/// Elements that are stored side by side: rows and columns of a tile, and of its faces.
class Tile {
public:
    explicit Tile(std::array<std::uint32_t, 2> tile_shape = {32, 32}, bool transpose_tile = false);
    Tile(std::array<std::uint32_t, 2> tile_shape, std::array<std::uint32_t, 2> face_shape,
         bool transpose_tile = false);

    std::uint32_t get_height() const { return tile_shape_[0]; }
    std::uint32_t get_width() const { return tile_shape_[1]; }
    std::uint32_t get_num_faces() const { return num_faces_; }
    std::uint32_t get_tile_hw() const { return tile_shape_[0] * tile_shape_[1]; }
    std::uint32_t get_face_hw() const { return face_shape_[0] * face_shape_[1]; }
    std::array<std::uint32_t, 2> get_tile_shape() const { return tile_shape_; }
    std::array<std::uint32_t, 2> get_face_shape() const { return face_shape_; }
    bool get_transpose_within_face() const { return transpose_; }
    bool get_transpose_of_faces() const { return transpose_; }
    /// Bytes.
    std::uint32_t get_tile_size(const tt::DataFormat& format) const;

    bool operator==(const Tile&) const = default;

private:
    std::array<std::uint32_t, 2> tile_shape_;
    std::array<std::uint32_t, 2> face_shape_;
    std::uint32_t num_faces_;
    bool transpose_;
};

/// The multiples that the last dimensions are rounded up to.
class Alignment {
public:
    Alignment() = default;
    Alignment(std::initializer_list<std::uint32_t> values) : values_(values) {}
    explicit Alignment(std::span<const std::uint32_t> values) : values_(values.begin(), values.end()) {}
    explicit Alignment(ttsl::SmallVector<std::uint32_t>&& values) : values_(std::move(values)) {}

    std::size_t size() const { return values_.size(); }
    bool empty() const { return values_.empty(); }
    std::uint32_t operator[](std::size_t index) const { return values_.at(index); }
    std::span<const std::uint32_t> view() const { return values_; }
    bool operator==(const Alignment&) const = default;

private:
    ttsl::SmallVector<std::uint32_t> values_;
};

class PageConfig {
public:
    PageConfig(Layout layout) : layout_(layout) {}  // NOLINT: as TT-NN's
    PageConfig(Layout layout, const std::optional<Tile>& tile)
        : layout_(layout), tile_(tile.value_or(Tile())) {}

    Layout get_layout() const { return layout_; }
    Tile get_tile() const { return tile_; }
    bool operator==(const PageConfig&) const = default;

private:
    Layout layout_;
    Tile tile_{};
};

class TensorLayout {
public:
    TensorLayout(DataType dtype, const PageConfig& page_config, const MemoryConfig& memory_config,
                 const Alignment& alignment = {})
        : dtype_(dtype), page_config_(page_config), memory_config_(memory_config), alignment_(alignment) {}
    /// The layout whose padded shape of `logical_shape` is `padded_shape`.
    static TensorLayout fromPaddedShape(DataType dtype, const PageConfig& page_config,
                                        const MemoryConfig& memory_config, const Shape& logical_shape,
                                        const Shape& padded_shape);

    Layout get_layout() const { return page_config_.get_layout(); }
    Tile get_tile() const { return page_config_.get_tile(); }
    PageConfig get_page_config() const { return page_config_; }
    DataType get_data_type() const { return dtype_; }
    const MemoryConfig& get_memory_config() const { return memory_config_; }
    const Alignment& get_alignment() const { return alignment_; }
    TensorLayout with_memory_config(MemoryConfig memory_config) const {
        TensorLayout layout = *this;
        layout.memory_config_ = std::move(memory_config);
        return layout;
    }
    Shape compute_padded_shape(const Shape& shape) const;
    bool operator==(const TensorLayout&) const = default;

private:
    DataType dtype_;
    PageConfig page_config_;
    MemoryConfig memory_config_;
    Alignment alignment_;
};

class TensorSpec {
public:
    /// Throws std::runtime_error where no tensor can be so.
    TensorSpec(Shape logical_shape, TensorLayout tensor_layout);

    const Shape& logical_shape() const { return logical_shape_; }
    const Shape& padded_shape() const { return padded_shape_; }
    const TensorLayout& tensor_layout() const { return tensor_layout_; }
    DataType data_type() const { return tensor_layout_.get_data_type(); }
    Layout layout() const { return tensor_layout_.get_layout(); }
    PageConfig page_config() const { return tensor_layout_.get_page_config(); }
    const MemoryConfig& memory_config() const { return tensor_layout_.get_memory_config(); }
    Tile tile() const { return tensor_layout_.get_tile(); }
    TensorSpec with_memory_config(MemoryConfig memory_config) const {
        return {logical_shape_, tensor_layout_.with_memory_config(std::move(memory_config))};
    }
    std::size_t compute_packed_buffer_size_bytes() const;  ///< of all pages, not aligned
    std::size_t compute_page_size_bytes() const;
    Strides compute_strides() const { return tt::tt_metal::compute_strides(padded_shape_); }

    bool operator==(const TensorSpec&) const = default;

private:
    Shape logical_shape_;
    TensorLayout tensor_layout_;
    Shape padded_shape_;
};
std::ostream& operator<<(std::ostream& out, const TensorSpec& spec);

}  // namespace tt::tt_metal

namespace ttnn {
using tt::tt_metal::Alignment;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;
using tt::tt_metal::Tile;
}  // namespace ttnn
