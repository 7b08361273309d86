// A game in steps: every step holds the whole position, which is drawn as it is.

import { byId, el } from './dom.js';
import { tilePicture, tileSymbols } from './tiles.js';
import { timeWord, valueCell } from './values.js';
import { tilesWord } from './words.js';

/**
 * @typedef {[label: string, groups: string, gone: number[]]} Row
 * @typedef {[note: string, acted: boolean, rows: Row[]]} StepSeat
 * @typedef {[event: string, seats: StepSeat[]]} Step
 * @typedef {{step: number, seat: number, legal: string[], chosen: number | null, values: (number | null)[], reason: string,
 *   policy: string, us: number | null, safe: string | null}} StepDecision
 * @typedef {{title: string, pieces: 'tiles' | 'cards', names: string[], facts: [string, string][], warnings: string[],
 *   steps: Step[], decisions: StepDecision[]}} StepGame
 */

/** @type {StepGame} */
const stepGame = JSON.parse(byId('game').textContent ?? '');
/** Milliseconds that a step is shown while the game is played. */
const STEP_MS = 900;
let current = 0;
/** @type {number | undefined} */
let timer;

/** The pieces of a group. @param {string} group */
function piecesOf(group) {
  return group.match(stepGame.pieces === 'tiles' ? /../gu : /./gu) ?? [];
}

/** @param {string} piece */
function picture(piece) {
  if (stepGame.pieces === 'tiles') return tilePicture(/** @type {'1m'} */ (piece === '??' ? '?' : piece));
  const joker = { x: 'jk', X: 'JK' }[piece];
  const kind = joker ? ' joker' : piece === '?' ? ' back' : '';
  return el('span', { class: `playing-card${kind}`, 'aria-hidden': 'true' }, joker ?? (piece === 'T' ? '10' : piece));
}

/** @type {Record<string, string>} */
const CARD_WORDS = { T: '10', J: 'jack', Q: 'queen', K: 'king', A: 'ace', x: 'small joker', X: 'big joker' };

/** A group in words; backs are counted. @param {string} group */
function groupWords(group) {
  const pieces = piecesOf(group);
  if (pieces.length > 0 && pieces.every((piece) => piece[0] === '?')) return `${pieces.length} hidden`;
  return stepGame.pieces === 'tiles' ? tilesWord(pieces) : pieces.map((piece) => CARD_WORDS[piece] ?? piece).join(' ');
}

/** @param {Row} row */
function rowWords([label, groups, gone]) {
  const words = groups.split(' ').filter(Boolean).map((group, index) => groupWords(group) + (gone.includes(index) ? ' (claimed)' : ''));
  return `${label}: ${words.join(', ') || 'nothing'}`;
}

/** @param {Row} row */
function rowElement(row) {
  const [label, groups, gone] = row;
  const parts = groups.split(' ').filter(Boolean).map((group, index) =>
    el('span', { class: gone.includes(index) ? 'group gone' : 'group', 'data-group': group }, ...piecesOf(group).map(picture)));
  return el('div', { class: label === 'discards' ? 'row laid' : label === 'plays' ? 'row laid apart' : 'row', role: 'img', 'aria-label': rowWords(row), 'data-row': label },
    el('span', { class: 'row-label', 'aria-hidden': 'true' }, label), ...parts);
}

/**
 * @param {StepSeat} seat
 * @param {number} index
 */
function seatElement([note, acted, rows], index) {
  return el('div', { class: acted ? 'seat acted' : 'seat', role: 'group', 'aria-label': `Seat ${index}: ${stepGame.names[index]}` },
    el('h3', {}, stepGame.names[index], el('span', {}, note && ` \u00b7 ${note}`)), ...rows.map(rowElement));
}

