"""One table by PettingZoo's interface for games in which one agent acts after the other (AEC).

    table = bot_env.pettingzoo.env(opponents=["greedy-tenpai"])
"""
from typing import Any, Optional

import numpy
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from . import ACTIONS, BASE_PLANES, KINDS, SCALARS, Env

__all__ = ["Table", "env"]


def env(**arguments: Any) -> AECEnv:
    """A table that also says clearly when it is used in the wrong order."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(Table(**arguments)))


class Table(AECEnv):
    """A game at one table; the arguments are those of :class:`bot_env.Env`.

    The agents ``player_0`` and so on are the players without the opponents. An agent is shown ``planes`` and ``scalars``, and
    an ``action_mask``; of an agent that is not to act it is what it was shown last, with no action.
    """

    metadata = {"name": "riichi_v1", "render_modes": [], "is_parallelizable": False}
    render_mode = None

    def __init__(self, seed: int = 1, planes: int = BASE_PLANES, **arguments: Any) -> None:
        super().__init__()
        self._env = Env(tables=1, seed=seed, planes=planes, threads=1, **arguments)
        self._seed = seed
        self._dealt = False
        self.possible_agents = [f"player_{player}" for player in range(self._env.learners)]
        box = spaces.Box(-1.0, 1.0, (planes, KINDS), numpy.float32), spaces.Box(-1.0, 1.0, (len(SCALARS),), numpy.float32)
        shown = lambda: spaces.Dict({
            "observation": spaces.Dict(dict(zip(("planes", "scalars"), box))),
            "action_mask": spaces.Box(0, 1, (ACTIONS,), numpy.int8),
        })
        self.observation_spaces = {agent: shown() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict] = None) -> None:
        """Deals a game: the one of this seed, or the one after the last seed."""
        if seed is None and self._dealt:
            seed = self._seed + 1
        if seed is not None:
            self._seed = seed
        self._dealt = True
        # Seeds are whole numbers of 64 bits that are not negative.
        asked = self._env.reset(self._seed % 2**64)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        nothing = {
            "planes": numpy.zeros_like(asked.planes[0]),
            "scalars": numpy.zeros_like(asked.scalars[0]),
        }
        self._shown = dict.fromkeys(self.agents, nothing)
        self._ask(asked)

    def _ask(self, asked: Any) -> None:
        self.agent_selection = self.possible_agents[asked.player[0]]
        self._shown[self.agent_selection] = {"planes": asked.planes[0].copy(), "scalars": asked.scalars[0].copy()}
        self._mask = asked.mask[0].astype(numpy.int8)

    def observe(self, agent: str) -> dict:
        acts = agent == self.agent_selection and not self.terminations.get(agent, True)
        mask = self._mask if acts else numpy.zeros(ACTIONS, numpy.int8)
        return {"observation": self._shown[agent], "action_mask": mask}

    def step(self, action: Optional[int]) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        asked, rewards, done = self._env.step([action])
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {agent: float(rewards[0, player]) for player, agent in enumerate(self.possible_agents)}
        if done[0]:
            # `reset` replaces the game that has begun at the table.
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self._ask(asked)
        self._accumulate_rewards()

    def render(self) -> None:
        """Shows nothing."""

    def close(self) -> None:
        """Has nothing to close."""
