// Why: what there was to choose from at a decision, with the values that it was chosen by.

import { el } from './dom.js';
import { translated } from './languages.js';
import { nameElement } from './names.js';
import { piecesOf } from './position.js';
import { picture } from './table.js';
import { countWord } from './words.js';

/** @import {Child} from './dom.js' */
/** @import {Decision, Game, Loss, UnitName} from './position.js' */

/**
 * The unit of values: their name at the head of a column, and a value in words with this number of decimals.
 * @typedef {{name: string, least: number, most: number, word: (value: number, decimals: number) => string}} Unit
 */

/** @param {number} value @param {number} decimals */
const plainWord = (value, decimals) => {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '\u2212');
};
/** @param {number} value @param {number} decimals */
const signedWord = (value, decimals) => `${Number(value.toFixed(decimals)) > 0 ? '+' : ''}${plainWord(value, decimals)}`;

/** @type {Unit} */
const SCORE = { name: 'score, higher is better', least: 0, most: 4, word: plainWord };

/** @type {Record<UnitName, Unit>} */
const UNITS = {
  score: SCORE,
  'places-gained': { name: 'places gained', least: 2, most: 4, word: signedWord },
  'places-above-last': { name: 'places above last', least: 2, most: 4, word: plainWord },
  points: { name: 'points', least: 1, most: 3, word: signedWord },
  chance: { name: 'chance to win, %', least: 0, most: 2, word: (value, decimals) => (100 * value).toFixed(decimals) },
  steps: { name: 'steps to tenpai, tiles', least: 0, most: 0, word: plainWord },
};

/** @param {number} us */
function timeWord(us) {
  if (us < 1000) return `${us} \u00b5s`;
  return us < 1_000_000 ? `${(us / 1000).toFixed(1)} ms` : `${(us / 1_000_000).toFixed(2)} s`;
}

/** The value of an action without a choice, which is then the only value. */
const NO_CHOICE = 1000;

/**
 * The number of decimals of a column's values: enough to distinguish the best two.
 * @param {number[]} values
 * @param {Unit} unit
 */
function decimalsOf(values, unit) {
  const most = Math.max(...values.map(Math.abs));
  const least = unit === SCORE && values.some((value) => !Number.isInteger(value)) ? Math.max(0, 2 - Math.floor(Math.log10(Math.max(most, 1)))) : unit.least;
  const [best, second] = [...new Set(values)].sort((one, other) => other - one);
  let decimals = least;
  while (second !== undefined && decimals < unit.most && unit.word(best, decimals) === unit.word(second, decimals)) decimals += 1;
  return decimals;
}

/** What the bars of a column say. */
const BARS = 'The best action has the longest bar, the worst the shortest. Of steps to tenpai, only the actions with the fewest have bars: their tiles.';

/** The length of the bar of the worst action, as a part of the best one's. */
const SHORTEST = 0.04;

/**
 * The lengths of bars, as parts of the longest: the best value has the longest bar, and a bar is the shorter, the worse
 * its value is. Of steps to tenpai only the fewest have bars, which count tiles.
 * @param {(number | null)[]} values
 * @param {([steps: number, tiles: number] | null)[]} [steps] the values as steps to tenpai and tiles
 * @returns {(number | null)[]}
 */
export function barLengths(values, steps) {
  if (steps) {
    const fewest = Math.min(...steps.flatMap((part) => part?.[0] ?? []));
    const tiles = steps.map((part) => (part?.[0] === fewest ? part[1] : null));
    const most = Math.max(...tiles.map((count) => count ?? 0));
    return tiles.map((count) => count === null ? null : most > 0 ? Math.max(count / most, SHORTEST) : 1);
  }
  const numbers = values.filter((value) => value !== null);
  const [best, worst] = [Math.max(...numbers), Math.min(...numbers)];
  return values.map((value) => value === null ? null : best > worst ? SHORTEST + (1 - SHORTEST) * (value - worst) / (best - worst) : 1);
}

/** @param {[steps: number, tiles: number]} value */
function stepsWord([steps, tiles]) {
  const parts = [steps > 0 ? countWord(steps, 'step') : 'tenpai', countWord(tiles, 'tile')];
  return translated(parts.join(', ')).replace(/(\d) /g, '$1\u00a0');
}

