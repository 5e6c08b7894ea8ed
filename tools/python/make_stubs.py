# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Type stubs of the extension module: make_stubs.py MODULE_FILE OUTPUT_FOLDER.

nanobind's generator sees the module alone, before the package adds to its classes; what the package adds to Tensor and
MeshDevice is said here. Where a Shape is expected, Python may give a list or tuple.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HEADER = "# SPDX-FileCopyrightText: 2026 tilemeter contributors\n# SPDX-License-Identifier: Apache-2.0\n"
NOT_PYTHON = re.compile(r'"(?:std|tilemeter)::[^"]*"')
BINARY = "add radd sub rsub mul rmul truediv rtruediv matmul gt ge lt le"
_FAILED = ["device: int", "operation: str"]
_OWNED = ["owners: list[BufferOwner]", "@property\n    def explanation(self) -> str: ..."]
_PROGRAM = ["kind: str", "program: int", "cores: CoreRange", "region_end: int"]
_WITH_JSON = ("CoreCoord", "CoreRange", "CoreRangeSet", "ShardSpec", "MemoryConfig", "MatmulMultiCoreReuseProgramConfig",
              "MatmulMultiCoreReuseMultiCastProgramConfig", "MatmulMultiCoreReuseMultiCast1DProgramConfig")


def _json_methods(name: str) -> list[str]:
    return ["def to_json(self) -> str: ...", f"@staticmethod\n    def from_json(json_string: str) -> {name}: ..."]


_TILE_SHAPE = "@property\n    def _tile_shape(self) -> list[int]: ..."
ADDED = {
    "TensorSpec": ["@property\n    def tile(self) -> Any: ...", _TILE_SHAPE],
    "Tensor": [
        *(f"def __{name}__(self, other: Tensor | float) -> Tensor: ..." for name in BINARY.split()),
        "def __neg__(self) -> Tensor: ...",
        "def __getitem__(self, index: Any) -> Tensor: ...",
        "def __hash__(self) -> int: ...",
        "def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...",
        "def to_list(self) -> Any: ...",
        "def item(self) -> Any: ...",
        "def to_torch(self, *, mesh_composer: Any = None) -> Any: ...",
        "def to_torch_with_padded_shape(self) -> Any: ...",
        "def to_numpy(self, chip: int = 0, *, mesh_composer: Any = None) -> Any: ...",
        "def pad(self, output_tensor_shape: Any, input_tensor_start: Any, pad_value: float) -> Tensor: ...",
        "def unpad(self, output_tensor_start: Any, output_tensor_end: Any) -> Tensor: ...",
        "def devices(self) -> list[MeshDevice | None]: ...",
        "def device_coords(self) -> list[Any]: ...",
        "def buffer_aligned_page_size(self) -> int: ...",
        "def is_per_core_allocated(self) -> bool: ...",
        "def is_range_lockstep_allocated(self) -> bool: ...",
        "def tensor_topology(self) -> Any: ...",
        "def _values(self, chip: int = 0) -> Any: ...",
        "def _require_known(self, operation: str) -> None: ...",
        "@property\n    def _chip(self) -> int | None: ...",
        "def _distribution(self) -> tuple[list[int], list[int | None]] | None: ...",
        "def _set_distribution(self, parts: list[int], dimensions: list[int | None]) -> None: ...",
        "def _reshape(self, shape: Sequence[int]) -> Tensor: ...",
        "def _to_layout(self, layout: Layout) -> Tensor: ...",
        "def _padded_to_tiles(self) -> Tensor: ...",
        "def _padding(self) -> float: ...",
        "def _note_padding(self, padding: float) -> None: ...",
        "@property\n    def _is_padded_to_tiles(self) -> bool: ...",
        "def cpu(self, blocking: bool = True, cq_id: int | None = None) -> Tensor: ...",
        "def to(self, target: MeshDevice | Layout, memory_config: MemoryConfig | None = None) -> Tensor: ...",
        "def get_dtype(self) -> DataType: ...",
        "def get_layout(self) -> Layout: ...",
        "def reshape(self, *shape: Any) -> Tensor: ...",
        "def get_tile(self) -> Any: ...",
        "@property\n    def tile(self) -> Any: ...",
        _TILE_SHAPE,
        "def pad_to_tile(self, pad_value: float) -> Tensor: ...",
        "def unpad_from_tile(self, shape: Any) -> Tensor: ...",
    ],
    "MeshDevice": [
        "def arch(self) -> Any: ...",
        "@property\n    def core_grid(self) -> CoreGrid: ...",
        "def get_device_id(self, coord: Any) -> int: ...",
        "def get_submeshes(self) -> list[MeshDevice]: ...",
        "def create_submesh(self, submesh_shape: MeshShape, offset: Any = None) -> MeshDevice: ...",
        "def create_submeshes(self, submesh_shape: MeshShape) -> list[MeshDevice]: ...",
        "def reshape(self, new_shape: MeshShape) -> None: ...",
        "def _reshape(self, shape: MeshShape) -> None: ...",
        "def get_view(self) -> Any: ...",
        "def get_system_mesh_id(self) -> int: ...",
        *(f"def sfpu_{name}(self) -> float: ..." for name in ("eps", "inf", "nan")),
        "def quiesce_devices(self) -> None: ...",
        "def create_sub_device_manager(self, sub_devices: Sequence[Any], local_l1_size: int) -> Any: ...",
        "def load_sub_device_manager(self, sub_device_manager_id: Any) -> None: ...",
        "def clear_loaded_sub_device_manager(self) -> None: ...",
        "def remove_sub_device_manager(self, sub_device_manager_id: Any) -> None: ...",
        "def set_sub_device_stall_group(self, sub_device_ids: Sequence[Any]) -> None: ...",
        "def reset_sub_device_stall_group(self) -> None: ...",
    ],
    **{name: _json_methods(name) for name in _WITH_JSON},
    "OutOfMemoryError": [
        "buffer_type: str", "size_bytes: int", "num_banks: int", "size_per_bank_bytes: int", "bank: BankStatistics",
        *_FAILED, *_OWNED,
    ],
    "ProgramMemoryClashError": [*_PROGRAM, "lowest_buffer_address: int", *_FAILED, *_OWNED],
    "ProgramMemoryTooLargeError": [*_PROGRAM, "l1_size: int", *_FAILED, _OWNED[1]],
    "PeakAnswer": ["def _repr_html_(self) -> str: ..."],
    "WorkloadFit": ["def _repr_html_(self) -> str: ..."],
}

