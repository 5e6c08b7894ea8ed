# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Graph capture, with the names of TT-NN's graph module, older and newer ones.

A capture sees what all threads do between its begin and its end. begin_graph_capture and end_graph_capture pair up
per thread; `capture` is the same as a block:

    with tilemeter.graph.capture(path="report.json") as taken:
        ...
    taken.nodes
"""

from __future__ import annotations

from tilemeter._src.answers.analyses import (
    OlderThanCaptureWarning as OlderThanCaptureWarning, PeakMemoryUsagePerCore as PeakMemoryUsagePerCore,
    TensorInfo as TensorInfo, count_intermediate_and_output_tensors as count_intermediate_and_output_tensors,
    extract_calltrace as extract_calltrace, extract_levelized_graph as extract_levelized_graph,
    extract_output_info as extract_output_info, extract_output_tensors as extract_output_tensors,
    extract_peak_L1_memory_usage as extract_peak_L1_memory_usage,
    extract_resource_usage_per_core as extract_resource_usage_per_core,
)
from tilemeter._src.answers.answers import (
    Answer as Answer, check as check, diff as diff, explain as explain, fit as fit, html as html, levelized as levelized,
    perfetto as perfetto, show as show, svg as svg, tightest as tightest,
    timeline as timeline, tree as tree,
)
from tilemeter._src.answers.capture import Capture as Capture, capture as capture
from tilemeter._src.answers.drawing import (
    pretty_format as pretty_format, pretty_print as pretty_print, visualize as visualize, visualize_edge as visualize_edge,
    visualize_node as visualize_node,
)
from tilemeter._src.answers.fit_workload import fit_workload as fit_workload
from tilemeter._src.answers.peak import find_peak as find_peak
from tilemeter._src.answers.programs import (
    ProgramInput as ProgramInput, ProgramPlan as ProgramPlan, ProgramResult as ProgramResult, ProgramStep as ProgramStep,
    ProgramTrace as ProgramTrace, plan_program as plan_program,
)
from tilemeter._src.answers.report import (
    extract_operation_durations as extract_operation_durations,
    extract_total_duration_from_graph as extract_total_duration_from_graph,
    flush_comparison_records_to_db as flush_comparison_records_to_db, import_report as import_report,
)
from tilemeter._src.base.argument_errors import in_words as in_words
from tilemeter._src.base.config import CONFIG as CONFIG
from tilemeter._src.captures.blocks import (
    full_graph_capture as full_graph_capture, recover as recover, single_use as single_use,
)
from tilemeter._src.captures.call_records import (
    append_python_io_record as append_python_io_record, record_python_operation as record_python_operation,
    record_python_operation_error as record_python_operation_error, store_captured_graph as store_captured_graph,
    store_output_tensor_ids as store_output_tensor_ids,
)
from tilemeter._src.captures.comparison_records import (
    has_comparison_records as has_comparison_records, record_tensor_comparison_data as record_tensor_comparison_data,
    reset_comparison_records_data as reset_comparison_records_data,
)
from tilemeter._src.captures.exit_stack import ExitStackWithPop as ExitStackWithPop
from tilemeter._src.captures.files import COMPARISON_RECORDS_SIDECAR_SUFFIX as COMPARISON_RECORDS_SIDECAR_SUFFIX
from tilemeter._src.base.nodes import Node as Node
from tilemeter._src.captures.open_captures import (
    begin_graph_capture as begin_graph_capture, end_graph_capture as end_graph_capture,
    end_graph_capture_to_file as end_graph_capture_to_file,
)
from tilemeter._src.captures.switches import (
    disable_buffer_pages as disable_buffer_pages, disable_detailed_buffer_tracing as disable_detailed_buffer_tracing,
    disable_python_io_recording as disable_python_io_recording, disable_python_stack_traces as disable_python_stack_traces,
    disable_stack_traces as disable_stack_traces, enable_buffer_pages as enable_buffer_pages,
    enable_detailed_buffer_tracing as enable_detailed_buffer_tracing, enable_python_io_recording as enable_python_io_recording,
    enable_python_stack_traces as enable_python_stack_traces, enable_stack_traces as enable_stack_traces,
    is_detailed_buffer_tracing_enabled as is_detailed_buffer_tracing_enabled,
    is_python_io_recording_enabled as is_python_io_recording_enabled,
    is_python_stack_trace_enabled as is_python_stack_trace_enabled, is_stack_trace_enabled as is_stack_trace_enabled,
    track_function_end as track_function_end, track_function_start as track_function_start,
)
from tilemeter._tilemeter import (
    AllocationRecord as AllocationRecord, CaptureError as CaptureError, ConstraintQueryResponse as ConstraintQueryResponse,
    ExecutionStatus as ExecutionStatus, MockAllocatorState as MockAllocatorState, OutputAllocation as OutputAllocation,
    QueryOutput as QueryOutput, Refusal as Refusal, ResourceUsage as ResourceUsage,
    extract_mock_allocator_state as extract_mock_allocator_state,
    override_mock_allocator_state as override_mock_allocator_state, query_op_constraints as query_op_constraints,
    query_op_constraints_with_initial_state as query_op_constraints_with_initial_state,
    query_op_constraints_with_optional_state as query_op_constraints_with_optional_state, REPORT_VERSION as REPORT_VERSION, RunMode as RunMode,
    is_graph_capture_active as is_graph_capture_active, recording as recording,
)
