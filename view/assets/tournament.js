// The page of a tournament at work.

import { placesPicture } from './bots-table.js';
import { byId, el, svg } from './dom.js';
import { controls, listen } from './feed.js';
import { roundTicks } from './ticks.js';

/**
 * @typedef {{name: string, mean: number | null, low: number | null, high: number | null, places: number[], walls: number}} Config
 * @typedef {{
 *   unit: 'places' | 'points', games: number, of: number, seconds: number, configs: Config[], steps: [number, ([number, number, number] | null)[]][]
 * }} Standing
 */

const WIDTH = 900;
const HEIGHT = 380;
const EDGE = { left: 62, right: 14, top: 12, bottom: 34 };
const DASHES = [null, '12 5', '3 5', '14 4 3 4'];

/** @param {number | null} value */
const word = (value) => (value === null ? '\u2013' : value.toFixed(3));

/** @param {number} seconds */
function timeWord(seconds) {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  return minutes >= 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

/** @param {Standing} standing */
function show(standing) {
  const { unit, games, of, seconds, configs } = standing;
  const [average, counted, taken] = unit === 'points' ? ['average points a game', 'won', 'won and not won'] : ['average place', 'places', 'places taken'];
  const progress = /** @type {HTMLProgressElement} */ (byId('progress'));
  progress.max = Math.max(of, 1);
  progress.value = games;
  const rate = seconds > 0 ? games / seconds : 0;
  const left = rate > 0 && games < of ? `, ${timeWord((of - games) / rate)} left` : '';
  byId('games').textContent = `${games} of ${of} games${rate > 0 ? `, ${rate.toFixed(1)} a second` : ''}${left}`;
  document.title = `Tournament: ${games} of ${of} games`;
  byId('standing').replaceChildren(el('table', { class: 'standing-table' },
    el('caption', { class: 'unseen' }, 'Standing'),
    el('thead', {}, el('tr', {}, ...['bot', average, '95 % interval', counted, 'walls'].map((head) => el('th', { scope: 'col' }, head)))),
    el('tbody', {}, ...configs.map((config) => el('tr', {},
      el('th', { scope: 'row' }, config.name),
      el('td', {}, word(config.mean)),
      el('td', {}, config.low === null ? '\u2013' : `${word(config.low)} to ${word(config.high)}`),
      el('td', {}, placesPicture(config.places, `${taken}: ${config.places.join(', ')}`)),
      el('td', {}, String(config.walls)))))));
  byId('intervals').replaceChildren(...intervals(standing));
}

/** How the intervals have narrowed. @param {Standing} standing */
function intervals({ unit, configs, steps }) {
  const known = steps.filter(([, values]) => values.every((value) => value !== null));
  if (known.length < 2) return [el('p', { class: 'quiet' }, 'There is a chart after a few walls.')];
  const all = known.flatMap(([, values]) => values.flatMap((value) => value ?? []));
  // The first intervals are far wider than all that matters.
  const late = known.slice(Math.floor(known.length / 4)).flatMap(([, values]) => values.flatMap((value) => value ?? []));
  const low = Math.max(Math.min(...all), Math.min(...late) - 0.05);
  const high = Math.min(Math.max(...all), Math.max(...late) + 0.05);
  const [first, last] = [known[0][0], known[known.length - 1][0]];
  const x = (/** @type {number} */ walls) =>
    EDGE.left + ((WIDTH - EDGE.left - EDGE.right) * Math.log(walls / first)) / Math.max(Math.log(last / first), 1e-9);
  const y = (/** @type {number} */ place) => {
    const inside = Math.min(Math.max(place, low), high);
    return EDGE.top + ((HEIGHT - EDGE.top - EDGE.bottom) * (inside - low)) / Math.max(high - low, 1e-9);
  };
  const words = configs.map(({ name, mean, low: from, high: to }) => `${name} ${word(mean)}, ${word(from)} to ${word(to)}`).join('; ');
  const chart = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'chart', role: 'img', 'aria-label': `Average ${unit} with intervals: ${words}` });
  for (const [place, text] of roundTicks(low, high, 6)) {
    chart.append(
      svg('line', { x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(place), y2: y(place), class: 'grid' }),
      svg('text', { x: EDGE.left - 8, y: y(place) + 6, class: 'tick left' }, text));
  }
  const middle = Math.round(Math.sqrt(first * last));
  for (const walls of new Set([first, middle, last])) chart.append(svg('text', { x: Math.min(x(walls), WIDTH - 40), y: HEIGHT - 8, class: 'tick' }, String(walls)));
  configs.forEach((_, index) => {
    const points = known.map(([walls, values]) => ({ walls, value: /** @type {[number, number, number]} */ (values[index]) }));
    const path = (/** @type {typeof points} */ along, /** @type {number} */ part) =>
      along.map(({ walls, value }) => `${x(walls).toFixed(1)} ${y(value[part]).toFixed(1)}`).join('L');
    chart.append(
      svg('path', { d: `M${path(points, 1)}L${path([...points].reverse(), 2)}Z`, class: `band seat-${index % 4}` }),
      svg('path', { d: `M${path(points, 0)}`, class: `line seat-${index % 4}`, 'stroke-dasharray': DASHES[Math.floor(index / 4) % 4] ?? DASHES[index % 4] }));
  });
  const legend = el('ul', { class: 'legend' }, ...configs.map(({ name }, index) => el('li', {},
    svg('svg', { viewBox: '0 0 44 10', class: 'legend-line', 'aria-hidden': 'true' },
      svg('path', { d: 'M2 5H42', class: `line seat-${index % 4}`, 'stroke-dasharray': DASHES[Math.floor(index / 4) % 4] ?? DASHES[index % 4] })), name)));
  return [chart, legend];
}

controls({});
listen('/events', { tournament: show }, ['tournament']);
