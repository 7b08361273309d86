"""Reads exported games in Tenhou's form with the Python package `jansou`.

    python protocol/logs/tests/pypi/tenhou.py target/release/bot-runner 20

`bot-runner` plays so many games each of four and of three players. The package reads each game in Tenhou's form and in
mjai's: both must say the same of every round. Then its own engine replays the game in Tenhou's form, where every action
must be legal and every event follow, and its own rules give each win the fu and the points that are written.
"""

import json
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from jansou.core.hand import SOURCE_OF_RELATIVE, CallSource, Meld, MeldType
from jansou.io import tenhou_json
from jansou.io.mjai import parse_mjai
from jansou.io.paifu import Call, DoraReveal, Kita, Ryuukyoku, canonical_kind, settled_scores
from jansou.io.replay import replay_paifu
from jansou.io.tenhou_json import parse_tenhou_json
from jansou.io.tiles import tile_from_tenhou
from jansou.validation.check import check_paifu

NORTH = "f44"
# The package's reader knows no North that is set aside, but a closed kan, which is followed by the same draw. Three
# players have no 2 of characters.
AS_KAN = "121212a12"


# It also counts the seats of calls among three.
call_source = tenhou_json._call_source
tenhou_json._call_source = lambda text, caller, _: call_source(text, caller, 4)
NORTH_AS_MELD = Meld(MeldType.ANKAN, (tile_from_tenhou(12),) * 4)


def of_tenhou(text, players):
    """The game, of which the package reads three seats if three play."""
    game = json.loads(text)
    assert len(game["name"]) == 4, game["name"]
    game["name"] = game["name"][:players]
    for entry in game["log"]:
        assert len(entry) == 17, entry
        if players == 3:
            assert entry[13:16] == [[], [], []], entry
            # Of a win, every other part is its details.
            for points in [entry[1], *entry[16][1 :: 2 if entry[16][0] == "和了" else 1]]:
                assert points.pop() == 0, entry
        for seat in range(players):
            discards = entry[6 + 3 * seat]
            discards[:] = [AS_KAN if discard == NORTH else discard for discard in discards]
    read = parse_tenhou_json(game)
    if players == 4:
        return read
    return replace(read, rounds=tuple(map(round_of_three, read.rounds)))


def round_of_three(one):
    events, ends = tuple(map(of_three, one.events)), one.outcome
    last = [event for event in events if not isinstance(event, DoraReveal)][-1]
    if isinstance(last, Kita) and not isinstance(ends, Ryuukyoku):
        # They won on the North.
        ends = tuple(replace(win, winning_tile=tile_from_tenhou(44)) for win in ends)
    return replace(one, events=events, outcome=ends)


def of_three(event):
    """An event of three players, who sit on the first of four seats in Tenhou's form, with Norths and their own seats."""
    if not isinstance(event, Call) or event.meld.source is None:
        return Kita(event.seat) if isinstance(event, Call) and event.meld == NORTH_AS_MELD else event
    steps = 1 + [CallSource.KAMICHA, CallSource.TOIMEN, CallSource.SHIMOCHA].index(event.meld.source)
    discarder = (event.seat - steps) % 4
    assert discarder < 3, event
    return replace(event, meld=replace(event.meld, source=SOURCE_OF_RELATIVE[(event.seat - discarder) % 3]))


def plain(event):
    """An event in a form that does not depend on the order of a meld's tiles."""
    if not isinstance(event, Call):
        return event
    meld = event.meld
    # Whose discard an added kan's pon was is written in Tenhou's form alone.
    source = None if meld.type is MeldType.SHOUMINKAN else meld.source
    return (event.seat, meld.type, sorted(map(str, meld.tiles)), meld.called, source, meld.added)


def outcome(end):
    if isinstance(end, Ryuukyoku):
        # Tenhou's form leaves out the payments where there are none.
        return canonical_kind(end.kind), end.deltas if any(end.deltas) else ()
    return [(win.winner, win.from_seat, win.winning_tile, win.deltas, win.value) for win in end]


def parts(one):
    """What both forms say of a round. Tenhou's does not say when another dora was shown."""
    doras = [event.indicator for event in one.events if isinstance(event, DoraReveal)]
    return {
        "start": (one.round_wind, one.dealer, one.honba, one.riichi_sticks, one.scores, one.initial_dora),
        "hands": [sorted(map(str, hand)) for hand in one.hands],
        "doras": doras,
        "events": [plain(event) for event in one.events if not isinstance(event, DoraReveal)],
        "outcome": outcome(one.outcome),
    }


def check(program, record, players):
    """The numbers of rounds, calls and Norths, decisions and wins of a game."""
    export = [program, "records", "export", record, "--format"]
    tenhou, mjai = (subprocess.run([*export, form], check=True, capture_output=True, text=True).stdout for form in ("tenhou", "mjai"))
    game, expected = of_tenhou(tenhou, players), parse_mjai(mjai)
    assert len(game.rounds) == len(expected.rounds) > 0, record
    for number, (one, other) in enumerate(zip(game.rounds, expected.rounds)):
        said, meant = parts(one), parts(other)
        for key, value in meant.items():
            assert said[key] == value, f"{record}, round {number}, {key}: {said[key]}, in mjai {value}"
    for one, following in zip(game.rounds, game.rounds[1:]):
        # It takes a later dora indicator for an event after a riichi that a win ends.
        settled = settled_scores(replace(one, events=tuple(event for event in one.events if not isinstance(event, DoraReveal))))
        assert settled == following.scores, f"{record}: {settled}, then {following.scores}"
    decisions = sum(1 for _ in replay_paifu(game))
    verdicts = check_paifu(game)
    wrong = [verdict for verdict in verdicts if not verdict.passed]
    assert not wrong, f"{record}: {wrong}"
    calls = sum(isinstance(event, (Call, Kita)) for one in game.rounds for event in one.events)
    return len(game.rounds), calls, decisions, len(verdicts)


def main():
    program, games = sys.argv[1:]
    config = 'name = "kuma"\n[policy]\nid = "greedy-tenpai"\nlibrary = "builtin"\n[policy.params]\ncalls = "yaku"\nkan = "safe"\n'
    for players in (4, 3):
        with tempfile.TemporaryDirectory() as folder:
            bot = Path(folder, "kuma.toml")
            bot.write_text(config, encoding="utf-8")
            play = [program, "play", "--games", games, "--seed", "1", "--players", str(players), "--record", f"{folder}/games"]
            subprocess.run([*play, *[bot] * players], check=True, stdout=subprocess.DEVNULL)
            records = sorted(Path(folder, "games").glob("game-*.jsonl"))
            assert len(records) == int(games), records
            found = [sum(column) for column in zip(*(check(program, record, players) for record in records))]
        rounds, calls, decisions, wins = found
        assert calls and wins, found
        print(f"{games} games of {players}: {rounds} rounds, {calls} calls, {decisions} decisions and {wins} wins are the same")


if __name__ == "__main__":
    main()
