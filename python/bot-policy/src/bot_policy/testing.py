"""For tests of policies: decisions that were recorded, decided again."""
from __future__ import annotations

import json
from dataclasses import dataclass
from os import PathLike
from typing import Any, Callable, Generic, Iterator, List, Optional, TypeVar, Union, cast

from ._games import AnyAction, AnyView, _any_view
from ._run import _ACTIONS, Choice, Policy

V = TypeVar("V", bound=AnyView)


@dataclass(frozen=True)
class Decision:
    """A recorded decision, of any game."""

    view: Any
    """The question."""
    answer: Optional[AnyAction]
    """The recorded answer; None if the file has only views."""


@dataclass(frozen=True)
class Replayed(Generic[V]):
    """A recorded decision that was decided again."""

    view: V
    """The question."""
    before: Optional[AnyAction]
    """The recorded answer."""
    now: AnyAction
    """The policy's choice now."""
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
                view = _any_view(line.get("view", line))
                yield Decision(view, None if answer is None else view.legal[answer["index"]])
            except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
                raise ValueError(f"{file}, line {number}: it is not a recorded decision: {error!r}") from error


def replay(
    policy: Union[Policy[V], Callable[[V], Union[AnyAction, int, Choice]]], file: Union[str, "PathLike[str]"]
) -> List[Replayed[V]]:
    """Has a policy decide again what a file holds. What it may not answer is an error, as in a game."""
    checked = policy if isinstance(policy, Policy) else Policy(policy)
    replayed = []
    for decision in decisions(file):
        choice = checked(decision.view)
        assert isinstance(choice.action, _ACTIONS)
        replayed.append(Replayed(cast(V, decision.view), decision.answer, choice.action, choice))
    return replayed
