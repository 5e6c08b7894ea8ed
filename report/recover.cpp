// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/recover.hpp"

#include <exception>
#include <utility>

#include "capture/graph/captured_graph.hpp"
#include "capture/graph/node_graph.hpp"
#include "capture/record/recording_error.hpp"
#include "capture/record/recording_reader.hpp"
#include "report/same_file.hpp"

namespace tilemeter::report {

Result<Recovered> recover_report(const std::filesystem::path& recording, const std::filesystem::path& path,
                                 const ReportOrigin& origin) {
    if (Status distinct = refuse_input_as_output(path, {&recording, 1}); !distinct) return distinct.error();
    try {
        record::Trace trace = record::read_recording(recording);
        Recovered recovered;
        recovered.incomplete_operations = trace.incomplete_functions;
        recovered.lost_events = trace.overwritten;
        recovered.process_died = trace.recovered;
        recovered.death = read_death(recording, trace);
        const graph::CapturedGraph captured(std::move(trace));
        recovered.nodes = captured.node_count();
        recovered.operations = captured.nodes().functions.size();
        if (Status written = write_report(captured, path, origin); !written) return written.error();
        return recovered;
    } catch (const record::RecordingError& error) {
        return Error{"", "", "", error.what()};
    } catch (const std::exception& error) {
        return Error{recording.string(), "", "a recording that fits into memory", error.what()};
    }
}

}  // namespace tilemeter::report
