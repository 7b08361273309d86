"""The knowledge of a riichi mahjong seat when it decides: the keys of version 1 of the runner's schema (``bot-runner plugin schema``)."""
from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence

from ._line import Acceptance, Time, _checked, _made, _renamed

Event = Dict[str, Any]
"""An event in mjai's spelling."""


@dataclass(frozen=True)
class Request:
    """The request."""

    type: str
    """own_turn, or how a tile came to be offered: dahai, kakan, ankan, kita."""
    pai: Optional[str]
    """The offered tile."""
    from_: Optional[int]
    """The seat it came from."""


@dataclass(frozen=True)
class After:
    """The distance of a hand, and the tiles that bring it nearer."""

    shanten: int
    """Number of tiles to exchange until the hand is tenpai; -1 when it is complete."""
    acceptance: Acceptance
    """The kinds that lower the shanten number, each with how many of its tiles are not seen."""
    tiles: int
    """Total number of these tiles."""


@dataclass(frozen=True)
class Action:
    """A legal action: an mjai object with its index."""

    index: int
    """The action that an answer names."""
    type: str
    """dahai, reach, chi, pon, daiminkan, ankan, kakan, kita, hora, ryukyoku or none."""
    actor: int
    """The own seat."""
    after: Optional[After]
    """The hand after it, before its next draw; None after hora and ryukyoku."""
    target: Optional[int] = None
    """The seat that a tile is taken from."""
    pai: Optional[str] = None
    """The tile discarded, called, added, set aside or won on; a reach names its discard."""
    consumed: Sequence[str] = ()
    """The own tiles used besides."""
    tsumogiri: Optional[bool] = None
    """Whether the discarded tile is the one just drawn."""


@dataclass(frozen=True)
class Furiten:
    """The own furiten, by why."""

    river: bool
    """A wait lies in the own river."""
    temporary: bool
    """A wait was passed since the last own discard."""
    riichi: bool
    """A wait was passed since the own riichi."""


@dataclass(frozen=True)
class Meld:
    """A meld."""

    type: str
    """chi, pon, daiminkan, ankan or kakan."""
    tiles: List[str]
    """All its tiles, the called one included."""
    called: Optional[str]
    """The called tile; None for a closed kan."""
    from_: Optional[int]
    """The seat that threw it; None for a closed kan."""
    order: int
    """Number of the call in the round's order, which discards and calls share."""


@dataclass(frozen=True)
class RiverTile:
    """A discard. It stays in the river when it is called away."""

    pai: str
    """The tile."""
    tsumogiri: bool
    """Whether it is the drawn tile; otherwise it came from the hand."""
    riichi: bool
    """Whether riichi was declared with it."""
    called_by: Optional[int]
    """The seat that called it away."""
    order: int
    """Number of the discard in the round's order, which discards and calls share."""

    @property
    def from_hand(self) -> bool:
        """Whether it came from the hand."""
        return not self.tsumogiri


@dataclass(frozen=True)
class Riichi:
    """A riichi."""

    accepted: bool
    """The stick is paid."""
    double: bool
    """Declared on the first turn without a call before."""
    ippatsu: bool
    """A win now would be within one turn."""
    order: int
    """Number of its discard in the round's order."""


@dataclass(frozen=True)
class CannotRon:
    """The kinds that a seat cannot win on by ron now."""

    river: List[str]
    """Kinds in its own river, tiles called away included."""
    since_riichi: List[str]
    """Kinds that passed it since it declared riichi."""
    since_discard: List[str]
    """Kinds that passed it since its last discard."""

    def __contains__(self, kind: str) -> bool:
        return kind in self.river or kind in self.since_riichi or kind in self.since_discard


@dataclass(frozen=True)
class Player:
    """The open tiles of a seat."""

    seat: int
    """Whose."""
    melds: List[Meld]
    """Its melds, oldest first."""
    river: List[RiverTile]
    """Its discards, oldest first, those called away too."""
    riichi: Optional[Riichi]
    """Its riichi, from its discard on."""
    kita: int
    """Number of Norths that it has set aside (three players)."""
    cannot_ron: CannotRon
    """The kinds that it cannot win on by ron now; empty for the own seat."""


@dataclass(frozen=True)
class RoundEnd:
    """The end of a round: a win, of which there may be several, or a draw."""

    type: str
    """hora or ryukyoku."""
    deltas: Optional[List[int]]
    """Change of each seat's points, without sticks paid earlier; None if the arena does not send it."""
    actor: Optional[int] = None
    """Who won."""
    target: Optional[int] = None
    """The seat that dealt in; the winner on a self-draw."""
    pai: Optional[str] = None
    """The winning tile; None if it was not shown."""
    reason: Optional[str] = None
    """The reason for the draw, in mjai's words; None if the arena does not send it."""
    tenpais: Sequence[Optional[bool]] = ()
    """For a draw: whether each seat was tenpai when the wall was drawn; None if that is not known."""


@dataclass(frozen=True)
class Rules:
    """The rules as far as arenas differ."""

    players: int
    """4 or 3."""
    length: str
    """single, east or half."""
    red_fives: int
    """Total number of red fives."""
    open_tanyao: bool
    """Whether an open hand of simples has a yaku."""
    kuikae_forbidden: bool
    """Whether a called tile, and the other end of its run, may not be discarded at once."""
    ron_on_ankan_by_kokushi: bool
    """Whether thirteen orphans may win on a closed kan."""
    triple_ron_is_draw: bool
    """Whether three winners on one discard make an abortive draw."""
    preset: str
    """The preset for all other rules: tenhou or mahjong_soul."""
    start_points: int
    """Points of each player at the start."""
    return_points: int
    """Minimum points of the leader for the game to end with its last regular round."""


