// A game in steps: every step holds the whole position, which is drawn as it is.

import { byId, el } from './dom.js';
import { decisionParts, seatElements, stepWords } from './step-table.js';
import { tileSymbols } from './tiles.js';

/** @import {StepGame} from './step-table.js' */

/** @type {StepGame} */
const stepGame = JSON.parse(byId('game').textContent ?? '');
/** Milliseconds that a step is shown while the game is played. */
const STEP_MS = 900;
/** Milliseconds until the address tells the step: browsers limit how often it may change. */
const LINK_MS = 200;
let current = 0;
/** @type {number | undefined} */
let link;
/** @type {number | undefined} */
let timer;

function show() {
  const [event, seats] = stepGame.steps[current];
  byId('seats').replaceChildren(...seatElements(stepGame, seats));
  byId('event').textContent = event;
  const slider = /** @type {HTMLInputElement} */ (byId('step-slider'));
  slider.value = String(current);
  slider.setAttribute('aria-valuetext', event);
  const here = stepGame.decisions.filter((decision) => decision.step === current);
  const parts = here.flatMap((decision) => decisionParts(stepGame, decision)).filter((part) => part instanceof Node);
  byId('why-parts').replaceChildren(...(parts.length > 0 ? parts : [el('p', { class: 'quiet' }, 'No decision is recorded here.')]));
  byId('words').replaceChildren(...stepWords(stepGame, stepGame.steps[current]));
  clearTimeout(link);
  link = setTimeout(() => history.replaceState(null, '', `#step=${current}`), LINK_MS);
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
