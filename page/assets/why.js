// Why: what there was to choose from at a decision, with the values that it was chosen by.

import { el } from './dom.js';
import { tilePicture } from './tiles.js';
import { timeWord, valueCell } from './values.js';
import { actionWord, tilesOf } from './words.js';

/** @import {Action, Decision, Game} from './position.js' */

/** The tiles that an action is about. @param {Action} action */
function tilesOfAction([kind, tile, more]) {
  if (tile === undefined) return kind === 'n' ? ['4z'] : [];
  return kind === 'c' || kind === 'p' || kind === 'k' ? [...tilesOf(String(more)), String(tile)] : tilesOf(String(tile));
}

/** The order in which actions are shown: the best first, those without a value as they are listed. @param {Decision} decision */
function ranked(decision) {
  const values = decision.own?.values ?? decision.other?.values ?? decision.simulated ?? [];
  const chosen = decision.own?.chosen ?? decision.done;
  const worth = (/** @type {number} */ index) => values[index] ?? Number.NEGATIVE_INFINITY;
  return decision.legal
    .map((_, index) => index)
    .sort((one, other) => {
      if (worth(one) !== worth(other)) return worth(other) - worth(one);
      return Number(other === chosen) - Number(one === chosen) || one - other;
    });
}

/**
 * @param {Game} game
 * @param {Decision} decision
 */
function actionTable(game, decision) {
  const own = decision.own?.values ?? [];
  const other = decision.other?.values ?? [];
  const simulated = decision.simulated ?? [];
  const heads = ['action'];
  if (own.length > 0) heads.push('value');
  if (other.length > 0) heads.push(`value, ${game.other}`);
  if (simulated.length > 0) heads.push('simulated: places above last');
  const rows = ranked(decision).map((index) => {
    const action = decision.legal[index];
    const marks = [];
    const chosen = decision.own?.chosen === index;
    if (chosen) marks.push(el('span', { class: 'badge chosen' }, decision.own?.safe ? 'safe answer' : 'chosen'));
    if (!decision.own && decision.done === index) marks.push(el('span', { class: 'badge chosen' }, 'done'));
    if (decision.own && decision.done === index && !chosen) marks.push(el('span', { class: 'badge' }, 'done'));
    if (decision.other?.chosen === index) marks.push(el('span', { class: 'badge other' }, game.other));
    return el('tr', { class: marks.length > 0 ? 'marked' : null },
      el('th', { scope: 'row' },
        el('span', { class: 'tiles' }, ...tilesOfAction(action).map(tilePicture)),
        el('span', { class: 'action' }, actionWord(action)), ...marks),
      own.length > 0 && valueCell(own, index, 'by-own'),
      other.length > 0 && valueCell(other, index, 'by-other'),
      simulated.length > 0 && valueCell(simulated, index, 'by-simulation'));
  });
  return el('table', { class: 'actions' },
    el('caption', { class: 'unseen' }, 'Legal actions with their values, the best first'),
    el('thead', {}, el('tr', {}, ...heads.map((head) => el('th', { scope: 'col' }, head)))),
    el('tbody', {}, ...rows));
}

/**
 * What is to be said of a decision.
 * @param {Game} game
 * @param {Decision} decision
 * @param {string} place which decision it is, in words
 */
export function whyParts(game, decision, place) {
  const { own, other } = decision;
  const parts = [];
  const facts = [place];
  if (own) {
    facts.push(game.policies[own.policy]);
    if (own.us !== undefined) facts.push(timeWord(own.us));
  }
  parts.push(el('p', { class: 'facts' }, facts.join(' \u00b7 ')));
  if (own?.safe !== undefined) parts.push(el('p', { class: 'alert' }, `The safe answer was given: ${own.safe}.`));
  if (own?.desync) parts.push(el('p', { class: 'alert' }, "Desync: the arena's legal actions were not those of the rules."));
  if (own?.reason) parts.push(el('p', { class: 'reason' }, own.reason));
  if (other) {
    const agrees = other.agrees === undefined ? '' : other.agrees ? ' agrees' : ' differs';
    const words = other.chosen === undefined ? 'no decision' : actionWord(decision.legal[other.chosen]);
    const reason = other.reason ? ` (${other.reason})` : '';
    parts.push(el('p', { class: other.agrees === false ? 'reason differs' : 'reason' },
      el('strong', {}, `${game.other}${agrees}: `), `${words}${reason}`));
  }
  parts.push(actionTable(game, decision));
  return parts;
}
