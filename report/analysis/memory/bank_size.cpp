// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/memory/bank_size.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "report/analysis/nodes/core_set.hpp"

namespace tilemeter::analysis {
namespace {

struct TypeSize {
    std::string_view dtype;
    std::uint64_t tile_bytes;  // 32 x 32 elements, block types with their exponents
    std::uint64_t element_bytes;
};
constexpr std::array<TypeSize, 8> kTypeSizes{{{"BFLOAT16", 2048, 2},
                                              {"FLOAT32", 4096, 4},
                                              {"UINT32", 4096, 4},
                                              {"INT32", 4096, 4},
                                              {"UINT16", 2048, 2},
                                              {"UINT8", 1024, 1},
                                              {"BFLOAT8_B", 1088, 0},
                                              {"BFLOAT4_B", 576, 0}}};

std::uint64_t last_dimension(std::string_view shape) {
    std::uint64_t number = 0;
    std::uint64_t last = 0;
    bool in_number = false;
    for (const char c : shape) {
        const bool digit = c >= '0' && c <= '9';
        if (digit)
            number = in_number ? number * 10 + static_cast<std::uint64_t>(c - '0')
                               : static_cast<std::uint64_t>(c - '0');
        in_number = digit;
        if (digit) last = number;
    }
    return last;
}

std::uint64_t bank_count(const NodeList& list, const NodeList::Buffer& buffer) {
    const ListedDevice* device = nullptr;
    if (buffer.device.given()) device = list.device(buffer.device.value_or(0));
    if (device == nullptr && !list.devices.empty()) device = &list.devices.front();
    if (device == nullptr) return 0;
    return (is_dram(buffer.memory) ? device->dram_banks : device->l1_banks).size_bytes();
}

}  // namespace

std::uint64_t size_per_bank(std::uint64_t size_bytes, std::uint64_t page_size_bytes, std::uint64_t banks) {
    if (page_size_bytes == 0 || banks == 0) return size_bytes;
    const std::uint64_t pages = size_bytes / page_size_bytes + (size_bytes % page_size_bytes != 0 ? 1 : 0);
    return (pages + banks - 1) / banks * page_size_bytes;
}

std::uint64_t page_size_of(std::string_view shape, std::string_view dtype, std::string_view layout) {
    for (const TypeSize& type : kTypeSizes) {
        if (!dtype.ends_with(type.dtype)) continue;
        if (layout.ends_with("ROW_MAJOR")) return last_dimension(shape) * type.element_bytes;
        return type.tile_bytes;
    }
    return 0;
}

std::uint64_t shard_core_count(std::string_view memory_config) {
    const std::size_t grid = memory_config.find("grid=");
    if (grid == std::string_view::npos) return 0;
    const std::size_t open = memory_config.find_first_of("[{", grid);
    const std::size_t close = memory_config.find_first_of(']', grid);
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return 0;
    const CoreSet cores = parse_core_set(memory_config.substr(open, close - open + 1));
    return cores.everywhere ? 0 : cores.cores.size();
}

BankSize bank_size_of(const NodeList& list, const NodeList::Buffer& buffer, const NodeList::Tensor* tensor) {
    if (buffer.size_per_bank_bytes.given())
        return {buffer.size_per_bank_bytes.size_bytes(), SizeOrigin::kRecorded};
    const std::uint64_t size = buffer.size_bytes.size_bytes();
    const bool sharded = list.text(buffer.layout).find("SHARDED") != std::string_view::npos;
    std::uint64_t page = buffer.page_size_bytes.size_bytes();
    if (page == 0 && tensor != nullptr)
        page = page_size_of(list.text(tensor->shape), list.text(tensor->dtype), list.text(tensor->layout));
    std::uint64_t banks = sharded ? buffer.cores.size_bytes() : bank_count(list, buffer);
    if (sharded && banks == 0 && tensor != nullptr)
        banks = shard_core_count(list.text(tensor->memory_config));
    if (banks == 0 || (page == 0 && !sharded)) return {size, SizeOrigin::kWhole};
    return {sharded ? (size + banks - 1) / banks : size_per_bank(size, page, banks), SizeOrigin::kComputed};
}

}  // namespace tilemeter::analysis
