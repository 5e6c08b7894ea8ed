// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/tilemeter/live/cpp_build.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "tools/tilemeter/live/process.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kVerb = "run-cpp: ";

/// The folder of the package's CMake files: PREFIX/lib/cmake/tilemeter, of an installation as of a build.
fs::path cmake_folder(const fs::path& prefix) {
    std::error_code failed;
    for (const fs::directory_entry& each : fs::directory_iterator(prefix, failed)) {
        if (!each.path().filename().string().starts_with("lib")) continue;
        std::vector<fs::path> places = {each.path()};
        for (const fs::directory_entry& inner : fs::directory_iterator(each.path(), failed))
            if (inner.path().filename().string().find("-linux-") != std::string::npos)
                places.push_back(inner.path());
        for (const fs::path& place : places)
            if (fs::exists(place / "cmake/tilemeter/run-cpp.cmake", failed)) return place / "cmake/tilemeter";
    }
    return {};
}

fs::path find_package(const fs::path& asked) {
    for (const fs::path& prefix : asked.empty() ? own_prefixes() : std::vector{fs::absolute(asked)})
        if (fs::path found = cmake_folder(prefix); !found.empty()) return found;
    if (!asked.empty())
        throw Failure(kVerb + asked.string() +
                      ": expected a folder that tilemeter is installed in, or its build, found no "
                      "lib/cmake/tilemeter/run-cpp.cmake");
    throw Failure(std::string(kVerb) +
                  "the C++ package is not installed beside this program (a wheel has none): --package PREFIX "
                  "names it, tools/build install PREFIX installs it");
}

std::string read(const fs::path& file) {
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

/// Only where it differs, so that nothing is built anew for it.
void write(const fs::path& file, const std::string& text) {
    if (read(file) == text) return;
    std::ofstream stream(file);
    stream << text;
    if (!stream.flush()) throw Failure(kVerb + file.string() + ": cannot be written");
}

fs::path default_folder(const fs::path& source, const fs::path& package) {
    const auto variable = [](const char* name) {
        const char* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets it
        return std::string(text == nullptr ? "" : text);
    };
    std::error_code failed;
    fs::path cache = variable("XDG_CACHE_HOME");
    if (!cache.is_absolute() && !variable("HOME").empty()) cache = fs::path(variable("HOME")) / ".cache";
    if (!cache.is_absolute()) cache = fs::temp_directory_path(failed);
    std::ostringstream name;
    name << source.filename().string() << '-' << std::hex
         << std::hash<std::string>{}(source.string() + '\n' + package.string() + '\n' + variable("CXX"));
    return cache / "tilemeter" / "run-cpp" / name.str();
}

/// A text in a CMakeLists.txt.
std::string quoted(const fs::path& path) {
    return "[==[" + path.string() + "]==]";
}

/// The CMakeLists.txt of one file, or of all in a folder that has none: one program.
std::string project_of(const fs::path& source) {
    std::vector<fs::path> sources;
    if (fs::is_directory(source)) {
        for (const fs::directory_entry& each : fs::directory_iterator(source))
            if (const std::string ending = each.path().extension(); ending == ".cpp" || ending == ".cc")
                sources.push_back(each.path());
        std::sort(sources.begin(), sources.end());
        if (sources.empty())
            throw Failure(kVerb + source.string() +
                          ": expected a .cpp file or a CMakeLists.txt in it, found none");
    } else {
        sources.push_back(source);
    }
    std::string text =
        "cmake_minimum_required(VERSION 3.25)\nproject(run_cpp LANGUAGES CXX)\nadd_executable(program";
    for (const fs::path& each : sources)
        text += "\n    " + quoted(each);
    text += ")\nset_target_properties(program PROPERTIES CXX_STANDARD 20)\n";
    // Several sources that generated programs are made of share it.
    const fs::path header =
        (fs::is_directory(source) ? source : source.parent_path()) / "ttnn-precompiled.hpp";
    if (sources.size() > 1 && fs::exists(header))
        text += "target_precompile_headers(program PRIVATE " + quoted(header) + ")\n";
    return text;
}

/// "program.cpp:12:5: error: ...": the first that a compiler, a linker or CMake says, in one line.
std::string first_error(const std::string& output) {
    static const std::regex kCompiler("^([^\\s:][^:]*:\\d+(:\\d+)?: (fatal )?error: .*)$");
    static const std::regex kCMake("^CMake Error(?: at ([^ ]+) \\(.*\\))?:(.*)$");
    static const std::regex kNoMain("undefined (reference to|symbol:) [`']?(__real_)?main'?$");
    static const std::regex kLinker(
        "(undefined reference to|multiple definition of|cannot find -l|cannot find /)");
    std::istringstream lines(output);
    std::string linker, last, line;
    std::smatch found;
    while (std::getline(lines, line)) {
        if (std::regex_match(line, found, kCompiler)) return line;
        if (std::regex_match(line, found, kCMake)) {
            std::string text = found[1].matched ? found[1].str() + ":" : std::string("CMake:");
            std::string rest = found[2];
            // The message is what is indented below.
            while (std::getline(lines, line) && (line.empty() || line.starts_with("  "))) {
                if (line.empty() && !rest.empty()) break;
                const std::size_t begin = line.find_first_not_of(' ');
                if (begin != std::string::npos) rest += ' ' + line.substr(begin);
            }
            return text + rest;
        }
        if (std::regex_search(line, kNoMain)) return "the program has no main()";
        if (linker.empty() && std::regex_search(line, kLinker)) linker = line;
        if (!line.empty() && !line.starts_with("ninja: ") && !line.starts_with("gmake")) last = line;
    }
    return linker.empty() ? last : linker;
}

/// `CMAKE_PREFIX_PATH` and the like for the CMakeLists.txt that name a build of TT-NN by the environment.
std::map<std::string, std::string> environment_of(const fs::path& work) {
    const std::string root = (work / "tt-metal").string();
    return {{"TT_METAL_RUNTIME_ROOT", root}, {"TT_METAL_HOME", root}, {"TT_METAL_LIB", root + "/lib"}};
}

void run_or_fail(std::vector<std::string> words, const fs::path& work, const char* log) {
    Command command;
    command.words = std::move(words);
    command.environment = environment_of(work);
    command.output = work / log;
    if (run(command).is_well()) return;
    const std::string error = first_error(read(command.output));
    throw Failure(kVerb +
                  (error.empty() ? "the build failed without a word: " + command.output.string() : error));
}

/// The programs of the project: their files by names.
std::map<std::string, fs::path> programs_of(const fs::path& build) {
    std::map<std::string, fs::path> programs;
    std::ifstream lines(build / "programs.txt");
    for (std::string line; std::getline(lines, line);)
        if (const std::size_t tab = line.find('\t'); tab != std::string::npos)
            programs[line.substr(0, tab)] = line.substr(tab + 1);
    return programs;
}

std::string names_of(const std::map<std::string, fs::path>& programs) {
    std::string names;
    for (const auto& [name, file] : programs)
        names += (names.empty() ? "" : ", ") + name;
    return names.empty() ? "none" : names;
}

}  // namespace

