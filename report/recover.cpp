// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/recover.hpp"

#include <exception>
#include <utility>

#include "capture/events/recording_error.hpp"
#include "capture/graph/captured_graph.hpp"
#include "capture/graph/node_graph.hpp"
#include "capture/recordings/recording_reader.hpp"
#include "report/same_file.hpp"

namespace tilemeter::report {

Result<Recovered> recover_report(const std::filesystem::path& file, const std::filesystem::path& path,
                                 const ReportOrigin& origin) {
    if (Status distinct = refuse_input_as_output(path, {&file, 1}); !distinct) return distinct.error();
    try {
        record::Recording recording = record::read_recording(file);
        Recovered recovered;
        recovered.incomplete_operations = recording.incomplete_functions;
        recovered.lost_events = recording.overwritten;
        recovered.process_died = recording.recovered;
        recovered.death = read_death(file, recording);
        const graph::CapturedGraph captured(std::move(recording));
        recovered.nodes = captured.node_count();
        recovered.operations = captured.nodes().functions.size();
        if (Status written = write_report(captured, path, origin); !written) return written.error();
        return recovered;
    } catch (const record::RecordingError& error) {
        return Error{"", "", "", error.what()};
    } catch (const std::exception& error) {
        return Error{file.string(), "", "a recording that fits into memory", error.what()};
    }
}

}  // namespace tilemeter::report
