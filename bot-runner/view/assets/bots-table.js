// All bots in a table that is changed in place.

import { el, svg, write } from './dom.js';
import { nameElement } from './names.js';

/**
 * The status of a bot, as in `status --json`.
 * @typedef {{
 *   bot: string, arena: string, state: string, why?: string, until?: number | null, game: number, finished: number,
 *   average_place: number | null, average_points: number | null, places: number[],
 *   recent: {games: number, average_place: number, interval: [number, number] | null, average_points: number | null,
 *     points_interval: [number, number] | null} | null,
 *   decisions: number, safe_answers: number, p50_ms: number, p99_ms: number, slowest_ms: number, limit_ms: number | null,
 *   faults: number, desyncs: number, refused_change: string | null,
 *   trouble: {kind: string, why: string, until: number | null} | null,
 *   policy: {id: string, version: string, sha256: string | null} | null, rating: {now: number, change: number} | null
 * }} Bot
 *
 * @typedef {{row: HTMLTableRowElement, button: HTMLButtonElement, cells: HTMLTableCellElement[], shown: string[], bot: Bot}} Row
 */

/** The columns after the name: heading, class and meaning. @type {[heading: string, kind: string, meaning: string][]} */
const COLUMNS = [
  ['state', 'state', 'what the bot does now, and why'],
  ['game', 'number', 'number of the game that is played, or of games begun'],
  ['places', 'least', 'games at each place, from first to last'],
  ['average of last 100', 'least', 'average place of the last 100 games, or their average points, with its 95 % interval'],
  ['rating', 'number least', "rating on the arena's ladder, with the change of the last game that it has told; a dash without one"],
  ['reply p50 / p99 ms', 'number least', 'milliseconds that 50 % and 99 % of the replies did not exceed'],
  ['faults', 'number', 'failures of the policy: no answer in time, an answer that is not legal, a crash'],
  ['desyncs', 'number', "times at which the arena's game differed from the runner's"],
  ['safe answers', 'number less', 'decisions for which the runner answered, because the policy gave no answer that it could send'],
  ['decisions', 'number less', 'decisions of the policy'],
  ['limit ms', 'number less', "the arena's time limit for a reply, in milliseconds; a dash if it states none"],
];

/** The states of bots that are well. */
const GOOD_STATES = ['starting', 'queued', 'playing', 'waiting'];
/** The reasons for which a bot stops that is well. */
const GOOD_ENDS = ['it has played its games', 'as asked'];

/** @param {number} ms */
export function millisecondsWord(ms) {
  return ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms.toFixed(2);
}

/** Its state and the reason. @param {Bot} bot */
export function stateWord(bot) {
  const time = (/** @type {number} */ seconds) => new Date(seconds * 1000).toLocaleTimeString('en-GB');
  const words = bot.state.replaceAll('_', ' ');
  const refused = bot.refused_change ? `; a change was refused: ${bot.refused_change}` : '';
  const aside = bot.trouble?.kind === 'set_aside' ? bot.trouble : null;
  const policy = aside ? `${bot.state === 'set_aside' ? '' : '; its policy is set aside'}: ${aside.why}` : '';
  const again = aside && aside.until !== null ? `; it is tried again at ${time(aside.until)}` : '';
  const why = `${words}${bot.why ? `: ${bot.why}` : ''}${policy}${again}${refused}`;
  return typeof bot.until === 'number' ? `${why} (until ${time(bot.until)})` : why;
}

/** The rolling average: the points of games that are compared by points, else the place. @param {Bot} bot */
export function recentWord({ recent }) {
  if (!recent) return '\u2013';
  const words = (/** @type {[number, number] | null} */ ends) => ends ? ` (${ends[0].toFixed(2)} to ${ends[1].toFixed(2)})` : '';
  if (recent.average_points === null) return `${recent.average_place.toFixed(2)}${words(recent.interval)}`;
  return `${recent.average_points.toFixed(2)} points${words(recent.points_interval)}`;
}

/** The rating with its last change. @param {Bot} bot */
export function ratingWord({ rating }) {
  if (!rating) return '\u2013';
  return `${rating.now.toFixed(1)} (${rating.change < 0 ? '' : '+'}${rating.change.toFixed(1)})`;
}

/** The number of times at each place; a dash before the first game. @param {Bot} bot */
export function placesWord({ places }) {
  if (!places.some((times) => times > 0)) return '\u2013';
  const names = ['first', 'second', 'third', 'fourth'];
  return places.map((times, place) => `${names[place]} ${times}`).join(', ');
}

/** The places as bars. @param {number[]} places @param {string} words */
export function placesPicture(places, words) {
  const most = Math.max(...places, 1);
  return svg('svg', { viewBox: '0 0 56 24', class: 'places', role: 'img', 'aria-label': words },
    svg('path', { d: 'M0 23.5H56' }),
    ...places.map((times, place) => {
      const height = (22 * times) / most;
      return svg('rect', { x: 2 + 14 * place, y: 23 - height, width: 10, height });
    }));
}

/** The texts of a row. @param {Bot} bot */
function textsOf(bot) {
  return [
    stateWord(bot), String(bot.game), placesWord(bot), recentWord(bot), ratingWord(bot),
    `${millisecondsWord(bot.p50_ms)} / ${millisecondsWord(bot.p99_ms)}`, String(bot.faults), String(bot.desyncs),
    String(bot.safe_answers), String(bot.decisions), bot.limit_ms === null ? '\u2013' : String(bot.limit_ms),
  ];
}

