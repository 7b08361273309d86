"""Games played by the program."""

import json
import math
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

from ._program import StrPath, run
from ._records import GameRecord, read


@dataclass(frozen=True)
class PlayResult:
    """Games that were played."""

    games: Tuple[GameRecord, ...]
    # The output of the command.
    text: str = field(repr=False)
    # Keeps the records while they are in use, if no folder was named.
    _folder: Optional["tempfile.TemporaryDirectory[str]"] = field(default=None, repr=False, compare=False)

    def _repr_html_(self) -> str:
        return "\n".join(game._repr_html_() for game in self.games)


def play(
    configs: Sequence[StrPath] = (),
    *,
    game: str = "riichi",
    games: int = 1,
    seed: Optional[int] = None,
    players: Optional[int] = None,
    fill: Optional[str] = None,
    record: Optional[StrPath] = None,
) -> PlayResult:
    """Plays games between the bots of configs; without any, demo bots play. `fill` is the policy on empty seats.

    The records go to the folder `record`, or live as long as the result.
    """
    folder = None if record is not None else tempfile.TemporaryDirectory(prefix="bot-runner-")
    records = Path(record if record is not None else folder.name)  # type: ignore[union-attr]
    before = set(records.glob("*.jsonl"))
    arguments: List[StrPath] = ["play", *configs, "--game", game, "--games", str(games), "--record", records]
    for option, value in (("--seed", seed), ("--players", players), ("--fill", fill)):
        if value is not None:
            arguments += [option, str(value)]
    text = run(arguments)
    played = sorted(set(records.glob("*.jsonl")) - before)
    return PlayResult(tuple(map(read, played)), text, folder)


@dataclass(frozen=True)
class Estimate:
    """A mean with its standard error and its 95 % interval; both are None for a single wall, or without any difference."""

    mean: float
    standard_error: Optional[float]
    interval: Optional[Tuple[float, float]]


@dataclass(frozen=True)
class Entrant:
    """The result of one config over its games."""

    name: str
    policy: str
    version: str
    # The average place of riichi, or the average points of a seat in a game.
    result: Estimate
    # Decisions with an illegal action, those that failed (an exception, the end of a process), and those that were late.
    illegal: int
    failed: int
    late: int
    # All that the results file says of it.
    figures: Dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Elo:
    """The difference in strength in Elo, infinite if one always won; without an interval for a single wall."""

    difference: float
    # The ends are infinite where the interval has no limit.
    interval: Optional[Tuple[float, float]]


@dataclass(frozen=True)
class Pair:
    """How two configs did against each other."""

    one: str
    other: str
    games: int
    # The share of pairs of seats in which the one was better; equal ones count as half.
    ahead: float
    # By how many places or points the one was better.
    difference: Estimate
    elo: Elo
    # better or worse, if the one is shown to be, judged together with all other pairs; not_shown, or no_interval.
    verdict: str
    # The games of such a tournament that would show a difference as large as this one; None if none are needed or known.
    games_needed: Optional[int]


@dataclass(frozen=True)
class Tournament:
    """The results of a tournament."""

    seed: int
    games: int
    walls: int
    # complete, clear or interrupted.
    ended: str
    # Best first.
    entrants: Tuple[Entrant, ...]
    pairs: Tuple[Pair, ...]
    # The conclusion, in a sentence.
    conclusion: str
    # The output of the command, and the content of the results file.
    text: str = field(repr=False)
    results: Dict[str, Any] = field(repr=False)


def tournament(
    configs: Sequence[StrPath],
    *,
    games: int,
    game: str = "riichi",
    seed: Optional[int] = None,
    players: Optional[int] = None,
    format: Optional[str] = None,
    length: Optional[str] = None,
    jobs: Optional[int] = None,
    until_clear: bool = False,
    sprt: Optional[Tuple[float, float]] = None,
    out: Optional[StrPath] = None,
) -> Tournament:
    """Compares policies on the same walls in all seatings.

    The results file goes to `out`; called again with the same arguments, the tournament goes on there.
    """
    with tempfile.TemporaryDirectory(prefix="bot-runner-") as folder:
        file = Path(out) if out is not None else Path(folder) / "results.json"
        arguments: List[StrPath] = ["tournament", *configs, "--game", game, "--games", str(games), "--out", file]
        options = (("--seed", seed), ("--players", players), ("--format", format), ("--length", length), ("--jobs", jobs))
        for option, value in options:
            if value is not None:
                arguments += [option, str(value)]
        if until_clear:
            arguments.append("--until-clear")
        if sprt is not None:
            arguments += ["--sprt", f"{sprt[0]},{sprt[1]}"]
        text = run(arguments)
        return _tournament(json.loads(file.read_text("utf-8")), text)


def _estimate(value: Dict[str, Any]) -> Estimate:
    interval = value["interval"]
    return Estimate(value["mean"], value["standard_error"], None if interval is None else (interval[0], interval[1]))


def _elo(value: Dict[str, Any], ahead: float) -> Elo:
    # JSON has no infinity: it is null there.
    difference, interval = value["difference"], value["interval"]
    if difference is None:
        difference = math.inf if ahead > 0.5 else -math.inf
    if interval is not None:
        low, high = interval
        interval = (-math.inf if low is None else low, math.inf if high is None else high)
    return Elo(difference, interval)


def _tournament(results: Dict[str, Any], text: str) -> Tournament:
    is_places = "place" in results["entrants"][0]
    entrants = [
        Entrant(
            name=entrant["name"],
            policy=entrant["policy"],
            version=entrant["version"],
            result=_estimate(entrant["place" if is_places else "points"]),
            illegal=entrant["illegal"],
            failed=entrant["failed"],
            late=entrant["late"],
            figures=entrant,
        )
        for entrant in results["entrants"]
    ]
    entrants.sort(key=lambda entrant: entrant.result.mean if is_places else -entrant.result.mean)
    pairs = []
    for pair in results["pairs"]:
        pairs.append(
            Pair(
                one=pair["one"],
                other=pair["other"],
                games=pair["games"],
                ahead=pair["ahead"],
                difference=_estimate(pair["difference"]),
                elo=_elo(pair["elo"], pair["ahead"]),
                verdict=pair["verdict"],
                games_needed=pair["games_needed"],
            )
        )
    last = next((line for line in reversed(text.splitlines()) if line.startswith("Conclusion: ")), "")
    return Tournament(
        seed=results["seed"],
        games=results["games"],
        walls=results["walls"],
        ended=results["ended"],
        entrants=tuple(entrants),
        pairs=tuple(pairs),
        conclusion=last[len("Conclusion: ") :],
        text=text,
        results=results,
    )
