// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/death.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <utility>

#include <cxxabi.h>

#include "capture/graph/crash_frames.hpp"
#include "capture/record/crash.hpp"
#include "report/text.hpp"

namespace tilemeter::report {

namespace {

std::string demangled(const std::string& name) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && text ? std::string(text.get()) : name;
}

std::string hexadecimal(std::uint64_t number) {
    std::array<char, 16> digits;  // NOLINT: filled below
    constexpr int kBase = 16;
    char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number, kBase).ptr;
    return "0x" + std::string(digits.data(), end);
}

// On one line, whatever the process had in its memory.
std::string one_line(const std::string& text) {
    std::string line = to_valid_utf8(text);
    std::replace_if(
        line.begin(), line.end(), [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; }, ' ');
    return line;
}

}  // namespace

std::optional<Death> read_death(const std::filesystem::path& file, const record::Recording& recording) {
    const std::optional<record::Crash> crash = record::read_crash(file, recording);
    if (!crash) return std::nullopt;
    Death death;
    if (crash->signal != 0) death.signal = record::name_of_signal(crash->signal);
    death.terminate = crash->terminate;
    if (!crash->exception_type.empty()) death.exception = one_line(demangled(crash->exception_type));
    death.message = to_valid_utf8(crash->message);
    death.process = crash->process;
    death.thread = crash->thread;
    death.thread_name = one_line(crash->thread_name);
    death.sender = crash->sender;
    death.address = crash->address;
    const std::vector<graph::Frame> frames = graph::frames_of(*crash);
    if (!frames.empty()) death.place = graph::place_in(frames);
    for (const graph::Frame& frame : frames) {
        death.frames.push_back({one_line(frame.function), one_line(frame.module), one_line(frame.file),
                                frame.line, frame.address, frame.inlined, one_line(frame.to_text())});
    }
    return death;
}

std::string to_text(const Death& death) {
    std::string text = death.terminate ? "std::terminate" : death.signal;
    if (death.terminate && !death.exception.empty()) {
        text += ", nobody caught " + death.exception;
        if (!death.message.empty()) text += " (" + one_line(death.message) + ")";
    }
    if (death.address) text += " at address " + hexadecimal(*death.address);
    if (death.sender) text += " from process " + std::to_string(*death.sender);
    if (!death.frames.empty()) {
        const DeathFrame& place = death.frames[death.place];
        const std::string module = place.module.substr(place.module.rfind('/') + 1);
        if (!place.function.empty()) {
            text += " in " + place.function;
        } else if (!module.empty()) {
            text += " in " + module;
        }
        if (!place.file.empty()) text += " at " + place.file + ":" + std::to_string(place.line);
    }
    text += ", thread " + std::to_string(death.thread);
    if (!death.thread_name.empty()) text += " (" + death.thread_name + ")";
    return text;
}

}  // namespace tilemeter::report