# Classes that are not nanobind's: said here in whole.
WHOLE = {
    "Operation": [
        '"""An operation: calls of it are recorded while a capture is open."""',
        "python_fully_qualified_name: str",
        "native: Any",
        "def __init__(self, name: str, native: Any) -> None: ...",
        "def __call__(self, *args: Any, **kwargs: Any) -> Any: ...",
    ],
}

TRACE_ERROR = """
class TraceError(RuntimeError):
    kind: str
    operation: str
    types: list[str]
    file: str
    line: int
    hint: str
"""

# Annotations that the generator leaves open, for strict readers.
STRICT = [
    # Modules within modules are found as files; importing all of a module shall not bring them.
    (r"^from tilemeter\._tilemeter\.operations import \([^)]*\)\n", ""),
    (r"(?<=: )Callable(?=[,)])", "Callable[..., Any]"),
    (r"\*args, \*\*kwargs", "*args: Any, **kwargs"),
    (r": tuple(?=[,)])", r": tuple[Any, ...]"),
    (r": dict(?=[,)])", r": dict[Any, Any]"),
    (r": list(?=[,)])", r": list[Any]"),
    (r"-> dict:", r"-> dict[Any, Any]:"),
    (r"(def __(?:eq|ne)__\(self, arg): [^,]+, /", r"\1: object, /"),
    (r"(?<!import )\b(Iterator|NDArray)\b(?=:| \|)", r"\1[Any]"),
    (r"NDArray, dict", "NDArray[Any], dict"),
    (r"arg: set, /", "arg: set[Any], /"),
    (r"PathLike(?!\[)", "PathLike[str]"),
    (r"-> tuple:", "-> tuple[Any, ...]:"),
    (r"-> list:", r"-> list[Any]:"),
    (r"\*\*kwargs\)", "**kwargs: Any)"),
    (r"-> object:", "-> Any:"),
    (r"\*(args|arrays)(?=[,)])", r"*\1: Any"),
    (r"(\*\*kwargs: Any\)):$", r"\1 -> Any:"),
    # Overloads that are one now.
    (r"(    @overload\n(    def __eq__.*\n))\n    @overload\n\2", r"\2"),
    # The package's names of what the extension makes, and what the package alone uses.
    (r"^from tilemeter\.trace import TraceError as TraceError\n", TRACE_ERROR),
    (r"-> _Rows:", "-> Any:"),
    # Python has them from 3.12 on, and says no types.
    (r"def __buffer__\(self, flags, /\):", "def __buffer__(self, flags: int, /) -> memoryview:"),
    (r"def __release_buffer__\(self, buffer, /\):", "def __release_buffer__(self, buffer: memoryview, /) -> None:"),
    (r"^REPORT_VERSION:.*$", "REPORT_VERSION: int\n\n__version__: str"),
]


