// The page of a tournament at work.

import { placesPicture } from './bots-table.js';
import { byId, el, svg } from './dom.js';
import { controls, listen } from './feed.js';
import { roundTicks } from './ticks.js';
import { pointsWord } from './words.js';

/**
 * @typedef {{name: string, mean: number | null, low: number | null, high: number | null, places: number[], walls: number}} Config
 * @typedef {{
 *   unit: 'places' | 'points', games: number, of: number, earlier: number, seconds: number, configs: Config[], steps: [number, ([number, number, number] | null)[]][]
 * }} Standing
 */

const HEIGHT = 380;
const EDGE = { left: 52, right: 24, top: 34, bottom: 52 };
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
  const { unit, games, of, earlier, seconds, configs } = standing;
  const [average, counted, taken] = unit === 'points' ? ['average points a game', 'won', 'won and not won'] : ['average place', 'places', 'places taken'];
  const progress = /** @type {HTMLProgressElement} */ (byId('progress'));
  progress.max = Math.max(of, 1);
  progress.value = games;
  const rate = seconds > 0 ? (games - earlier) / seconds : 0;
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

/** 1, 2 or 5 times the powers of ten between two numbers; the two themselves if there are none. @param {number} first @param {number} last */
function multiplesBetween(first, last) {
  const found = [];
  for (let power = 1; power <= last; power *= 10) found.push(...[power, 2 * power, 5 * power].filter((value) => value >= first && value <= last));
  // Of many only the powers of ten and their halves.
  const marks = found.length > 8 ? found.filter((value) => !String(value).startsWith('2')) : found;
  return marks.length > 1 ? marks : [first, last];
}

/** The history of the intervals. @param {Standing} standing */
function intervals({ unit, configs, steps }) {
  const whole = steps.filter(([, values]) => values.every((value) => value !== null));
  // Intervals of two or three walls say next to nothing, and cross the picture.
  const later = whole.filter(([walls]) => walls >= 4);
  const known = later.length < 5 ? whole : later;
  if (known.length < 2) return [el('p', { class: 'quiet' }, 'There is a chart after a few walls.')];
  const all = known.flatMap(([, values]) => values.flatMap((value) => value ?? []));
  // The first intervals are far wider than all that matters.
  const late = known.slice(Math.floor(known.length / 4)).flatMap(([, values]) => values.flatMap((value) => value ?? []));
  const low = Math.max(Math.min(...all), Math.min(...late) - 0.05);
  const high = Math.min(Math.max(...all), Math.max(...late) + 0.05);
  // As wide as there is room, so that its texts are as large as the others.
  const width = Math.min(Math.max(byId('intervals').clientWidth, 300), 1400);
  const [first, last] = [known[0][0], known[known.length - 1][0]];
  const x = (/** @type {number} */ walls) =>
    EDGE.left + ((width - EDGE.left - EDGE.right) * Math.log(walls / first)) / Math.max(Math.log(last / first), 1e-9);
  const y = (/** @type {number} */ place) => {
    const inside = Math.min(Math.max(place, low), high);
    return EDGE.top + ((HEIGHT - EDGE.top - EDGE.bottom) * (inside - low)) / Math.max(high - low, 1e-9);
  };
  const words = configs.map(({ name, mean, low: from, high: to }) => `${name} ${word(mean)}, ${word(from)} to ${word(to)}`).join('; ');
  const chart = svg('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, class: 'chart', role: 'img', 'aria-label': `Average ${unit} with intervals: ${words}` },
    svg('text', { x: 4, y: 20, class: 'axis' }, unit === 'points' ? 'average points a game' : 'average place'),
    svg('text', { x: (EDGE.left + width - EDGE.right) / 2, y: HEIGHT - 6, class: 'axis middle' }, 'walls played (logarithmic)'));
  for (const [place, text] of roundTicks(low, high, 6)) {
    chart.append(
      svg('line', { x1: EDGE.left, x2: width - EDGE.right, y1: y(place), y2: y(place), class: 'grid' }),
      svg('text', { x: EDGE.left - 8, y: y(place) + 6, class: 'tick left' }, text));
  }
  for (const walls of multiplesBetween(first, last)) {
    chart.append(
      svg('line', { x1: x(walls), x2: x(walls), y1: HEIGHT - EDGE.bottom, y2: HEIGHT - EDGE.bottom + 6, class: 'grid' }),
      svg('text', { x: x(walls), y: HEIGHT - 28, class: 'tick' }, pointsWord(walls)));
  }
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

byId('title').textContent = 'Tournament';
controls({});
listen('/events', { tournament: show }, ['tournament']);