/** @param {StepDecision} decision */
function decisionParts(decision) {
  const { legal, values, chosen } = decision;
  const worth = (/** @type {number} */ index) => values[index] ?? Number.NEGATIVE_INFINITY;
  const order = legal.map((_, index) => index).sort((one, other) =>
    (worth(one) === worth(other) ? Number(other === chosen) - Number(one === chosen) || one - other : worth(other) - worth(one)));
  const facts = [stepGame.names[decision.seat], decision.policy];
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

function show() {
  const [event, seats] = stepGame.steps[current];
  byId('seats').replaceChildren(...seats.map(seatElement));
  byId('event').textContent = event;
  const slider = /** @type {HTMLInputElement} */ (byId('step-slider'));
  slider.value = String(current);
  slider.setAttribute('aria-valuetext', event);
  const here = stepGame.decisions.filter((decision) => decision.step === current);
  const parts = here.flatMap(decisionParts).filter((part) => part instanceof Node);
  byId('why-parts').replaceChildren(...(parts.length > 0 ? parts : [el('p', { class: 'quiet' }, 'No decision is recorded here.')]));
  const words = seats.map(([note, , rows], index) =>
    el('p', {}, `${stepGame.names[index]}${note && `, ${note}`}. ${rows.map(rowWords).join('. ')}.`));
  byId('words').replaceChildren(el('p', {}, event), ...words);
  history.replaceState(null, '', `#step=${current}`);
}

/** @param {number} step */
function go(step) {
  const next = Math.min(Math.max(step, 0), stepGame.steps.length - 1);
  if (next === current) return;
  current = next;
  show();
}

function pause() {
  clearInterval(timer);
  timer = undefined;
  byId('play').textContent = 'Play';
}

function play() {
  if (timer !== undefined) {
    pause();
    return;
  }
  if (current === stepGame.steps.length - 1) go(0);
  byId('play').textContent = 'Pause';
  timer = setInterval(() => {
    go(current + 1);
    if (current === stepGame.steps.length - 1) pause();
  }, STEP_MS);
}

function nextDecision() {
  const next = stepGame.decisions.find((decision) => decision.step > current);
  if (next) go(next.step);
}

function decisionBefore() {
  const before = stepGame.decisions.filter((decision) => decision.step < current).at(-1);
  if (before) go(before.step);
}

function follow() {
  const step = Number(/^#step=(\d+)$/.exec(location.hash)?.[1]);
  if (Number.isFinite(step)) go(step);
}

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowLeft: () => go(current - 1), ArrowRight: () => go(current + 1),
  Home: () => go(0), End: () => go(stepGame.steps.length - 1),
  p: decisionBefore, P: decisionBefore, n: nextDecision, N: nextDecision, ' ': play,
};

function listen() {
  const root = document.documentElement;
  const theme = /** @type {HTMLSelectElement} */ (byId('theme'));
  theme.addEventListener('change', () => { root.dataset.theme = theme.value; });
  const corners = /** @type {HTMLInputElement} */ (byId('corners'));
  corners.addEventListener('change', () => root.toggleAttribute('data-corners', corners.checked));
  const slider = /** @type {HTMLInputElement} */ (byId('step-slider'));
  slider.max = String(stepGame.steps.length - 1);
  slider.addEventListener('input', () => go(Number(slider.value)));
  /** @type {Record<string, () => void>} */
  const buttons = {
    'step-back': KEYS.ArrowLeft, 'step-on': KEYS.ArrowRight, 'decision-back': decisionBefore, 'decision-on': nextDecision, play,
  };
  for (const [id, act] of Object.entries(buttons)) byId(id).addEventListener('click', act);
  window.addEventListener('hashchange', follow);
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const on = event.target instanceof HTMLElement ? event.target : document.body;
    // What a key does to the element that has the focus goes first.
    const presses = on.matches('button, summary, select, input') && event.key === ' ';
    const moves = on.matches('select, [type="range"]') && /^(Arrow|Home|End|Page)/.test(event.key);
    const act = KEYS[event.key];
    if (presses || moves || !act) return;
    act();
    event.preventDefault();
  });
}

byId('title').textContent = stepGame.title;
byId('warnings').append(...stepGame.warnings.map((warning) => el('p', { class: 'alert' }, warning)));
byId('facts').append(...stepGame.facts.flatMap(([what, text]) => [el('dt', {}, what), el('dd', {}, text)]));
if (stepGame.pieces === 'tiles') byId('symbols').append(tileSymbols());
else byId('corners-room').hidden = true;
listen();
follow();
show();
