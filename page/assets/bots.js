// The page of the bots of a runner at work.

import { drawBoard } from './board.js';
import { botsTable, millisecondsWord, placesWord, recentWord, stateWord } from './bots-table.js';
import { byId, el } from './dom.js';
import { controls, listen } from './feed.js';
import { positionAt } from './position.js';
import { decisionParts, seatElements, stepWords } from './step-table.js';
import { tileSymbols } from './tiles.js';
import { whyParts } from './why.js';
import { countWord, eventWord, positionWords, roundWord } from './words.js';

/** @import {Game} from './position.js' */
/** @import {StepGame} from './step-table.js' */
/** @import {Bot} from './bots-table.js' */

/** @typedef {{number: number, time: string, level: string, text: string}} LogLine */

/** Lines of the log that are kept. */
const LOG_LINES = 80;

/** The bot that is looked at, and its round. @type {{bot: string, round: Game | StepGame | null}} */
const seat = { bot: '', round: null };
const table = botsTable(byId('bots'), choose);

/** @param {string} bot */
function choose(bot) {
  if (bot === seat.bot) return;
  seat.bot = bot;
  table.mark(bot);
  byId('seat-title').textContent = bot;
  history.replaceState(null, '', `#bot=${encodeURIComponent(bot)}`);
  byId('log').replaceChildren();
  showRound(null);
  showFacts();
  connect();
}

function connect() {
  const about = seat.bot === '' ? '' : `?bot=${encodeURIComponent(seat.bot)}`;
  // After a break everything comes again.
  const open = () => byId('log').replaceChildren();
  listen(`/events${about}`, { open, bots: showBots, changed: showChanged, round: showRound, log: showLog }, ['bots', 'round']);
}

/** @param {Bot[]} bots */
function showBots(bots) {
  table.show(bots);
  showTotals();
  const asked = new URLSearchParams(location.hash.slice(1)).get('bot') ?? '';
  const playing = bots.find(({ state }) => state === 'playing') ?? bots[0];
  if (seat.bot === '' && playing) choose(bots.some(({ bot }) => bot === asked) ? asked : playing.bot);
  showFacts();
}

/** @param {Bot[]} bots */
function showChanged(bots) {
  table.change(bots);
  showTotals();
  if (bots.some(({ bot }) => bot === seat.bot)) showFacts();
}

function showTotals() {
  const bots = table.all();
  /** @type {Map<string, number>} */
  const states = new Map();
  for (const { state } of bots) states.set(state, (states.get(state) ?? 0) + 1);
  const words = [...states].map(([state, count]) => `${count} ${state.replace('_', ' ')}`).join(', ');
  const sum = (/** @type {(bot: Bot) => number} */ figure) => bots.reduce((all, bot) => all + figure(bot), 0);
  const slowest = Math.max(0, ...bots.map(({ p99_ms }) => p99_ms));
  byId('totals').textContent = `${countWord(bots.length, 'bot')} (${words || 'none'}); games finished ${sum(({ finished }) => finished)}, `
    + `decisions ${sum(({ decisions }) => decisions)}, faults ${sum(({ faults }) => faults)}, desyncs ${sum(({ desyncs }) => desyncs)}, `
    + `slowest p99 ${millisecondsWord(slowest)} ms`;
  document.title = `Bots: ${states.get('playing') ?? 0} of ${bots.length} playing`;
}

function showFacts() {
  const bot = table.get(seat.bot);
  if (!bot) {
    byId('seat-facts').replaceChildren();
    return;
  }
  const limit = bot.limit_ms === null ? '' : ` of ${bot.limit_ms}`;
  /** @type {[string, string][]} */
  const facts = [
    ['state', stateWord(bot)],
    ['arena', bot.arena],
    ['game', `${bot.game}, ${bot.finished} finished`],
    ['places', placesWord(bot)],
    ['average place', bot.average_place === null ? '\u2013' : bot.average_place.toFixed(3)],
    ['last 100 games', recentWord(bot)],
    ['replies', `p50 ${millisecondsWord(bot.p50_ms)}, p99 ${millisecondsWord(bot.p99_ms)}, slowest ${millisecondsWord(bot.slowest_ms)}${limit} ms`],
    ['decisions', `${bot.decisions}, safe answers ${bot.safe_answers}, faults ${bot.faults}, desyncs ${bot.desyncs}`],
    ['policy', bot.policy ? `${bot.policy.id} ${bot.policy.version}` : '\u2013'],
  ];
  byId('seat-facts').replaceChildren(...facts.flatMap(([what, text]) => [el('dt', {}, what), el('dd', {}, text)]));
}

