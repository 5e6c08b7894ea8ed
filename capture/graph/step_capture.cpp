// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/step_capture.hpp"

#include <utility>

#include "capture/events/recording_error.hpp"

namespace tilemeter::graph {

StepCapture::StepCapture(Steps steps, record::WindowOptions options)
    : steps_(steps), options_(std::move(options)) {}

StepCapture::~StepCapture() {
    try {
        if (window_) record::close_window(*window_);
    } catch (const record::RecordingError&) {
        // Nobody asked for what it saw.
    }
}

void StepCapture::step() {
    const std::uint64_t step = begun_++;
    if (window_ && step - steps_.skip >= steps_.count) end();
    if (step == steps_.skip && steps_.count > 0) window_ = record::open_window(options_);
}

void StepCapture::end() {
    auto recording = record::close_window(*std::exchange(window_, std::nullopt));
    if (recording) captured_.emplace(*std::move(recording));
}

std::optional<CapturedGraph> StepCapture::take() {
    if (window_) end();
    return std::exchange(captured_, std::nullopt);
}

}  // namespace tilemeter::graph
