"""Records of games as dataclasses, which a notebook shows as pages."""

import gzip
import html
import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from ._program import StrPath, run

Event = Dict[str, Any]


@dataclass(frozen=True)
class Decision:
    """A bot's decision, and its reason."""

    bot: str
    policy: str
    version: str
    seat: int
    # Its number among the decisions of the bot in this game, from 0.
    number: int
    # The legal actions, as events of the record.
    legal: Tuple[Event, ...]
    # The index of the action among them; None if it is not known.
    chosen: Optional[int]
    # A value for each legal action, None for one without a value; empty if the policy gave none.
    values: Tuple[Optional[float], ...]
    reason: str
    # Why the safe answer was played instead of the policy's.
    safe_answer: Optional[str]

    @property
    def action(self) -> Optional[Event]:
        """The action that was chosen."""
        return None if self.chosen is None else self.legal[self.chosen]


@dataclass(frozen=True)
class GameRecord:
    """A recorded game."""

    path: Path
    # riichi, chinese-standard or doudizhu.
    game: str
    names: Tuple[str, ...]
    # The seat whose view it is; None if no hand is hidden.
    seat: Optional[int]
    events: Tuple[Event, ...] = field(repr=False)
    decisions: Tuple[Decision, ...] = field(repr=False)

    @property
    def scores(self) -> Optional[Tuple[float, ...]]:
        """The scores at the end; None if the record ends before them."""
        for event in reversed(self.events):
            if event["type"] == "end_game" or self.game == "riichi":
                if event.get("scores") is not None:
                    return tuple(event["scores"])
        return None

    @property
    def winner(self) -> Optional[str]:
        """The name of the player with the highest score."""
        scores = self.scores
        return None if scores is None else self.names[scores.index(max(scores))]

    def page(self, seat: Optional[int] = None, policy: Optional[StrPath] = None) -> str:
        """The game as an HTML page; `policy` is a config whose policy is asked at each decision of the seat."""
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "game.html"
            options: List[StrPath] = [] if seat is None else ["--seat", str(seat)]
            if policy is not None:
                options += ["--policy", policy]
            run(["view", self.path, "--out", out, *options])
            return out.read_text("utf-8")

    def _repr_html_(self) -> str:
        # A separate page, so that its styles and scripts do not interfere with the notebook's.
        page = html.escape(self.page(), quote=True)
        frame = 'style="width: 100%; height: 860px; border: 0" sandbox="allow-scripts"'
        return f'<iframe title="{html.escape(", ".join(self.names))}" {frame} srcdoc="{page}"></iframe>'


def read(path: StrPath) -> GameRecord:
    """Reads a record: the folder of a ranked game, a file of `play --record`, plain or gzipped, or a log of one game
    in any form that `bot-runner records convert` reads."""
    place = Path(path)
    if place.is_dir():
        events_file = _only(place, ("game.mjai.jsonl", "game.jsonl"))
        decisions_file = place / "decisions.jsonl"
    else:
        events_file = place
        decisions_file = place.parent / "decisions" / place.name
    events = tuple(_events(events_file))
    if not events or events[0].get("type") != "start_game":
        raise ValueError(f"{events_file} is not a record: its first line is not start_game")
    start = events[0]
    decisions = tuple(map(_decision, _lines(decisions_file))) if _exists(decisions_file) else ()
    names = tuple(start.get("names") or ())
    if not names:
        deal = next((event for event in events if event["type"] == "start_kyoku"), {})
        names = tuple(f"seat {seat}" for seat in range(len(deal.get("tehais", ()))))
    return GameRecord(place, start.get("game", "riichi"), names, start.get("id"), events, decisions)


def _only(folder: Path, names: Tuple[str, ...]) -> Path:
    for name in names:
        if _exists(folder / name):
            return folder / name
    raise FileNotFoundError(f"{folder} is not a record: it holds none of {', '.join(names)}")


def _exists(file: Path) -> bool:
    return file.is_file() or file.with_name(file.name + ".gz").is_file()


def _events(file: Path) -> List[Event]:
    if file.name.endswith((".jsonl", ".jsonl.gz")):
        return _lines(file)
    converted = run(["records", "convert", file, "--to", "mjai"])
    return [json.loads(line) for line in converted.splitlines() if line.strip()]


def _lines(file: Path) -> List[Event]:
    packed = file if file.suffix == ".gz" else file.with_name(file.name + ".gz")
    if file.suffix == ".gz" or not file.is_file():
        with gzip.open(packed, "rt", encoding="utf-8") as lines:
            return [json.loads(line) for line in lines if line.strip()]
    with open(os.fspath(file), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def _decision(line: Event) -> Decision:
    return Decision(
        bot=line["bot"],
        policy=line["policy"],
        version=line["version"],
        seat=line["seat"],
        number=line["decision"],
        legal=tuple(line["legal"]),
        chosen=line.get("chosen"),
        values=tuple(line.get("values") or ()),
        reason=line.get("reason") or "",
        safe_answer=line.get("safe_answer"),
    )
