"""Compares fan, as the example `fan` writes them, with the Python package PyMahjongGB.

    cargo run --release -p bot-runner-mcr --example fan -- 20000 | python tests/pypi/compare.py

Totals and lists must be the same. Where several readings of the tiles, or several choices among their chows, count the same, the
package may name another of them; that is said only where ours lists that reading too, or where nothing but fan of two chows worth
1 each differs. Each of our fan must occur often enough: a 5,000th part of the wins.
"""

import json
import sys
from collections import Counter

from MahjongGB import MahjongFanCalculator

OF_TWO_CHOWS = {"Pure Double Chow", "Mixed Double Chow", "Short Straight", "Two Terminal Chows"}


def asked(win):
    flowers, self_drawn, fourth, kong, last, seat, prevalent = win["flags"]
    fans = MahjongFanCalculator(
        tuple(tuple(pack) for pack in win["pack"]), tuple(win["hand"]), win["tile"], flowers, bool(self_drawn), bool(fourth),
        bool(kong), bool(last), seat, prevalent, True)
    return sorted([name, value, times] for value, times, _, name in fans)


def without_pairs_of_chows(fans):
    return [fan for fan in fans if fan[0] not in OF_TWO_CHOWS]


def main():
    wins, counted, equal = 0, Counter(), Counter()
    for line in sys.stdin:
        win = json.loads(line)
        ours, theirs = sorted(win["fans"]), asked(win)
        total = sum(value * times for _, value, times in theirs)
        if total != win["total"]:
            raise SystemExit(f"another total:\n{line}\nours   {win['total']} {ours}\ntheirs {total} {theirs}")
        if ours != theirs:
            if any(sorted(other) == theirs for other in win["equal"]):
                equal["another reading of the same value"] += 1
            elif without_pairs_of_chows(ours) == without_pairs_of_chows(theirs):
                equal["other pairs of chows of the same value"] += 1
            else:
                raise SystemExit(f"another list:\n{line}\nours   {ours}\ntheirs {theirs}")
        wins += 1
        counted.update(name for name, _, _ in ours)
    print(f"{wins} wins compared with PyMahjongGB, all totals equal; lists equal except for {dict(equal)}")
    print(", ".join(f"{name} {times}" for name, times in counted.most_common()))
    rare = [name for name, times in counted.items() if times < wins / 5000]
    if len(counted) != 82 or rare:
        raise SystemExit(f"{len(counted)} of 82 fan occur; too rarely {', '.join(rare) or 'none'}")


main()
