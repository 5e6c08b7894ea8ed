// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Failures that people met on real boards, from public issue threads (facts/user-needs.md, failure cases):
// the model gives the figures of their messages.

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/buffer.hpp"
#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/device_memory.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/program_memory.hpp"
#include "runtime/types/tensor_spec.hpp"

namespace tilemeter {
namespace {

TensorSpec spec_of(const Shape& shape, DataType dtype, Layout layout, const MemoryConfig& config) {
    TensorSpec spec;
    spec.shape = shape;
    spec.dtype = dtype;
    spec.layout = layout;
    spec.memory_config = config;
    return spec;
}

// A tensor of `total` bytes in tiles.
TensorSpec tiles(std::uint64_t total, std::uint64_t page) {
    const DataType dtype = page == 1088 ? DataType::BFLOAT8_B : DataType::BFLOAT16;
    return spec_of({static_cast<std::uint32_t>(total / page * 32), 32}, dtype, Layout::TILE,
                   DRAM_MEMORY_CONFIG);
}

struct DramCase {
    const char* who;
    const char* board;
    std::uint64_t total;
    std::uint64_t banks;
    std::uint64_t per_bank;
    std::uint64_t page;
};

constexpr DramCase kDramCases[] = {
    {"Llama-3.2-11B-Vision", "n150", 117440512, 12, 9787392, 2048},
    {"Llama-3.2-90B-Vision", "n300", 234881024, 12, 19574784, 2048},
    {"Llama-3.3-70B", "n150", 499122176, 12, 41594240, 1088},
    {"Llama-3.1-8B cache", "n150", 71999488, 12, 6000320, 1088},
    {"Ministral-8B", "n150", 1073741824, 12, 89479168, 2048},
    {"Qwen3-8B", "n150", 1244659712, 12, 103723008, 2048},
    {"Falcon3-7B", "n150", 141557760, 12, 11796480, 2048},
    {"Bloom", "n150", 1027604480, 12, 85635072, 2048},
    {"OpenVLA", "n150", 90177536, 12, 7516160, 2048},
    {"Mistral-Nemo", "n150", 146800640, 12, 12234752, 2048},
    {"OFT", "n150", 5805965312, 12, 483831808, 2048},
    {"LLaVA-NeXT", "p150", 44493176832, 8, 5561647104, 2048},
};

TEST(OutOfMemory, dram_tensors_take_what_real_messages_say_of_every_bank) {
    for (const DramCase& row : kDramCases) {
        const DeviceDescription device = load_device_description(row.board);
        const BufferGeometry geometry = buffer_geometry(tiles(row.total, row.page), device);
        EXPECT_EQ(geometry.size_bytes, row.total) << row.who;
        EXPECT_EQ(geometry.page_size_bytes, row.page) << row.who;
        EXPECT_EQ(geometry.size_per_bank_bytes, row.per_bank) << row.who;
        EXPECT_EQ(num_banks_of(record::MemoryType::kDram, device), row.banks) << row.who;
    }
}

TEST(OutOfMemory, a_tensor_of_rows_takes_what_the_real_message_says) {
    // gpt-oss-120b: rows of 201,088 bytes.
    const BufferGeometry geometry =
        buffer_geometry(spec_of({16384, 100544}, DataType::BFLOAT16, Layout::ROW_MAJOR, DRAM_MEMORY_CONFIG),
                        load_device_description("n150"));
    EXPECT_EQ(geometry.size_bytes, 3294625792U);
    EXPECT_EQ(geometry.size_per_bank_bytes, 274686208U);
}

struct ShardedCase {
    const char* who;
    std::uint64_t total;
    std::uint32_t cores;
    std::uint64_t per_bank;
};

constexpr ShardedCase kShardedCases[] = {
    {"MobileNetV2", 12943360, 20, 647168},
    {"Falcon3-7B", 26542080, 48, 552960},
    {"UNet", 48814080, 60, 813568},
    {"SMP UNet ResNet101", 75669504, 64, 1182336},
    {"VoVNet b16", 52760576, 64, 824384},
    {"vanilla UNet", 49971200, 64, 780800},
    {"ResNet", 6214656, 56, 110976},
    {"shallow UNet 528", 41789440, 44, 949760},
    {"vanilla UNet, small", 1267712, 64, 19808},
    {"SD 3.5", 53477376, 64, 835584},
};

TEST(OutOfMemory, sharded_tensors_count_the_cores_of_their_grid_as_banks) {
    const DeviceDescription device = load_device_description("n150");
    for (const ShardedCase& row : kShardedCases) {
        const auto width = static_cast<std::uint32_t>(row.per_bank / 2);
        MemoryConfig config{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1, std::nullopt};
        config.shard_spec = ShardSpec{first_cores(row.cores, device.compute_grid, true), {1, width}};
        const BufferGeometry geometry = buffer_geometry(
            spec_of({row.cores, width}, DataType::BFLOAT16, Layout::ROW_MAJOR, config), device);
        EXPECT_EQ(geometry.size_bytes, row.total) << row.who;
        EXPECT_EQ(geometry.num_cores, row.cores) << row.who;
        EXPECT_EQ(geometry.size_per_bank_bytes, row.per_bank) << row.who;
    }
}

TEST(OutOfMemory, the_device_throws_with_the_figures_of_the_request_and_the_bank) {
    const std::shared_ptr<Device> device = open_device(0, {"p150", 0, 0});
    const TensorSpec llava = tiles(44493176832, 2048);
    try {
        Buffer::allocate(device, llava);
        ADD_FAILURE() << "a tensor larger than the device was allocated";
    } catch (const OutOfMemoryError& error) {
        EXPECT_EQ(error.num_banks, 8U);
        EXPECT_EQ(error.size_per_bank_bytes, 5561647104U);
        EXPECT_STREQ(
            error.what(),
            "Out of Memory: Not enough space to allocate 44493176832 B DRAM buffer across 8 banks, "
            "where each bank needs to store 5561647104 B, but bank size is 4277141376 B (allocated: 0 "
            "B, free: 4277141376 B, largest free block: 4277141376 B).");
    }
    close_device(*device);
}

// The rest of every bank is a tile less than the tensor needs: the figures stand in the message.
TEST(OutOfMemory, the_device_says_the_figures_of_the_real_messages) {
    for (const DramCase& row : kDramCases) {
        const std::shared_ptr<Device> device = open_device(0, {row.board, 0, 0});
        const std::uint64_t bank =
            device->memory().allocator(record::MemoryType::kDram).statistics().bank_size;
        std::shared_ptr<Buffer> other;
        if (row.per_bank <= bank) {
            const std::uint64_t pages = (bank - row.per_bank) / 2048 + 1;
            other = Buffer::allocate(device, tiles(pages * row.banks * 2048, 2048));
        }
        const std::string figures = "allocate " + std::to_string(row.total) + " B DRAM buffer across " +
                                    std::to_string(row.banks) + " banks, where each bank needs to store " +
                                    std::to_string(row.per_bank) + " B,";
        try {
            Buffer::allocate(device, tiles(row.total, row.page));
            ADD_FAILURE() << row.who << ": fits";
        } catch (const OutOfMemoryError& error) {
            EXPECT_NE(std::string(error.what()).find(figures), std::string::npos) << error.what();
            EXPECT_EQ(error.owners.size(), other ? 1U : 0U);
        }
        close_device(*device);
    }
}

TEST(OutOfMemory, L1_small_says_where_its_size_is_set) {
    // vanilla UNet: 19,808 B of L1_SMALL on each of 64 cores.
    const std::shared_ptr<Device> device = open_device(0, {"n150", 16384, 0});
    MemoryConfig config{TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1_SMALL, std::nullopt};
    config.shard_spec = ShardSpec{whole_grid(device->description().compute_grid), {1, 9904}};
    try {
        Buffer::allocate(device, spec_of({64, 9904}, DataType::BFLOAT16, Layout::ROW_MAJOR, config));
        ADD_FAILURE() << "it fits";
    } catch (const OutOfMemoryError& error) {
        EXPECT_STREQ(error.what(),
                     "Out of Memory: Not enough space to allocate 1267712 B L1_SMALL buffer across 64 banks, "
                     "where each bank needs to store 19808 B, but bank size is 16384 B (allocated: 0 B, "
                     "free: 16384 B, largest free block: 16384 B). The L1_SMALL region is sized at device "
                     "open; increase l1_small_size when opening the device.");
    }
    close_device(*device);
}

TEST(OutOfMemory, says_the_size_of_aligned_pages) {
    // TT-NN 0.81.1 of 300,000,000 rows of 62 bytes in DRAM, whose pages begin at multiples of 32.
    const std::shared_ptr<Device> device = open_device(0, {"n150", 0, 0});
    try {
        Buffer::allocate(device,
                         spec_of({300000000, 31}, DataType::BFLOAT16, Layout::ROW_MAJOR, DRAM_MEMORY_CONFIG));
        ADD_FAILURE() << "it fits";
    } catch (const OutOfMemoryError& error) {
        EXPECT_STREQ(
            error.what(),
            "Out of Memory: Not enough space to allocate 19200000000 B DRAM buffer across 12 banks, where "
            "each bank needs to store 1600000000 B, but bank size is 1072693184 B (allocated: 0 B, free: "
            "1072693184 B, largest free block: 1072693184 B).");
    }
    close_device(*device);
}

struct Clash {
    const char* who;
    const char* board;
    std::uint64_t buffer;
    std::uint64_t region_end;
    std::uint64_t overlap;
    CoreCoord cores;
    std::uint64_t base = 0;  ///< the base of programs then; 0: today's
    CoreCoord grid{};        ///< of the chip; none: that of the board
};

// On a Galaxy the chips have more rows; older releases kept less below the programs (102,400 at most, or
// tensors could not have lain there).
constexpr std::uint64_t kOlderBase = 101664;
constexpr Clash kClashes[] = {
    {"DeepSeek MLA", "p150", 1563072, 1563264, 192, {11, 10}},
    {"Stable Diffusion", "n150", 941952, 942848, 896, {8, 8}},
    {"SD UNet 512", "n150", 950080, 951392, 1312, {8, 8}},
    {"UNet p150", "p150", 1106944, 1110656, 3712, {13, 10}},
    {"UNet-brain", "n150", 285312, 296160, 10848, {8, 8}},
    {"YOLOv9c 640", "n150", 1236992, 1250432, 13440, {8, 6}},
    {"ViT-large 384", "n150", 622592, 654368, 31776, {5, 1}},
    {"wqkv/wo", "p100", 1378048, 1430656, 52608, {1, 1}},
    {"YOLOv11m", "n150", 974336, 1089536, 115200, {8, 8}},
    {"ResNet50", "e150", 267584, 435136, 167552, {12, 8}},
    {"Gemma-1.1-2B", "n150", 665600, 890144, 224544, {4, 8}},
    {"conv2d 3x3x203x203", "n300", 801280, 1385632, 584352, {8, 7}},
    {"EfficientNet-B4", "n300", 556928, 1143360, 586432, {8, 7}},
    {"conv2d in a report test", "p150", 307200, 701376, 394176, {13, 8}},
    {"MapTR conv2d", "n150", 660992, 1087328, 426336, {8, 6}},
    {"Carvana UNet 480x640", "n150", 102400, 102464, 64, {8, 8}, kOlderBase},
    {"Phi-2", "n150", 104448, 107936, 3488, {8, 8}, kOlderBase},
    {"scatter_add, Llama 70B Galaxy", "n150", 567488, 754528, 187040, {3, 10}, 0, {8, 10}},
};

TEST(Clash, is_found_with_the_addresses_of_real_messages) {
    for (const Clash& row : kClashes) {
        DeviceDescription device = load_device_description(row.board);
        if (row.base != 0) device.l1_unreserved_base = row.base;
        if (row.grid.x != 0) device.compute_grid = row.grid;
        const ProgramMemory piece{ProgramMemoryKind::kCircularBuffer,
                                  row.region_end - device.l1_unreserved_base, whole_grid(row.cores),
                                  ProgramMemory::kOwn};
        const std::vector<ProgramMemory> pieces = {piece};
        const ProgramPlacement placement = place_program_memory(pieces, device);
        try {
            require_program_memory_fits(pieces, placement, device, 1, row.buffer);
            ADD_FAILURE() << row.who << ": no clash";
        } catch (const ProgramMemoryClashError& error) {
            EXPECT_EQ(error.region_end - error.lowest_buffer_address, row.overlap) << row.who;
            EXPECT_EQ(error.cores, whole_grid(row.cores).bounding_box()) << row.who;
        }
        EXPECT_NO_THROW(require_program_memory_fits(pieces, placement, device, 1, row.region_end)) << row.who;
    }
}

TEST(Clash, program_memory_beyond_the_core_is_too_large_whatever_lies_there) {
    struct TooLarge {
        const char* board;
        std::uint64_t region_end;
        std::uint64_t l1_size;
    };
    for (const TooLarge& row : {TooLarge{"n150", 1741152, 1499136}, TooLarge{"n150", 1754272, 1499136},
                                TooLarge{"n150", 1661920, 1499136}, TooLarge{"n150", 2251808, 1499136},
                                TooLarge{"n150", 2292704, 1499136}, TooLarge{"n150", 2587616, 1499136},
                                TooLarge{"p150", 2101768, 1572864}, TooLarge{"p150", 1683968, 1572864},
                                TooLarge{"p150", 1880640, 1572864}, TooLarge{"p100", 1574080, 1572864}}) {
        const DeviceDescription device = load_device_description(row.board);
        const std::vector<ProgramMemory> pieces = {{ProgramMemoryKind::kCircularBuffer,
                                                    row.region_end - device.l1_unreserved_base,
                                                    whole_grid(device.compute_grid), ProgramMemory::kOwn}};
        try {
            require_program_memory_fits(pieces, place_program_memory(pieces, device), device, 1,
                                        std::nullopt);
            ADD_FAILURE() << row.region_end << ": fits";
        } catch (const ProgramMemoryTooLargeError& error) {
            EXPECT_EQ(error.region_end, row.region_end);
            EXPECT_EQ(error.l1_size, row.l1_size);
        }
    }
}

}  // namespace
}  // namespace tilemeter
