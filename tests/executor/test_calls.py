"""The few instructions that work off a table of system calls."""

from __future__ import annotations

import os
import re
import subprocess
from importlib import resources
from pathlib import Path

import pytest

from sandbox_service.executor.init import calls


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="no such instructions")
def test_code_is_what_its_source_says(tmp_path: Path) -> None:
    source = resources.files("sandbox_service.executor.init") / "calls.S"
    subprocess.run(["as", "-o", "calls.o"], input=source.read_bytes(), cwd=tmp_path, check=True)
    subprocess.run(["objcopy", "-O", "binary", "-j", ".text", "calls.o", "calls.bin"], cwd=tmp_path, check=True)
    assert (tmp_path / "calls.bin").read_bytes() == calls.CODE


@pytest.mark.parametrize("native", [True, False])
class TestTable:
    @pytest.fixture
    def table(self, native: bool) -> calls.Calls:
        table = calls.Calls()
        if not native:
            table._native = None
        elif table._native is None:
            pytest.skip("no instructions for this machine")
        return table

    def test_results_go_where_they_are_wanted(self, table: calls.Calls, tmp_path: Path) -> None:
        opened = table.add("openat", -100, os.fsencode(tmp_path / "note"), os.O_WRONLY | os.O_CREAT, 0o600)
        written = table.add("write", 0, b"words", 5)
        table.result_to(opened, table.address(table.slot(written, 0)))
        table.make(0, table.count)
        os.close(table.words[table.slot(written, 0)])
        assert (tmp_path / "note").read_bytes() == b"words"

    def test_a_failed_call_is_named(self, table: calls.Calls) -> None:
        table.add("umask", 0o022)
        table.add("chdir", b"/there/is/no/such/folder")
        with pytest.raises(calls.Failed, match=re.escape("[Errno 2] No such file or directory: 'chdir'")):
            table.make(0, table.count)

    def test_one_that_may_fail_ends_nothing(self, table: calls.Calls) -> None:
        table.add("chdir", b"/there/is/no/such/folder", may_fail=True)
        table.make(0, table.count)

    def test_calls_of_a_new_process(self, table: calls.Calls) -> None:
        reading, writing = os.pipe()
        table.add("write", writing, b"words", 5)
        process = table.bear(1)
        if process == 0:
            os._exit(7)
        os.close(writing)
        assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 7
        assert os.read(reading, 100) == b"words"
        os.close(reading)