/**
 * A column of values, each a number beside its bar.
 * @param {(number | null)[]} values
 * @param {string} kind
 * @param {Unit} unit
 * @param {{steps?: ([steps: number, tiles: number] | null)[], errors?: (number | null)[]}} [more] the values as steps to tenpai
 *   and tiles; their standard errors
 * @returns {(index: number) => HTMLElement}
 */
function valueColumn(values, kind, unit, { steps, errors } = {}) {
  const numbers = values.filter((value) => value !== null);
  const isForced = numbers.length === 1 && numbers[0] === NO_CHOICE;
  const decimals = decimalsOf(numbers, unit);
  const lengths = barLengths(values, isForced ? undefined : steps);
  const words = values.map((value, index) => {
    if (value === null) return '';
    if (isForced) return 'no choice';
    const part = steps?.[index];
    const error = errors?.[index];
    const of = typeof error === 'number' ? ` \u00b1${unit.word(error, decimals).replace('+', '')}` : '';
    return part ? stepsWord(part) : unit.word(value, decimals) + of;
  });
  const widest = Math.max(0, ...words.map((word) => word.length));
  return (index) => {
    const value = values[index];
    if (value === null || value === undefined) return el('td', { class: `value ${kind}` }, '');
    const length = lengths[index];
    const bar = length !== null && el('span', { class: 'bar', 'aria-hidden': 'true' });
    if (bar) bar.style.width = `${100 * length}%`;
    const number = el('span', { class: 'number', 'data-value': value }, words[index]);
    // Words are narrower than figures.
    number.style.setProperty('--room', `${(steps && !isForced ? 0.47 : 0.6) * widest}em`);
    return el('td', { class: `value ${kind}` }, el('span', { class: 'value-parts' }, number, el('span', { class: 'bar-room' }, bar)));
  };
}

/** The decimals of a loss besides the least of its unit. */
const LOSS_DECIMALS = 1;

/** A loss in words. @param {Pick<Loss, 'value' | 'unit'>} loss */
export function lossWord({ value, unit }) {
  const { name, least, word } = UNITS[unit];
  const number = word(value, unit === 'score' ? 3 : least + LOSS_DECIMALS).replace('+', '');
  return `${number} ${LOSS_NAMES[unit] ?? name}`;
}

/** The names of units behind a loss. @type {Partial<Record<UnitName, string>>} */
const LOSS_NAMES = { score: 'by the score', 'places-gained': 'places', 'places-above-last': 'places', chance: '% of the chance to win', steps: 'tiles, 1000 for a step' };

/** An action in words; `undefined` is none. @param {Game} game @param {Decision} decision @param {number | undefined} index */
export function actionWord(game, decision, index) {
  return index === undefined ? undefined : game.actions[decision.legal[index]][0];
}

/** The display order of actions: the best first, those without a value in their original order. @param {Decision} decision */
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

/** Maximum number of actions without a value in the table, if others have one. */
const MAX_UNVALUED = 8;

/** The actions of the table, and those that are too many for it: without a value and of no interest. @param {Decision} decision */
function shownActions(decision) {
  const order = ranked(decision);
  const columns = [decision.own?.values ?? [], decision.other?.values ?? [], decision.simulated ?? []];
  const marked = [decision.own?.chosen, decision.other?.chosen, decision.done];
  const isShown = (/** @type {number} */ index) => marked.includes(index) || columns.some((values) => typeof values[index] === 'number');
  const rest = order.filter((index) => !isShown(index));
  const hides = rest.length > MAX_UNVALUED && columns.some((values) => values.some((value) => value !== null));
  return hides ? { shown: order.filter(isShown), rest } : { shown: order, rest: [] };
}

/**
 * @param {Game} game
 * @param {Decision} decision
 * @param {number[]} shown the indices of the actions
 */
