// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/file.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>

#include "capture/ir/error.hpp"
#include "capture/ir/internal/text_format.hpp"
#include "capture/ir/text.hpp"

namespace tilemeter::ir {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what,
                         const std::string& reason) {
    throw Error(ErrorKind::kFile, path.string() + ": " + what + ": " + reason);
}

}  // namespace

void save(const Graph& graph, const std::filesystem::path& path) {
    const std::string text = print(graph, {.checksum = true});
    // An old file stays until the new one is whole, and a link leads where it did; devices and pipes are written to as they
    // are.
    std::error_code error;
    const bool replaces =
        !std::filesystem::exists(path, error) || std::filesystem::is_regular_file(path, error);
    std::filesystem::path target = replaces ? std::filesystem::weakly_canonical(path, error) : path;
    if (error) target = path;
    std::filesystem::path part = target;
    if (replaces) part += ".part";
    const auto give_up = [&](const std::string& reason) {
        std::error_code ignored;
        if (replaces) std::filesystem::remove(part, ignored);
        refuse(path, "can't write the graph", reason);
    };
    errno = 0;
    std::ofstream file(part, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) give_up(errno != 0 ? std::strerror(errno) : "output error");
    if (!replaces) return;
    std::filesystem::rename(part, target, error);
    if (error) give_up(error.message());
}

Graph load(const std::filesystem::path& path) {
    std::error_code unknown;
    if (std::filesystem::is_directory(path, unknown)) refuse(path, "can't read it", "it is a folder");
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::string text;
    std::array<char, 1 << 16> piece{};
    // A file that is no graph may have no end, as a device: parse() refuses it by its beginning.
    while ((file.read(piece.data(), piece.size()) || file.gcount() > 0) &&
           text.starts_with(internal::kMagic.substr(0, text.size())))
        text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
    if (!file.is_open() || file.bad())
        refuse(path, "can't read it", errno != 0 ? std::strerror(errno) : "input error");
    try {
        return parse(text);
    } catch (const Error& error) {
        throw Error(error.kind(), path.string() + ": " + error.what());
    }
}

}  // namespace tilemeter::ir
