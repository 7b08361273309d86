// Values of actions, and times.

import { el } from './dom.js';

/** @param {number | null | undefined} value */
function valueWord(value) {
  if (value === null || value === undefined) return '';
  const digits = Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 10 ? 2 : 4;
  return value.toFixed(digits).replace('-', '\u2212');
}

/** @param {number} us */
export function timeWord(us) {
  if (us < 1000) return `${us} \u00b5s`;
  return us < 1_000_000 ? `${(us / 1000).toFixed(1)} ms` : `${(us / 1_000_000).toFixed(2)} s`;
}

/**
 * A value as a number with a bar, the best as long as the cell.
 * @param {(number | null)[]} values
 * @param {number} index
 * @param {string} kind
 */
export function valueCell(values, index, kind) {
  const value = values[index];
  if (value === null || value === undefined) return el('td', { class: `value ${kind}` }, '');
  const numbers = values.filter((other) => other !== null);
  const low = Math.min(...numbers);
  const high = Math.max(...numbers);
  const bar = el('span', { class: 'bar', 'aria-hidden': 'true' });
  bar.style.width = `${high > low ? 3 + (97 * (value - low)) / (high - low) : 100}%`;
  return el('td', { class: `value ${kind}` }, el('span', { class: 'bar-room', 'aria-hidden': 'true' }, bar), el('span', { class: 'number' }, valueWord(value)));
}
