"""Bots in every form; a machine with bubblewrap, or a reason why not; a place that is neither a home nor temporary."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from referee.play.launches import write_bots
from referee.play.shut_off import host_folders


@pytest.fixture
def base(tmp_path):
    return write_bots(tmp_path)


@pytest.fixture
def bubblewrap():
    if shutil.which("bwrap") is None:
        assert "CI" not in os.environ, "the gate installs bubblewrap"
        pytest.skip("bubblewrap is not installed")
    probe = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true"]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("this kernel, or the container around, does not let bubblewrap make namespaces")


@pytest.fixture
def elsewhere(bubblewrap):
    with tempfile.TemporaryDirectory(dir=host_folders()[0]) as place:
        yield Path(place)
