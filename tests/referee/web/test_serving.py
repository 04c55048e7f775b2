"""The pages as they are served beside real matches: in the clear, over TLS, over a Unix socket; and how they end."""

import re
import socket
import ssl

import httpx
import pytest
import trustme
from referee.cli.shell import started
from referee.league.served import SETTINGS, league, stop

from aluette.errors import Misuse
from aluette_referee.league.folder import open_folder
from aluette_referee.web.serving import open_web

WEB = 'web = "127.0.0.1:0"'


def serve(served):
    """Start the service; returns it, and where its pages are."""
    service = served.stack.enter_context(started("league", "serve", ".", cwd=served.folder))
    line = service.stderr.readline()
    assert "People go to " in line, line + service.stderr.read()
    return service, line.split()[-1]


def test_pages_beside_matches(tmp_path):
    with league(tmp_path / "league") as served:
        tokens = [served.enter(owner, bot) for owner, bot in (("Ana", "fox"), ("Bea", "wolf"))]
        service, address = serve(served)
        for token in tokens:
            served.come(token)
        served.until_played(3)
        with httpx.Client(base_url=address) as client:
            page = client.get("/matches").text
            assert "fox/1" in page
            form = client.get("/register").text
            key = re.search(r'name="key" value="(\w+)"', form)[1]
            answer = client.post("/register", data={"key": key, "name": "Cleo"})
            assert "aluette_own_" in answer.text
            record = client.get("/api/v1/matches").json()["matches"][-1]["id"]
            assert client.get(f"/match/{record}").status_code == 200
        assert "Cleo register" in served.run("audit")
        said = stop(service)
        assert service.returncode == 0
        assert said.splitlines()[-1] == "The league is closed."
        assert "Traceback" not in said


@pytest.fixture
def certified(tmp_path):
    authority = trustme.CA()
    made = authority.issue_cert("127.0.0.1", "localhost")
    made.private_key_pem.write_to_path(tmp_path / "key.pem")
    for blob in made.cert_chain_pems:
        blob.write_to_path(tmp_path / "cert.pem", append=True)
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    return tmp_path


def test_over_tls_cookies_are_for_tls_alone(certified):
    settings = SETTINGS.replace("unix:{socket}", "127.0.0.1:0").replace(
        WEB, f'{WEB}\ntls_cert = "{certified}/cert.pem"\ntls_key = "{certified}/key.pem"'
    )
    with league(certified / "league", settings=settings) as served:
        service, address = serve(served)
        assert address.startswith("https://127.0.0.1:")

        trusting = ssl.create_default_context(cafile=certified / "ca.pem")
        with httpx.Client(base_url=address, verify=trusting) as client:
            response = client.get("/sign-in")
            assert response.headers["set-cookie"].startswith("__Host-aluette-form=")
            assert "Secure" in response.headers["set-cookie"]
            connect = client.get("/connect").text
            assert "ALUETTE_SERVER=tls:127.0.0.1:0 ALUETTE_CA=league.pem" in connect
            assert client.get("/league.pem").content == (certified / "cert.pem").read_bytes()
        stop(service)


def test_over_a_unix_socket_a_proxy_says_for_whom(tmp_path):
    path = tmp_path / "web"
    with league(tmp_path / "league", settings=SETTINGS.replace(WEB, f'web = "unix:{path}"')) as served:
        service, address = serve(served)
        assert address == f"unix:{path}"
        transport = httpx.HTTPTransport(uds=str(path))
        with httpx.Client(base_url="http://league.test", transport=transport) as client:
            proxied = {"x-forwarded-for": "203.0.113.9, 192.0.2.1", "x-forwarded-proto": "https"}
            assert "Secure" in client.get("/sign-in", headers=proxied).headers["set-cookie"]
            statuses = [client.post("/sign-in", headers=proxied).status_code for _ in range(11)]
            assert statuses[-1] == 429
            other = {**proxied, "x-forwarded-for": "192.0.2.1, 203.0.113.9"}
            assert client.post("/sign-in", headers=other).status_code == 415
        stop(service)
        service, _ = serve(served)  # the socket that was left there is taken away
        stop(service)


def folder(path, serve: str):
    path.mkdir()
    (path / "league.toml").write_text(f'[league]\nname = "x"\n[serve]\n{serve}\n')
    return open_folder(path)


def test_an_address_that_is_taken_or_is_none(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(Misuse, match=f"127.0.0.1:{port} cannot be listened on: Address already in use"):  # noqa: SIM117
            with open_web(folder(tmp_path / "a", f'web = "127.0.0.1:{port}"')):
                pass
    of = folder(tmp_path / "unix", f'web = "unix:{tmp_path}/web"')
    with open_web(of), pytest.raises(Misuse, match="Address already in use"), open_web(of):
        pass
    with open_web(of):
        pass
    for number, wrong in enumerate(('web = "0.0.0.0:0"', 'web = "nowhere"')):
        with pytest.raises(Misuse), open_web(folder(tmp_path / f"b{number}", wrong)):
            pass


def test_the_way_here_is_by_the_public_name(tmp_path):
    of = folder(tmp_path / "a", 'bots = "0.0.0.0:7000"\npublic = "league.example"\ninsecure = true')
    assert of.way_here() == {"ALUETTE_SERVER": "league.example:7000"}
    with open_web(folder(tmp_path / "b", 'web = "127.0.0.1:0"\npublic = "league.example"')) as web:
        assert re.fullmatch(r"http://league\.example:\d+", web.address)
