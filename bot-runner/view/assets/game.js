// The page of a game: its state, and the actions of keys and buttons.

import { agreementTable, roundsTable, scoresChart, shantenChart } from './charts.js';
import { cardSymbols } from './cards.js';
import { byId, el, write } from './dom.js';
import { translateDocument, translated, translatedIn } from './languages.js';
import { withoutMiddle } from './names.js';
import { canOpen, positionAt } from './position.js';
import { showTable } from './table.js';
import { differenceWord, drawMarks, marksOf, mistakesOf, signsOf } from './timeline.js';
import { tileSymbols } from './tiles.js';
import { lossWord, whyParts } from './why.js';

/** @import {Decision, Game} from './position.js' */

/** @type {Game} */
const game = JSON.parse(byId('game').textContent ?? '');
const known = game.rounds.some((round) => positionAt(round, 0).seats.every(({ hand }) => !hand.startsWith('?')));

const state = { round: 0, step: 0, bottom: game.seat ?? game.decisions[0]?.seat ?? 0, open: known, playing: 0 };

/** The decisions of each round. @type {Decision[][]} */
const decisions = game.rounds.map((_, round) => game.decisions.filter((decision) => decision.round === round));

const slider = /** @type {HTMLInputElement} */ (byId('slider'));
const PACE_MS = 700;
/** Width of a name in the list of seats, in pixels. */
const OPTION_ROOM = 150;

/** @param {number} round */
const stepsOf = (round) => game.rounds[round].steps.length - 1;

/**
 * Shows a position; values out of range are clamped.
 * @param {number} round
 * @param {number} step
 */
function go(round, step) {
  const newRound = Math.min(Math.max(round, 0), game.rounds.length - 1);
  const other = newRound !== state.round;
  state.round = newRound;
  state.step = Math.min(Math.max(step, 0), stepsOf(newRound));
  if (other) showRound();
  show();
  link();
}

/** Steps across the ends of rounds. @param {number} by */
function stepBy(by) {
  const { round, step } = state;
  if (step + by > stepsOf(round) && round + 1 < game.rounds.length) go(round + 1, 0);
  else if (step + by < 0 && round > 0) go(round - 1, stepsOf(round - 1));
  else go(round, step + by);
}

/** Goes to the next or previous turn. @param {number} by */
function turnBy(by) {
  const { steps } = game.rounds[state.round];
  let step = state.step + by;
  while (step > 0 && step < steps.length && steps[step][1] !== 't') step += by;
  if (step < 0 || step >= steps.length) stepBy(by > 0 ? stepsOf(state.round) - state.step + 1 : -state.step - 1);
  else go(state.round, step);
}

/**
 * Goes to the next or previous of these decisions.
 * @param {Decision[]} among
 * @param {number} by
 */
function decisionBy(among, by) {
  const after = (/** @type {Decision} */ { round, step }) => round - state.round || step - state.step;
  const found = by > 0 ? among.find((decision) => after(decision) > 0) : among.filter((decision) => after(decision) < 0).pop();
  if (found) go(found.round, found.step);
}

const differences = game.decisions.filter(({ other }) => other?.agrees === false);

/** The mistakes of a review, the greatest first, and in their order. */
const greatest = mistakesOf(game);
const mistakes = game.decisions.filter((decision) => greatest.includes(decision));

/** How many decisions have a loss, in words. */
function countOfLosses() {
  const count = game.decisions.filter(({ loss }) => loss?.value).length;
  return count === 0 ? 'No decision has a loss.' : `${count} of ${game.decisions.length} decisions have a loss; the greatest:`;
}

/** A button that goes to a decision. @param {Decision} decision @param {string} words */
function decisionButton(decision, words) {
  const number = decisions[decision.round].indexOf(decision) + 1;
  const where = [game.rounds[decision.round].name, `decision ${number}`].filter(Boolean).join(', ');
  const button = el('button', { type: 'button', class: 'link' }, `${where}: `, words);
  button.addEventListener('click', () => go(decision.round, decision.step));
  return el('li', {}, button);
}

/** The decisions of this moment, each with its number in the round. */
function decisionsNow() {
  return decisions[state.round].flatMap((decision, index) => (decision.step === state.step ? [{ decision, number: index + 1 }] : []));
}

let linking = 0;

/** Writes the position into the address, a little later: browsers allow few changes in a second. */
function link() {
  clearTimeout(linking);
  linking = setTimeout(() => {
    const [now] = decisionsNow();
    const place = now ? `decision=${now.number}` : `step=${state.step}`;
    history.replaceState(null, '', `#round=${state.round + 1}&${place}`);
  }, 200);
}

