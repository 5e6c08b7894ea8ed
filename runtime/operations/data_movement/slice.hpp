// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// slice, split, chunk: parts of a tensor.
//
// Any shape, dtype and layout (bfloat8_b becomes bfloat16 where its tiles have to be taken apart).

#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>
#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

/// Elements start[i], start[i] + step[i], ... below end[i] of each dimension; indices below 0 count from the
/// end. All of the tensor: the input itself, or a copy if the memory config differs.
struct Slice {
    Tensor input_tensor{};
    std::vector<std::int64_t> slice_start{};
    std::vector<std::int64_t> slice_end{};
    std::optional<std::vector<std::int64_t>> slice_step{};  ///< none: 1 each
    OptionalMemoryConfig memory_config{};                   ///< none: that of the input
    OptionalTensor output_tensor{};                         ///< the part is written there, by a copy
    std::optional<float> pad_value{};                       ///< fills what is left of the last tiles
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{
        "slice",
        "Elements start, start + step, ... before end of each dimension; below 0: counted from its end."};
    static constexpr auto kParameters = parameters(
        required<&Slice::input_tensor, &Slice::slice_start, &Slice::slice_end>(),
        optional<&Slice::slice_step>(), keyword<&Slice::memory_config>(),
        keyword<&Slice::output_tensor>().output(), keyword<&Slice::pad_value, &Slice::sub_core_grids>());

    std::tuple<const Tensor&, const std::vector<std::int64_t>&, const std::vector<std::int64_t>&,
               const std::vector<std::int64_t>&, const OptionalMemoryConfig&>
    recorded() const;

    /// Throws RuntimeError (start, end or step that don't fit the shape), OutOfMemoryError.
    Tensor body() const;
};

struct SliceByOtherNames : Slice {
    static constexpr OperationInfo kOperation{"slice", "The same under other names of the arguments."};
    static constexpr auto kParameters =
        parameters(required<&Slice::input_tensor>(), required<&Slice::slice_start>("starts"),
                   required<&Slice::slice_end>("ends"), optional<&Slice::slice_step>("steps"),
                   keyword<&Slice::memory_config>(), keyword<&Slice::output_tensor>().output(),
                   keyword<&Slice::pad_value, &Slice::sub_core_grids>());
};

/// With start and end in tensors.
struct SliceByTensors {
    Tensor input_tensor{};
    Tensor starts{};
    Tensor ends{};
    std::optional<std::vector<std::int64_t>> slice_step{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};
    std::optional<float> pad_value{};
    std::optional<std::uint32_t> slice_dim{};    ///< has no effect
    std::optional<std::uint32_t> num_devices{};  ///< has no effect
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{
        "slice", "Start and end in tensors (uint32 or int32, one element per dimension)."};
    static constexpr auto kParameters =
        parameters(required<&SliceByTensors::input_tensor, &SliceByTensors::starts, &SliceByTensors::ends>(),
                   optional<&SliceByTensors::slice_step>(), keyword<&SliceByTensors::memory_config>(),
                   keyword<&SliceByTensors::output_tensor>().output(),
                   keyword<&SliceByTensors::pad_value, &SliceByTensors::slice_dim,
                           &SliceByTensors::num_devices, &SliceByTensors::sub_core_grids>());

    /// As Slice's.
    Tensor call() const;
};

inline constexpr Operation<Slice> slice;

struct Split {
    Tensor input_tensor{};
    std::variant<std::uint32_t, std::vector<std::uint32_t>> split_size = 0U;
    std::int64_t dim = 0;
    OptionalMemoryConfig memory_config{};  ///< none: that of the input

    static constexpr OperationInfo kOperation{
        "split",
        "Parts of split_size along dim, of which the last may be smaller; or parts of the sizes given, "
        "which come to the whole dimension."};
    static constexpr auto kParameters = parameters(required<&Split::input_tensor, &Split::split_size>(),
                                                   optional<&Split::dim>(), keyword<&Split::memory_config>());

    template <typename Size>
    using Recorded = std::tuple<const Tensor&, const Size&, const std::int64_t&, const OptionalMemoryConfig&>;
    std::variant<Recorded<std::uint32_t>, Recorded<std::vector<std::uint32_t>>> recorded() const;
    std::vector<Tensor> body() const;
};

inline constexpr Operation<Split> split;

struct Chunk {
    Tensor input_tensor{};
    std::uint32_t chunks = 1;
    std::int64_t dim = 0;

    static constexpr OperationInfo kOperation{"chunk", "Equal parts along dim; the last may be smaller."};
    static constexpr auto kParameters =
        parameters(required<&Chunk::input_tensor, &Chunk::chunks, &Chunk::dim>());
    std::vector<Tensor> body() const;
};

inline constexpr Operation<Chunk> chunk;

struct DeviceDescription;
struct ProgramPlan;
struct TensorSpec;

namespace unscoped {
/// The program that cuts `output` from the beginning of `input`, or from elsewhere at whole tiles.
ProgramPlan slice_program(const TensorSpec& input, const TensorSpec& output, const DeviceDescription& device,
                          std::uint64_t free_l1_bytes);
/// As part of another operation: without a scope of its own.
Tensor slice(const Tensor& input, const std::vector<std::uint32_t>& begin,
             const std::vector<std::uint32_t>& end, const OptionalMemoryConfig& memory_config = std::nullopt);
/// The part in `output`, which is returned.
Tensor slice_into(const Tensor& input, const std::vector<std::uint32_t>& begin,
                  const std::vector<std::uint32_t>& end, const Tensor& output);
}  // namespace unscoped

}  // namespace tilemeter
