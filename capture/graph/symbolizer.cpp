// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/symbolizer.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include "capture/log/log.hpp"
#include "capture/record/modules.hpp"

namespace tilemeter::graph {

namespace {

std::string hexadecimal(std::uint64_t number) {
    std::array<char, 18> digits;  // NOLINT: filled below
    constexpr int kBase = 16;
    return "0x" + std::string(digits.data(),
                              std::to_chars(digits.data(), digits.data() + digits.size(), number, kBase).ptr);
}

std::string demangled(const char* name) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                      &std::free);
    return status == 0 && text ? without_parameters(text.get()) : std::string(name);
}

std::string name_of(Dwarf_Die* die) {
    Dwarf_Attribute attribute;
    for (const unsigned kind : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
        if (dwarf_attr_integrate(die, kind, &attribute) == nullptr) continue;
        if (const char* name = dwarf_formstring(&attribute)) return demangled(name);
    }
    const char* const name = dwarf_diename(die);
    return name != nullptr ? name : "";
}

struct Place {
    std::string file;
    std::uint32_t line = 0;
};

/// From where an inlined function was called.
Place call_place(Dwarf_Die* inlined, Dwarf_Die* unit) {
    Place place;
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &number) == 0)
        place.line = static_cast<std::uint32_t>(number);
    Dwarf_Files* files = nullptr;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &number) == 0 &&
        dwarf_getsrcfiles(unit, &files, nullptr) == 0) {
        if (const char* name = dwarf_filesrc(files, number, nullptr, nullptr)) place.file = name;
    }
    return place;
}

}  // namespace

std::string without_parameters(std::string name) {
    // Behind the parameters: " const", " &", " [clone .part.0]", "[abi:cxx11]".
    const std::size_t close = name.rfind(')');
    if (close != std::string::npos) {
        std::size_t depth = 0;
        for (std::size_t i = close + 1; i-- > 0;) {
            if (name[i] == ')') ++depth;
            if (name[i] == '(' && --depth == 0) {
                const std::string_view before = std::string_view(name).substr(0, i);
                // "{lambda(int)#1}" ends in no parameter list, "operator()" is a name.
                if (name.find('}', close) == std::string::npos && !before.ends_with("operator") && i > 0)
                    name.resize(i);
                break;
            }
        }
    }
    if (name.find("operator") != std::string::npos) return name;
    std::size_t depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (c == '<' || c == '(' || c == '{') ++depth;
        if ((c == '>' || c == ')' || c == '}') && depth > 0) --depth;
        if (c == ' ' && depth == 0) begin = i + 1;
    }
    // A blank in "(anonymous namespace)" lies within brackets.
    return name.substr(begin);
}

std::string Frame::to_text() const {
    std::string text = module.empty() ? "?" : module;
    text += '(';
    text += function;
    if (!inlined) text.append("+").append(hexadecimal(offset));
    text += inlined ? " [inlined]) [" : ") [";
    text += hexadecimal(address) + "]";
    if (!file.empty()) {
        text.append(" at ").append(file);
        if (line != 0) text += ':' + std::to_string(line);
    }
    return text;
}

