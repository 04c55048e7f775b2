"""A machine with bubblewrap, or a reason why not; and a place on it that is neither a home nor for temporary files."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from referee.play.shut_off import host_folders


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
