"""`--listen`: external bots that come over TLS, or are not to come at all."""

import re
import subprocess
import sys

import pytest
import trustme
from referee.cli.shell import ENVIRONMENT, SECONDS, refused, started

BOT = "import aluette\naluette.run(lambda view: view.hand[-1])\n"


def test_two_external_bots_are_announced_together_and_come_over_tls(tmp_path):
    authority = trustme.CA(key_type=trustme.KeyType.ECDSA)
    issued = authority.issue_cert("localhost")
    issued.private_key_pem.write_to_path(tmp_path / "key.pem")
    (tmp_path / "chain.pem").write_bytes(b"".join(part.bytes() for part in issued.cert_chain_pems))
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    (tmp_path / "bot.py").write_text(BOT)
    tls = ("--listen", "localhost:0", "--tls-cert", "chain.pem", "--tls-key", "key.pem")
    with started("match", "external", "lowest", "external", "lowest", *tls, cwd=tmp_path) as run:
        assert run.stderr is not None
        told = [
            dict(re.findall(r"(ALUETTE_\w+)=(\S+)", next(line for line in run.stderr if "TOKEN" in line)))
            for _ in range(2)
        ]
        bots = [
            subprocess.Popen(
                [sys.executable, "bot.py"],
                cwd=tmp_path,
                env=ENVIRONMENT | environment | {"ALUETTE_CA": "authority.pem"},
            )
            for environment in told
        ]
        out, err = run.communicate(timeout=SECONDS)
        codes = [bot.wait(SECONDS) for bot in bots]
    assert re.fullmatch(r"tls:localhost:\d+", told[0]["ALUETTE_SERVER"])
    assert told[0]["ALUETTE_CA"] == "chain.pem"
    assert (run.returncode, codes) == (0, [0, 0]), err
    assert "wins, NS" in out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--listen", "0.0.0.0:7000"), "give --tls-cert and --tls-key, or --insecure"),
        (("--listen", "here"), "write HOST:PORT"),
        (("--tls-cert", "chain.pem"), "go together"),
        (("--listen", "192.0.2.1:7000", "--insecure"), "cannot listen on 192.0.2.1:7000"),
        (("--listen", "nowhere.invalid:7000", "--insecure"), "cannot listen on nowhere.invalid:7000"),
    ],
)
def test_where_nobody_listens_is_said_in_a_sentence(options, sentence, tmp_path, capfd):
    assert sentence in refused("match", *["lowest"] * 4, *options, cwd=tmp_path)
