// The overview: how scores and hands went, what came of each round.

import { el, svg } from './dom.js';
import { nameElement } from './names.js';
import { roundTicks } from './ticks.js';
import { marksOf } from './timeline.js';
import { changeWord, countWord, pointsWord } from './words.js';

/** @import {Game} from './position.js' */

const WIDTH = 640;
const HEIGHT = 290;
const EDGE = { left: 70, right: 24, top: 36, bottom: 54 };
/** The dashes of each seat's line, so that lines differ not only in colour. */
const DASHES = [null, '12 5', '3 5', '14 4 3 4'];

/**
 * A chart with a line for each seat; `across` and `up` are the names of its axes.
 * @param {{
 *   label: string, across: string, up: string, low: number, high: number, ticks: [number, string][], columns: [number, string][], width: number,
 *   lines: [number, number][][], now?: number, steps?: boolean
 * }} chart
 */
function lineChart({ label, across, up, low, high, ticks, columns, width, lines, now, steps }) {
  const x = (/** @type {number} */ value) => EDGE.left + ((WIDTH - EDGE.left - EDGE.right) * value) / Math.max(width, 1);
  const y = (/** @type {number} */ value) =>
    HEIGHT - EDGE.bottom - ((HEIGHT - EDGE.top - EDGE.bottom) * (value - low)) / Math.max(high - low, 1);
  const chart = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'chart', role: 'img', 'aria-label': label },
    svg('text', { x: 4, y: 18, class: 'axis' }, up),
    svg('text', { x: (EDGE.left + WIDTH - EDGE.right) / 2, y: HEIGHT - 6, class: 'axis middle' }, across));
  for (const [value, text] of ticks) {
    chart.append(
      svg('line', { x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(value), y2: y(value), class: 'grid' }),
      svg('text', { x: EDGE.left - 8, y: y(value) + 6, class: 'tick left' }, text));
  }
  for (const [value, text] of columns) chart.append(svg('text', { x: x(value), y: HEIGHT - 30, class: 'tick' }, text));
  if (now !== undefined) chart.append(svg('line', { x1: x(now), x2: x(now), y1: EDGE.top, y2: HEIGHT - EDGE.bottom, class: 'now' }));
  lines.forEach((points, seat) => {
    if (points.length === 0) return;
    let path = '';
    points.forEach(([at, value], index) => {
      if (index === 0) path += `M${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
      else path += steps ? `H${x(at).toFixed(1)}V${y(value).toFixed(1)}` : `L${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
    });
    chart.append(svg('path', { d: path, class: `line seat-${seat}`, 'stroke-dasharray': DASHES[seat] }));
    if (!steps) for (const [at, value] of points) chart.append(svg('circle', { cx: x(at), cy: y(value), r: 4, class: `point seat-${seat}` }));
  });
  return chart;
}

/** @param {Game} game */
function legend(game) {
  return el('ul', { class: 'legend' }, ...game.names.map((name, seat) => el('li', { translate: 'no' },
    svg('svg', { viewBox: '0 0 44 10', class: 'legend-line', 'aria-hidden': 'true' },
      svg('path', { d: 'M2 5H42', class: `line seat-${seat}`, 'stroke-dasharray': DASHES[seat] })), name)));
}

/**
 * @param {Game} game
 * @param {number} round
 */
export function scoresChart(game, round) {
  const { scores } = game;
  const all = scores.flat();
  const low = Math.floor(Math.min(0, ...all) / 10_000) * 10_000;
  const high = Math.ceil(Math.max(...all) / 10_000) * 10_000;
  const ticks = roundTicks(low, high, 7).map(([value]) => /** @type {[number, string]} */ ([value, pointsWord(value)]));
  const every = Math.ceil(game.rounds.length / 12);
  /** @type {[number, string][]} */
  const columns = game.rounds.map((_, index) => [index, index % every === 0 && game.rounds.length - index > every / 2 ? game.rounds[index].short : '']);
  columns.push([game.rounds.length, 'end']);
  const end = scores[scores.length - 1];
  const label = `Scores over the rounds. At the end ${game.names.map((name, seat) => `${name} ${pointsWord(end[seat])}`).join(', ')}.`;
  const lines = game.names.map((_, seat) => scores.map((of, index) => /** @type {[number, number]} */ ([index, of[seat]])));
  return [lineChart({ label, across: 'start of round', up: 'points', low, high, ticks, columns, width: game.rounds.length, lines, now: round }), legend(game)];
}

/**
 * The distance of each hand from tenpai.
 * @param {Game} game
 * @param {number} round
 * @param {number} step
 */
