// The page of a tournament at work.

import { placesPicture } from './bots-table.js';
import { byId, el, svg, write } from './dom.js';
import { controls, listen } from './feed.js';
import { translateDocument, translated } from './languages.js';
import { nameElement } from './names.js';
import { roundTicks } from './ticks.js';
import { pointsWord } from './words.js';

/**
 * @typedef {{name: string, mean: number | null, low: number | null, high: number | null, places: number[], walls: number}} Config
 *
 * A config with its number, by which it has its colour.
 * @typedef {Config & {index: number}} RankedConfig
 *
 * @typedef {{
 *   unit: 'places' | 'points', games: number, of: number, earlier: number, seconds: number, configs: Config[], steps: [number, ([number, number, number] | null)[]][]
 * }} Standing
 */

const HEIGHT = 380;
const EDGE = { left: 52, right: 14, top: 34, bottom: 52 };
const DASHES = [null, '12 5', '3 5', '14 4 3 4'];
/** Distance between the last intervals, which are side by side at the right, and the part of the width that they take at most. */
const WHISKER = 14;
const WHISKERS_PART = 0.3;
/** The class of a config's colour. @param {number} index */
const colourOf = (index) => `seat-${index % 4}`;
/** Configs of one colour have other dashes. @param {number} index */
const dashesOf = (index) => DASHES[Math.floor(index / 4) % 4] ?? DASHES[index % 4];

/** @param {number | null} value */
const word = (value) => (value === null ? '\u2013' : value.toFixed(3));

