"""Compares futures of hands, as the example `outlooks` writes them, with the Python package `jansou`.

    cargo run --release -p riichi-estimates --example outlooks | python games/riichi-estimates/tests/pypi/outlooks.py

The package puts a tile back before it draws the next one, so it is equal for one draw, and after several it finds a little less than
there is: without putting back, tiles that were not wanted are gone. Discards, the chances of one draw, and the best discard must be
the same; the chance to win in all draws may not be lower than the package's, and not higher by more than MOST.
"""

import json
import sys
import time
from collections import defaultdict

from jansou.analysis.ev import hand_outlook
from jansou.analysis.shanten import discard_shantens

# Twelve draws from 122 tiles: unwanted tiles thin out by a tenth.
MOST = 0.1
# A discard counts as best that is so near to the best.
BEST = 0.002


def outlooks(counts, draws):
    """The outlook after each discard that keeps the distance to tenpai. Discarded tiles are seen."""
    after = discard_shantens(counts, 0, [kind for kind in range(34) if counts[kind]])
    found = {}
    for kind in (kind for kind in after if after[kind] == min(after.values())):
        rest, visible = list(counts), [0] * 34
        rest[kind] -= 1
        visible[kind] += 1
        found[int(kind)] = hand_outlook(rest, 0, draws, visible=visible, beam=None, max_distance=None)
    return found


def main():
    sums = defaultdict(lambda: [0, 0, 0.0, 0.0, 0.0])
    for line in sys.stdin:
        hand = json.loads(line)
        ours = {kind: chances for kind, *chances in hand["discards"]}
        start = time.perf_counter()
        theirs = outlooks(hand["counts"], hand["draws"])
        took = time.perf_counter() - start
        if set(ours) != set(theirs):
            raise SystemExit(f"other discards: {line} {list(theirs)}")
        hands = sums[hand["steps"]]
        for kind, outlook in theirs.items():
            tenpai, win, all_win = ours[kind]
            more = all_win - outlook.win[-1]
            if abs(tenpai - outlook.ready[1]) > 1e-9 or abs(win - outlook.win[1]) > 1e-9 or not -1e-9 < more < MOST:
                raise SystemExit(f"another chance: {line} {kind!r} {outlook}")
            hands[1] += 1
            hands[2] += more
        best = max(outlook.win[-1] for outlook in theirs.values())
        if best - next(o.win[-1] for kind, o in theirs.items() if kind == hand["discards"][0][0]) > BEST:
            raise SystemExit(f"another discard is best: {line} {theirs}")
        hands[0] += 1
        hands[3] += hand["us"] / 1e3
        hands[4] += took * 1e3
    for steps, (hands, discards, more, us, them) in sorted(sums.items()):
        print(
            f"{hands} hands {steps} from tenpai, {discards} discards: equal for one draw; with all draws {more / discards:.4f} more wins; "
            f"{us / hands:.3f} ms a hand, the package {them / hands:.3f}")
    if not sums:
        raise SystemExit("there was no hand")


main()
