"""The knowledge of a Dou Dizhu seat when it decides."""
from __future__ import annotations

import json
from random import Random
from dataclasses import dataclass
from typing import Any, Dict, List, Optional

from ._line import Time, _checked, _made

RANKS = ("3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2", "small joker", "big joker")
"""The ranks of cards, lowest first."""


def rank(card: int) -> int:
    """The rank of a card, 0 (a three) to 14 (the big joker): a place in `RANKS`."""
    return card // 4 if card < 52 else card - 39


@dataclass(frozen=True)
class CardAction:
    """A legal action."""

    index: int
    """The action that an answer names."""
    type: str
    """bid, pass or play."""
    bid: Optional[int]
    """The bid, 0 to 3, where 0 is none; None for other actions."""
    cards: List[int]
    """The cards that are played; empty for other actions."""
    combination: Optional[str]
    """The combination; None if no cards are played."""


@dataclass(frozen=True)
class CardPlay:
    """Cards that a seat has played, or a pass."""

    seat: int
    """Whose."""
    cards: List[int]
    """The cards; none is a pass."""
    combination: Optional[str]
    """The combination; None for a pass."""


@dataclass(frozen=True)
class DouDizhuView:
    """What a seat may know when it decides in Dou Dizhu, and nothing else.

    A card is a number: 0 to 51 are four each of the ranks 3456789TJQKA2, in this order; 52 is the small joker and 53 the big one.
    """

    schema: int
    """Version of the schema."""
    game: str
    """doudizhu."""
    game_number: int
    """Number of this game in the bot's run, from 0."""
    decision: int
    """Number of this decision in the game, from 0."""
    random: int
    """Randomness of this decision, the same when it is repeated; `rng` makes a generator of it."""
    time: Time
    """The time for this decision."""
    request: str
    """bid, lead, or answer (to the last play)."""
    legal: List[CardAction]
    """The legal actions, never empty."""
    seat: int
    """The own seat."""
    hand: List[int]
    """The own cards in their order."""
    turns: int
    """The fewest turns in which the own hand can be played out."""
    unseen: List[int]
    """The cards that are neither the own ones nor played."""
    landlord: Optional[int]
    """The landlord's seat; None while it is bid for."""
    public: List[int]
    """The three cards that all may see; empty while they are hidden."""
    bids: List[int]
    """Bids so far, from seat 0 on; 0 is none."""
    to_beat: Optional[CardPlay]
    """The play to beat; None if there is none."""
    plays: List[CardPlay]
    """All that was played, oldest first, passes too."""
    left: List[int]
    """Number of cards of each seat."""
    bidding: bool
    """Whether the landlord is bid for."""
    shuttle_wings: int
    """Number of wings for each four in a run of fours."""

    @classmethod
    def from_json(cls, text: str) -> DouDizhuView:
        """The view of a line. What a newer runner adds is left alone.

        Raises ValueError for what is not JSON, for another version of the schema and for another game.
        """
        return _doudizhu_view(_checked(json.loads(text), "doudizhu"))

    def is_partner(self, seat: int) -> bool:
        """Whether a seat is the other one of those who play together against the landlord."""
        return self.landlord is not None and self.landlord not in (seat, self.seat) and seat != self.seat

    def find(self, type: str) -> Optional[CardAction]:
        """The first legal action of a type."""
        for action in self.legal:
            if action.type == type:
                return action
        return None

    def rng(self) -> Random:
        """Randomness of this decision, repeatable: the same view gives the same numbers."""
        return Random(self.random)


def _doudizhu_view(line: Dict[str, Any]) -> DouDizhuView:
    """The view of a checked line, which is used up by that."""
    line["time"] = _made(Time, line["time"])
    line["legal"] = [_made(CardAction, action) for action in line["legal"]]
    line["to_beat"] = None if line["to_beat"] is None else _made(CardPlay, line["to_beat"])
    line["plays"] = [_made(CardPlay, play) for play in line["plays"]]
    return _made(DouDizhuView, line)