/** @param {number} seconds */
function timeWord(seconds) {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  return minutes >= 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

/** The configs by their result, the best first. @param {Standing} standing @returns {RankedConfig[]} */
function ranked({ unit, configs }) {
  const worth = (/** @type {Config} */ { mean }) => (mean === null ? Number.NEGATIVE_INFINITY : unit === 'points' ? mean : -mean);
  const best = (/** @type {Config} */ one, /** @type {Config} */ other) => (worth(one) === worth(other) ? 0 : worth(other) - worth(one));
  return configs.map((config, index) => ({ ...config, index })).sort(best);
}

/** @param {Standing} standing */
function show(standing) {
  const { unit, games, of, earlier, seconds } = standing;
  const configs = ranked(standing);
  const [average, counted, taken] = unit === 'points' ? ['average points a game', 'won', 'won and not won'] : ['average place', 'places', 'places taken'];
  const progress = /** @type {HTMLProgressElement} */ (byId('progress'));
  progress.max = Math.max(of, 1);
  progress.value = games;
  const rate = seconds > 0 ? (games - earlier) / seconds : 0;
  const left = rate > 0 && games < of ? `, ${timeWord((of - games) / rate)} left` : '';
  write(byId('games'), `${games} of ${of} games${rate > 0 ? `, ${rate.toFixed(1)} a second` : ''}${left}`);
  document.title = translated(`Tournament: ${games} of ${of} games`);
  byId('standing').replaceChildren(el('table', { class: 'standing-table' },
    el('caption', { class: 'unseen' }, 'Standing'),
    el('thead', {}, el('tr', {}, ...['bot', average, '95 % interval', counted, 'walls'].map((head) => el('th', { scope: 'col' }, head)))),
    el('tbody', {}, ...configs.map((config) => el('tr', {},
      el('th', { scope: 'row', 'aria-label': config.name }, nameElement(config.name)),
      el('td', {}, word(config.mean)),
      el('td', {}, config.low === null ? '\u2013' : `${word(config.low)} to ${word(config.high)}`),
      el('td', {}, placesPicture(config.places, `${taken}: ${config.places.join(', ')}`)),
      el('td', {}, String(config.walls)))))));
  byId('intervals').replaceChildren(...intervals(standing, configs));
}

/** 1, 2 or 5 times the powers of ten between two numbers; the two themselves if there are none. @param {number} first @param {number} last */
function multiplesBetween(first, last) {
  const found = [];
  for (let power = 1; power <= last; power *= 10) found.push(...[power, 2 * power, 5 * power].filter((value) => value >= first && value <= last));
  // Of many only the powers of ten and their halves.
  const marks = found.length > 8 ? found.filter((value) => !String(value).startsWith('2')) : found;
  return marks.length > 1 ? marks : [first, last];
}

/** The history of the intervals. @param {Standing} standing @param {RankedConfig[]} configs */
function intervals({ unit, steps }, configs) {
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
  const apart = Math.min(WHISKER, (WHISKERS_PART * width) / configs.length);
  const end = width - EDGE.right - apart * configs.length;
  const x = (/** @type {number} */ walls) => EDGE.left + ((end - EDGE.left) * Math.log(walls / first)) / Math.max(Math.log(last / first), 1e-9);
  const y = (/** @type {number} */ place) => {
    const inside = Math.min(Math.max(place, low), high);
    return EDGE.top + ((HEIGHT - EDGE.top - EDGE.bottom) * (inside - low)) / Math.max(high - low, 1e-9);
  };
  const words = configs.map(({ name, mean, low: from, high: to }) => `${name} ${word(mean)}, ${word(from)} to ${word(to)}`).join('; ');
  const chart = svg('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, class: 'chart', role: 'img', 'aria-label': `Average ${unit} with intervals: ${words}` },
    svg('text', { x: 4, y: 20, class: 'axis' }, unit === 'points' ? 'average points a game' : 'average place'),
    svg('text', { x: (EDGE.left + end) / 2, y: HEIGHT - 6, class: 'axis middle' }, 'walls played (logarithmic)'));
  for (const [place, text] of roundTicks(low, high, 6)) {
    chart.append(
      svg('line', { x1: EDGE.left, x2: end, y1: y(place), y2: y(place), class: 'grid' }),
      svg('text', { x: EDGE.left - 8, y: y(place) + 6, class: 'tick left' }, text));
  }
  for (const walls of multiplesBetween(first, last)) {
    chart.append(
      svg('line', { x1: x(walls), x2: x(walls), y1: HEIGHT - EDGE.bottom, y2: HEIGHT - EDGE.bottom + 6, class: 'grid' }),
      svg('text', { x: x(walls), y: HEIGHT - 28, class: 'tick' }, pointsWord(walls)));
  }
  configs.forEach(({ index }, rank) => {
    const points = known.map(([walls, values]) => ({ walls, value: /** @type {[number, number, number]} */ (values[index]) }));
    const path = (/** @type {number} */ part) => `M${points.map(({ walls, value }) => `${x(walls).toFixed(1)} ${y(value[part]).toFixed(1)}`).join('L')}`;
    const [mean, from, to] = points[points.length - 1].value.map(y);
    const whisker = end + apart * (rank + 0.75);
    chart.append(
      svg('path', { d: path(1) + path(2), class: `bound ${colourOf(index)}` }),
      svg('path', { d: path(0), class: `line ${colourOf(index)}`, 'stroke-dasharray': dashesOf(index) }),
      svg('path', { d: `M${whisker - 4} ${from}h8M${whisker - 4} ${to}h8M${whisker} ${from}V${to}`, class: `whisker ${colourOf(index)}` }),
      svg('circle', { cx: whisker, cy: mean, r: 4, class: `point ${colourOf(index)}` }));
  });
  const legend = el('ul', { class: 'legend' }, ...configs.map(({ name, index }) => el('li', { translate: 'no' },
    svg('svg', { viewBox: '0 0 44 10', class: 'legend-line', 'aria-hidden': 'true' },
      svg('path', { d: 'M2 5H42', class: `line ${colourOf(index)}`, 'stroke-dasharray': dashesOf(index) })), name)));
  return [chart, legend, el('p', { class: 'quiet' }, 'Thick: the average. Thin: the ends of its 95 % interval, at the right those of now.')];
}

write(byId('title'), 'Tournament');
translateDocument();
controls({});
listen('/events', { tournament: show }, ['tournament']);
