// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// gather, tosa_gather: elements picked along a dimension.
//
// The result has the index's shape and the input's dtype and layout. A dimension other than the last is
// exchanged with it before and after.

#pragma once

#include <cstdint>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Gather {
    Tensor input{};
    std::int64_t dim = 0;
    Tensor index{};  ///< UINT32 or UINT16, the input's rank, no larger than it in the other dimensions
    bool sparse_grad = false;              ///< has no effect
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    OptionalTensor out{};
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{"gather",
                                              "Elements picked along dim: result has the shape of index."};
    static constexpr auto kParameters =
        parameters(required<&Gather::input, &Gather::dim, &Gather::index>(),
                   unrecorded_keyword<&Gather::sparse_grad>(), keyword<&Gather::memory_config>(),
                   keyword<&Gather::out>().output(), keyword<&Gather::sub_core_grids>());

    /// Throws RuntimeError (ranks, dtype of the index, an index beyond the dimension), OutOfMemoryError.
    Tensor call() const;
};

inline constexpr Operation<Gather> gather;

/// Whole rows: the index says for each batch which rows of the input, all of whose channels are taken.
struct TosaGather {
    Tensor input{};                        ///< [batches, rows, channels]
    Tensor index{};                        ///< UINT32 or UINT16, [batches, rows to take]
    OptionalMemoryConfig memory_config{};  ///< none: that of the input

    static constexpr OperationInfo kOperation{
        "tosa_gather",
        "Rows of input [n, k, c] that index [n, w] names, as TOSA's GATHER: result [n, w, c]."};
    static constexpr auto kParameters =
        parameters(required<&TosaGather::input, &TosaGather::index>(), keyword<&TosaGather::memory_config>());

    /// Throws RuntimeError (ranks, batches, dtype of the index, an index beyond the rows), OutOfMemoryError.
    Tensor call() const;
};

inline constexpr Operation<TosaGather> tosa_gather;

/// An index [n, w] as one of each channel, [n, w, c], for an input [n, k, c]; in the operation's scope.
/// Throws RuntimeError for other shapes.
Tensor index_of_channels(const Tensor& index, const Tensor& input);

}  // namespace tilemeter
