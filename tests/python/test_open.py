# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""`tilemeter open`: what it serves, to whom, and that nothing of it stays."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import pathlib
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from typing import Any, Iterator

import pytest

from test_captures_in_verbs import PROGRAM

REPORTS = pathlib.Path(__file__).resolve().parents[1] / "data" / "reports"
if not REPORTS.is_dir():
    pytest.skip("the checkout's reports are not here", allow_module_level=True)
CLASH = REPORTS / "error_clash.n150.NORMAL" / "report.json"


class Opened:
    def __init__(self, url: str) -> None:
        self.url = url
        self.host, _, self.path = url.removeprefix("http://").partition("/")
        self.path = "/" + self.path

    def get(self, below: str = "", method: str = "GET", **headers: str) -> tuple[int, str, bytes]:
        connection = http.client.HTTPConnection(self.host, timeout=60)
        connection.request(method, below if below.startswith("/") else self.path + below, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.headers["Content-Type"], answer.read()


@contextlib.contextmanager
def opened(path: pathlib.Path, scratch: pathlib.Path, *arguments: str) -> Iterator[Opened]:
    """Ends it by Ctrl-C: it says no more then, and its temporary folder is empty."""
    temporary = scratch / "temporary"
    temporary.mkdir(exist_ok=True)
    environment = {**os.environ, "TMPDIR": str(temporary)}
    program = subprocess.Popen([PROGRAM, "open", path, "--no-browser", "--json", *arguments], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env=environment)
    assert program.stdout is not None
    text = ""
    while not text.endswith("}\n"):
        line = program.stdout.readline()
        assert line, program.communicate()
        text += line
    try:
        yield Opened(json.loads(text)["url"])
    finally:
        program.send_signal(signal.SIGINT)
        said = program.communicate(timeout=60)
    assert (program.returncode, *said) == (0, "", "")
    assert not list(temporary.iterdir())


def test_a_report_is_its_page_and_its_database(tmp_path: pathlib.Path) -> None:
    page = subprocess.run([PROGRAM, "html", CLASH], capture_output=True, check=True).stdout
    with opened(CLASH, tmp_path) as site:
        assert site.get() == (200, "text/html; charset=utf-8", page)
        assert site.get("reports/0/")[2] == page
        status, kind, database = site.get("db.sqlite")
        assert status == 200 and kind == "application/vnd.sqlite3"
        (tmp_path / "db.sqlite").write_bytes(database)
        connection = sqlite3.connect(tmp_path / "db.sqlite")
        assert connection.execute("SELECT count(*) FROM operations").fetchone()[0] > 0
        assert site.get(method="HEAD") == (200, "text/html; charset=utf-8", b"")


def test_a_folder_is_a_table_that_leads_to_each_report(tmp_path: pathlib.Path) -> None:
    with opened(REPORTS, tmp_path) as site:
        table = site.get()[2].decode()
        count = len(list(REPORTS.glob("*/report.json")))
        assert f"{count} reports in" in table
        for i in range(count):
            assert f'href="reports/{i}/"' in table and b"<main" in site.get(f"reports/{i}/")[2]
        for wrong in ("reports/99/", "reports/x/", "reports/0", "reports/-1/", "nothing", "reports/0/../1/", "db.sqlite"):
            assert site.get(wrong)[0] == 404, wrong
        # The worst first: one that the device refused above one that fits.
        assert table.index("error_clash.n150.NORMAL") < table.index("add.n150.NORMAL")


def test_nobody_else_is_answered(tmp_path: pathlib.Path) -> None:
    with opened(CLASH, tmp_path) as site:
        assert site.get("/")[0] == 404 and site.get("/0123456789abcdef0123456789abcdef/")[0] == 404
        assert site.get(Host="attacker.example")[0] == 403  # a name that was made to lead here
        assert site.get(method="POST")[0] == 405
        port = int(site.host.rpartition(":")[2])
        addresses = {each[4][0] for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}
        for address in addresses:
            with pytest.raises(OSError):
                socket.create_connection((address, port), timeout=5).close()
        # Connections that say nothing, or nonsense, hold nobody up.
        silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
        silent[0].sendall(b"\x00\xff" * 1000)
        silent[1].sendall(b"GET / HTTP/1.1\r\nX: " + b"a" * 200_000)
        assert site.get()[0] == 200


def test_a_recording_is_opened_as_its_report(tmp_path: pathlib.Path) -> None:
    code = (
        "import os, sys, tilemeter as ttnn\n"
        "device = ttnn.open_device(device_id=0)\n"
        "with ttnn.graph.capture(sys.argv[1] + '.json', stream=sys.argv[1]):\n"
        "    ttnn.ones([1, 1, 32, 32], device=device, layout=ttnn.TILE_LAYOUT)\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path / "recording"], capture_output=True)
    with opened(tmp_path / "recording", tmp_path) as site:
        assert b"ttnn.ones" in site.get()[2]
    assert not (tmp_path / "recording.json").exists()


RECORDS = (
    "import sys, time, tilemeter as ttnn\n"
    "device = ttnn.open_device(device_id=0)\n"
    "with ttnn.graph.capture(sys.argv[1] + '.json', stream=sys.argv[1]):\n"
    "    a = ttnn.ones([1, 1, 32, 32], device=device, layout=ttnn.TILE_LAYOUT)\n"
    "    for i in range(int(sys.argv[2])):\n"
    "        b = ttnn.relu(a)\n"
    "        if i == 100: print('begun', flush=True)\n"
    "        time.sleep(0.001)\n"
)


@pytest.mark.parametrize("by", ["path", "process"])
def test_a_recording_that_is_written_is_what_runs_now(by: str, tmp_path: pathlib.Path) -> None:
    with subprocess.Popen([sys.executable, "-c", RECORDS, tmp_path / "r", "100000"], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None and writer.stdout.readline() == "begun\n"
        with opened(tmp_path / "r" if by == "path" else pathlib.Path(str(writer.pid)), tmp_path) as site:
            page = site.get()[2].decode()
            assert "connect-src 'self'" in page and "<main" in page
            first = json.loads(site.get("live.json")[2])
            assert first["state"] == "recording" and first["process_id"] == writer.pid and first["lost_event_count"] == 0
            assert b"ttnn.relu" in site.get("reports/0/")[2]
            while json.loads(site.get("live.json")[2])["operation_count"] == first["operation_count"]:
                pass
            writer.kill()
            writer.wait()
            last = json.loads(site.get("live.json")[2])
            assert last["state"] == "died" and last["operation_count"] > first["operation_count"] >= 100
            assert site.get("reports/0/")[2].count(b"<main") == 1 and site.get("db.sqlite")[0] == 200
        # What has ended is a report.
        with opened(tmp_path / "r", tmp_path) as site:
            assert b"connect-src" not in site.get()[2] and site.get("live.json")[0] == 404


def test_a_server_that_is_killed_leaves_the_program_alone(tmp_path: pathlib.Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with subprocess.Popen([sys.executable, "-c", RECORDS, tmp_path / "r", "1500"], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None and writer.stdout.readline() == "begun\n"
        for _ in range(5):
            server = subprocess.Popen([PROGRAM, "open", tmp_path / "r", "--no-browser"], stdout=subprocess.PIPE, text=True,
                                      env={**os.environ, "TMPDIR": str(temporary)})
            assert server.stdout is not None and server.stdout.readline().startswith("http://127.0.0.1:")
            server.kill()
            server.communicate()
        assert writer.wait() == 0
    assert not list(temporary.iterdir())  # nobody had asked for a report yet
    with opened(tmp_path / "r", tmp_path) as site:
        assert site.get()[2].count(b"<main") == 1


def test_two_reports_are_the_page_of_both(tmp_path: pathlib.Path) -> None:
    other = REPORTS / "add.n150.NORMAL" / "report.json"
    page = subprocess.run([PROGRAM, "html", other, CLASH], capture_output=True, check=True).stdout
    with opened(other, tmp_path, str(CLASH)) as site:
        assert site.get()[2] == page
        assert site.get("reports/1/")[2] == subprocess.run([PROGRAM, "html", CLASH], capture_output=True, check=True).stdout
        assert site.get("reports/0/db.sqlite")[0] == 200 and site.get("db.sqlite")[0] == 404


def test_a_training_steps_memory_is_its_page(tmp_path: pathlib.Path) -> None:
    code = (
        "import sys, tilemeter as ttnn, tilemeter.trace as trace\n"
        "device = ttnn.open_device(device_id=0)\n"
        "x = ttnn.ones([32, 32], device=device, layout=ttnn.TILE_LAYOUT)\n"
        "plan = trace.plan(trace.value_and_grad(lambda x: ttnn.sum(ttnn.gelu(x))), x)\n"
        "plan.save_memory(sys.argv[1]); plan.memory_html(sys.argv[1] + '.html')\n"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path / "step.json"], check=True)
    page = subprocess.run([PROGRAM, "memory", tmp_path / "step.json", "--html", "-"], capture_output=True, check=True).stdout
    with opened(tmp_path / "step.json", tmp_path) as site:
        assert site.get()[2] == page and b'"training"' in page


@pytest.mark.parametrize("what", ["absent", "no report", "empty folder", "port"])
def test_what_cannot_be_opened_is_refused_in_one_line(what: str, tmp_path: pathlib.Path) -> None:
    path: Any = tmp_path / "absent.json"
    arguments: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as taken:
        if what == "no report":
            path.write_text("no report\n")
        elif what == "empty folder":
            path = tmp_path
        elif what == "port":
            path, arguments = CLASH, ["--port", str(taken.getsockname()[1])]
        done = subprocess.run([PROGRAM, "open", path, "--no-browser", *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and done.stdout == "" and done.stderr.count("\n") == 1, done
    assert done.stderr.startswith("tilemeter: ")


@pytest.mark.parametrize("browser", ["{0} --new %s", "{0}", "no-such-browser:{0} %s:also-none", "no-such-browser:none"])
def test_the_browser_is_the_first_that_starts(browser: str, tmp_path: pathlib.Path) -> None:
    script, said = tmp_path / "browser", tmp_path / "said"
    script.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >"{said}.part"; mv "{said}.part" "{said}"\n')
    script.chmod(0o755)
    program = subprocess.Popen([PROGRAM, "open", CLASH], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "BROWSER": browser.format(script)})
    assert program.stdout is not None
    url = program.stdout.readline().strip()
    if "{0}" in browser:
        for _ in range(600):
            if said.exists():
                break
            time.sleep(0.1)
    assert program.stderr is not None
    errors = "" if "{0}" in browser else program.stderr.readline()
    program.send_signal(signal.SIGINT)
    errors += program.communicate(timeout=60)[1]
    if "{0}" in browser:
        assert said.read_text().split() == ["--new", url][0 if "--new" in browser else 1 :] and errors == ""
    else:
        assert errors == f"tilemeter: no browser could be started ({browser}): open the address yourself\n"