function actionTable(game, decision, shown) {
  const own = decision.own?.values ?? [];
  const other = decision.other?.values ?? [];
  const simulated = decision.simulated ?? [];
  const unit = decision.own ? UNITS[game.policies[decision.own.policy][1]] : SCORE;
  const simulatedUnit = decision.unit ? UNITS[decision.unit] : SCORE;
  const ownCell = valueColumn(own, 'by-own', unit, { steps: decision.own?.steps });
  const otherUnit = decision.loss ? UNITS[decision.loss.unit] : SCORE;
  const otherCell = valueColumn(other, 'by-other', otherUnit);
  const simulatedCell = valueColumn(simulated, 'by-simulation', simulatedUnit, { errors: decision.errors });
  /** @type {Child[]} */
  const heads = [];
  if (own.length > 0) heads.push(unit.name);
  if (other.length > 0) heads.push(el('span', {}, nameElement(game.other ?? ''), decision.loss ? `: ${otherUnit.name}` : ': score'));
  if (simulated.length > 0) heads.push(`simulated: ${simulatedUnit.name}${decision.errors ? ', \u00b1 standard error' : ''}`);
  const rows = shown.map((index) => {
    const [words, pieces] = game.actions[decision.legal[index]];
    const marks = [];
    const chosen = decision.own?.chosen === index;
    if (chosen) marks.push(el('span', { class: 'badge chosen' }, decision.own?.safe ? 'safe answer' : 'chosen'));
    if (!decision.own && decision.done === index) marks.push(el('span', { class: 'badge chosen' }, 'done'));
    if (decision.own && decision.done === index && !chosen) marks.push(el('span', { class: 'badge' }, 'done'));
    if (decision.other?.chosen === index) marks.push(el('span', { class: 'badge other' }, nameElement(game.other ?? '')));
    return el('tr', { class: marks.length > 0 ? 'marked' : null },
      el('th', { scope: 'row' },
        el('span', { class: 'tiles' }, ...piecesOf(game, pieces).map((piece) => picture(game, piece))),
        el('span', { class: 'action' }, words), ...marks),
      own.length > 0 && ownCell(index),
      other.length > 0 && otherCell(index),
      simulated.length > 0 && simulatedCell(index));
  });
  return el('table', { class: heads.length > 1 ? 'actions several' : 'actions' },
    el('caption', { class: 'unseen' }, 'Legal actions with their values, the best first'),
    el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'action'), ...heads.map((head) => el('th', { scope: 'col', title: BARS }, head)))),
    el('tbody', {}, ...rows));
}

/**
 * The texts about a decision.
 * @param {Game} game
 * @param {Decision} decision
 * @param {string} place which decision it is, in words
 */
export function whyParts(game, decision, place) {
  const { own, other } = decision;
  const parts = [];
  const facts = [place, game.names[decision.seat]];
  if (own) {
    facts.push(game.policies[own.policy][0]);
    if (own.us !== undefined) facts.push(timeWord(own.us));
  }
  parts.push(el('p', { class: 'facts' }, facts.filter(Boolean).join(' \u00b7 ')));
  if (own?.safe !== undefined) parts.push(el('p', { class: 'alert' }, `The safe answer was given: ${own.safe}.`));
  if (own?.desync) parts.push(el('p', { class: 'alert' }, "Desync: the arena's legal actions differed from the rules."));
  if (own?.reason) parts.push(el('p', { class: 'reason' }, own.reason));
  if (other) {
    const agrees = other.agrees === undefined ? '' : other.agrees ? ' agrees' : ' differs';
    const words = actionWord(game, decision, other.chosen) ?? 'no decision';
    const reason = other.reason ? ` (${other.reason})` : '';
    parts.push(el('p', { class: other.agrees === false ? 'reason differs' : 'reason' },
      el('strong', {}, `${game.other}${agrees}: `), `${words}${reason}`));
  }
  if (decision.loss?.value) {
    const { why, kind } = decision.loss;
    parts.push(el('p', { class: 'reason loss' }, el('strong', {}, `Loss ${lossWord(decision.loss)}`), kind ? ` (${kind}). ` : '. ', why ?? ''));
  }
  const { shown, rest } = shownActions(decision);
  parts.push(actionTable(game, decision, shown));
  if (rest.length > 0) {
    parts.push(el('details', {}, el('summary', {}, `${rest.length} more actions, without a value`),
      el('p', {}, rest.map((index) => translated(actionWord(game, decision, index) ?? '')).join('; '))));
  }
  return parts;
}