/** Goes to the place in an address; without one, to the first decision of the nearest seat. @param {string} hash */
function follow(hash) {
  const asked = new URLSearchParams(hash.slice(1));
  const first = game.decisions.find(({ seat }) => seat === state.bottom) ?? game.decisions[0];
  if (first && !['round', 'decision', 'step'].some((name) => asked.has(name))) {
    go(first.round, first.step);
    return;
  }
  const number = (/** @type {string} */ name) => Number.parseInt(asked.get(name) ?? '', 10);
  const round = (number('round') || 1) - 1;
  const decision = decisions[round]?.[number('decision') - 1];
  go(round, decision?.step ?? (number('step') || 0));
}

function play() {
  clearTimeout(state.playing);
  const last = state.round === game.rounds.length - 1 && state.step === stepsOf(state.round);
  if (state.playing === 0 && last) return;
  state.playing = state.playing === 0 ? setTimeout(playOn, PACE_MS) : 0;
  showPlaying();
}

function playOn() {
  stepBy(1);
  const last = state.round === game.rounds.length - 1 && state.step === stepsOf(state.round);
  state.playing = last ? 0 : setTimeout(playOn, PACE_MS);
  showPlaying();
}

function showPlaying() {
  byId('play').textContent = translatedIn('replay', state.playing ? 'Pause' : 'Play');
}

/** Draws the parts that stay the same for a round. */
function showRound() {
  const { round } = state;
  for (const button of byId('rounds').querySelectorAll('button')) {
    const own = Number(button.dataset.round) === round;
    if (own) button.setAttribute('aria-current', 'true');
    else button.removeAttribute('aria-current');
  }
  slider.max = String(stepsOf(round));
  showMarks();
  byId('scores').replaceChildren(...scoresChart(game, round));
}

function showMarks() {
  const marks = marksOf(game, state.round);
  drawMarks(byId('marks'), marks, stepsOf(state.round), (step) => go(state.round, step));
  byId('signs').replaceChildren(...signsOf(game, marks));
}

function show() {
  const { round, step, bottom, open } = state;
  const { steps } = game.rounds[round];
  const [event] = steps[step];
  showTable(game, positionAt(game.rounds[round], step), bottom, open, event);
  slider.value = String(step);
  slider.setAttribute('aria-valuetext', translated(`step ${step} of ${stepsOf(round)}: ${event}`));
  byId('shanten').replaceChildren(...shantenChart(game, round, step));
  showWhy();
}

function showWhy() {
  const { name } = game.rounds[state.round];
  const all = decisions[state.round].length;
  const parts = decisionsNow().flatMap(({ decision, number }) => whyParts(game, decision, `decision ${number} of ${all}${name && ` in ${name}`}`));
  byId('why-parts').replaceChildren(...(parts.length > 0 ? parts : [el('p', { class: 'quiet' }, 'No decision is recorded here.')]));
}

/** Draws the parts that stay the same for a game. */
function build() {
  byId('symbols').append(game.pieces === 'tiles' ? tileSymbols() : cardSymbols());
  byId('title').textContent = game.title;
  byId('warnings').replaceChildren(...game.warnings.map((text) => el('p', { class: 'alert' }, text)));
  byId('facts').replaceChildren(...game.facts.flatMap(([what, text]) => [el('dt', {}, what), el('dd', {}, text)]));
  byId('bottom').replaceChildren(...game.names.map((name, seat) => el('option', { value: seat, title: name, translate: 'no' }, withoutMiddle(`${seat}: ${name}`, OPTION_ROOM, '15px system-ui, sans-serif'))));
  byId('rounds').replaceChildren(...game.rounds.map((round, number) => {
    const button = el('button', { type: 'button', 'data-round': number, title: round.name }, round.short || 'game');
    button.addEventListener('click', () => go(number, 0));
    return button;
  }));
  byId('rounds-table').replaceChildren(roundsTable(game, go));
  // If only the own hand is known, there is nothing to reveal.
  const others = canOpen(game);
  /** @type {HTMLInputElement} */ (byId('open')).checked = known;
  byId('open-room').hidden = !others;
  byId('corners-room').hidden = game.pieces === 'cards';
  for (const id of ['rounds', 'round-back', 'round-on']) byId(id).hidden = game.rounds.length === 1;
  byId('scores-room').hidden = game.rounds.length === 1;
  byId('shanten-room').hidden = game.rounds.every(({ shanten }) => shanten.length === 0);
  if (!others) state.open = false;
  // Without decisions, the position takes the space beside the table.
  byId('why').hidden = game.decisions.length === 0;
  if (game.decisions.length === 0) /** @type {HTMLDetailsElement} */ (byId('words-room')).open = true;
  if (game.other !== null) {
    byId('differences').hidden = false;
    byId('agreement').replaceChildren(agreementTable(game));
    byId('difference-list').replaceChildren(...differences.map((decision) => decisionButton(decision, differenceWord(game, decision))));
  }
  if (game.decisions.some(({ loss }) => loss)) {
    byId('mistakes').hidden = false;
    byId('mistake-list').replaceChildren(...greatest.map((decision) => {
      const loss = decision.loss ? lossWord(decision.loss) : '';
      return decisionButton(decision, `${loss}, ${game.names[decision.seat] ?? ''}: ${differenceWord(game, decision)}`);
    }));
    write(byId('mistake-count'), countOfLosses());
  }
}

