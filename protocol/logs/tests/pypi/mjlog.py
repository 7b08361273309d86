"""Reads real games of Tenhou's with the Python package `jansou`.

    python protocol/logs/tests/pypi/mjlog.py target/release/bot-runner GAME.mjlog.gz...

`bot-runner` reads each mjlog and writes it as mjai. The package reads both: they must say the same of every round.
"""

import gzip
import subprocess
import sys

from jansou.io.mjai import parse_mjai
from jansou.io.mjlog import parse_mjlog

from tenhou import parts


# An end of a game without its scores, which the package cannot read.
UNREAD = b'<RYUUKYOKU owari=""'


def main():
    program, *logs = sys.argv[1:]
    rounds = wins = unread = 0
    for log in logs:
        with gzip.open(log) as text:
            content = text.read()
        if UNREAD in content:
            unread += 1
            continue
        expected = parse_mjlog(content)
        convert = [program, "records", "convert", log, "--to", "mjai"]
        read = parse_mjai(subprocess.run(convert, check=True, capture_output=True, text=True).stdout)
        assert len(read.rounds) == len(expected.rounds), log
        for number, (one, other) in enumerate(zip(read.rounds, expected.rounds)):
            ours, theirs = parts(one), parts(other)
            for key, value in theirs.items():
                assert ours[key] == value, f"{log}, round {number}, {key}: {ours[key]}, by jansou {value}"
            rounds += 1
            wins += isinstance(ours["outcome"], list) and len(ours["outcome"])
    assert logs and wins, logs
    print(f"{len(logs) - unread} games of Tenhou's: {rounds} rounds and {wins} wins are the same; the package reads {unread} not")


if __name__ == "__main__":
    main()
