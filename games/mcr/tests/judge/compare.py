"""Plays games, as the example `games` writes them, on an independent judge of Botzone's game.

    cargo run --release -p bot-runner-mcr --example games -- 300 | python tests/judge/compare.py FOLDER

FOLDER holds `mahjong_judge.py`. What each seat may do must be the same at every turn, and so must scores, winner, fan and fault.
"""

import json
import sys
from collections import Counter

sys.path.insert(0, sys.argv[1])
from judging import Reply  # noqa: E402
from mahjong_judge import Mahjong  # noqa: E402


def main():
    games, turns, ends, fans = 0, 0, Counter(), Counter()
    for line in sys.stdin:
        game = json.loads(line)
        judge = Mahjong(0, {"walltiles": game["walls"], "quan": game["quan"]})
        for _ in range(2):  # the seats and the deal: all pass
            judge.step({seat: Reply(response="PASS") for seat in judge.requests})
        for number, (legal, answers) in enumerate(game["turns"]):
            # The judge announces a flower before its replacement is drawn; no seat has anything to decide then.
            for seat in range(4):
                theirs = sorted(judge.legal(seat))
                if sorted(legal[seat]) != theirs:
                    raise SystemExit(f"game {games}, turn {number}, seat {seat}: ours {sorted(legal[seat])}, theirs {theirs}")
            judge.step({seat: Reply(response=answers[seat]) for seat in judge.requests})
            turns += 1
        end = {}
        if judge.fault:
            end = {"fault": judge.fault.seat, "code": judge.fault.code}
            ends[judge.fault.code] += 1
        elif judge.win:
            end = {key: judge.win[key] for key in ("winner", "from", "kind", "fan")}
            ends[judge.win["kind"]] += 1
            fans.update(fan["name_en"] for fan in judge.win["fans"])
        else:
            ends["drawn"] += 1
        if not judge.finished or end != game["end"] or judge.scores != game["scores"]:
            raise SystemExit(f"game {games}: ours {game['end']} {game['scores']}, theirs {end} {judge.scores}")
        games += 1
    print(f"{games} games of {turns} turns on the independent judge: the same legal actions, verdicts and scores; {dict(ends)}")
    rare = ["Last Tile", "Robbing The Kong", "Out with Replacement Tile", "Last Tile Draw", "Last Tile Claim"]
    print(f"{len(fans)} of 82 fan in the wins, of those by chance", {name: fans[name] for name in rare})


main()
