"""The public API's types, as a bot author's own strict check sees them."""

import subprocess
import sys
from pathlib import Path

import pytest
from sdk.typed_bot import use_everything

HERE = Path(__file__).parent


@pytest.mark.slow
def test_an_authors_strict_check_passes_and_catches_mistakes(tmp_path):
    """As the author's own project runs it: no settings of ours, the installed package."""
    (tmp_path / "typed_bot.py").write_bytes((HERE / "typed_bot.py").read_bytes())
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "typed_bot.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=600)
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout
    assert ran.stdout == "Success: no issues found in 1 source file\n"


def test_the_code_that_is_checked_runs():
    record, score = use_everything()
    assert record["result"]["fault"] is None
    assert sum(score[:3]) == 2
