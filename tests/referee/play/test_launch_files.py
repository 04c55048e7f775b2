"""What belongs to a bot besides its own file, what of it may be seen in a sandbox, and files that were written to do harm."""

from pathlib import Path

import pytest
from referee.play.launches import BOT, found

from aluette.errors import Misuse
from aluette_referee.contest.contest import BotSpec
from aluette_referee.play.launch import resolve

# -- what else belongs to it, and may be seen in a sandbox ------------------------------------------------


def test_a_module_imports_from_all_of_its_package(base):
    (base / "package" / "sub").mkdir()
    (base / "package" / "sub" / "__init__.py").write_text("", encoding="utf-8")
    (deep := base / "package" / "sub" / "deep.py").write_text("from ..helper import x", encoding="utf-8")
    upwards = found("package.sub.deep:MyBot", base)
    downwards = found("package.bot:MyBot", base)
    (base / "package" / "helper.py").write_text("x = 1", encoding="utf-8")
    assert found("package.sub.deep:MyBot", base).content != upwards.content
    assert base / "package" / "helper.py" in upwards.command.files
    (base / "package" / "bot.py").write_text(BOT + "from package.sub import deep\n", encoding="utf-8")
    assert deep in found("package.bot:MyBot", base).command.files
    assert deep not in downwards.command.files


def test_a_link_out_of_its_folder_does_not_belong_to_a_bot_unless_it_is_named(base, tmp_path):
    (bots := base / "bots").mkdir()
    (secret := tmp_path / "secret.py").write_text("KEY = 1", encoding="utf-8")
    (bots / "key.py").symlink_to(secret)
    (bots / "big").symlink_to("/usr")
    (bots / "same.py").symlink_to("other.py")
    (bots / "other.py").write_text("", encoding="utf-8")
    (bots / "mine.py").write_text(f"import big, key, same\n{BOT}", encoding="utf-8")
    before = found("bots/mine.py:MyBot", base)
    assert before.command.files == (bots / "mine.py", bots / "same.py")
    with pytest.raises(Misuse, match=r"bots/key\.py is a link out of its folder: write where it leads, "):
        resolve(BotSpec("bots/mine.py:MyBot", files=("bots/key.py",)), base)
    named = resolve(BotSpec("bots/mine.py:MyBot", files=(str(secret),)), base)
    folder = resolve(BotSpec("bots/mine.py:MyBot", files=("bots",)), base)
    secret.write_text("KEY = 2", encoding="utf-8")
    assert found("bots/mine.py:MyBot", base).content == before.content
    assert resolve(BotSpec("bots/mine.py:MyBot", files=("bots",)), base).content == folder.content
    assert resolve(BotSpec("bots/mine.py:MyBot", files=(str(secret),)), base).content != named.content


def test_what_it_imports_from_beside_it_is_told_from_what_was_named(base):
    assert found("imports.py:MyBot", base).neighbours == (base / "mybot.py",)
    assert found("imports.py:MyBot", base).programs == {base / "imports.py"}
    assert found("python imports.py", base).programs == {base / "imports.py"}
    assert resolve(BotSpec("imports.py:MyBot", files=("mybot.py",)), base).neighbours == ()
    assert found("lowest", base).programs == frozenset()


# -- what was written to do harm ----------------------------------------------------------------------------


def test_a_package_that_is_not_there_is_not_run_to_look_for_it(base, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", ".")
    monkeypatch.chdir(base)
    monkeypatch.syspath_prepend(str(base))
    with pytest.raises(Misuse, match=r"there is no Python module 'package\.gone' for a bot"):
        found("package.gone:MyBot", base)


def test_folders_without_an_init_are_packages(base):
    (base / "space" / "deep").mkdir(parents=True)
    (base / "space" / "deep" / "bot.py").write_text(BOT, encoding="utf-8")
    assert found("space.deep.bot:MyBot", base).command.files == (base / "space" / "deep" / "bot.py",)


def test_what_cannot_be_read_is_a_sentence(base, monkeypatch):
    def closed(path, *_, **__):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", closed)
    with pytest.raises(Misuse, match=r"^mybot\.py:MyBot: its files cannot be read: .*Permission denied"):
        found("mybot.py:MyBot", base)


def test_a_file_that_is_too_large_is_a_sentence(base):
    with (base / "weights" / "a.bin").open("r+b") as file:
        file.truncate(60_000_000_000)
    with pytest.raises(Misuse, match=r"a\.bin has more than 50 GB"):
        resolve(BotSpec("mybot.py:MyBot", files=("weights",)), base)
