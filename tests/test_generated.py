"""The committed wire code is what scripts/generate makes of proto/."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COMMITTED = ROOT / "sdk" / "aluette" / "v1"


@pytest.fixture(scope="module")
def generated(tmp_path_factory) -> Path:
    """What the script generates. The first run on a machine installs the compiler, later ones are quick."""
    bash = shutil.which("bash")
    assert bash is not None
    folder = tmp_path_factory.mktemp("generated")
    ran = subprocess.run(
        [bash, ROOT / "scripts" / "generate", folder],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr
    return folder / "aluette" / "v1"


def files(folder: Path) -> dict[str, str]:
    return {
        path.name: path.read_text(encoding="utf-8")
        for path in sorted(folder.iterdir())
        if path.is_file() and path.name != "__init__.py"
    }


def test_the_committed_code_is_the_generated_one(generated):
    assert files(COMMITTED) == files(generated)


def test_there_is_code_and_types_for_each_definition(generated):
    names = {path.stem for path in (ROOT / "proto" / "aluette" / "v1").glob("*.proto")}
    assert set(files(COMMITTED)) == {f"{name}_pb2.{kind}" for name in names for kind in ("py", "pyi")}
