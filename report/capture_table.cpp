// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/capture_table.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "capture/graph/graph_processor.hpp"
#include "report/answer_text.hpp"

struct tilemeter_capture {
    tilemeter::graph::ScopedGraphCapture window;
};

namespace {

using tilemeter::graph::CaptureOptions;
using tilemeter::graph::RunMode;
using tilemeter::record::Detail;
using tilemeter::report::answer_text;

const char* begin(const tilemeter_capture_options* wanted, tilemeter_capture** capture) {
    return answer_text([&]() -> std::string {
        CaptureOptions options;
        options.mode = wanted->no_dispatch != 0 ? RunMode::NO_DISPATCH : RunMode::NORMAL;
        options.emitters = wanted->emitters;
        if (wanted->recording != nullptr) options.recording = wanted->recording;
        if (wanted->stacks != 0) options.detail = Detail::kStacks;
        if (wanted->pages != 0) options.detail = Detail::kPages;
        *capture = new tilemeter_capture{tilemeter::graph::ScopedGraphCapture(options)};
        return {};
    });
}

const char* end_to_file(tilemeter_capture* capture, const char* report) {
    return answer_text([&]() -> std::string {
        capture->window.end_graph_capture_to_file(report);
        delete capture;
        return {};
    });
}

const char* end_to_text(tilemeter_capture* capture, char** nodes) {
    return answer_text([&]() -> std::string {
        const std::unique_ptr<tilemeter_capture> ended(capture);
        const std::string text = ended->window.end_capture().to_text();
        *nodes = static_cast<char*>(std::malloc(text.size() + 1));
        if (*nodes == nullptr) return "no memory for the nodes";
        std::memcpy(*nodes, text.c_str(), text.size() + 1);
        return {};
    });
}

void drop(tilemeter_capture* capture) {
    answer_text([&]() -> std::string {
        delete capture;
        return {};
    });
}

const tilemeter_capture_table kTable = {
    .version = TILEMETER_CAPTURE_TABLE_VERSION,
    .size = sizeof(tilemeter_capture_table),
    .begin = begin,
    .end_to_file = end_to_file,
    .end_to_text = end_to_text,
    .drop = drop,
};

}  // namespace

const struct tilemeter_capture_table* tilemeter_get_capture_table(std::uint32_t version) {
    return version == TILEMETER_CAPTURE_TABLE_VERSION ? &kTable : nullptr;
}