/** Digits typed a moment ago: two make one number. */
const typed = { digits: '', at: 0 };

/** @param {string} digit */
function typeDigit(digit) {
  const now = performance.now();
  const both = Number(typed.digits + digit);
  const joined = now - typed.at < 800 && both >= 1 && both <= game.rounds.length;
  typed.digits = joined ? String(both) : digit;
  typed.at = now;
  const round = Number(typed.digits);
  if (round >= 1 && round <= game.rounds.length) go(round - 1, 0);
}

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowLeft: () => stepBy(-1),
  ArrowRight: () => stepBy(1),
  'Shift+ArrowLeft': () => turnBy(-1),
  'Shift+ArrowRight': () => turnBy(1),
  PageUp: () => go(state.round - 1, 0),
  PageDown: () => go(state.round + 1, 0),
  Home: () => go(state.round, 0),
  End: () => go(state.round, stepsOf(state.round)),
  p: () => decisionBy(game.decisions, -1),
  n: () => decisionBy(game.decisions, 1),
  d: () => decisionBy(differences, 1),
  'Shift+D': () => decisionBy(differences, -1),
  m: () => decisionBy(mistakes, 1),
  'Shift+M': () => decisionBy(mistakes, -1),
  o: () => { if (!byId('open-room').hidden) byId('open').click(); },
  ' ': play,
};

function listen() {
  const open = /** @type {HTMLInputElement} */ (byId('open'));
  const corners = /** @type {HTMLInputElement} */ (byId('corners'));
  const bottom = /** @type {HTMLSelectElement} */ (byId('bottom'));
  const theme = /** @type {HTMLSelectElement} */ (byId('theme'));
  bottom.value = String(state.bottom);
  const root = document.documentElement;
  open.addEventListener('change', () => { state.open = open.checked; show(); });
  corners.addEventListener('change', () => root.toggleAttribute('data-corners', corners.checked));
  bottom.addEventListener('change', () => { state.bottom = Number(bottom.value); show(); });
  theme.addEventListener('change', () => { root.dataset.theme = theme.value; });
  slider.addEventListener('input', () => go(state.round, Number(slider.value)));
  /** @type {Record<string, () => void>} */
  const buttons = {
    'round-back': KEYS.PageUp, 'round-on': KEYS.PageDown, 'step-back': KEYS.ArrowLeft, 'step-on': KEYS.ArrowRight,
    'decision-back': KEYS.p, 'decision-on': KEYS.n, 'difference-back': KEYS['Shift+D'], 'difference-on': KEYS.d,
    'mistake-back': KEYS['Shift+M'], 'mistake-on': KEYS.m, play,
  };
  for (const [id, act] of Object.entries(buttons)) byId(id).addEventListener('click', act);
  byId('board').addEventListener('click', (event) => {
    const box = byId('board').getBoundingClientRect();
    stepBy(event.clientX < box.left + box.width / 2 ? -1 : 1);
  });
  // The address may have been written over since.
  window.addEventListener('hashchange', ({ newURL }) => follow(new URL(newURL).hash));
  window.addEventListener('resize', showMarks);
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const on = event.target instanceof HTMLElement ? event.target : document.body;
    // The focused element handles its own keys first.
    const presses = on.matches('button, summary, select, input') && event.key === ' ';
    const moves = on.matches('select') || (on === slider && !event.shiftKey && event.key !== ' ' && /^(Arrow|Home|End|Page)/.test(event.key));
    const scrolls = on.matches('[tabindex]') && /^(Arrow|Home|End|Page)/.test(event.key);
    if (presses || moves || scrolls) return;
    const act = KEYS[event.shiftKey ? `Shift+${event.key}` : event.key];
    if (act) act();
    else if (/^[0-9]$/.test(event.key)) typeDigit(event.key);
    else return;
    event.preventDefault();
  });
}

translateDocument();
if (game.rounds.length > 0) {
  build();
  listen();
  showPlaying();
  showRound();
  follow(location.hash);
} else {
  byId('title').textContent = game.title;
  byId('warnings').append(el('p', { class: 'alert' }, 'The record has no round.'));
}
