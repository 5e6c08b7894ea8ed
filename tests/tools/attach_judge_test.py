#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The judge of tensors and executions in tests/acceptance/attach_ttnn: what TT-NN's report says has to be in ours, no
more."""

import importlib.machinery
import importlib.util
import json
import pathlib
import sys
import tempfile
import unittest
from typing import Any

PROGRAM = pathlib.Path(__file__).resolve().parents[1] / "acceptance/attach_ttnn"

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("attach_ttnn", str(PROGRAM))
spec = importlib.util.spec_from_loader("attach_ttnn", loader)
assert spec is not None
attach_ttnn = importlib.util.module_from_spec(spec)
loader.exec_module(attach_ttnn)


def node(kind: str, **params: Any) -> dict[str, Any]:
    return {"node_type": kind, "stacking_level": 1, "params": params}


def tensor(number: int, **params: Any) -> dict[str, Any]:
    return node("tensor", tensor_id=number, shape="Shape([32, 32])", dtype="DataType::BFLOAT16", layout="Layout::TILE", **params)


def execution(runtime_id: int) -> dict[str, Any]:
    return node("program_execution", runtime_id=runtime_id, device_id=1, physical_device_id=0, global_call_count=runtime_id)


class Nodes(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def difference(self, theirs: list[dict[str, Any]], ours: list[dict[str, Any]]) -> str:
        paths = self.folder / "theirs.json", self.folder / "ours.json"
        for path, nodes in zip(paths, (theirs, ours)):
            path.write_text(json.dumps({"graph": nodes}))
        return attach_ttnn.compare_nodes(*paths)

    def test_where_a_tensor_is_stored_counts_if_ttnn_says_it(self) -> None:
        here, there = tensor(1, storage_type="HOST"), tensor(1, storage_type="DEVICE")
        self.assertEqual(self.difference([here], [here]), "")
        self.assertEqual(self.difference([tensor(1)], [here]), "")  # TT-NN 0.79
        self.assertRegex(self.difference([here], [there]), "^tensor 0: expected .*HOST.*, found none$")
        self.assertRegex(self.difference([here], [tensor(1)]), "^tensor 0: expected .*HOST.*, found none$")

    def test_all_else_counts_without_it(self) -> None:
        device = {"address": 1024, "buffer_type": 1, "memory_config": "MemoryConfig(buffer_type=BufferType::L1)"}
        there = tensor(1, **device)
        self.assertEqual(self.difference([there], [tensor(1, storage_type="DEVICE", **device)]), "")
        for key in ("tensor_id", "shape", "dtype", "layout", *device):
            with self.subTest(key):
                other = node("tensor", **(there["params"] | {key: "other"}))
                self.assertRegex(self.difference([there], [other]), "^tensor 0: expected .*, found none$")
        # A tensor of the host has no address.
        self.assertRegex(self.difference([tensor(1), there], [there, there]), "^tensor 0: ")

    def test_the_type_of_a_shared_buffer_counts_if_ttnn_says_where_tensors_are_stored(self) -> None:
        view, said = tensor(1, storage_type="DEVICE"), tensor(1, storage_type="DEVICE", buffer_type=0)
        self.assertEqual(self.difference([tensor(1)], [said]), "")  # TT-NN 0.79
        self.assertRegex(self.difference([view], [said]), "^tensor 0: ")
        self.assertRegex(self.difference([said], [view]), "^tensor 0: ")

    def test_tensors_of_ours_that_ttnn_leaves_out_are_passed_over(self) -> None:
        self.assertEqual(self.difference([tensor(1), tensor(3)], [tensor(1), tensor(2), tensor(3)]), "")
        self.assertRegex(self.difference([tensor(1), tensor(3)], [tensor(3), tensor(1)]), "^tensor 1: ")

    def test_executions_count_if_ours_has_any(self) -> None:
        self.assertEqual(self.difference([execution(1)], [execution(1)]), "")
        self.assertEqual(self.difference([execution(1)], []), "")  # versions before 0.81
        expected = "^program_execution: expected 2, found 1;"
        self.assertRegex(self.difference([execution(1), execution(2)], [execution(1)]), expected)
        self.assertRegex(self.difference([execution(1)], [execution(2)]), "^program_execution: .*first difference ")
        self.assertRegex(self.difference([], [execution(1)]), "^program_execution: expected 0, found 1;")

    def test_where_a_program_ran_counts(self) -> None:
        there = execution(1)["params"] | {"command_queue_id": 0, "sub_device_manager_id": 0, "sub_device_id": 0, "worker_core_ranges": "[]"}
        self.assertEqual(self.difference([node("program_execution", **there)], [node("program_execution", **there)]), "")
        for key in there:
            with self.subTest(key):
                other = node("program_execution", **(there | {key: 7}))
                self.assertRegex(self.difference([node("program_execution", **there)], [other]), "^program_execution: ")

    def test_program_factories_count_in_every_version(self) -> None:
        said = {"name": "Matmul", "program_factory_type": "Factory", "program_factory_index": 1, "program_cache_hit": True}
        self.assertEqual(self.difference([node("function_start", **said)], [node("function_start", **said)]), "")
        for ours in ({"name": "Matmul"}, said | {"program_cache_hit": False}, said | {"program_factory_index": 2}):
            with self.subTest(ours):
                self.assertRegex(self.difference([node("function_start", **said)], [node("function_start", **ours)]), "^function_start: ")
        self.assertRegex(self.difference([node("function_start", **said)], []), "^function_start: expected 1, found 0;")

    def test_sub_devices_count_if_ours_has_any(self) -> None:
        def manager(cores: str) -> dict[str, Any]:
            return node("sub_device_manager", device_id=1, sub_device_manager_id=0, sub_devices=cores)

        self.assertEqual(self.difference([manager("[]")], [manager("[]")]), "")
        self.assertEqual(self.difference([manager("[]")], []), "")  # versions before 0.81
        self.assertRegex(self.difference([manager("[]")], [manager("[1]")]), "^sub_device_manager: ")


if __name__ == "__main__":
    unittest.main()
