// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// scatter, scatter_add, tosa_scatter: elements of a source, or of the part of it that the index names, written
// over those of a tensor, at places along a dimension.
//
// The result has the input's shape, dtype and layout. Tiles become rows and back, a dimension other than the
// last changes its place with it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Scatter {
    Tensor input{};  ///< up to four dimensions
    std::int64_t dim = 0;
    Tensor index{};                        ///< integers, of src's shape
    Tensor src{};                          ///< the input's rank
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    std::optional<std::string> reduce{};   ///< "add" or "multiply", with what is there; none: instead of it
    OptionalCores sub_core_grids{};        ///< not modelled: refused

    static constexpr OperationInfo kOperation{
        "scatter",
        "src written over input at the places that index gives along dim; reduce: 'add' or 'multiply', with "
        "what is there."};
    static constexpr auto kParameters = parameters(
        required<&Scatter::input, &Scatter::dim, &Scatter::index, &Scatter::src>(),
        keyword<&Scatter::memory_config>(), unrecorded_keyword<&Scatter::reduce, &Scatter::sub_core_grids>());

    /// Throws RuntimeError (ranks, dtypes, an index beyond the dimension), OutOfMemoryError.
    Tensor call() const;
};

inline constexpr Operation<Scatter> scatter;

struct ScatterAdd {
    Tensor input{};  ///< up to four dimensions
    std::int64_t dim = 0;
    Tensor index{};                        ///< integers, of src's shape
    Tensor src{};                          ///< the input's rank
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    OptionalCores sub_core_grids{};        ///< not modelled: refused

    static constexpr OperationInfo kOperation{"scatter_add",
                                              "src added to input at the places that index gives along dim."};
    static constexpr auto kParameters =
        parameters(required<&ScatterAdd::input, &ScatterAdd::dim, &ScatterAdd::index, &ScatterAdd::src>(),
                   keyword<&ScatterAdd::memory_config>(), unrecorded_keyword<&ScatterAdd::sub_core_grids>());

    /// Throws RuntimeError (ranks, dtypes, an index beyond the dimension), OutOfMemoryError.
    Tensor call() const;
};

inline constexpr Operation<ScatterAdd> scatter_add;

/// Whole rows: the index says for each batch over which rows of the input those of the source are written.
struct TosaScatter {
    Tensor input{};                        ///< [batches, rows, channels]
    Tensor index{};                        ///< integers, [batches, rows to write]
    Tensor src{};                          ///< [batches, rows to write, channels]
    OptionalMemoryConfig memory_config{};  ///< none: that of the input

    static constexpr OperationInfo kOperation{
        "tosa_scatter",
        "Rows of src [n, w, c] written over those of input [n, k, c] that index [n, w] names, as TOSA's "
        "SCATTER."};
    static constexpr auto kParameters =
        parameters(required<&TosaScatter::input, &TosaScatter::index, &TosaScatter::src>(),
                   keyword<&TosaScatter::memory_config>());

    /// Throws RuntimeError (ranks, batches, dtypes, an index beyond the rows), OutOfMemoryError.
    Tensor call() const;
};

inline constexpr Operation<TosaScatter> tosa_scatter;

}  // namespace tilemeter
