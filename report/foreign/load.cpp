// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/load.hpp"

#include <fstream>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "report/foreign/mlir_program.hpp"
#include "report/input.hpp"

namespace tilemeter::foreign {

bool is_compiled_program(std::string_view head) {
    const std::size_t begin = head.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || head[begin] == '{' || head[begin] == '[') return false;
    if (head.find('\0') != std::string_view::npos) return false;
    // An alias of its layouts, or an operation with its brackets, generic or printed.
    return head.find("#ttnn.ttnn_layout<") != std::string_view::npos ||
           head.find("\"ttnn.") != std::string_view::npos;
}

bool is_compiled_program(const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return false;
    std::ifstream file(path, std::ios::binary);
    std::string head(kHeadSize, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    return is_compiled_program(std::string_view(head));
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
    return read_mlir_program(input->name(), std::move(text));
}

}  // namespace tilemeter::foreign