/** The match of a game that has no board of its own. @param {StepGame} match */
function showMatch(match) {
  const step = match.steps[match.steps.length - 1];
  byId('seats').replaceChildren(...seatElements(match, step[1]));
  byId('event').textContent = step[0];
  byId('words').replaceChildren(...stepWords(match, step));
  const decision = match.decisions[match.decisions.length - 1];
  const parts = decision ? decisionParts(match, decision) : [el('p', { class: 'quiet' }, 'Nothing has been decided in this match.')];
  byId('why-parts').replaceChildren(...parts.filter((part) => part instanceof Node));
  byId('warnings').replaceChildren(...match.warnings.map((warning) => el('p', { class: 'alert' }, warning)));
}

/** @param {Game | StepGame | null} shown */
function showRound(shown) {
  seat.round = shown;
  const isMatch = shown !== null && 'steps' in shown;
  byId('board-room').hidden = isMatch;
  byId('seats').hidden = !isMatch;
  byId('warnings').replaceChildren();
  if (isMatch) {
    // Only the own hand is known.
    /** @type {HTMLInputElement} */ (byId('open')).disabled = true;
    showMatch(shown);
    return;
  }
  byId('seats').replaceChildren();
  const round = shown;
  const board = /** @type {SVGElement} */ (/** @type {unknown} */ (byId('board')));
  if (!round || round.rounds.length === 0) {
    board.replaceChildren();
    board.setAttribute('aria-label', 'No round');
    byId('event').textContent = 'No round has been dealt yet.';
    byId('words').replaceChildren();
    byId('why-parts').replaceChildren(el('p', { class: 'quiet' }, 'Nothing has been decided.'));
    return;
  }
  const box = /** @type {HTMLInputElement} */ (byId('open'));
  const number = round.rounds.length - 1;
  // Where only the own hand is known there is nothing to open.
  box.disabled = round.rounds[number].hands.filter((hand) => hand !== null).length < 2;
  const open = box.checked && !box.disabled;
  const { events } = round.rounds[number];
  const position = positionAt(round, number, events.length);
  const event = events.length === 0 ? `${roundWord(round.rounds[number])} is dealt.` : eventWord(round, events[events.length - 1]);
  drawBoard(board, round, position, round.seat ?? 0, open);
  board.setAttribute('aria-label', `Board. ${roundWord(position)}. ${event}`);
  byId('event').textContent = event;
  byId('words').replaceChildren(...positionWords(round, position, open).map((line) => el('p', {}, line)));
  const decided = round.decisions.length;
  const last = round.decisions[decided - 1];
  const why = last
    ? whyParts(round, last, `decision ${decided} in ${roundWord(round.rounds[number])}`)
    : [el('p', { class: 'quiet' }, 'Nothing has been decided in this round.')];
  byId('why-parts').replaceChildren(...why);
}

/** @param {LogLine[]} lines */
function showLog(lines) {
  const log = byId('log');
  const atEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 4;
  for (const { time, level, text } of lines) {
    const clock = time.slice(11, 19);
    log.append(el('li', { class: level }, el('time', { datetime: time }, clock), `${level} ${text}`));
  }
  while (log.childElementCount > LOG_LINES) log.firstElementChild?.remove();
  if (atEnd) log.scrollTop = log.scrollHeight;
}

/** @param {number} by */
function chooseAfter(by) {
  const next = table.after(seat.bot, by);
  if (!next) return;
  choose(next.bot.bot);
  next.button.focus();
}

byId('symbols').append(tileSymbols());
const filter = /** @type {HTMLInputElement} */ (byId('filter'));
filter.addEventListener('input', () => table.filter(filter.value));
const corners = /** @type {HTMLInputElement} */ (byId('corners'));
corners.addEventListener('change', () => document.documentElement.toggleAttribute('data-corners', corners.checked));
byId('open').addEventListener('change', () => showRound(seat.round));
window.addEventListener('hashchange', () => {
  const asked = new URLSearchParams(location.hash.slice(1)).get('bot') ?? '';
  if (table.get(asked)) choose(asked);
});
controls({
  j: () => chooseAfter(1),
  k: () => chooseAfter(-1),
  '/': () => filter.focus(),
  o: () => byId('open').click(),
});
connect();
