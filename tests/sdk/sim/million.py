"""Compare many deals with the rulebook, by hand: `python -m sdk.sim.million SEED DEALS` in the folder of the tests."""

import random
import sys
import time

from sdk.sim.positions import OPTIONS
from sdk.sim.test_rules import compare


def main(seed: str, deals: int) -> None:
    began = time.perf_counter()
    rng = random.Random(seed)
    done = 0
    while done < deals:
        for rules in OPTIONS:
            compare(rules, 1000, rng)
            done += 1000
    sys.stdout.write(
        f"{done} deals of {len(OPTIONS)} rule sets are as in the rulebook, {time.perf_counter() - began:.0f} s\n"
    )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
