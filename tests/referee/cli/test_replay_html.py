"""`aluette replay --html`: a stored match as a page."""

import pytest
from referee.cli.club import lines, with_fault
from referee.cli.shell import invoke, refused


def test_a_page_of_a_match(club):
    match = with_fault(club)
    result = invoke("replay", "club.db", match["id"], "--html", "match.html", cwd=club.folder)
    assert (result.exit_code, result.output) == (0, "")
    page = (club.folder / "match.html").read_text(encoding="utf-8")
    for said in (
        match["id"],
        match["rules"],
        match["key"],
        "Zoé, bot 1",
        "clubbots.py:Forgetful",
        "ValueError",
    ):
        assert said in page
    assert f'"seat":"{match["result"]["fault"]["seat"]}"' in page
    invoke("replay", "club.db", match["id"], "--html", "again.html", cwd=club.folder)
    assert (club.folder / "again.html").read_text(encoding="utf-8") == page
    assert not [path for path in club.folder.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        ("club.db", "club.db is the database itself; write into another file"),
        (".", ". is a folder; give the name of a file"),
        ("none/match.html", "none/match.html cannot be written: No such file or directory"),
        ("club.toml/match.html", "club.toml/match.html cannot be written: Not a directory"),
    ],
)
def test_a_page_that_cannot_be_written(club, where, sentence):
    before = sorted(path.name for path in club.folder.iterdir())
    told = refused("replay", "club.db", lines(club)[0]["id"], "--html", where, cwd=club.folder)
    assert told == f"aluette: {sentence}\n"
    assert sorted(path.name for path in club.folder.iterdir()) == before


@pytest.mark.parametrize("more", [("--seat", "N"), ("--until", "1.2", "--bot", "lowest")])
def test_a_page_is_of_the_whole_match(played, more):
    told = refused("replay", "club.db", lines(played)[0]["id"], "--html", "m.html", *more, cwd=played.folder)
    assert (
        told == "aluette: --html goes without --seat and --bot: the page has all views of the whole match\n"
    )


def test_a_page_is_of_one_match(played):
    assert "--html shows one match: say which" in refused(
        "replay", "club.db", "--html", "m.html", cwd=played.folder
    )