bool Frame::is_users() const {
    if (module.empty()) return false;
    const std::string_view path = module;
    for (const std::string_view folder : {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"}) {
        if (path.starts_with(folder)) return false;
    }
    for (const std::string_view name :
         {"tilemeter::", "std::", "__gnu_cxx::", "nanobind::", "_start", "__"}) {
        if (function.starts_with(name)) return false;
    }
    return true;
}

/// One module's file as libdwfl sees it, laid out where the process had it.
class Symbolizer::ModuleFile {
public:
    ModuleFile(const std::string& path, std::uint64_t bias) {
        static const Dwfl_Callbacks kCallbacks = {
            .find_elf = nullptr,
            .find_debuginfo = dwfl_standard_find_debuginfo,
            .section_address = dwfl_offline_section_address,
            .debuginfo_path = nullptr,
        };
        session_.reset(dwfl_begin(&kCallbacks));
        if (!session_) return;
        dwfl_report_begin(session_.get());
        module_ = dwfl_report_elf(session_.get(), path.c_str(), path.c_str(), -1, bias, true);
        dwfl_report_end(session_.get(), nullptr, nullptr);
    }

    bool good() const { return module_ != nullptr; }

    std::string build_id() const {
        const unsigned char* bytes = nullptr;
        GElf_Addr address = 0;
        const int size = dwfl_module_build_id(module_, &bytes, &address);
        std::string digits;
        for (int i = 0; i < size; ++i) {
            constexpr const char* kDigits = "0123456789abcdef";
            digits += kDigits[bytes[i] >> 4];
            digits += kDigits[bytes[i] & 15];
        }
        return digits;
    }

    /// Fills `frame` and puts frames of inlined calls before it.
    void complete(Frame frame, std::vector<Frame>& frames) {
        const Dwarf_Addr address = frame.address - 1;  // of the call, whose return address this is
        GElf_Off offset = 0;
        GElf_Sym symbol;
        if (const char* name =
                dwfl_module_addrinfo(module_, address, &offset, &symbol, nullptr, nullptr, nullptr)) {
            frame.function = demangled(name);
            frame.offset = offset + 1;
        }
        Place place;
        if (Dwfl_Line* line = dwfl_module_getsrc(module_, address)) {
            int number = 0;
            if (const char* file = dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr))
                place = {file, static_cast<std::uint32_t>(number)};
        }
        append_inlined(address, frame, place, frames);
        frame.file = std::move(place.file);
        frame.line = place.line;
        frames.push_back(std::move(frame));
    }

private:
    struct Close {
        void operator()(Dwfl* session) const { dwfl_end(session); }
    };
    struct Free {
        void operator()(Dwarf_Die* dies) const { std::free(dies); }  // NOLINT: libdw allocates so
    };

    /// Moves `place` to where the outermost inlined function was called.
    void append_inlined(Dwarf_Addr address, const Frame& around, Place& place, std::vector<Frame>& frames) {
        Dwarf_Addr bias = 0;
        Dwarf_Die* const unit = dwfl_module_addrdie(module_, address, &bias);
        if (unit == nullptr) return;
        Dwarf_Die* found = nullptr;
        if (dwarf_getscopes(unit, address - bias, &found) <= 0) return;
        std::unique_ptr<Dwarf_Die, Free> scopes(found);
        // These follow the definitions of inlined functions; asked again from the innermost one, they follow
        // the calls.
        Dwarf_Die innermost = *found;
        const int count = dwarf_getscopes_die(&innermost, &found);
        if (count <= 0) return;
        scopes.reset(found);
        for (int i = 0; i < count; ++i) {
            if (dwarf_tag(&found[i]) != DW_TAG_inlined_subroutine) continue;
            Frame frame = around;
            frame.function = name_of(&found[i]);
            frame.offset = 0;
            frame.inlined = true;
            frame.file = place.file;
            frame.line = place.line;
            frames.push_back(std::move(frame));
            place = call_place(&found[i], unit);
        }
    }

    std::unique_ptr<Dwfl, Close> session_;
    Dwfl_Module* module_ = nullptr;  // owned by the session
};

Symbolizer::Symbolizer(std::vector<std::filesystem::path> search) : search_(std::move(search)) {}
Symbolizer::~Symbolizer() = default;

Symbolizer::ModuleFile& Symbolizer::file_of(std::uint64_t bias, const std::string& path,
                                            const std::string& build_id) {
    auto& file = files_[{bias, path}];
    if (file) return *file;
    std::vector<std::filesystem::path> candidates = {path};
    std::vector<std::filesystem::path> folders = search_;
    folders.emplace_back("/usr/lib/debug");
    for (const auto& folder : folders) {
        candidates.push_back(folder / std::filesystem::path(path).filename());
        if (build_id.size() > 2) {
            candidates.push_back(folder / ".build-id" / build_id.substr(0, 2) /
                                 (build_id.substr(2) + ".debug"));
        }
    }
    for (const auto& candidate : candidates) {
        std::error_code error;
        if (!std::filesystem::is_regular_file(candidate, error)) continue;
        auto opened = std::make_unique<ModuleFile>(candidate.string(), bias);
        // Another build of the same name would give wrong names.
        if (opened->good() && (build_id.empty() || opened->build_id() == build_id)) {
            logging::debug({"names of ", path, " from ", candidate.native()});
            file = std::move(opened);
            return *file;
        }
        logging::debug({candidate.native(), ": passed over for names of ", path,
                        opened->good() ? ", since it is another build" : ", since it is no ELF file"});
    }
    logging::info({"no file with names of ", path, ", build id ", build_id.empty() ? "unknown" : build_id,
                   ": its functions stay addresses"});
    file = std::make_unique<ModuleFile>("", bias);
    return *file;
}

std::vector<Frame> Symbolizer::frames_at(std::uint64_t return_address) {
    Frame frame;
    frame.address = return_address;
    std::vector<Frame> frames;
    const std::optional<record::Module> module = record::module_of(return_address - 1);
    if (module) {
        frame.module = module->path;
        frame.offset = return_address - module->bias;
        ModuleFile& file = file_of(module->bias, module->path, module->build_id);
        if (file.good()) {
            file.complete(std::move(frame), frames);
            return frames;
        }
    }
    frames.push_back(std::move(frame));
    return frames;
}

}  // namespace tilemeter::graph
