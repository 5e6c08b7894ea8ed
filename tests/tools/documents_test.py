#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Links between documents lead to files and headings, a README of a room is one page, a cell of a table one sentence."""

import pathlib
import re
import unittest

from readme_commands_test import documents

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)\s]+)\)")
WORDS_OF_A_PAGE = 750


def anchors(document: pathlib.Path) -> set[str]:
    """The names that GitHub gives to headings."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


class Links(unittest.TestCase):
    def test_each_leads_somewhere(self) -> None:
        for document in documents():
            for link in LINK.findall((ROOT / document).read_text(encoding="utf-8")):
                if re.match(r"[a-z]+:", link):
                    continue
                name, _, heading = link.partition("#")
                target = ROOT / document.parent / name if name else ROOT / document
                with self.subTest(document=str(document), link=link):
                    self.assertTrue(target.exists())
                    self.assertTrue(not heading or heading in anchors(target))


class Readmes(unittest.TestCase):
    def test_each_of_a_room_is_one_page(self) -> None:
        for document in documents():
            if document.name == "README.md" and document != pathlib.Path("README.md"):
                with self.subTest(document=str(document)):
                    self.assertLess(len((ROOT / document).read_text(encoding="utf-8").split()), WORDS_OF_A_PAGE)


class Tables(unittest.TestCase):
    def test_each_cell_is_one_sentence(self) -> None:
        for document in documents():
            for number, line in enumerate((ROOT / document).read_text(encoding="utf-8").splitlines(), 1):
                if not line.startswith("|"):
                    continue
                for cell in re.split(r"(?<!\\)\|", re.sub(r"`[^`]*`", "X", line)):
                    with self.subTest(document=str(document), line=number):
                        self.assertNotRegex(cell, r"[a-zA-Z0-9)][.!?] +[A-Z]")


if __name__ == "__main__":
    unittest.main()