/** Whether a bot does not play because something is wrong. @param {Bot} bot */
function isOut({ state, why }) {
  return state === 'stopped' ? !GOOD_ENDS.includes(why ?? '') : !GOOD_STATES.includes(state);
}

/** Whether something is wrong with a figure. @param {Bot} bot @param {number} column */
function isTrouble(bot, column) {
  const [heading] = COLUMNS[column];
  if (heading === 'state') return isOut(bot) || Boolean(bot.trouble) || Boolean(bot.refused_change);
  if (heading === 'reply p50 / p99 ms') return bot.limit_ms !== null && bot.p99_ms > bot.limit_ms;
  return (heading === 'faults' && bot.faults > 0) || (heading === 'desyncs' && bot.desyncs > 0) || (heading === 'safe answers' && bot.safe_answers > 0);
}

/**
 * The order of bots: those that do not play because something is wrong, those with trouble, those that play, the others. The
 * breaks between the games of a bot do not change it.
 * @param {Bot} bot
 */
function rankOf(bot) {
  if (isOut(bot)) return 0;
  if (bot.trouble || bot.refused_change || bot.faults > 0 || bot.desyncs > 0) return 1;
  return bot.state === 'playing' || (bot.game > 0 && bot.state !== 'stopped') ? 2 : 3;
}

/** The meanings of the columns. */
export function columnMeanings() {
  return el('dl', { class: 'facts-list' }, ...COLUMNS.flatMap(([heading, , meaning]) => [el('dt', {}, heading), el('dd', {}, meaning)]));
}

/**
 * @param {HTMLElement} room
 * @param {(bot: string) => void} choose
 */
export function botsTable(room, choose) {
  /** @type {Map<string, Row>} */
  const rows = new Map();
  const body = el('tbody');
  room.replaceChildren(el('table', { class: 'bots-table' },
    el('caption', { class: 'unseen' }, 'All bots'),
    el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'bot'), ...COLUMNS.map(([heading, kind, meaning]) => el('th', { scope: 'col', class: kind, title: meaning }, heading)))),
    body));
  let filter = '';
  let chosen = '';

  /** @param {Row} row */
  function hide(row) {
    row.row.hidden = !row.bot.bot.toLowerCase().includes(filter);
  }

  /** @param {Bot} bot @returns {Row} */
  function newRow(bot) {
    const button = el('button', { type: 'button', class: 'link', 'aria-label': bot.bot }, nameElement(bot.bot));
    button.addEventListener('click', () => choose(bot.bot));
    const cells = COLUMNS.map(([, kind]) => el('td', { class: kind }));
    const row = el('tr', { 'aria-current': bot.bot === chosen ? 'true' : null }, el('th', { scope: 'row' }, button), ...cells);
    return { row, button, cells, shown: [], bot };
  }

  /** @param {Bot} bot */
  function change(bot) {
    const row = rows.get(bot.bot) ?? newRow(bot);
    rows.set(bot.bot, row);
    row.bot = bot;
    textsOf(bot).forEach((text, column) => {
      if (row.shown[column] === text) return;
      row.shown[column] = text;
      const cell = row.cells[column];
      const [heading] = COLUMNS[column];
      if (heading === 'places') cell.replaceChildren(placesPicture(bot.places, text));
      // A long reason is cut: the whole of it is beside the bot's table.
      else if (heading === 'state') cell.replaceChildren(el('div', { class: 'two-lines', title: text }, text));
      else write(cell, text);
      cell.classList.toggle('trouble', isTrouble(bot, column));
    });
    hide(row);
    return row;
  }

  return {
    /** Shows exactly these bots, those with trouble first. @param {Bot[]} bots */
    show(bots) {
      const focused = document.activeElement;
      const names = new Set(bots.map(({ bot }) => bot));
      for (const [name, { row }] of rows) {
        if (names.has(name)) continue;
        row.remove();
        rows.delete(name);
      }
      [...bots].sort((one, other) => rankOf(one) - rankOf(other)).forEach((bot, index) => {
        const { row } = change(bot);
        if (body.children[index] !== row) body.insertBefore(row, body.children[index] ?? null);
      });
      // A row that moves loses it.
      if (focused instanceof HTMLElement && body.contains(focused)) focused.focus({ preventScroll: true });
    },
    /** @param {string} text */
    filter(text) {
      filter = text.toLowerCase();
      for (const row of rows.values()) hide(row);
    },
    /** @param {string} bot */
    mark(bot) {
      rows.get(chosen)?.row.removeAttribute('aria-current');
      chosen = bot;
      rows.get(chosen)?.row.setAttribute('aria-current', 'true');
    },
    /** The bot this many rows after another, among the visible ones. @param {string} bot @param {number} by */
    after(bot, by) {
      const shown = [...rows.values()].filter(({ row }) => !row.hidden).sort((one, other) =>
        one.row.compareDocumentPosition(other.row) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1);
      const at = shown.findIndex((row) => row.bot.bot === bot);
      return shown[Math.min(Math.max(at + by, 0), shown.length - 1)];
    },
    /** @param {string} bot */
    get: (bot) => rows.get(bot)?.bot ?? null,
    all: () => [...rows.values()].map(({ bot }) => bot),
  };
}
