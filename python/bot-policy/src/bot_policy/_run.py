"""A policy as a program: a line for each decision in, a line with the answer out."""
from __future__ import annotations

import argparse
import json
import math
import sys
from dataclasses import dataclass
from typing import Any, Callable, Dict, Generic, Iterable, List, Optional, Sequence, TextIO, TypeVar, Union, cast, overload

from ._chinese_standard import StandardAction
from ._doudizhu import CardAction
from ._games import AnyAction, AnyView, _any_view
from ._view import Action

_ACTIONS = (Action, StandardAction, CardAction)

V = TypeVar("V", bound=AnyView)


@dataclass(frozen=True)
class Choice:
    """A policy's choice, with its explanation for users."""

    action: Union[AnyAction, int]
    """A legal action of the view, or its index."""
    reason: Optional[str] = None
    """Why, in a few words."""
    values: Optional[Sequence[Optional[float]]] = None
    """A value for each legal action in their order, None or NaN for one without a value; higher is better."""


Chosen = Union[AnyAction, int, Choice]
"""The possible results of a policy's function."""


class Unavailable(Exception):
    """Raised by a policy's function when what it decides by is away, such as a server that it asks; the text says what.

    The runner gives the safe answer, and however often that happens the policy is not set aside.
    """


class Policy(Generic[V]):
    """A function that decides, which can also be run as a program."""

    def __init__(
        self, decide: Callable[..., Any], name: Optional[str] = None, version: Optional[str] = None, batch: Optional[int] = None
    ) -> None:
        self._decide = decide
        self._batch = batch
        introduction = {"name": name, "version": version, "batch": batch}
        self._introduction = {key: value for key, value in introduction.items() if value is not None}
        self.__doc__ = decide.__doc__
        self.__name__ = getattr(decide, "__name__", "policy")

    def __call__(self, view: V) -> Choice:
        """What it chooses, checked.

        Raises ValueError or TypeError for what cannot be an answer.
        """
        return self.choices([view])[0]

    def choices(self, views: Sequence[V]) -> List[Choice]:
        """What it chooses in each of these, checked.

        Raises ValueError or TypeError for what cannot be an answer.
        """
        chosen = [self._decide(view) for view in views] if self._batch is None else list(self._decide(list(views)))
        if len(chosen) != len(views):
            raise ValueError(f"the policy chose {len(chosen)} actions; allowed: {len(views)}, one for each view")
        return [_checked_choice(view, one) for view, one in zip(views, chosen)]

    def answer(self, line: str) -> Dict[str, Any]:
        """The answer to a line with one decision, which is of the game that the policy is for."""
        return self._answers([json.loads(line)])[0]

    def _answers(self, views: List[Any]) -> List[Dict[str, Any]]:
        try:
            choices = self.choices([cast(V, _any_view(view)) for view in views])
        except Unavailable as away:
            return [{"unavailable": str(away)} for _ in views]
        return [_answer(choice) for choice in choices]

    def run(self, lines: Iterable[str], out: TextIO, record: Optional[TextIO] = None) -> None:
        """Answers each line: a decision, or a list of them if the policy takes batches. With `record`, writes down each
        decision, which `bot_policy.testing.replay` reads."""
        introduction = self._introduction
        for line in lines:
            asked = json.loads(line)
            views = asked if isinstance(asked, list) else [asked]
            # A view takes the parsed line for its own.
            texts = [] if record is None else [json.dumps(view) for view in views]
            answers = self._answers(views)
            introduced = [{**answers[0], **introduction}, *answers[1:]]
            out.write(json.dumps(introduced if isinstance(asked, list) else introduced[0]) + "\n")
            out.flush()
            introduction = {}
            if record is not None:
                for text, answer in zip(texts, answers):
                    if "index" in answer:
                        record.write(f'{{"view":{text},"answer":{json.dumps(answer)}}}\n')
                record.flush()


def _checked_choice(view: Any, chosen: Chosen) -> Choice:
    choice = chosen if isinstance(chosen, Choice) else Choice(chosen)
    index = choice.action.index if isinstance(choice.action, _ACTIONS) else choice.action
    if isinstance(index, bool) or not isinstance(index, int):
        raise TypeError(f"the policy chose {choice.action!r}; allowed: an action of view.legal, its index, or a Choice of one")
    if not 0 <= index < len(view.legal):
        raise ValueError(f"the policy chose the action {index}; allowed: 0 to {len(view.legal) - 1}")
    if choice.values is not None and len(choice.values) != len(view.legal):
        raise ValueError(f"the policy gave {len(choice.values)} values; allowed: {len(view.legal)}, one for each legal action")
    return Choice(view.legal[index], choice.reason, choice.values)


def _answer(choice: Choice) -> Dict[str, Any]:
    assert isinstance(choice.action, _ACTIONS)
    answer: Dict[str, Any] = {"index": choice.action.index}
    if choice.reason is not None:
        answer["reason"] = choice.reason
    if choice.values is not None:
        answer["values"] = [_number(value) for value in choice.values]
    return answer


def _number(value: Optional[float]) -> Optional[float]:
    """A value as JSON has it, which knows no NaN and no infinity."""
    return float(value) if value is not None and math.isfinite(value) else None


@overload
def policy(decide: Callable[[V], Chosen], *, name: Optional[str] = None, version: Optional[str] = None) -> Policy[V]: ...


@overload
def policy(*, name: Optional[str] = None, version: Optional[str] = None) -> Callable[[Callable[[V], Chosen]], Policy[V]]: ...


@overload
def policy(
    *, batch: int, name: Optional[str] = None, version: Optional[str] = None
) -> Callable[[Callable[[List[V]], Sequence[Chosen]]], Policy[V]]: ...


def policy(decide: Any = None, *, name: Optional[str] = None, version: Optional[str] = None, batch: Optional[int] = None) -> Any:
    """Makes a policy of a function that gets the view of its game (a :class:`View` in riichi mahjong) and returns what it chooses: an action, its index, or a
    :class:`Choice`.

    ``@policy(name="kuma", version="2.1")`` names it in the runner's tables, records and results.

    ``@policy(batch=64)`` is for a function that gets a list of up to 64 views and returns a list of what it chooses in each: in a
    tournament it is asked for decisions of several games at once, elsewhere for one.

    Where its module is run as a program, it answers the runner's lines until there are no more, and never returns.
    ``--record FILE`` after the program's name adds every decision to a file for tests.
    """

    def make(decide: Any) -> Policy[Any]:
        made: Policy[Any] = Policy(decide, name, version, batch)
        if getattr(decide, "__module__", None) == "__main__":
            _main(made, sys.argv[1:])
        return made

    return make if decide is None else make(decide)


def _main(made: Policy[V], arguments: List[str]) -> None:
    parser = argparse.ArgumentParser(description=made.__doc__)
    parser.add_argument("--record", metavar="FILE", help="add every decision to this file")
    options = parser.parse_args(arguments)
    # Answers use the real standard output; all other output belongs to the log.
    out, sys.stdout = sys.stdout, sys.stderr
    try:
        if options.record is None:
            made.run(sys.stdin, out)
        else:
            with open(options.record, "a", encoding="utf-8") as record:
                made.run(sys.stdin, out, record)
    except (BrokenPipeError, KeyboardInterrupt):
        pass
    sys.exit(0)
