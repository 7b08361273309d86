// Why: what there was to choose from at a decision, with the values that it was chosen by.

import { el } from './dom.js';
import { piecesOf } from './position.js';
import { picture } from './table.js';

/** @import {Decision, Game} from './position.js' */

/** @param {number | null | undefined} value */
function valueWord(value) {
  if (value === null || value === undefined) return '';
  const digits = Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 10 ? 2 : 4;
  return value.toFixed(digits).replace('-', '\u2212');
}

/** @param {number} us */
function timeWord(us) {
  if (us < 1000) return `${us} \u00b5s`;
  return us < 1_000_000 ? `${(us / 1000).toFixed(1)} ms` : `${(us / 1_000_000).toFixed(2)} s`;
}

/**
 * A value as a number with a bar, the best as long as the cell.
 * @param {(number | null)[]} values
 * @param {number} index
 * @param {string} kind
 */
function valueCell(values, index, kind) {
  const value = values[index];
  if (value === null || value === undefined) return el('td', { class: `value ${kind}` }, '');
  const numbers = values.filter((other) => other !== null);
  const low = Math.min(...numbers);
  const high = Math.max(...numbers);
  const bar = el('span', { class: 'bar', 'aria-hidden': 'true' });
  bar.style.width = `${high > low ? 3 + (97 * (value - low)) / (high - low) : 100}%`;
  return el('td', { class: `value ${kind}` }, el('span', { class: 'bar-room', 'aria-hidden': 'true' }, bar), el('span', { class: 'number' }, valueWord(value)));
}

/** What an action is, in words; `undefined` is none. @param {Game} game @param {Decision} decision @param {number | undefined} index */
export function actionWord(game, decision, index) {
  return index === undefined ? undefined : game.actions[decision.legal[index]][0];
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
  if (simulated.length > 0) heads.push(`simulated: ${game.simulated}`);
  const rows = ranked(decision).map((index) => {
    const [words, pieces] = game.actions[decision.legal[index]];
    const marks = [];
    const chosen = decision.own?.chosen === index;
    if (chosen) marks.push(el('span', { class: 'badge chosen' }, decision.own?.safe ? 'safe answer' : 'chosen'));
    if (!decision.own && decision.done === index) marks.push(el('span', { class: 'badge chosen' }, 'done'));
    if (decision.own && decision.done === index && !chosen) marks.push(el('span', { class: 'badge' }, 'done'));
    if (decision.other?.chosen === index) marks.push(el('span', { class: 'badge other' }, game.other));
    return el('tr', { class: marks.length > 0 ? 'marked' : null },
      el('th', { scope: 'row' },
        el('span', { class: 'tiles' }, ...piecesOf(game, pieces).map((piece) => picture(game, piece))),
        el('span', { class: 'action' }, words), ...marks),
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
  const facts = [place, game.names[decision.seat]];
  if (own) {
    facts.push(game.policies[own.policy]);
    if (own.us !== undefined) facts.push(timeWord(own.us));
  }
  parts.push(el('p', { class: 'facts' }, facts.filter(Boolean).join(' \u00b7 ')));
  if (own?.safe !== undefined) parts.push(el('p', { class: 'alert' }, `The safe answer was given: ${own.safe}.`));
  if (own?.desync) parts.push(el('p', { class: 'alert' }, "Desync: the arena's legal actions were not those of the rules."));
  if (own?.reason) parts.push(el('p', { class: 'reason' }, own.reason));
  if (other) {
    const agrees = other.agrees === undefined ? '' : other.agrees ? ' agrees' : ' differs';
    const words = actionWord(game, decision, other.chosen) ?? 'no decision';
    const reason = other.reason ? ` (${other.reason})` : '';
    parts.push(el('p', { class: other.agrees === false ? 'reason differs' : 'reason' },
      el('strong', {}, `${game.other}${agrees}: `), `${words}${reason}`));
  }
  parts.push(actionTable(game, decision));
  return parts;
}
