// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors from nothing or from host data. On a device they are made on the host and sent, as TT-NN does.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <variant>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

using OptionalDevice = std::shared_ptr<Device>;

/// The arguments that scopes list: shape, value, dtype, layout, the device's name, memory config; none of them left
/// out.
using RecordedFill =
    std::tuple<const Shape&, float, DataType, Layout, std::optional<std::string>, const MemoryConfig&>;

struct Zeros {
    Shape shape{};
    OptionalDataType dtype{};              ///< none: BFLOAT16
    std::optional<Layout> layout{};        ///< none: ROW_MAJOR
    OptionalDevice device{};               ///< none: on the host
    OptionalMemoryConfig memory_config{};  ///< none: DRAM interleaved

    static constexpr OperationInfo kOperation{
        "zeros", "A tensor of zeros; bfloat16 in rows on the host unless said otherwise."};
    static constexpr auto kParameters =
        parameters(required<&Zeros::shape>(),
                   optional<&Zeros::dtype, &Zeros::layout, &Zeros::device, &Zeros::memory_config>());

    RecordedFill recorded() const;
    Tensor body() const;
};

inline constexpr Operation<Zeros> zeros;

struct Ones {
    Shape shape{};
    OptionalDataType dtype{};              ///< none: BFLOAT16
    std::optional<Layout> layout{};        ///< none: ROW_MAJOR
    OptionalDevice device{};               ///< none: on the host
    OptionalMemoryConfig memory_config{};  ///< none: DRAM interleaved

    static constexpr OperationInfo kOperation{
        "ones", "A tensor of ones; bfloat16 in rows on the host unless said otherwise."};
    static constexpr auto kParameters =
        parameters(required<&Ones::shape>(),
                   optional<&Ones::dtype, &Ones::layout, &Ones::device, &Ones::memory_config>());

    RecordedFill recorded() const;
    Tensor body() const;
};

inline constexpr Operation<Ones> ones;

struct Full {
    Shape shape{};
    float fill_value = 0.0F;
    OptionalDataType dtype{};              ///< none: BFLOAT16
    std::optional<Layout> layout{};        ///< none: ROW_MAJOR
    OptionalDevice device{};               ///< none: on the host
    OptionalMemoryConfig memory_config{};  ///< none: DRAM interleaved
    OptionalTensor optional_tensor{};      ///< on a device, of that shape: what else is said has no effect

    static constexpr OperationInfo kOperation{
        "full", "A tensor of one value; or that value over optional_tensor, in its dtype and layout."};
    static constexpr auto kParameters =
        parameters(required<&Full::shape, &Full::fill_value>(),
                   optional<&Full::dtype, &Full::layout, &Full::device, &Full::memory_config>(),
                   optional<&Full::optional_tensor>().output());

    std::variant<RecordedFill, std::tuple<const Shape&, const float&, const Tensor&>> recorded() const;
    Tensor body() const;
};

inline constexpr Operation<Full> full;

struct Empty {
    Shape shape{};
    OptionalDataType dtype{};              ///< none: BFLOAT16
    std::optional<Layout> layout{};        ///< none: ROW_MAJOR
    OptionalDevice device{};               ///< needed
    OptionalMemoryConfig memory_config{};  ///< none: DRAM interleaved

    static constexpr OperationInfo kOperation{"empty", "Device memory without values (they read as zeros)."};
    static constexpr auto kParameters =
        parameters(required<&Empty::shape>(),
                   optional<&Empty::dtype, &Empty::layout, &Empty::device, &Empty::memory_config>());

    std::tuple<const Shape&, DataType, Layout, std::optional<std::string>, const MemoryConfig&> recorded()
        const;
    Tensor body() const;
};

inline constexpr Operation<Empty> empty;

/// start, start + step, ... below (above, for a negative step) end; shape [n].
struct Arange {
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::int64_t step = 1;
    DataType dtype = DataType::BFLOAT16;
    OptionalDevice device{};               ///< none: on the host
    OptionalMemoryConfig memory_config{};  ///< none: DRAM interleaved
    Layout layout = Layout::ROW_MAJOR;

    static constexpr OperationInfo kOperation{"arange", "start, start + step, ... before end; shape [n]."};
    static constexpr auto kParameters = parameters(
        required<&Arange::start, &Arange::end>(),
        optional<&Arange::step, &Arange::dtype, &Arange::device, &Arange::memory_config, &Arange::layout>());

    std::tuple<const std::int64_t&, const std::int64_t&, const std::int64_t&, const DataType&,
               std::optional<std::string>, const MemoryConfig&>
    recorded() const;
    Tensor body() const;
};

/// TT-NN's other signature, of Python alone.
struct ArangeFromZero : Arange {
    static constexpr OperationInfo kOperation{"arange", "0, 1, ... below end; shape [end]."};
    static constexpr auto kParameters =
        parameters(required<&Arange::end>(),
                   keyword<&Arange::dtype, &Arange::device, &Arange::memory_config, &Arange::layout>());
};

inline constexpr Operation<Arange> arange;

/// `values` in row-major order, rounded to `dtype`. `device`: none: on the host.
Tensor from_vector(std::span<const float> values, const Shape& shape, DataType dtype = DataType::BFLOAT16,
                   Layout layout = Layout::ROW_MAJOR, const OptionalDevice& device = nullptr,
                   const MemoryConfig& memory_config = DRAM_MEMORY_CONFIG);
Tensor from_vector(std::span<const std::int64_t> values, const Shape& shape, DataType dtype,
                   Layout layout = Layout::ROW_MAJOR, const OptionalDevice& device = nullptr,
                   const MemoryConfig& memory_config = DRAM_MEMORY_CONFIG);

struct ToDevice {
    Tensor tensor{};  ///< on the host
    OptionalDevice device{};
    OptionalMemoryConfig memory_config{};  ///< none: DRAM interleaved
    Ignored queue_id{};

    static constexpr OperationInfo kOperation{"to_device", "A host tensor on a device.", "identity"};
    static constexpr auto kParameters =
        parameters(required<&ToDevice::tensor, &ToDevice::device>(), optional<&ToDevice::memory_config>(),
                   keyword<&ToDevice::queue_id>());

    std::tuple<const Tensor&, std::optional<std::string>, const MemoryConfig&> recorded() const;
    Tensor body() const;
};

inline constexpr Operation<ToDevice> to_device;

struct FromDevice {
    Tensor tensor{};
    bool blocking = true;  ///< has no effect
    Ignored queue_id{};

    static constexpr OperationInfo kOperation{"from_device", "A device tensor on the host.", "identity"};
    static constexpr auto kParameters =
        parameters(required<&FromDevice::tensor>(), optional<&FromDevice::blocking>().unrecorded(),
                   keyword<&FromDevice::queue_id>());
    Tensor body() const;
};

inline constexpr Operation<FromDevice> from_device;

/// Frees the device memory of a tensor, also for others that share it (`force`).
void deallocate(Tensor& tensor, bool force = true);

}  // namespace tilemeter
