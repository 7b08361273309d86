"""The knowledge of a Chinese Standard mahjong seat when it decides."""
from __future__ import annotations

import json
from random import Random
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence

from ._line import Acceptance, Time, _checked, _made, _renamed


@dataclass(frozen=True)
class StandardRequest:
    """The request."""

    type: str
    """own_turn, discard (a discard is offered) or kong_added (a tile added to a pung may be robbed)."""
    tile: Optional[str]
    """The offered tile."""
    from_: Optional[int]
    """The seat it came from."""


@dataclass(frozen=True)
class StandardAfter:
    """The number of tiles that a hand lacks, and the tiles that bring it nearer."""

    distance: int
    """Tiles that it lacks for a win of any form, fan left aside."""
    acceptance: Acceptance
    """The kinds that bring it nearer, each with how many of its tiles are not seen."""
    tiles: int
    """Total number of these tiles."""


@dataclass(frozen=True)
class StandardAction:
    """A legal action. A chow or pung is one action with the discard after it."""

    index: int
    """The action that an answer names."""
    type: str
    """pass, win, discard, concealed_kong, add_kong, kong, pung or chow."""
    tile: Optional[str]
    """The tile of a concealed or an added kong, the middle tile of a chow."""
    discard: Optional[str]
    """The tile that is discarded."""
    after: Optional[StandardAfter]
    """The outlook after a discard of the own turn; None with other actions."""


@dataclass(frozen=True)
class StandardSet:
    """A declared set."""

    type: str
    """chow, pung, melded_kong or concealed_kong."""
    tile: Optional[str]
    """The middle tile of a chow, else the tile; None for another seat's concealed kong."""


@dataclass(frozen=True)
class StandardRiverTile:
    """A discard. It stays in the river when it is claimed."""

    tile: str
    """The tile."""
    claimed: bool
    """Whether another seat claimed it."""


@dataclass(frozen=True)
class StandardPlayer:
    """The open tiles of a seat."""

    seat: int
    """Whose."""
    sets: List[StandardSet]
    """Its declared sets, in the order in which they were laid down."""
    river: List[StandardRiverTile]
    """Its discards, oldest first, those claimed too."""
    flowers: int
    """Number of flowers that it has laid down."""
    wall: int
    """Tiles left in its wall."""
    concealed: int
    """Number of its concealed tiles."""


@dataclass(frozen=True)
class StandardEvent:
    """Something that happened. A chow or pung is one event with the discard after it."""

    type: str
    """dealt, drawn, flower, discarded, pung, chow, kong, concealed_kong or kong_added."""
    seat: Optional[int]
    """The seat that acts; None for the deal."""
    tile: Optional[str]
    """The tile drawn, added or laid down, the middle tile of a chow; None if it is hidden or there is none."""
    discard: Optional[str]
    """The discarded tile; None if there is none."""
    flower: Optional[int]
    """The flower drawn, 1 to 8."""


@dataclass(frozen=True)
class ChineseStandardView:
    """The knowledge of a Chinese Standard mahjong seat when it decides, and nothing else."""

    schema: int
    """Version of the schema."""
    game: str
    """chinese-standard."""
    game_number: int
    """Number of this game in the bot's run, from 0."""
    decision: int
    """Number of this decision in the game, from 0."""
    random: int
    """Randomness of this decision, the same when it is repeated; `rng` makes a generator of it."""
    time: Time
    """The time for this decision."""
    request: StandardRequest
    """The request."""
    legal: List[StandardAction]
    """The legal actions, never empty."""
    seat: int
    """The own seat; 0 is East all game."""
    hand: List[str]
    """The own concealed tiles in their order, the drawn one included, declared sets not."""
    drawn: Optional[str]
    """The tile just drawn; None when a tile is offered."""
    distance: int
    """Number of tiles that the own hand lacks for a win of any form, ignoring fan; 0 complete, 1 waiting."""
    win_fan: Optional[int]
    """The fan of a win now; None if the hand is not complete with the tile."""
    seats: List[StandardPlayer]
    """The open tiles of each seat in order, including the own."""
    prevalent_wind: str
    """Wind of the round."""
    seat_wind: str
    """Wind of the own seat."""
    unseen: Dict[str, int]
    """Every kind, with how many of its tiles are not seen."""
    events: List[StandardEvent]
    """All events, oldest first, as the own seat saw them."""
    flowers: bool
    """Whether the walls hold the eight flowers."""
    counting: str
    """The way of counting fan: judge (as Botzone's judge does) or book (the rule book)."""
    start_hand: Sequence[str] = ()
    """The own tiles as dealt, in their order; empty from a runner that does not say it."""
    start_flowers: Sequence[int] = ()
    """Number of flowers that each seat laid down while tiles were dealt; empty from an older runner."""

    @classmethod
    def from_json(cls, text: str) -> ChineseStandardView:
        """The view of a line. What a newer runner adds is left alone.

        Raises ValueError for what is not JSON, for another version of the schema and for another game.
        """
        return _chinese_standard_view(_checked(json.loads(text), "chinese-standard"))

    @property
    def me(self) -> StandardPlayer:
        """The open tiles of the own seat."""
        return self.seats[self.seat]

    @property
    def opponents(self) -> List[StandardPlayer]:
        """The open tiles of the other seats, in turn order from the next."""
        return [self.seats[(self.seat + step) % 4] for step in range(1, 4)]

    def find(self, type: str, discard: Optional[str] = None) -> Optional[StandardAction]:
        """The first legal action of a type, and with this discard if one is given."""
        for action in self.legal:
            if action.type == type and discard in (None, action.discard):
                return action
        return None

    def rng(self) -> Random:
        """Randomness of this decision, repeatable: the same view gives the same numbers."""
        return Random(self.random)


def _chinese_standard_view(line: Dict[str, Any]) -> ChineseStandardView:
    """The view of a checked line, which is used up by that."""
    line["time"] = _made(Time, line["time"])
    line["request"] = _made(StandardRequest, _renamed(line["request"]))
    for action in line["legal"]:
        if action["after"] is not None:
            action["after"] = _made(StandardAfter, action["after"])
    line["legal"] = [_made(StandardAction, action) for action in line["legal"]]
    for player in line["seats"]:
        player["sets"] = [_made(StandardSet, shown) for shown in player["sets"]]
        player["river"] = [_made(StandardRiverTile, tile) for tile in player["river"]]
    line["seats"] = [_made(StandardPlayer, player) for player in line["seats"]]
    line["events"] = [_made(StandardEvent, event) for event in line["events"]]
    return _made(ChineseStandardView, line)