export function shantenChart(game, round, step) {
  const { steps, shanten } = game.rounds[round];
  const known = shanten.some((of) => of.length > 0);
  if (!known) return [el('p', { class: 'quiet' }, 'No hand is known in this round.')];
  const high = Math.max(4, ...shanten.flat().map(([, value]) => value));
  const lines = shanten.map((of) => {
    /** @type {[number, number][]} */
    const line = [...of];
    if (line.length > 0) line.push([steps.length - 1, line[line.length - 1][1]]);
    return line;
  });
  /** @type {[number, string][]} */
  const ticks = [];
  for (let value = 0; value <= high; value++) ticks.push([value, value === 0 ? 'tenpai' : String(value)]);
  /** @type {[number, string][]} */
  const columns = [];
  let turn = 0;
  steps.forEach(([, sort], step) => {
    if (sort === 't' && turn++ % (3 * game.names.length) === 0) columns.push([step - 1, String(1 + Math.floor(turn / game.names.length))]);
  });
  const now = shanten.map((of, seat) => {
    const last = of.filter(([at]) => at <= step).pop();
    return last ? `${game.names[seat]} ${last[1] === 0 ? 'tenpai' : last[1] < 0 ? 'complete' : `${last[1]} from tenpai`}` : '';
  });
  const label = `Tiles from tenpai in this round. Now ${now.filter(Boolean).join(', ')}.`;
  return [lineChart({ label, across: 'turn', up: 'tiles from tenpai', low: 0, high, ticks, columns, width: steps.length - 1, lines, now: step, steps: true }), legend(game)];
}

/**
 * The rounds with their outcomes.
 * @param {Game} game
 * @param {(round: number, step: number) => void} go
 */
export function roundsTable(game, go) {
  const { scores, changes, places } = game;
  const rows = game.rounds.map((round, number) => {
    const button = el('button', { type: 'button', class: 'link' }, round.name || 'the game');
    button.addEventListener('click', () => go(number, 0));
    const course = svg('svg', { viewBox: '0 0 120 16', class: 'course', 'aria-hidden': 'true' }, svg('line', { x1: 0, x2: 120, y1: 12, y2: 12, class: 'grid' }));
    for (const mark of marksOf(game, number)) {
      const x = 2 + (116 * mark.step) / Math.max(round.steps.length - 1, 1);
      course.append(svg('rect', { x: x - 1.5, y: mark.kind === 'call' ? 7 : 2, width: 3, height: mark.kind === 'call' ? 7 : 12, class: `course-${mark.kind}` }));
    }
    const cells = changes[number].map((change) => el('td', { class: change > 0 ? 'gain' : change < 0 ? 'loss' : 'quiet' }, changeWord(change)));
    return el('tr', { 'data-round': number }, el('th', { scope: 'row' }, button), el('td', { class: 'course-cell' }, course), ...cells, el('td', { class: 'outcome' }, round.outcome || 'not told'));
  });
  const end = scores[scores.length - 1];
  const total = el('tr', {}, el('th', { scope: 'row' }, 'end'), el('td', { class: 'course-cell' }, countWord(game.rounds.length, 'round')),
    ...end.map((score, seat) => el('td', {}, el('strong', {}, pointsWord(score)), ` (${places[seat]})`)), el('td', {}, 'in brackets: place'));
  const heads = ['round', 'course', ...game.names, 'result'];
  const isName = (/** @type {number} */ index) => index > 1 && index < heads.length - 1;
  const table = el('table', { class: 'rounds' },
    el('caption', { class: 'unseen' }, 'The rounds, what each seat gained, and who won'),
    el('thead', {}, el('tr', {}, ...heads.map((head, index) => el('th', {
      scope: 'col', class: index === 1 ? 'course-cell' : null, 'aria-label': isName(index) ? head : null,
    }, isName(index) ? nameElement(head) : head)))),
    el('tbody', {}, ...rows), places.length > 0 && el('tfoot', {}, total));
  table.style.setProperty('--seats', String(game.names.length));
  return table;
}

/** How often the other policy agrees. @param {Game} game */
export function agreementTable(game) {
  /** @type {Map<string, {made: number, agreed: number}>} */
  const sorts = new Map();
  for (const { other, done, legal } of game.decisions) {
    if (other?.agrees === undefined || done === undefined) continue;
    for (const sort of [game.actions[legal[done]][2], 'all']) {
      const counted = sorts.get(sort) ?? { made: 0, agreed: 0 };
      counted.made += 1;
      counted.agreed += Number(other.agrees);
      sorts.set(sort, counted);
    }
  }
  const all = sorts.get('all');
  sorts.delete('all');
  const rows = [...sorts, .../** @type {[string, {made: number, agreed: number}][]} */ (all ? [['all', all]] : [])];
  return el('table', { class: 'agreement' },
    el('caption', {}, `What was done, and how often ${game.other} would have done the same`),
    el('thead', {}, el('tr', {}, ...['done', 'times', 'agreed', '%'].map((head) => el('th', { scope: 'col' }, head)))),
    el('tbody', {}, ...rows.map(([sort, { made, agreed }]) => el('tr', {}, el('th', { scope: 'row' }, sort),
      el('td', {}, String(made)), el('td', {}, String(agreed)), el('td', {}, ((100 * agreed) / made).toFixed(1))))));
}
