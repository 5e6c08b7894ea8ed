// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The free L1 at the time of a call. It is the only state of a device that the choice of a program may depend
// on; everything else follows from specs and the device's description.

#pragma once

#include <cstdint>
#include <optional>

#include "runtime/device/device.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {

/// The lowest address that a tensor in L1 has; none: there is no tensor.
std::optional<std::uint64_t> lowest_l1_tensor(Device& device);

/// Bytes of each core between where programs begin and the lowest tensor in L1.
std::uint64_t free_l1_below_tensors(Device& device);

/// Bytes of each core in which tensors may lie: L1 without what is reserved, at its top for small buffers as well. The free L1
/// without any tensor may be more.
std::uint64_t l1_for_tensors(Device& device);

/// The free L1 that is left once `output`, which is yet to be allocated, lies below all tensors: an interleaved one in
/// L1; others take nothing. TT-NN chooses ways of going about a call by it, before it makes the output.
std::uint64_t free_l1_beside(Device& device, const TensorSpec& output);

/// Free bytes of each core's bank of L1, whether or not they are in one piece.
std::uint64_t free_l1_in_all(Device& device);

/// The longest piece of it.
std::uint64_t largest_free_l1(Device& device);

/// While one is there, programs of this thread are planned as TT-NN's NO_DISPATCH plans them, which allocates
/// nothing: beside the tensors that lay in L1 when it was made, and wherever they clash with others. What was
/// recorded so can be compared with.
class ScopedReferencePlanning {
public:
    explicit ScopedReferencePlanning(Device& device);
    ~ScopedReferencePlanning();
    ScopedReferencePlanning(const ScopedReferencePlanning&) = delete;
    ScopedReferencePlanning& operator=(const ScopedReferencePlanning&) = delete;

    /// The innermost one's free L1; none: there is none.
    static std::optional<std::uint64_t> free_l1();

private:
    const std::uint64_t free_l1_;
    const ScopedReferencePlanning* const outer_;
};

}  // namespace tilemeter
