// The cards, drawn as symbols 60 wide and 84 high.

import { svg } from './dom.js';

/** Ranks by their letters, as on a card. @type {Record<string, string>} */
const RANKS = Object.fromEntries([...'3456789TJQKA2'].map((rank) => [rank, rank === 'T' ? '10' : rank]));

/** A card's rank, in a corner that the next card does not cover, and again in the opposite corner. @param {string} text */
function plain(text) {
  // Two digits are no wider than the visible part of a card under another, and in the other corner than the hidden part.
  const narrow = (/** @type {number} */ width) => (text.length > 1 ? { textLength: width, lengthAdjust: 'spacingAndGlyphs' } : {});
  return [
    svg('text', { x: 4, y: 28, class: 'card-index', ...narrow(26) }, text),
    svg('text', { x: 4, y: 16, class: 'card-index small', transform: 'rotate(180 30 42)', ...narrow(13) }, text),
  ];
}

/** A joker: a cap with three bells over a face, and its name down the side. @param {string} kind */
function joker(kind) {
  const letters = [...'JOKER'].map((letter, index) => svg('text', { x: 8.5, y: 15 + 12 * index, class: 'card-joker' }, letter));
  const bells = [[17, 40], [36, 18], [55, 40]].map(([x, y]) => svg('circle', { cx: x, cy: y, r: 3.4, class: 'joker-bell' }));
  return [
    svg('g', { class: kind }, ...letters,
      svg('path', { d: 'M20 56C14 52 13 46 17 40C24 42 27 44 29 48C29 36 31 26 36 18C41 26 43 36 43 48C45 44 48 42 55 40C59 46 58 52 52 56Z', class: 'joker-cap' }),
      svg('path', { d: 'M23 57H49Q49 76 36 76Q23 76 23 57Z', class: 'joker-face' }),
      svg('path', { d: 'M31 63V65M41 63V65M30 69Q36 74 42 69', class: 'joker-line' }), ...bells),
  ];
}

/** @param {string} name @param {string} back @param {...SVGElement} inside */
function symbol(name, back, ...inside) {
  return svg('symbol', { id: `c${name}`, viewBox: '0 0 60 84' },
    svg('rect', { x: 0.75, y: 0.75, width: 58.5, height: 82.5, rx: 6, class: `card-face ${back}` }), ...inside);
}

/** All cards, by their letters. */
export function cardSymbols() {
  return svg('defs', {},
    ...Object.entries(RANKS).map(([letter, text]) => symbol(letter, 'front', ...plain(text))),
    symbol('x', 'front', ...joker('small-joker')), symbol('X', 'front', ...joker('big-joker')),
    symbol('?', 'back', svg('path', { d: 'M9 9H51V75H9ZM17 17H43V67H17Z', class: 'back-line' })));
}

/**
 * A card as a picture in a line of text.
 * @param {string} card
 */
export function cardPicture(card) {
  return svg('svg', { viewBox: '0 0 60 84', class: 'tile card', 'aria-hidden': 'true' },
    svg('use', { href: `#c${card}`, width: 60, height: 84, 'data-tile': card }));
}
