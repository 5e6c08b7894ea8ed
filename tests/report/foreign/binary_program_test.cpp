// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Binary forms of compiled programs, of an executable that JAX's plugin for tile devices serialized (add_o0.tt): the container,
// its flatbuffer, and the flatbuffer without the module's text.

#include "report/foreign/binary_program.hpp"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "report/foreign/load.hpp"
#include "tests/paths.hpp"

namespace tilemeter::foreign {
namespace {

std::string path() {
    return test::data_folder() + "/compiled/add_o0.tt";
}

std::string container() {
    std::ifstream file(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// With its size in front of it.
std::string flatbuffer() {
    const std::string bytes = container();
    return bytes.substr(bytes.find("TTNN", bytes.find("TTSERv00")) - 8);
}

template <typename T>
T at(const std::string& bytes, std::size_t place) {
    T value;
    std::memcpy(&value, bytes.data() + place, sizeof value);
    return value;
}

// Takes a field out of a table. `place`: of the table.
void forget(std::string& bytes, std::size_t place, std::size_t field) {
    const std::size_t fields = place - static_cast<std::size_t>(at<std::int32_t>(bytes, place));
    bytes[fields + 4 + 2 * field] = bytes[fields + 5 + 2 * field] = '\0';
}

CompiledProgram read(const std::string& bytes) {
    auto program = read_binary_program("test.ttnn", bytes);
    if (!program) throw std::runtime_error(program.error().message());
    return std::move(program).value();
}

void expect_the_program(const CompiledProgram& program) {
    const ProgramFunction* main = program.find("main");
    ASSERT_NE(main, nullptr);
    std::vector<std::string> names;
    for (const ProgramOperation& operation : main->operations)
        names.emplace_back(operation.name);
    EXPECT_EQ(names, (std::vector<std::string>{"ttnn.to_layout", "ttnn.deallocate", "ttnn.to_layout",
                                               "ttnn.deallocate", "ttnn.add", "ttnn.deallocate",
                                               "ttnn.deallocate"}));
    ASSERT_EQ(main->arguments.size(), 2U);
    const TensorType& type = program.type_of(*main, main->arguments[0]);
    EXPECT_EQ(type.shape, (std::vector<std::int64_t>{32, 32}));
    EXPECT_EQ(type.element, "bf16");
    ASSERT_TRUE(type.layout);
    EXPECT_FALSE(type.layout->is_tiled);
    EXPECT_EQ(type.layout->memory, "dram");
    EXPECT_EQ(type.layout->arrangement, "interleaved");
    ASSERT_EQ(main->results.size(), 1U);
    EXPECT_EQ(main->results, main->operations[4].results);
    EXPECT_EQ(program.places[main->operations[4].place].file, "folder/of_the/models//programs.py");
    EXPECT_EQ(program.places[main->operations[4].place].line, 6U);
    EXPECT_EQ(program.system.architecture, "blackhole");
    EXPECT_EQ(program.system.grid_columns, 13);
    EXPECT_EQ(program.system.l1_size, 1'572'864);
    EXPECT_EQ(program.system.dram_channels, 8);
    EXPECT_GT(program.system.l1_base, 0);
    EXPECT_EQ(program.system.chip_count, 1U);
    EXPECT_EQ(program.system.mesh_shape, (std::vector<std::int64_t>{1, 1}));
}

TEST(BinaryProgram, IsReadFromAContainer) {
    EXPECT_TRUE(is_compiled_program(path()));
    auto program = load_compiled_program(path());
    ASSERT_TRUE(program) << program.error().message();
    expect_the_program(program.value());
}

TEST(BinaryProgram, IsReadFromAFlatbufferWithItsSizeOrWithout) {
    expect_the_program(read(flatbuffer()));
    expect_the_program(read(flatbuffer().substr(4)));
}

// Where the table or list lies that a field of a table leads to.
std::size_t target(const std::string& bytes, std::size_t table, std::size_t field) {
    const std::size_t fields = table - static_cast<std::size_t>(at<std::int32_t>(bytes, table));
    const std::size_t place = table + at<std::uint16_t>(bytes, fields + 4 + 2 * field);
    return place + at<std::uint32_t>(bytes, place);
}

// Every tensor that the module's text has, with its memory and its frees.
TEST(BinaryProgram, IsMadeOfItsTensorsWhereOperationsHaveNoText) {
    std::string bytes = flatbuffer();
    const std::size_t root = 4 + at<std::uint32_t>(bytes, 4);
    forget(bytes, root, 4);
    const std::size_t programs = target(bytes, root, 5);
    const std::size_t first = programs + 4 + at<std::uint32_t>(bytes, programs + 4);
    forget(bytes, first, 5);
    const std::size_t operations = target(bytes, first, 3);
    for (std::size_t i = 0; i < at<std::uint32_t>(bytes, operations); ++i) {
        const std::size_t element = operations + 4 + 4 * i;
        forget(bytes, element + at<std::uint32_t>(bytes, element), 2);
    }
    const CompiledProgram program = read(bytes), whole = read(flatbuffer());
    const ProgramFunction *main = program.find("main"), *expected = whole.find("main");
    ASSERT_TRUE(main != nullptr && expected != nullptr);
    ASSERT_EQ(main->operations.size(), expected->operations.size());
    for (std::size_t i = 0; i < main->operations.size(); ++i) {
        const ProgramOperation &found = main->operations[i], &original = expected->operations[i];
        EXPECT_EQ(found.name == "ttnn.deallocate", original.name == "ttnn.deallocate") << i;
        EXPECT_TRUE(found.name == "ttnn.deallocate" || found.name.starts_with("ttnn.operation_")) << i;
        EXPECT_EQ(found.operands, program.tensors_among(*main, original.operands)) << i;
        ASSERT_EQ(found.results, original.results) << i;
        for (const ValueId result : found.results) {
            const TensorType &type = program.type_of(*main, result), &same = whole.type_of(*expected, result);
            EXPECT_EQ(type.shape, same.shape);
            EXPECT_EQ(type.layout->shard, same.layout->shard);
            EXPECT_EQ(type.layout->memory, same.layout->memory);
        }
    }
    EXPECT_EQ(main->results, expected->results);
}

TEST(BinaryProgram, IsMadeOfTheTablesWhereTheModulesTextIsNotKept) {
    std::string bytes = flatbuffer();
    const std::size_t root = 4 + at<std::uint32_t>(bytes, 4);
    forget(bytes, root, 4);
    // Stages beside the first function, too.
    const std::size_t fields = root - static_cast<std::size_t>(at<std::int32_t>(bytes, root));
    const std::size_t list_field = root + at<std::uint16_t>(bytes, fields + 4 + 2 * 5);
    const std::size_t list = list_field + at<std::uint32_t>(bytes, list_field);
    forget(bytes, list + 4 + at<std::uint32_t>(bytes, list + 4), 5);
    ASSERT_NE(bytes, flatbuffer());
    expect_the_program(read(bytes));
}

TEST(BinaryProgram, OfADamagedFileIsOneLineWithItsByte) {
    const std::string whole = container();
    for (std::size_t size = 200; size < whole.size(); size += 977) {
        const auto program = read_binary_program("cut.tt", whole.substr(0, size));
        ASSERT_FALSE(program) << size;
        const std::string message = program.error().message();
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
        EXPECT_NE(message.find("cut.tt: byte "), std::string::npos) << message;
        EXPECT_NE(message.find("expected"), std::string::npos) << message;
    }
    const auto flat = read_binary_program("cut.ttnn", flatbuffer().substr(0, 3000));
    ASSERT_FALSE(flat);
    EXPECT_NE(flat.error().message().find("cut.ttnn: byte "), std::string::npos) << flat.error().message();
}

}  // namespace
void put(std::string& bytes, std::uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i)
        bytes += static_cast<char>(value >> (8 * i) & 0xffU);
}

// The fields' description of a table with one field, which stands behind the table's first four bytes.
void put_description(std::string& bytes, unsigned fields) {
    put(bytes, 4 + 2 * fields, 2);
    put(bytes, 8, 2);
    for (unsigned i = 0; i < fields; ++i)
        put(bytes, i + 1 == fields ? 4 : 0, 2);
}

TEST(BinaryProgram, a_small_file_that_names_its_tables_many_times_is_refused) {
    constexpr std::uint32_t kTimes = 4000;
    const std::string text = "%0 = \"ttnn.relu\"(%arg0) : (none) -> none";
    std::string bytes;
    put(bytes, 48, 4);
    bytes += "TTNN";
    put_description(bytes, 6);  // the root's, at 8: programs
    put_description(bytes, 4);  // a program's, at 24: operations
    put_description(bytes, 3);  // an operation's, at 36: its text
    put(bytes, 0, 2);
    const auto table = [&bytes](std::uint64_t description) {
        put(bytes, bytes.size() - description, 4);
        put(bytes, 4, 4);
    };
    const auto same = [&bytes] {
        put(bytes, kTimes, 4);
        for (std::uint32_t left = kTimes; left > 0; --left)
            put(bytes, 4 * left, 4);
    };
    table(8);
    same();
    table(24);
    same();
    table(36);
    put(bytes, text.size(), 4);
    bytes += text;
    const auto program = read_binary_program("small.ttnn", bytes);
    ASSERT_FALSE(program.ok());
    EXPECT_NE(program.error().expected.find("tables that are named once each"), std::string::npos)
        << program.error().message();
}

}  // namespace tilemeter::foreign