BuiltProgram build_program(const CppBuild& asked) {
    std::error_code failed;
    const fs::path source = fs::weakly_canonical(asked.source, failed);
    if (!fs::exists(source, failed))
        throw Failure(kVerb + asked.source.string() + ": expected a C++ file or a folder, found nothing");
    if (fs::is_regular_file(source) && source.extension() != ".cpp" && source.extension() != ".cc" &&
        source.extension() != ".cxx")
        throw Failure(kVerb + asked.source.string() + ": expected a C++ file (.cpp, .cc, .cxx) or a folder");
    const fs::path package = find_package(asked.package);
    if (!is_in_path("cmake")) throw Failure(std::string(kVerb) + "it builds with cmake, and PATH has none");

    BuiltProgram built;
    const bool is_folder = fs::is_directory(source);
    built.folder = is_folder ? source : fs::path();
    built.work = asked.folder.empty() ? default_folder(source, package) : fs::absolute(asked.folder);
    if (is_folder && !fs::relative(source, built.work, failed).string().starts_with(".."))
        throw Failure(kVerb + built.work.string() + ": the folder to build in cannot hold " + source.string(),
                      kWrongUsage);
    fs::create_directories(built.work / "tt-metal/lib", failed);
    if (failed) throw Failure(kVerb + built.work.string() + ": cannot be written: " + failed.message());
    // A linker takes them for libraries without objects; CMake asks for the second where the first has no SONAME.
    for (const char* name : {"_ttnncpp.so", "lib_ttnncpp.so"})
        write(built.work / "tt-metal/lib" / name, "!<arch>\n");
    fs::path project = source;
    if (!is_folder || !fs::exists(source / "CMakeLists.txt")) {
        project = built.work / "project";
        fs::create_directories(project, failed);
        write(project / "CMakeLists.txt", project_of(source));
    }

    const fs::path build = built.work / "build";
    std::vector<std::string> configure = {"cmake", "-S", project.string(), "-B", build.string()};
    if (!fs::exists(build / "CMakeCache.txt") && is_in_path("ninja"))
        configure.insert(configure.end(), {"-G", "Ninja"});
    configure.insert(configure.end(),
                     {"-DCMAKE_PROJECT_INCLUDE=" + (package / "run-cpp.cmake").string(),
                      // Programs of calls: what takes time is behind them. Stacks name lines.
                      "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -g1 -DNDEBUG", "-Wno-dev",
                      "--no-warn-unused-cli"});
    const std::string root = (built.work / "tt-metal").string();
    configure.insert(configure.end(), {"-DMETAL_SRC_DIR=" + root, "-DMETAL_LIB_DIR=" + root + "/lib"});
    run_or_fail(std::move(configure), built.work, "configure.log");

    const std::map<std::string, fs::path> programs = programs_of(build);
    auto chosen = asked.target.empty() ? programs.begin() : programs.find(asked.target);
    if (chosen == programs.end() || (asked.target.empty() && programs.size() > 1))
        throw Failure(kVerb + asked.source.string() + ": expected " +
                          (asked.target.empty() ? "one program (--target names one of several)"
                                                : "a program " + asked.target) +
                          ", found " + names_of(programs),
                      asked.target.empty() ? kBadInput : kWrongUsage);
    run_or_fail({"cmake", "--build", build.string(), "--target", chosen->first}, built.work, "compile.log");
    built.file = chosen->second;
    return built;
}

}  // namespace tilemeter::cli
