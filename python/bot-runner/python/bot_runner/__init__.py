"""bot-runner from Python: play games, compare policies, read and show records.

    import bot_runner

    result = bot_runner.play(["kuma.toml"], games=4, seed=1)
    result.games[0]                                  # in a notebook: the game as a page
    bot_runner.tournament(["new.toml", "old.toml"], games=600).conclusion
    bot_runner.read("records/2026-01-31T081500Z-kuma-0a1b2c").decisions

Everything is done by the program `bot-runner` of the same package, and needs nothing but Python's standard library.
"""

from ._program import BotRunnerError, program, version
from ._games import Elo, Entrant, Estimate, Pair, PlayResult, Tournament, play, tournament
from ._records import Decision, GameRecord, read

__all__ = [
    "BotRunnerError",
    "Decision",
    "Elo",
    "Entrant",
    "Estimate",
    "GameRecord",
    "Pair",
    "PlayResult",
    "Tournament",
    "play",
    "program",
    "read",
    "tournament",
    "version",
]
