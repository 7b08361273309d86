// The page of the bots of a runner at work.

import { botsTable, columnMeanings, millisecondsWord, placesWord, ratingWord, recentWord, stateWord } from './bots-table.js';
import { cardSymbols } from './cards.js';
import { byId, el, write } from './dom.js';
import { controls, listen } from './feed.js';
import { translateDocument, translated } from './languages.js';
import { canOpen, positionAt } from './position.js';
import { showTable } from './table.js';
import { tileSymbols } from './tiles.js';
import { whyParts } from './why.js';
import { countWord } from './words.js';

/** @import {Game} from './position.js' */
/** @import {Bot} from './bots-table.js' */

/** @typedef {{number: number, time: string, level: string, text: string}} LogLine */

/** Number of log lines that are kept. */
const LOG_LINES = 80;

/** The selected bot, and its round. @type {{bot: string, round: Game | null}} */
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
  listen(`/events${about}`, { open, bots: showBots, round: showRound, log: showLog }, ['bots', 'round']);
}

/** @param {Bot[]} bots */
function showBots(bots) {
  table.show(bots);
  showTotals();
  const asked = new URLSearchParams(location.hash.slice(1)).get('bot') ?? '';
  const playing = table.all().find(({ state }) => state === 'playing') ?? bots[0];
  if (seat.bot === '' && playing) choose(bots.some(({ bot }) => bot === asked) ? asked : playing.bot);
  showFacts();
}

function showTotals() {
  const bots = table.all();
  /** @type {Map<string, number>} */
  const states = new Map();
  for (const { state } of bots) states.set(state, (states.get(state) ?? 0) + 1);
  const words = [...states].map(([state, count]) => `${count} ${state.replaceAll('_', ' ')}`).join(', ');
  const sum = (/** @type {(bot: Bot) => number} */ figure) => bots.reduce((all, bot) => all + figure(bot), 0);
  const slowest = Math.max(0, ...bots.map(({ p99_ms }) => p99_ms));
  write(byId('totals'), `${countWord(bots.length, 'bot')} (${words || 'none'}); games finished ${sum(({ finished }) => finished)}, `
    + `decisions ${sum(({ decisions }) => decisions)}, faults ${sum(({ faults }) => faults)}, desyncs ${sum(({ desyncs }) => desyncs)}, `
    + `slowest p99 ${millisecondsWord(slowest)} ms`);
  document.title = translated(`Bots: ${states.get('playing') ?? 0} of ${bots.length} playing`);
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
    ...(bot.average_points === null ? [] : [/** @type {[string, string]} */ (['points a game', bot.average_points.toFixed(2)])]),
    ['last 100 games', recentWord(bot)],
    ...(bot.rating ? [/** @type {[string, string]} */ (['rating', ratingWord(bot)])] : []),
    ['replies', `p50 ${millisecondsWord(bot.p50_ms)}, p99 ${millisecondsWord(bot.p99_ms)}, slowest ${millisecondsWord(bot.slowest_ms)}${limit} ms`],
    ['decisions', `${bot.decisions}, safe answers ${bot.safe_answers}, faults ${bot.faults}, desyncs ${bot.desyncs}`],
    ['policy', bot.policy ? `${bot.policy.id} ${bot.policy.version}` : '\u2013'],
  ];
  byId('seat-facts').replaceChildren(...facts.flatMap(([what, text]) => [el('dt', {}, what), el('dd', {}, text)]));
}

/** @param {Game | null} round */
function showRound(round) {
  seat.round = round;
  byId('warnings').replaceChildren(...(round?.warnings ?? []).map((warning) => el('p', { class: 'alert' }, warning)));
  byId('board-room').hidden = round === null;
  byId('words-room').hidden = round === null;
  byId('why').hidden = round === null;
  // If only the own hand is known, there is nothing to reveal.
  const opens = round !== null && canOpen(round);
  byId('open-room').hidden = !opens;
  byId('corners-room').hidden = round?.pieces === 'cards';
  if (!round) {
    write(byId('event'), 'No round is shown: none has been dealt yet, or a person plays.');
    byId('words').replaceChildren();
    byId('why-parts').replaceChildren(el('p', { class: 'quiet' }, 'Nothing has been decided.'));
    return;
  }
  const box = /** @type {HTMLInputElement} */ (byId('open'));
  const [{ name, steps }] = round.rounds;
  showTable(round, positionAt(round.rounds[0], 0), round.seat ?? 0, opens && box.checked, steps[0][0]);
  const [last] = round.decisions;
  byId('why-parts').replaceChildren(...(last ? whyParts(round, last, name) : [el('p', { class: 'quiet' }, 'Nothing has been decided in this round.')]));
}

/** @param {LogLine[]} lines */
function showLog(lines) {
  byId('log-room').hidden = false;
  const log = byId('log');
  const atEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 4;
  for (const { time, level, text } of lines) {
    const clock = time.slice(11, 19);
    log.append(el('li', { class: level, translate: 'no' }, el('time', { datetime: time }, clock), `${level} ${text}`));
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

write(byId('title'), 'Bots');
translateDocument();
byId('symbols').append(tileSymbols(), cardSymbols());
byId('columns').append(columnMeanings());
const filter = /** @type {HTMLInputElement} */ (byId('filter'));
filter.addEventListener('input', () => table.filter(filter.value));
byId('open').addEventListener('change', () => showRound(seat.round));
window.addEventListener('hashchange', () => {
  const asked = new URLSearchParams(location.hash.slice(1)).get('bot') ?? '';
  if (table.get(asked)) choose(asked);
});
controls({
  j: () => chooseAfter(1),
  k: () => chooseAfter(-1),
  '/': () => filter.focus(),
  o: () => { if (!byId('open-room').hidden) byId('open').click(); },
});
connect();
