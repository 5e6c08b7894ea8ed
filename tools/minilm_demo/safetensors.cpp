// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/minilm_demo/safetensors.hpp"

#include <cstring>
#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace tilemeter::demo {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
    throw std::runtime_error(path.string() + ": " + what);
}

std::string read_header(std::ifstream& in, const std::filesystem::path& path, std::uint64_t file_size) {
    std::uint64_t length = 0;
    in.read(reinterpret_cast<char*>(&length), sizeof length);
    if (!in || length > file_size - sizeof length) {
        fail(path,
             "byte 0: expected the length of a header within the file, found " + std::to_string(length));
    }
    std::string header(length, '\0');
    in.read(header.data(), static_cast<std::streamsize>(length));
    if (!in)
        fail(path, "byte 8: expected a header of " + std::to_string(length) + " bytes, the file ends before");
    return header;
}

NamedValues read_values(std::ifstream& in, const std::filesystem::path& path, const std::string& name,
                        const nlohmann::json& entry, std::uint64_t data_begin, std::uint64_t file_size) {
    NamedValues tensor;
    tensor.shape = entry.at("shape").get<std::vector<std::uint32_t>>();
    const std::uint64_t begin = entry.at("data_offsets").at(0);
    const std::uint64_t end = entry.at("data_offsets").at(1);
    std::uint64_t count = 1;
    for (const std::uint32_t dimension : tensor.shape)
        count *= dimension;
    if (end < begin || data_begin + end > file_size || end - begin != count * sizeof(float)) {
        fail(path, name + ": expected " + std::to_string(count * sizeof(float)) +
                       " bytes within the file, found " + std::to_string(begin) + " to " +
                       std::to_string(end));
    }
    tensor.values.resize(count);
    in.seekg(static_cast<std::streamoff>(data_begin + begin));
    in.read(reinterpret_cast<char*>(tensor.values.data()), static_cast<std::streamsize>(end - begin));
    if (!in) fail(path, name + ": cannot be read");
    return tensor;
}

}  // namespace

std::map<std::string, NamedValues> read_safetensors(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) fail(path, "cannot be opened");
    const std::uint64_t file_size = std::filesystem::file_size(path);
    if (file_size < 8)
        fail(path, "expected a safetensors file, found " + std::to_string(file_size) + " bytes");
    const std::string header = read_header(in, path, file_size);
    std::map<std::string, NamedValues> tensors;
    try {
        const nlohmann::json entries = nlohmann::json::parse(header);
        for (const auto& [name, entry] : entries.items()) {
            if (name == "__metadata__" || entry.at("dtype") != "F32") continue;
            tensors.emplace(name, read_values(in, path, name, entry, 8 + header.size(), file_size));
        }
    } catch (const nlohmann::json::exception& error) {
        fail(path, std::string("header: ") + error.what());
    }
    return tensors;
}

}  // namespace tilemeter::demo
