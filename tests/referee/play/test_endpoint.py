"""Where a referee may listen: freely on this machine, with TLS anywhere else; and that bots come there."""

import contextlib
import functools
import socket
import threading
from pathlib import Path

import pytest
import trio
import trustme

from aluette.address import Address
from aluette.client import Disconnected, connect
from aluette.errors import Misuse
from aluette.session import Session
from aluette.v1 import referee_pb2 as wire
from aluette_referee.play import bridge
from aluette_referee.play.endpoint import LOOPBACK, Endpoint, Tls, read_endpoint

SECONDS = 60.0


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA(key_type=trustme.KeyType.ECDSA)


@pytest.fixture(scope="module")
def files(authority, tmp_path_factory) -> tuple[Path, Path]:
    """A chain for localhost, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    issued = authority.issue_cert("localhost")
    chain, key = folder / "chain.pem", folder / "key.pem"
    chain.write_bytes(b"".join(part.bytes() for part in issued.cert_chain_pems))
    key.write_bytes(issued.private_key_pem.bytes())
    return chain, key


# -- what is asked for -----------------------------------------------------------------------------


def test_without_a_wish_it_is_a_free_port_of_this_machine():
    assert read_endpoint(None, None, None) == LOOPBACK == Endpoint("127.0.0.1:0")


@pytest.mark.parametrize(
    "address", ["127.0.0.1:7000", "127.1.2.3:0", "[::1]:7000", "localhost:7000", "unix:/run/aluette/socket"]
)
def test_this_machine_needs_no_tls(address):
    assert read_endpoint(address, None, None) == Endpoint(address)


@pytest.mark.parametrize(
    "address",
    ["0.0.0.0:7000", "[::]:7000", "192.0.2.7:7000", "[2001:db8::1]:7000", "referee.example.org:7000"],
)
def test_others_need_tls_or_are_to_be_insecure(address, files):
    with pytest.raises(Misuse, match="give --tls-cert and --tls-key, or --insecure"):
        read_endpoint(address, None, None)
    assert read_endpoint(address, None, None, insecure=True) == Endpoint(address)
    chain, key = files
    expected = Tls(chain.read_bytes(), key.read_bytes(), chain)
    assert read_endpoint(address, chain, key) == Endpoint(address, expected)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "7000",
        ":7000",
        "localhost",
        "localhost:",
        "localhost:65536",
        "::1:7000",
        "a b:1",
        "unix:",
        "[x]:1",
    ],
)
def test_what_is_no_address_is_said(address):
    if not address:
        return  # as if it had been left out
    with pytest.raises(Misuse, match="write HOST:PORT"):
        read_endpoint(address, None, None)


def test_a_certificate_goes_with_its_key(files, authority, tmp_path):
    chain, key = files
    with pytest.raises(Misuse, match="go together"):
        read_endpoint("0.0.0.0:1", chain, None)
    with pytest.raises(Misuse, match="go together"):
        read_endpoint(None, None, key)
    with pytest.raises(Misuse, match=r"nothing\.pem: No such file"):
        read_endpoint("0.0.0.0:1", tmp_path / "nothing.pem", key)
    with pytest.raises(Misuse, match="Unix socket"):
        read_endpoint("unix:/a", chain, key)
    other = tmp_path / "other.pem"
    other.write_bytes(authority.issue_cert("localhost").private_key_pem.bytes())
    with pytest.raises(Misuse, match="no certificate chain and its key: key values mismatch"):
        read_endpoint("0.0.0.0:1", chain, other)
    with pytest.raises(Misuse, match="no certificate chain and its key"):
        read_endpoint("0.0.0.0:1", key, key)


def test_an_encrypted_key_asks_nobody(files, tmp_path):
    from cryptography.hazmat.primitives import serialization

    chain, key = files
    loaded = serialization.load_pem_private_key(key.read_bytes(), None)
    locked = tmp_path / "locked.pem"
    locked.write_bytes(
        loaded.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(b"password"),
        )
    )
    with pytest.raises(Misuse, match="the key is encrypted"):
        read_endpoint("0.0.0.0:1", chain, locked)


# -- what bots are told ----------------------------------------------------------------------------


def test_a_bot_is_told_a_name_that_it_can_go_to(files):
    chain, key = files
    assert Endpoint("127.0.0.1:0").as_told("127.0.0.1:5") == "ALUETTE_SERVER=127.0.0.1:5"
    assert Endpoint("0.0.0.0:0").as_told("0.0.0.0:5") == f"ALUETTE_SERVER={socket.gethostname()}:5"
    told = Endpoint("a.org:5", Tls(b"", b"", Path("my certificates/chain.pem"))).as_told("a.org:5")
    assert told == "ALUETTE_SERVER=tls:a.org:5 ALUETTE_CA='my certificates/chain.pem'"
    assert read_endpoint("[::]:5", chain, key).as_told("[::]:5") == (
        f"ALUETTE_SERVER=tls:{socket.gethostname()}:5 ALUETTE_CA={chain}"
    )


# -- for real --------------------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def listening(endpoint: Endpoint):
    """A server that says goodbye to everybody; the port, and how many came."""
    came: list[str] = []

    async def greet(server: bridge.Server) -> None:
        async for connection in server.connections:
            came.append(connection.token)
            goodbye = wire.PlayResponse(goodbye=wire.Goodbye(message="that was all"))
            connection.send(goodbye.SerializeToString())
            connection.close()

    with trio.fail_after(SECONDS):
        async with bridge.open_server([endpoint]) as server, trio.open_nursery() as nursery:
            nursery.start_soon(greet, server)
            yield server.addresses[0].rpartition(":")[2], came
            nursery.cancel_scope.cancel()


@pytest.fixture
def impatient(monkeypatch) -> None:
    monkeypatch.setattr("aluette.client.CONNECT_SECONDS", 1.5)


def come(server: str, authorities: bytes | None = None) -> None:
    connect(Session(min), server, "t0ken", name="Mine", authorities=authorities)


def test_a_bot_comes_with_tls(files, authority):
    async def main() -> None:
        async with listening(read_endpoint("localhost:0", *files)) as (port, came):
            trusted = authority.cert_pem.bytes()
            await trio.to_thread.run_sync(come, f"tls:localhost:{port}", trusted)
            assert came == ["t0ken"]

    bridge.run(main)


def test_the_chain_itself_may_be_what_a_bot_trusts(tmp_path):
    """Self-signed, as `openssl req -x509` makes it: the announced command works as it is."""
    from datetime import UTC, datetime, timedelta

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    chain, secret = tmp_path / "chain.pem", tmp_path / "key.pem"
    chain.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )

    async def main() -> None:
        async with listening(read_endpoint("localhost:0", chain, secret)) as (port, came):
            await trio.to_thread.run_sync(come, f"tls:localhost:{port}", chain.read_bytes())
            assert came == ["t0ken"]

    bridge.run(main)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("server", "trust", "sentence"),
    [
        ("tls:localhost", False, "its certificate is not trusted"),
        ("tls:127.0.0.1", True, "its certificate is not trusted"),
        ("localhost", True, "it speaks TLS: write tls:localhost:"),
    ],
    ids=["who signed it is not known", "it has another name", "no TLS"],
)
def test_who_does_not_fit_is_told_why_and_never_gets_in(files, authority, server, trust, sentence):
    async def main() -> None:
        async with listening(read_endpoint("localhost:0", *files)) as (port, came):
            trusted = authority.cert_pem.bytes() if trust else None
            with pytest.raises(Disconnected, match=sentence):
                await trio.to_thread.run_sync(come, f"{server}:{port}", trusted)
            assert came == []

    bridge.run(main)


@pytest.mark.usefixtures("impatient")
def test_tls_to_a_port_without_it_is_told():
    async def main() -> None:
        async with listening(LOOPBACK) as (port, came):
            with pytest.raises(Disconnected, match="it does not speak TLS: leave the tls: out"):
                await trio.to_thread.run_sync(come, f"tls:127.0.0.1:{port}")
            assert came == []

    bridge.run(main)


def test_a_socket_in_a_file_takes_bots_too(tmp_path):
    async def main() -> None:
        async with listening(Endpoint(f"unix:{tmp_path}/socket")) as (_, came):
            await trio.to_thread.run_sync(come, f"unix:{tmp_path}/socket")
            assert came == ["t0ken"]

    bridge.run(main)


# -- the bot's side, without a referee ------------------------------------------------------------


def test_an_address_reads_as_it_was_written():
    for written in ("127.0.0.1:5", "tls:a.org:5", "unix:/run/a"):
        assert str(Address.read(written)) == written


@pytest.mark.parametrize(
    "pem", [b"", b"\xff", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]
)
def test_authorities_that_are_none_are_said(pem):
    with pytest.raises(Misuse, match="are no certificates in PEM"):
        Address.read("tls:localhost:1", pem)


def test_a_server_that_only_waits_has_a_deadline(monkeypatch):
    """It takes the connection and says nothing."""
    monkeypatch.setattr("aluette.address._PROBE_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        port = mute.getsockname()[1]
        problem = functools.partial(Address.read(f"tls:127.0.0.1:{port}").problem)
        asked = threading.Thread(target=problem, daemon=True)
        asked.start()
        asked.join(SECONDS)
        assert not asked.is_alive()
        assert problem() == ""