def with_defaults_to_the_end(line: str) -> str:
    """A def whose parameters by place have defaults from the first that has one: a stub can't leave out one before others."""
    begin, end = line.index("(") + 1, line.rindex(") ->")
    parts, depth = [""], 0
    for letter in line[begin:end]:
        depth += (letter in "[({") - (letter in "])}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    seen = False
    for at, part in enumerate(parts):
        if part.strip().startswith("*"):
            break
        seen = seen or " = " in part
        if seen and " = " not in part and part.strip() != "/":
            parts[at] = f"{part} = ..."
    return line[:begin] + ",".join(parts) + line[end:]


def completed(text: str) -> str:
    """With header, with what the package adds, with lists for shapes."""
    for name, lines in ADDED.items():
        added = "".join(f"\n    {line}\n" for line in lines)
        text = re.sub(rf"^(class {name}(?:\([^)]*\))?:\n(?:    \"\"\".*?\"\"\"\n)?)", rf"\1{added}", text, count=1, flags=re.M | re.S)
    for name, lines in WHOLE.items():
        body = "\n\n".join(f"    {line}" for line in lines)
        text = re.sub(rf"^class {name}:\n.*?(?=^\S|\Z)", f"class {name}:\n{body}\n\n", text, count=1, flags=re.M | re.S)
    # reshape has an overload for lists already.
    takes_shape = r"^(?!def reshape)(.*?\b(?:shape|repeat_dims): (?:tilemeter\._tilemeter\.)?Shape)(?=[,) ])"
    text = re.sub(takes_shape, r"\1 | Sequence[int]", text, flags=re.M)
    for loose, strict in STRICT:
        text = re.sub(loose, strict, text, flags=re.M)
    text = re.sub(r"^def .* = .*\) ->.*$", lambda found: with_defaults_to_the_end(found[0]), text, flags=re.M)
    return f"{HEADER}from typing import Any\nfrom collections.abc import Sequence\n\n{text}"


def main() -> int:
    module, output = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        package = pathlib.Path(folder) / "tilemeter"
        package.mkdir()
        (package / "__init__.py").touch()
        (package / module.name).symlink_to(module)
        command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-r", "-i", folder, "-m", "tilemeter._tilemeter"]
        subprocess.run([*command, "-O", folder], check=True)
        made = pathlib.Path(folder) / "_tilemeter"
        for stub in made.rglob("*.pyi"):  # modules within modules are folders
            target = output / stub.relative_to(made)
            target.parent.mkdir(parents=True, exist_ok=True)
            text = completed(stub.read_text(encoding="utf-8"))
            if unknown := NOT_PYTHON.search(text):  # its binding lacks an #include <nanobind/stl/...>, which no compiler says
                print(f"{target.name}: found {unknown[0]} in a signature, expected types of Python", file=sys.stderr)
                return 1
            target.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
