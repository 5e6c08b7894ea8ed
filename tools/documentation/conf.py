# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Settings of sphinx for what tools/documentation/sources.py has laid out."""

from __future__ import annotations

import pathlib
import re
import sys
from typing import Any

ROOM = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(ROOM))

from sources import of_docstring  # noqa: E402: the room has to be on the path first

project = "tilemeter"
author = "tilemeter contributors"
copyright = "2026, tilemeter contributors"  # noqa: A001: sphinx's name
version = release = re.findall(r"project\(tilemeter VERSION ([\d.]+)", (ROOM.parents[1] / "CMakeLists.txt").read_text())[0]

root_doc = "tools/documentation/index"
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
myst_heading_anchors = 4
breathe_projects = {"tilemeter": str(ROOM.parents[1] / "build/documentation/doxygen/xml")}
breathe_default_project = "tilemeter"
highlight_language = "none"
smartquotes = False  # what stands in quotes is often a value
autodoc_typehints = "none"
python_use_unqualified_type_names = True  # types of the extension module are named as users name them
autodoc_member_order = "bysource"
# Each header opens the namespace anew; the classes in it are declared once.
suppress_warnings = ["duplicate_declaration.cpp"]
# A name in a signature has to lead somewhere, but for those of headers and rooms behind the ones that the reference shows.
nitpicky = True
nitpick_ignore_regex = [
    ("cpp:identifier", ".*"),
    ("std:ref", r"\w+_8hp*"),
    ("py:class", r"collections\.abc\.\w+|ComplexTensor|tilemeter\._(src|tilemeter)\..*"),
]

html_theme = "furo"
html_title = f"tilemeter {version}"
html_copy_source = False
html_show_sphinx = False
html_extra_path = [str(ROOM / "front")]
html_theme_options = {"navigation_with_keys": True}


def setup(app: Any) -> None:
    app.connect("autodoc-process-docstring", plain)
    app.connect("html-page-context", accessible, priority=900)  # behind the theme's, which makes its navigation


def plain(app: Any, what: str, name: str, value: object, options: object, lines: list[str]) -> None:
    """Docstrings here are plain text."""
    lines[:] = of_docstring("\n".join(lines)) if any(lines) else lines


def accessible(app: Any, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Blocks that scroll are reached by keys, and the theme's headings of navigation have their level."""
    for part in ("body", "furo_navigation_tree"):
        if context.get(part):
            context[part] = context[part].replace("<pre>", '<pre tabindex="0">').replace('role="heading">', 'role="heading" aria-level="2">')
