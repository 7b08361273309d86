// The course of a round: what happened when.

import { el } from './dom.js';
import { translated, translatedIn } from './languages.js';
import { positionAt } from './position.js';
import { actionWord, lossWord } from './why.js';

/** @import {Decision, Game} from './position.js' */

/**
 * A marked event.
 * @typedef {{step: number, kind: string, sign: string, words: string}} Mark
 */

/** @type {Record<string, [string, string]>} */
const EVENTS = {
  r: ['riichi', 'R'], c: ['call', 'C'], p: ['call', 'P'], k: ['call', 'K'], b: ['call', 'B'], w: ['win', 'W'], x: ['draw', 'D'],
};

/** The meaning of the signs. @type {[kind: string, sign: string, words: string, of_riichi?: string][]} */
const SIGNS = [
  ['riichi', 'R', 'riichi'],
  ['call', 'C', 'chow', 'chi'],
  ['call', 'P', 'pung', 'pon'],
  ['call', 'K', 'kong', 'kan'],
  ['call', 'B', 'bomb or rocket'],
  ['win', 'W', 'win'],
  ['draw', 'D', 'end without a winner'],
  ['loss', '\u25bc', 'loss'],
  ['loss most', '\u25bc', 'mistake: one of the greatest losses'],
  ['differs', '\u2260', 'the other policy differs'],
  ['safe', '!', 'safe answer'],
  ['desync', '?', 'desync: the arena and the rules differ'],
];

/** The signs of these marks, each with its meaning. @param {Game} game @param {Mark[]} marks */
export function signsOf(game, marks) {
  const isRiichi = positionAt(game.rounds[0], 0).seats.some(({ score }) => score !== null);
  const meaning = (/** @type {string} */ words) => (game.pieces === 'cards' ? translatedIn('cards', words) : translated(words));
  return SIGNS.filter(([kind, sign]) => marks.some((mark) => mark.kind === kind && mark.sign === sign))
    .map(([kind, sign, words, ofRiichi]) => el('li', {}, el('span', { class: `sign ${kind}` }, sign), ` ${meaning(isRiichi ? ofRiichi ?? words : words)}`));
}

/** How many of the decisions with the greatest losses of a game are its mistakes. */
const MAX_MISTAKES = 20;

/** The decisions with the greatest losses, the greatest first. @param {Game} game */
export function mistakesOf(game) {
  const value = (/** @type {Decision} */ { loss }) => loss?.value ?? 0;
  const losses = game.decisions.filter((decision) => value(decision) > 0);
  return losses.sort((one, other) => value(other) - value(one)).slice(0, MAX_MISTAKES);
}

/**
 * @param {Game} game
 * @param {number} round
 * @returns {Mark[]}
 */
export function marksOf(game, round) {
  /** @type {Mark[]} */
  const marks = [];
  game.rounds[round].steps.forEach(([words, sort], step) => {
    const sign = EVENTS[sort];
    if (sign) marks.push({ step, kind: sign[0], sign: sign[1], words });
  });
  const mistakes = mistakesOf(game);
  const desyncs = game.desyncs.filter((desync) => desync.round === round);
  for (const { step, kind } of desyncs) marks.push({ step, kind: 'desync', sign: '?', words: `Desync: ${kind}` });
  for (const decision of game.decisions) {
    if (decision.round !== round) continue;
    const at = (/** @type {string} */ kind, /** @type {string} */ sign, /** @type {string} */ words) =>
      marks.push({ step: decision.step, kind, sign, words });
    if (decision.own?.safe !== undefined) at('safe', '!', `Safe answer: ${decision.own.safe}`);
    if (decision.own?.desync && !desyncs.some(({ step }) => step === decision.step)) {
      at('desync', '?', "Desync: the arena's legal actions differed from the rules");
    }
    if (decision.loss?.value) {
      at(mistakes.includes(decision) ? 'loss most' : 'loss', '\u25bc', `Loss ${lossWord(decision.loss)}: ${differenceWord(game, decision)}`);
    } else if (decision.other?.agrees === false) at('differs', '\u2260', differenceWord(game, decision));
  }
  return marks.sort((one, other) => one.step - other.step);
}

/** @param {Game} game @param {Decision} decision */
export function differenceWord(game, decision) {
  const did = actionWord(game, decision, decision.done ?? decision.own?.chosen) ?? 'unknown';
  const would = actionWord(game, decision, decision.other?.chosen) ?? 'no decision';
  return `${did}; ${game.other}: ${would}`;
}

/**
 * The marks of a round above its slider, in rows without overlap.
 * @param {HTMLElement} room
 * @param {Mark[]} marks
 * @param {number} steps of the round
 * @param {(step: number) => void} go
 */
export function drawMarks(room, marks, steps, go) {
  const MARK = 26;
  const THUMB = 18;
  const width = Math.max(room.clientWidth, 200) - THUMB;
  /** The end of the last mark in each row. @type {number[]} */
  const ends = [];
  const buttons = marks.map((mark) => {
    const x = THUMB / 2 + (width * mark.step) / Math.max(steps, 1);
    let row = ends.findIndex((end) => end <= x - MARK / 2);
    if (row < 0) row = ends.length;
    ends[row] = x + MARK / 2;
    const button = el('button', { type: 'button', class: `mark ${mark.kind}`, title: mark.words, 'aria-label': mark.words }, mark.sign);
    button.style.left = `${x - MARK / 2}px`;
    button.style.bottom = `${row * MARK}px`;
    button.addEventListener('click', () => go(mark.step));
    return button;
  });
  room.style.height = `${Math.max(ends.length, 1) * MARK + 2}px`;
  room.replaceChildren(...buttons);
}
