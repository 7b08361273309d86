// The index of games: search and sort. Without this script it is a plain table.

import { byId, el, write } from './dom.js';
import { translateDocument } from './languages.js';

/** @typedef {{row: HTMLTableRowElement, words: string, place: number, number: number}} IndexRow */

const games = byId('games');
const [body] = /** @type {HTMLTableElement} */ (games).tBodies;

/** @type {IndexRow[]} */
const rows = [...body.rows].map((row, number) => ({
  row,
  number,
  words: (row.textContent ?? '').toLowerCase(),
  // The best place of the bots of a table.
  place: Math.min(...[...row.querySelectorAll('.place')].map((place) => Number.parseInt(place.textContent ?? '', 10) || Number.POSITIVE_INFINITY)),
}));

/** The text of a row's first part of a kind, to sort by. @param {IndexRow} row @param {string} part */
function textOf({ row }, part) {
  return row.querySelector(part === 'bot' ? 'a' : `.${part}`)?.textContent ?? '';
}

/** @param {string} by @param {number} sign */
function sortBy(by, sign) {
  const compare = (/** @type {IndexRow} */ one, /** @type {IndexRow} */ other) => {
    if (by !== 'place') return textOf(one, by).localeCompare(textOf(other, by), 'en', { numeric: true });
    return one.place === other.place ? 0 : one.place - other.place;
  };
  body.append(...[...rows].sort((one, other) => sign * compare(one, other) || one.number - other.number).map(({ row }) => row));
}

const found = byId('found');
const search = /** @type {HTMLInputElement} */ (byId('search'));

/** Shows the rows that have all the words. */
function filter() {
  const wanted = search.value.toLowerCase().split(/\s+/);
  let shown = 0;
  for (const { row, words } of rows) {
    row.hidden = !wanted.every((word) => words.includes(word));
    shown += Number(!row.hidden);
  }
  write(found, shown === rows.length ? '' : `${shown} of ${rows.length}`);
}

/** The heading by which the table is sorted, and in which direction. @type {{by: string, sign: number}} */
const order = { by: 'date', sign: -1 };
/** @type {[by: string, button: HTMLButtonElement][]} */
const buttons = [];

function showOrder() {
  for (const [by, button] of buttons) {
    const own = by === order.by;
    button.setAttribute('aria-pressed', String(own));
    button.dataset.direction = own ? (order.sign > 0 ? 'up' : 'down') : '';
  }
}

for (const heading of games.querySelectorAll('[data-sort]')) {
  if (!(heading instanceof HTMLElement)) continue;
  const by = heading.dataset.sort ?? '';
  const button = el('button', { type: 'button', class: 'link', title: `Sort by ${heading.textContent}; again: the other way` }, heading.textContent);
  button.addEventListener('click', () => {
    // The newest games, the best places and the first letters are first.
    order.sign = order.by === by ? -order.sign : by === 'date' ? -1 : 1;
    order.by = by;
    sortBy(by, order.sign);
    showOrder();
  });
  buttons.push([by, button]);
  heading.replaceChildren(button);
}
// Places and dates are read in the words of the runner, and searched in those of the page.
translateDocument();
for (const known of rows) known.words = (known.row.textContent ?? '').toLowerCase();
showOrder();
games.classList.add('sorts');
byId('find').hidden = false;
search.addEventListener('input', filter);
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.altKey || event.metaKey || document.activeElement === search) return;
  search.focus();
  event.preventDefault();
});
