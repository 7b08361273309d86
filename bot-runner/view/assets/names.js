// Names, shortened so that they stay different: the end of a name tells one default name from another.

import { el } from './dom.js';

/** @type {CanvasRenderingContext2D | null | undefined} */
let pen;

/** The width of a text in a font, in pixels. @param {string} text @param {string} font */
function widthOf(text, font) {
  pen ??= document.createElement('canvas').getContext('2d');
  if (!pen) return 0;
  pen.font = font;
  return pen.measureText(text).width;
}

/** What readers take for characters. @param {string} text */
function lettersOf(text) {
  return 'Segmenter' in Intl ? Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment) : [...text];
}

/**
 * A text without its middle, if it is wider than the room.
 * @param {string} text
 * @param {number} room in pixels, or in the units of a drawing
 * @param {string} font
 */
export function withoutMiddle(text, room, font) {
  if (widthOf(text, font) <= room) return text;
  // A very long text would be measured for long.
  const letters = lettersOf(text.length > 2000 ? text.slice(0, 1000) + text.slice(-1000) : text);
  const cut = (/** @type {number} */ kept) => {
    const end = Math.floor(0.4 * kept);
    return `${letters.slice(0, kept - end).join('').trimEnd()}\u2026${letters.slice(letters.length - end).join('').trimStart()}`;
  };
  let [fits, most] = [0, letters.length];
  while (fits + 1 < most) {
    const middle = Math.floor((fits + most) / 2);
    if (widthOf(cut(middle), font) <= room) fits = middle;
    else most = middle;
  }
  return cut(fits);
}

/** Number of letters that are cut at their end, if at all; and of those at the end of a longer name that stay. */
const SHORT_NAME = 9;
const END_LETTERS = 4;

/**
 * A name of which a narrow place hides a part before its end. Whoever cannot see it should not hear the two parts: an element
 * that may have one gets the name as its label.
 * @param {string} name
 */
export function nameElement(name) {
  const letters = lettersOf(name);
  const number = /[-_ .#]?\p{N}{1,4}$/u.exec(name)?.[0] ?? '';
  const end = letters.length > SHORT_NAME ? number || letters.slice(-END_LETTERS).join('') : '';
  return el('span', { class: 'name-in-room', title: name, translate: 'no' },
    el('span', { class: 'name-start', translate: 'no' }, name.slice(0, name.length - end.length)),
    end !== '' && el('span', { class: 'name-end', translate: 'no' }, end));
}
