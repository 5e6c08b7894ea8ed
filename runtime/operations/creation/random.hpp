// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors of random numbers, made on the device.
//
// The numbers are those of a generator of the host (Mersenne twister), not the device's: equal seeds give
// equal numbers, 0 a new sequence each time.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

/// Other dtypes than BFLOAT16 and FLOAT32 are made as FLOAT32 and cast; in ROW_MAJOR they are untilized
/// afterwards.
struct Rand {
    Shape shape{};
    std::shared_ptr<Device> device{};
    DataType dtype = DataType::BFLOAT16;
    Layout layout = Layout::TILE;
    OptionalMemoryConfig memory_config{};  ///< none: DRAM interleaved
    float low = 0.0F;
    float high = 1.0F;
    std::uint32_t seed = 0;
    NotModelled mesh_mapper{};

    static constexpr OperationInfo kOperation{"rand", "Uniform random numbers in [low, high)."};
    static constexpr auto kParameters =
        parameters(required<&Rand::shape, &Rand::device>(),
                   keyword<&Rand::dtype, &Rand::layout, &Rand::memory_config, &Rand::low, &Rand::high,
                           &Rand::seed, &Rand::mesh_mapper>());

    const MemoryConfig& place() const { return memory_config ? *memory_config : DRAM_MEMORY_CONFIG; }
    auto recorded() const { return std::tie(shape, dtype, layout, place(), low, high, seed); }

    /// Throws RuntimeError (no device, dtype, low and high), OutOfMemoryError.
    Tensor call() const;
};

inline constexpr Operation<Rand> rand;

struct Randn {
    Shape shape{};
    std::shared_ptr<Device> device{};
    DataType dtype = DataType::BFLOAT16;
    Layout layout = Layout::TILE;
    OptionalMemoryConfig memory_config{};  ///< none: DRAM interleaved
    Ignored compute_kernel_config{};
    std::optional<std::uint32_t> seed{};

    static constexpr OperationInfo kOperation{"randn", "Normal random numbers, mean 0 and deviation 1."};
    static constexpr auto kParameters =
        parameters(required<&Randn::shape, &Randn::device>(),
                   keyword<&Randn::dtype, &Randn::layout, &Randn::memory_config,
                           &Randn::compute_kernel_config, &Randn::seed>());

    const MemoryConfig& place() const { return memory_config ? *memory_config : DRAM_MEMORY_CONFIG; }
    std::tuple<const Shape&, const DataType&, const Layout&, const MemoryConfig&, std::uint32_t> recorded()
        const {
        return {shape, dtype, layout, place(), seed.value_or(0)};
    }

    /// Throws RuntimeError (no device, dtype), OutOfMemoryError.
    Tensor body() const;
};

inline constexpr Operation<Randn> randn;

struct Uniform {
    Tensor input{};      ///< TILE, interleaved; BFLOAT16 or FLOAT32; it is returned
    float from_ = 0.0F;  ///< TT-NN's "from" is no name that a call or a stub can have
    float to = 1.0F;
    std::uint32_t seed = 0;
    Ignored memory_config{};
    Ignored compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "uniform", "Uniform random numbers in [from, to), written over the input."};
    static constexpr auto kParameters =
        parameters(required<&Uniform::input>(), optional<&Uniform::from_, &Uniform::to, &Uniform::seed>(),
                   keyword<&Uniform::memory_config, &Uniform::compute_kernel_config>());
    Tensor body() const;
};

inline constexpr Operation<Uniform> uniform;

struct Bernoulli {
    Tensor input{};  ///< TILE, interleaved; BFLOAT16 or FLOAT32
    std::uint32_t seed = 0;
    OptionalTensor output{};
    OptionalDataType dtype{};              ///< none: FLOAT32
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    Ignored compute_kernel_config{};

    static constexpr OperationInfo kOperation{
        "bernoulli",
        "1 with the probability that the input has there, else 0; float32 unless told otherwise."};
    static constexpr auto kParameters = parameters(
        required<&Bernoulli::input>(), optional<&Bernoulli::seed>(), keyword<&Bernoulli::output>().output(),
        keyword<&Bernoulli::dtype, &Bernoulli::memory_config, &Bernoulli::compute_kernel_config>());
    Tensor body() const;
};

inline constexpr Operation<Bernoulli> bernoulli;

namespace experimental {

struct Dropout {
    Tensor input_tensor{};  ///< BFLOAT16, TILE
    float probability = 0.0F;
    float scale = 1.0F;
    std::uint32_t seed = 0;
    bool use_per_device_seed = true;       ///< has no effect
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    OptionalTensor output_tensor{};

    static constexpr OperationInfo kOperation{"experimental::dropout",
                                              "Zero with a probability, else times scale."};
    static constexpr auto kParameters =
        parameters(required<&Dropout::input_tensor, &Dropout::probability, &Dropout::scale, &Dropout::seed>(),
                   optional<&Dropout::use_per_device_seed>().unrecorded(), keyword<&Dropout::memory_config>(),
                   keyword<&Dropout::output_tensor>().output());

    /// Throws RuntimeError (probability), OutOfMemoryError.
    Tensor body() const;
};

inline constexpr Operation<Dropout> dropout;

}  // namespace experimental

}  // namespace tilemeter
