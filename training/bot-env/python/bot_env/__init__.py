"""Tables of riichi mahjong for networks that learn, on the engine of bot-runner.

    env = bot_env.Env(tables=1024, opponents=["greedy-tenpai"] * 3)
    observation = env.reset()
    while True:
        observation, rewards, done = env.step(choose(observation))

The arrays are the environment's own, and the next step fills them again: copy what you keep. What the numbers mean is in
docs/networks.md.
"""
import os
from typing import NamedTuple, Optional, Sequence, Union

import numpy

from ._bot_env import ACTIONS, ENCODING, KINDS, PLANES, SCALARS, Tables

__all__ = ["ACTIONS", "ENCODING", "KINDS", "PLANES", "SCALARS", "Env", "Observation"]

BASE_PLANES = 64


class Observation(NamedTuple):
    """The question at each table."""

    #: float32, tables x planes x 34.
    planes: numpy.ndarray
    #: float32, tables x 69.
    scalars: numpy.ndarray
    #: bool, tables x 155: which actions are legal.
    mask: numpy.ndarray
    #: int8: the seat to act, from 0.
    seat: numpy.ndarray
    #: int8: which player that is, from 0; the first are yours, the last are the opponents in their order. They move on by a
    #: seat with each game.
    player: numpy.ndarray


class Env:
    """Many tables at once. Each waits where a player of yours has a choice; what leaves none is played for you.

    ``rules``: "tenhou" or "mahjong-soul". ``length``: "half", "east" or "single". ``opponents``: ids of policies, and paths of
    configs that end in .toml; at most one fewer than ``players``. ``rewards``: "round" or "game" for points in thousands, or a
    number for each place. ``planes``: 64, or 70 with acceptance and danger. ``threads``: how many play, all cores unless said.
    ``program``: the bot-runner that tries out policies from files.

    The same arguments, but for ``threads``, and the same actions give the same games.
    """

    def __init__(
        self,
        tables: int = 1024,
        players: int = 4,
        rules: str = "tenhou",
        seed: int = 1,
        opponents: Sequence[Union[str, "os.PathLike[str]"]] = (),
        *,
        length: str = "half",
        rewards: Union[str, Sequence[float]] = "round",
        planes: int = BASE_PLANES,
        threads: Optional[int] = None,
        program: Union[str, "os.PathLike[str]"] = "bot-runner",
    ) -> None:
        if isinstance(opponents, (str, bytes)):
            raise TypeError(f"`opponents` is one text, {opponents!r}; allowed is a list of them")
        named = [os.fspath(opponent) for opponent in opponents]
        worth = rewards if isinstance(rewards, str) else [float(place) for place in rewards]
        self._tables = Tables(
            tables, players, rules, length, seed, named, worth, planes, threads, os.fspath(program)
        )
        self.tables, self.players, self.learners = tables, players, players - len(named)
        shown = self._tables
        self._observation = Observation(shown.planes, shown.scalars, shown.mask, shown.seat, shown.player)
        self._rewards, self._done = shown.rewards, shown.done

    def reset(self, seed: Optional[int] = None) -> Observation:
        """Deals at all tables: the first games of this seed, or of the previous one."""
        self._tables.reset(seed)
        return self._observation

    def step(self, actions: "numpy.typing.ArrayLike") -> "tuple[Observation, numpy.ndarray, numpy.ndarray]":
        """Plays an action at each table, and on until the next choice of a player of yours.

        Returns what is asked then, the rewards of each player since the last choice (float32, tables x players), and where a
        game has ended (bool). There the next one has begun. An action that is not legal is a ValueError with the table and the
        action; then no table has played.
        """
        actions = numpy.asarray(actions)
        if actions.dtype.kind not in "iu" or actions.ndim != 1:
            raise TypeError(f"the actions are {actions.dtype} of {actions.ndim} dimensions; allowed are whole numbers, one a table")
        self._tables.step(numpy.ascontiguousarray(actions, dtype=numpy.int64))
        return self._observation, self._rewards, self._done

    def faults(self) -> "tuple[int, Optional[str]]":
        """The number of opponents' decisions that have failed since the deal, and the first failure. The safe answer was played there."""
        return self._tables.faults()
