// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/enums.hpp"

#include <array>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>

namespace tt {

namespace {

constexpr std::array<std::pair<DataFormat, const char*>, 20> kFormats = {{
    {DataFormat::Float32, "Float32"},
    {DataFormat::Float16, "Float16"},
    {DataFormat::Bfp8, "Bfp8"},
    {DataFormat::Bfp4, "Bfp4"},
    {DataFormat::Tf32, "Tf32"},
    {DataFormat::Float16_b, "Float16_b"},
    {DataFormat::Bfp8_b, "Bfp8_b"},
    {DataFormat::Bfp4_b, "Bfp4_b"},
    {DataFormat::Int32, "Int32"},
    {DataFormat::UInt16, "UInt16"},
    {DataFormat::Lf8, "Lf8"},
    {DataFormat::Bfp2, "Bfp2"},
    {DataFormat::Int8, "Int8"},
    {DataFormat::Bfp2_b, "Bfp2_b"},
    {DataFormat::UInt32, "UInt32"},
    {DataFormat::UInt8, "UInt8"},
    {DataFormat::RawUInt8, "RawUInt8"},
    {DataFormat::RawUInt16, "RawUInt16"},
    {DataFormat::RawUInt32, "RawUInt32"},
    {DataFormat::Fp8_e4m3, "Fp8_e4m3"},
}};

}  // namespace

std::ostream& operator<<(std::ostream& out, DataFormat format) {
    for (const auto& [each, name] : kFormats)
        if (each == format) return out << name;
    return out << "Invalid";
}

namespace tt_metal {

namespace {

struct DataTypeFacts {
    DataType dtype;
    DataFormat format;
    const char* name;
};
constexpr std::array<DataTypeFacts, 10> kTypes = {{
    {DataType::BFLOAT16, DataFormat::Float16_b, "BFLOAT16"},
    {DataType::FLOAT32, DataFormat::Float32, "FLOAT32"},
    {DataType::UINT32, DataFormat::UInt32, "UINT32"},
    {DataType::BFLOAT8_B, DataFormat::Bfp8_b, "BFLOAT8_B"},
    {DataType::BFLOAT4_B, DataFormat::Bfp4_b, "BFLOAT4_B"},
    {DataType::UINT8, DataFormat::UInt8, "UINT8"},
    {DataType::UINT16, DataFormat::UInt16, "UINT16"},
    {DataType::INT32, DataFormat::Int32, "INT32"},
    {DataType::FP8_E4M3, DataFormat::Fp8_e4m3, "FP8_E4M3"},
    {DataType::INT8, DataFormat::Int8, "INT8"},
}};

// The name at the place of a value, for enumerations that count from 0.
template <typename Enum, std::size_t Count>
std::ostream& named(std::ostream& out, Enum value, const std::array<const char*, Count>& names) {
    const auto place = static_cast<std::size_t>(value);
    return out << (place < Count ? names[place] : "INVALID");
}

}  // namespace

DataFormat datatype_to_dataformat_converter(DataType dtype) {
    for (const DataTypeFacts& each : kTypes)
        if (each.dtype == dtype) return each.format;
    throw std::runtime_error("datatype_to_dataformat_converter: expected a data type, found number " +
                             std::to_string(static_cast<int>(dtype)));
}
DataType dataformat_to_datatype_converter(DataFormat format) {
    for (const DataTypeFacts& each : kTypes)
        if (each.format == format) return each.dtype;
    throw std::runtime_error("dataformat_to_datatype_converter: expected a format of tensors, found number " +
                             std::to_string(static_cast<int>(format)));
}

std::ostream& operator<<(std::ostream& out, DataType dtype) {
    for (const DataTypeFacts& each : kTypes)
        if (each.dtype == dtype) return out << each.name;
    return out << "INVALID";
}
std::ostream& operator<<(std::ostream& out, Layout layout) {
    return named(out, layout, std::array{"ROW_MAJOR", "TILE"});
}
std::ostream& operator<<(std::ostream& out, BufferType type) {
    return named(out, type, std::array{"DRAM", "L1", "SYSTEM_MEMORY", "L1_SMALL", "TRACE"});
}
std::ostream& operator<<(std::ostream& out, TensorMemoryLayout layout) {
    return named(out, layout,
                 std::array{"INTERLEAVED", "SINGLE_BANK", "HEIGHT_SHARDED", "WIDTH_SHARDED", "BLOCK_SHARDED",
                            "ND_SHARDED"});
}
std::ostream& operator<<(std::ostream& out, ShardOrientation orientation) {
    return named(out, orientation, std::array{"ROW_MAJOR", "COL_MAJOR"});
}
std::ostream& operator<<(std::ostream& out, MathFidelity fidelity) {
    return named(out, fidelity, std::array{"LoFi", "INVALID", "HiFi2", "HiFi3", "HiFi4"});
}
std::ostream& operator<<(std::ostream& out, StorageType type) {
    return named(out, type, std::array{"HOST", "DEVICE"});
}

}  // namespace tt_metal
}  // namespace tt
