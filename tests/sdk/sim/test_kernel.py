"""Compiled or not, with numpy or without: the same results; and who does not simulate imports neither."""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from sdk.sim.positions import OPTIONS, ending, signalled_match

from aluette.rules import Ask, RuleSet
from aluette.sim import (
    Deals,
    SearchLimit,
    deal_consistent,
    from_rulebook,
    generator,
    observation,
    playout,
    playouts,
    search,
    solve,
    solver,
    state,
    uncompiled,
    worlds,
)
from aluette.sim import deals as deals_module
from aluette.view import view_of

MODULES = [deals_module, generator, observation, playout, search, solver, state, worlds]
KERNELS = {
    f"{module.__name__}.{name}": value
    for module in MODULES
    for name, value in vars(module).items()
    if hasattr(value, "py_func") and value.py_func.__module__ == module.__name__
}


def everything(seed: int) -> list[object]:
    """What every function gives from one seed."""
    rng = random.Random(seed)
    found: list[object] = []
    for rules in OPTIONS[seed % 4 :: 4]:
        deals = Deals.random(4, rng, rules=rules)
        found += [deals.legal_actions().tolist(), deals.observations().tolist(), deals.to_play().tolist()]
        deals.play_out(rng)
        found += [deals.rows.tolist(), deals.points().tolist()]
        endings = from_rulebook([ending(rules, left, rng) for left in (2, 4, 7, 9)])
        found += [solve(endings, index) for index in range(4)]
        try:
            found.append(solve(endings, 3, node_limit=20))
        except SearchLimit as error:
            found.append(str(error))
    rules = RuleSet(deals=1, notice=1, chant=rng.choice(["ask", "off", "always"]))
    for match in signalled_match(rules, rng):
        if match.ask is not Ask.LOOK and rng.random() < 0.3:
            view = view_of(match, match.asked[0])
            found.append(deal_consistent(view, 2, rng, rules=rules).rows.tolist())
            if match.ask is not Ask.DISCARD:
                found.append(playouts(view, 2, rng, rules=rules))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_uncompiled_everything_is_the_same(seed):
    compiled = everything(seed)
    versions = {name: len(one.signatures) for name, one in KERNELS.items()}
    with uncompiled():
        assert everything(seed) == compiled
    # What ran within was none of the compiled kernels: they have not even met arrays of another kind.
    assert {name: len(one.signatures) for name, one in KERNELS.items()} == versions


def test_after_warming_up_nothing_is_left_to_compile():
    code = (
        "import sys; sys.path[:0] = sys.argv[1:]\n"
        "from sdk.sim.test_kernel import KERNELS, everything\n"
        "from aluette.sim import warm_up\n"
        "warm_up()\n"
        "before = {name: len(one.signatures) for name, one in KERNELS.items()}\n"
        "everything(0)\n"
        "print({name for name, one in KERNELS.items() if len(one.signatures) != before[name]})\n"
    )
    result = python(code, str(Path(__file__).parents[2]))
    assert result == "set()"


def python(code: str, *args: str, **env: str) -> str:
    result = subprocess.run(
        [sys.executable, "-c", code, *args],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=env or None,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_only_who_simulates_imports_numba_and_numpy():
    code = "import sys, aluette, aluette.client; print({'numba', 'numpy', 'aluette.sim'} & set(sys.modules))"
    assert python(code) == "set()"


DIGEST = """
import sys
for name in sys.argv[2:]:
    sys.modules[name] = None  # as if it were not installed
sys.path.insert(0, sys.argv[1])
import random
from aluette.sim import Deals, solve
from aluette.sim.kernel import is_compiled
from aluette.sim.state import points
deals = Deals.random(3, random.Random(1))
deals.step([0, 0, 0])
seen = [deals.legal_actions().tolist(), deals.observations().tolist()]
deals.play_out(random.Random(2))
seen += [deals.rows.tolist(), deals.copy().rows.tolist(), list(solve(deals))]
print(is_compiled(points), type(deals.rows).__name__, hash(str(seen)))
"""


def test_without_numba_and_without_numpy_it_is_the_same():
    tests = str(Path(__file__).parents[2])
    seed = {"PYTHONHASHSEED": "0"}
    compiled, array, digest = python(DIGEST, tests, **seed).split()
    assert (compiled, array) == ("True", "ndarray")
    assert python(DIGEST, tests, "numba", **seed).split() == ["False", "ndarray", digest]
    assert python(DIGEST, tests, "numba", "numpy", **seed).split() == ["False", "array", digest]
    assert python(DIGEST, tests, NUMBA_DISABLE_JIT="1", **seed).split() == ["False", "ndarray", digest]


NO_CACHE = """
import sys
sys.path.insert(0, sys.argv[1])
import numba.core.caching as caching
def refuse(self, *args):
    raise OSError(28, "No space left on device")
setattr(*{"locator": (caching._CacheLocator, "ensure_cache_path"), "save": (caching.Cache, "_save_overload")}[sys.argv[2]], refuse)
setattr(caching.Cache, "_load_overload", lambda *args: None)
from sdk.sim.test_kernel import KERNELS
print(all(type(one._cache).__name__ == "NullCache" for one in KERNELS.values()))
import random
from aluette.sim import Deals
deals = Deals.random(2, random.Random(1))
deals.play_out(random.Random(2))
print(*deals.points().tolist())
"""


@pytest.mark.parametrize("what", ["locator", pytest.param("save", marks=pytest.mark.slow)])
def test_where_no_cache_can_be_written_kernels_are_compiled_all_the_same(what):
    """As in a sandbox, where no folder will do, or on a disk that is full when the time comes."""
    deals = Deals.random(2, random.Random(1))
    deals.play_out(random.Random(2))
    cached, points = python(NO_CACHE, str(Path(__file__).parents[2]), what).splitlines()
    assert cached == str(what == "locator")
    assert points.split() == [str(number) for number in deals.points().tolist()]


CHANGED = """
import shutil, sys
from pathlib import Path
import aluette
package = Path(aluette.__file__).parent
here = Path(sys.argv[1])
shutil.copytree(package, here / "aluette", ignore=shutil.ignore_patterns("__pycache__"))
"""
SCORE = """
import sys
sys.path.insert(0, sys.argv[1])
from random import Random
from aluette.sim import Deals, kernel
assert kernel.__file__.startswith(sys.argv[1])
deals = Deals.random(20, Random(1))
deals.play_out(Random(1))
print(max(map(abs, deals.points())))
"""


@pytest.mark.slow
def test_a_change_of_one_file_is_noticed_by_the_kernels_of_others(tmp_path):
    """What a cached kernel has taken in of another file must not outlive it."""
    python(CHANGED, str(tmp_path))
    assert python(SCORE, str(tmp_path)) in {"1", "2"}
    rules = tmp_path / "aluette/sim/state.py"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("return worth if ahead % 2 == 0 else -worth", "return 7"), encoding="utf-8")
    assert python(SCORE, str(tmp_path)) == "7"