@dataclass(frozen=True)
class View:
    """The knowledge of a riichi mahjong seat when it decides, and nothing else."""

    schema: int
    """Version of the schema."""
    game: str
    """riichi."""
    game_number: int
    """Number of this game in the bot's run, from 0."""
    decision: int
    """Number of this decision in the game, from 0."""
    seed: int
    """Seed of the bot's randomness, the same all run."""
    time: Time
    """The time for this decision."""
    request: Request
    """The request."""
    legal: List[Action]
    """The legal actions, never empty."""
    seat: int
    """The own seat. Seats stay the same all game; 0 is the first dealer."""
    hand: List[str]
    """The own closed tiles in their order, the drawn one included, melds not."""
    drawn: Optional[str]
    """The tile just drawn; None after a call and when a tile is offered."""
    start_hand: Optional[List[str]]
    """The own tiles as dealt; None when the round was not seen from its start."""
    waits: List[str]
    """Kinds that complete the own hand without the drawn tile."""
    furiten: Furiten
    """The own furiten."""
    shanten: int
    """Shanten number of the own hand: -1 complete, 0 tenpai. Of a hand with a tile to discard, after its best discard."""
    acceptance: Acceptance
    """The kinds that lower it. Of a hand with a tile to discard, after the discard that leaves the most."""
    seats: List[Player]
    """The open tiles of each seat in order, including the own."""
    scores: List[int]
    """Points of each seat now, paid sticks taken off."""
    start_scores: List[int]
    """Points of each seat when the round began."""
    placements: List[int]
    """Place of each seat by its points, from 1."""
    bakaze: str
    """Wind of the round."""
    kyoku: int
    """Number of the round within its wind, from 1."""
    honba: int
    """Repeat counters."""
    kyotaku: int
    """Riichi sticks on the table now."""
    start_kyotaku: int
    """Riichi sticks on the table when the round began."""
    oya: int
    """The dealer's seat."""
    seat_wind: str
    """Wind of the own seat."""
    dora_markers: List[str]
    """The dora indicators, not the dora themselves, oldest first."""
    dora: List[str]
    """The kind that each indicator makes dora. A red five is a dora more."""
    tiles_left: int
    """Tiles that can still be drawn."""
    first_turn: bool
    """Whether the own first turn is this one or to come, and no seat has called."""
    after_kan: bool
    """Whether the drawn tile is a replacement (rinshan)."""
    unseen: Dict[str, int]
    """Number of unseen tiles of each kind."""
    unseen_reds: Dict[str, int]
    """Number of unseen red fives."""
    events: List[Event]
    """The events of the round as the own seat may know them, in mjai's spelling."""
    rules: Rules
    """The rules."""
    ended_round: Sequence[RoundEnd] = ()
    """The end of the previous round in the game; empty in a game's first round or if it was not seen."""

    @classmethod
    def from_json(cls, text: str) -> View:
        """The view of a line. What a newer runner adds is left alone.

        Raises ValueError for what is not JSON, for another version of the schema and for another game.
        """
        return _view(_checked(json.loads(text), "riichi"))

    @property
    def me(self) -> Player:
        """The open tiles of the own seat."""
        return self.seats[self.seat]

    @property
    def opponents(self) -> List[Player]:
        """The open tiles of the other seats, in turn order from the next."""
        players = len(self.seats)
        return [self.seats[(self.seat + step) % players] for step in range(1, players)]

    def find(self, type: str, pai: Optional[str] = None) -> Optional[Action]:
        """The first legal action of a type, and with this tile if one is given."""
        for action in self.legal:
            if action.type == type and pai in (None, action.pai):
                return action
        return None

    def random(self) -> random.Random:
        """Randomness of this decision, repeatable: the same view gives the same numbers."""
        return random.Random(f"{self.seed} {self.game_number} {self.seat} {self.decision}")


def _view(line: Dict[str, Any]) -> View:
    """The view of a checked line, which is used up by that."""
    line["time"] = _made(Time, line["time"])
    line["request"] = _made(Request, _renamed(line["request"]))
    for action in line["legal"]:
        if action["after"] is not None:
            action["after"] = _made(After, action["after"])
    line["legal"] = [_made(Action, action) for action in line["legal"]]
    line["furiten"] = _made(Furiten, line["furiten"])
    for player in line["seats"]:
        player["melds"] = [_made(Meld, _renamed(meld)) for meld in player["melds"]]
        player["river"] = [_made(RiverTile, tile) for tile in player["river"]]
        player["riichi"] = None if player["riichi"] is None else _made(Riichi, player["riichi"])
        player["cannot_ron"] = _made(CannotRon, player["cannot_ron"])
    line["seats"] = [_made(Player, player) for player in line["seats"]]
    line["rules"] = _made(Rules, line["rules"])
    # Runners before the boundary's version 1 do not say it.
    line["ended_round"] = [_made(RoundEnd, end) for end in line.get("ended_round", ())]
    return _made(View, line)
