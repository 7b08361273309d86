"""For tests of policies: decisions that were recorded, decided again."""
from __future__ import annotations

import json
from dataclasses import dataclass
from os import PathLike
from typing import Callable, Iterator, List, Optional, Union

from ._run import Choice, Policy
from ._view import Action, View, _view


@dataclass(frozen=True)
class Decision:
    """A recorded decision."""

    view: View
    """What was asked."""
    answer: Optional[Action]
    """What was answered; None where the file has views alone."""


@dataclass(frozen=True)
class Replayed:
    """A recorded decision that was decided again."""

    view: View
    """What was asked."""
    before: Optional[Action]
    """What was answered when it was recorded."""
    now: Action
    """What the policy chooses now."""
    choice: Choice
    """The same with its reason and values."""

    @property
    def same(self) -> bool:
        """Whether nothing has changed."""
        return self.before == self.now


def decisions(file: Union[str, "PathLike[str]"]) -> Iterator[Decision]:
    """The decisions of a file: lines as `--record` writes them, or views as the runner writes them."""
    with open(file, encoding="utf-8") as lines:
        for number, text in enumerate(lines, 1):
            if not text.strip():
                continue
            try:
                line = json.loads(text)
                answer = line.get("answer")
                view = _view(line.get("view", line))
                yield Decision(view, None if answer is None else view.legal[answer["index"]])
            except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
                raise ValueError(f"{file}, line {number}: it is no recorded decision: {error!r}") from error


def replay(policy: Union[Policy, Callable[[View], Union[Action, int, Choice]]], file: Union[str, "PathLike[str]"]) -> List[Replayed]:
    """Has a policy decide again what a file holds. What it may not answer is an error, as in a game."""
    checked = policy if isinstance(policy, Policy) else Policy(policy)
    replayed = []
    for decision in decisions(file):
        choice = checked(decision.view)
        assert isinstance(choice.action, Action)
        replayed.append(Replayed(decision.view, decision.answer, choice.action, choice))
    return replayed
