"""Plays games, as the example `judged-games` writes them, through an independent judge of FightTheLandlord.

    cargo run --release -p doudizhu --example judged-games -- 2000 | python tests/judge/compare.py FOLDER

FOLDER holds `landlord_judge.py` and `judging.py`. Verdicts, scores and the number of different things that can be played must be
the same in every turn of every game.
"""

import json
import sys
from collections import Counter

sys.path.insert(0, sys.argv[1])
from judging import Fault, Reply  # noqa: E402
from landlord_judge import FightTheLandlord  # noqa: E402


def verdict(judge, response):
    """The code and, at the end, the scores for a seat's answer."""
    seat = judge.active
    try:
        judge.advance({seat: Reply(response=response)})
    except Fault as fault:
        return fault.code, judge.penalty(fault)
    judge.check()
    return "OK", judge.scores


games, codes = 0, Counter()
for line in sys.stdin:
    game = json.loads(line)
    judge = FightTheLandlord(0, {"allocation": game["allocation"], "publiccard": game["publiccard"]})
    scores = None
    for turn, response in enumerate(game["responses"]):
        kinds = len(judge.find_legal(judge.active))
        assert kinds == game["kinds"][turn], f"game {games}, turn {turn}: {kinds} kinds, not {game['kinds'][turn]}"
        code, scores = verdict(judge, response)
        assert code == game["codes"][turn], f"game {games}, turn {turn}: {code}, not {game['codes'][turn]}: {response}"
        codes[code] += 1
    assert scores is not None, f"game {games} does not end"
    difference = [abs(own - other) for own, other in zip(game["scores"], scores)]
    assert max(difference) < 1e-9, f"game {games}: {scores}, not {game['scores']}"
    games += 1
assert games, "no games"
print(f"{games} games, the same verdicts and scores: {dict(codes)}")
