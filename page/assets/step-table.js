// A step of a game, drawn: it holds the whole position.

import { el } from './dom.js';
import { tilePicture } from './tiles.js';
import { timeWord, valueCell } from './values.js';
import { tilesWord } from './words.js';

/**
 * @typedef {'tiles' | 'cards'} Pieces
 * @typedef {[label: string, groups: string, gone: number[]]} Row
 * @typedef {[note: string, acted: boolean, rows: Row[]]} StepSeat
 * @typedef {[event: string, seats: StepSeat[]]} Step
 * @typedef {{step: number, seat: number, legal: string[], chosen: number | null, values: (number | null)[], reason: string,
 *   policy: string, us: number | null, safe: string | null}} StepDecision
 * @typedef {{title: string, pieces: Pieces, names: string[], facts: [string, string][], warnings: string[],
 *   steps: Step[], decisions: StepDecision[]}} StepGame
 */

/** The pieces of a group. @param {Pieces} pieces @param {string} group */
function piecesOf(pieces, group) {
  return group.match(pieces === 'tiles' ? /../gu : /./gu) ?? [];
}

/** @param {Pieces} pieces @param {string} piece */
function picture(pieces, piece) {
  if (pieces === 'tiles') return tilePicture(/** @type {'1m'} */ (piece === '??' ? '?' : piece));
  const joker = { x: 'jk', X: 'JK' }[piece];
  const kind = joker ? ' joker' : piece === '?' ? ' back' : '';
  return el('span', { class: `playing-card${kind}`, 'aria-hidden': 'true' }, joker ?? (piece === 'T' ? '10' : piece));
}

/** @type {Record<string, string>} */
const CARD_WORDS = { T: '10', J: 'jack', Q: 'queen', K: 'king', A: 'ace', x: 'small joker', X: 'big joker' };

/** A group in words; backs are counted. @param {Pieces} pieces @param {string} group */
function groupWords(pieces, group) {
  const each = piecesOf(pieces, group);
  if (each.length > 0 && each.every((piece) => piece[0] === '?')) return `${each.length} hidden`;
  return pieces === 'tiles' ? tilesWord(each) : each.map((piece) => CARD_WORDS[piece] ?? piece).join(' ');
}

/** @param {Pieces} pieces @param {Row} row */
function rowWords(pieces, [label, groups, gone]) {
  const words = groups.split(' ').filter(Boolean).map((group, index) => groupWords(pieces, group) + (gone.includes(index) ? ' (claimed)' : ''));
  return `${label}: ${words.join(', ') || 'nothing'}`;
}

/** @param {Pieces} pieces @param {Row} row */
function rowElement(pieces, row) {
  const [label, groups, gone] = row;
  const parts = groups.split(' ').filter(Boolean).map((group, index) =>
    el('span', { class: gone.includes(index) ? 'group gone' : 'group', 'data-group': group }, ...piecesOf(pieces, group).map((piece) => picture(pieces, piece))));
  return el('div', { class: label === 'discards' ? 'row laid' : label === 'plays' ? 'row laid apart' : 'row', role: 'img', 'aria-label': rowWords(pieces, row), 'data-row': label },
    el('span', { class: 'row-label', 'aria-hidden': 'true' }, label), ...parts);
}

/**
 * The seats as they stand.
 * @param {StepGame} game
 * @param {StepSeat[]} seats
 */
export function seatElements({ pieces, names }, seats) {
  return seats.map(([note, acted, rows], index) =>
    el('div', { class: acted ? 'seat acted' : 'seat', role: 'group', 'aria-label': `Seat ${index}: ${names[index]}` },
      el('h3', {}, names[index], el('span', {}, note && ` \u00b7 ${note}`)), ...rows.map((row) => rowElement(pieces, row))));
}

/**
 * A step in words: what happened, and how each seat stands.
 * @param {StepGame} game
 * @param {Step} step
 */
export function stepWords({ pieces, names }, [event, seats]) {
  const seat = (/** @type {StepSeat} */ [note, , rows], /** @type {number} */ index) =>
    `${names[index]}${note && `, ${note}`}. ${rows.map((row) => rowWords(pieces, row)).join('. ')}.`;
  return [event, ...seats.map(seat)].map((line) => el('p', {}, line));
}

/**
 * A decision with its legal actions, the best first.
 * @param {StepGame} game
 * @param {StepDecision} decision
 */
export function decisionParts({ names }, decision) {
  const { legal, values, chosen } = decision;
  const worth = (/** @type {number} */ index) => values[index] ?? Number.NEGATIVE_INFINITY;
  const order = legal.map((_, index) => index).sort((one, other) =>
    (worth(one) === worth(other) ? Number(other === chosen) - Number(one === chosen) || one - other : worth(other) - worth(one)));
  const facts = [names[decision.seat], decision.policy];
  if (decision.us !== null) facts.push(timeWord(decision.us));
  const rows = order.map((index) => el('tr', { class: index === chosen ? 'marked' : null },
    el('th', { scope: 'row' }, el('span', { class: 'action' }, legal[index]),
      index === chosen && el('span', { class: 'badge chosen' }, decision.safe === null ? 'chosen' : 'safe answer')),
    values.length > 0 && valueCell(values, index, 'by-own')));
  return [
    el('p', { class: 'facts' }, facts.filter(Boolean).join(' \u00b7 ')),
    decision.safe !== null && el('p', { class: 'alert' }, `The safe answer was given: ${decision.safe}.`),
    decision.reason && el('p', { class: 'reason' }, decision.reason),
    el('table', { class: 'actions' },
      el('caption', { class: 'unseen' }, 'Legal actions with their values, the best first'),
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'action'), values.length > 0 && el('th', { scope: 'col' }, 'value'))),
      el('tbody', {}, ...rows)),
  ];
}
