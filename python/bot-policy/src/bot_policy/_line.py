"""The parts that the lines of all games share."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional, Type, TypeVar

SCHEMA = 1
"""The version of the schema that this package reads."""

Acceptance = Dict[str, int]
"""Kinds of tiles, each with how many of its tiles are not seen."""

T = TypeVar("T")


@dataclass(frozen=True)
class Time:
    """The time for a decision, milliseconds."""

    budget_ms: float
    """From now until the runner gives the safe answer itself: use this one for planning."""
    grace_ms: Optional[float]
    """Free time of this request; None if the arena sets no limit."""
    bank_ms: Optional[float]
    """The rest of the bank; None if the arena sets no limit."""
    deadline_ms: Optional[float]
    """From the request until the arena acts itself; None if it sets no limit."""


_set = object.__setattr__


def _made(kind: Type[T], fields: Dict[str, Any]) -> T:
    """An object with these fields. It takes the dictionary for its own: a view has some hundred objects, and to copy each costs
    ten times as much."""
    made = object.__new__(kind)
    _set(made, "__dict__", fields)
    return made


def _checked(line: Any, *games: str) -> Dict[str, Any]:
    """A parsed line, when it is a decision of one of these games in the version that is read here."""
    if not isinstance(line, dict):
        raise ValueError(f"found {type(line).__name__}; allowed: an object, the line of a decision")
    if line.get("schema") != SCHEMA:
        raise ValueError(f"the schema is {line.get('schema')!r}; allowed: {SCHEMA}; take the bot-policy of this runner")
    if line.get("game") not in games:
        raise ValueError(f"the game is {line.get('game')!r}; allowed: {', '.join(map(repr, games))}")
    return line


def _renamed(fields: Dict[str, Any]) -> Dict[str, Any]:
    """`from` is a word of Python's."""
    fields["from_"] = fields.pop("from")
    return fields
