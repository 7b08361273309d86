"""The rule agent of the Python package rlcard, as a program: a question in each line of stdin, its answer in a line of stdout.

A question is `SELF LANDLORD HAND TRACE ACTIONS`, five words. HAND is the own cards, lowest first, TRACE `SEAT:CARDS,…` from the first
play on (`-` while there is none), ACTIONS `CARDS,…`; a pass is `pass`, and cards are rlcard's letters, B and R for the jokers. `seed N`
fixes what the agent chooses by chance. An answer is one of the actions, or `unknown` where the agent does not know what was played.
"""

import sys

import numpy as np
from rlcard.games.doudizhu.utils import CARD_TYPE
from rlcard.models.doudizhu_rule_models import DouDizhuRuleAgentV1

agent = DouDizhuRuleAgentV1()
for line in sys.stdin:
    words = line.split()
    if words[0] == "seed":
        np.random.seed(int(words[1]))
        continue
    own, landlord, hand, trace, actions = words
    trace = [] if trace == "-" else [(int(seat), cards) for seat, cards in (part.split(":") for part in trace.split(","))]
    # It cannot choose actions that its package has no name for.
    actions = [action for action in actions.split(",") if action == "pass" or action in CARD_TYPE[0]]
    state = {"self": int(own), "landlord": int(landlord), "current_hand": hand, "trace": trace, "actions": actions}
    try:
        answer = agent.step({"raw_obs": state})
    except KeyError:
        answer = "unknown"
    print(answer or "unknown", flush=True)
