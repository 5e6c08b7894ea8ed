// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/load.hpp"

#include <fstream>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "report/foreign/binary_program.hpp"
#include "report/foreign/mlir_program.hpp"
#include "report/input.hpp"

namespace tilemeter::foreign {

namespace {

// Reports and archives are told by few bytes: asked of every file that a verb is given.
constexpr std::size_t kFirstBytes = 512;

// Compressed files of other kinds, and reports, are not looked at further.
bool is_archive(std::string_view head) {
    const std::size_t begin = head.find_first_not_of(" \t\r\n");
    return head.starts_with("\x1f\x8b") || head.starts_with("\x28\xb5\x2f\xfd") || head.starts_with("PK") ||
           (begin != std::string_view::npos && (head[begin] == '{' || head[begin] == '['));
}

bool may_be_program(std::string_view head) {
    const std::size_t begin = head.find_first_not_of(" \t\r\n");
    if (begin != std::string_view::npos && (head[begin] == '{' || head[begin] == '[')) return false;
    return head.find('\0') == std::string_view::npos;
}

bool is_program(std::string_view head) {
    if (!may_be_program(head)) return false;
    // An alias of its layouts, or an operation with its brackets, generic or printed.
    return head.find("#ttnn.ttnn_layout<") != std::string_view::npos ||
           head.find("\"ttnn.") != std::string_view::npos;
}

}  // namespace

bool is_compiled_program(const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return false;
    std::ifstream file(path, std::ios::binary);
    std::string head;
    const auto read_up_to = [&](std::size_t size) {
        const std::size_t begin = head.size();
        head.resize(size);
        file.read(head.data() + begin, static_cast<std::streamsize>(size - begin));
        head.resize(begin + static_cast<std::size_t>(file.gcount()));
        return std::string_view(head);
    };
    const std::string_view first = read_up_to(kFirstBytes);
    if (is_binary_program(first)) return true;
    // A container may begin behind what a framework says of the program's arguments.
    if (!may_be_program(first)) return !is_archive(first) && is_binary_program(read_up_to(kHeadSize));
    return is_program(read_up_to(kHeadSize));
}

report::Result<CompiledProgram> load_compiled_program(const std::filesystem::path& path) {
    auto input = report::Input::open_as_it_is(path);
    if (!input) return input.error();
    auto text = std::make_shared<std::string>();
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    for (std::size_t read = kPiece; read == kPiece;) {
        const std::size_t size = text->size();
        text->resize(size + kPiece);
        const auto piece = input->read(size, text->data() + size, kPiece);
        if (!piece) return input->cause_of(piece.error());
        read = piece.value();
        text->resize(size + read);
    }
    if (is_binary_program(std::string_view(*text).substr(0, kHeadSize)))
        return read_binary_program(input->name(), *text);
    return read_mlir_program(input->name(), std::move(text));
}

}  // namespace tilemeter::foreign
