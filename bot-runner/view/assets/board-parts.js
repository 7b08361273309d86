// The parts that all boards have.

import { svg } from './dom.js';
import { translated } from './languages.js';
import { withoutMiddle } from './names.js';
import { piecesOf } from './position.js';
import { changeWord } from './words.js';

/** @import {Game, Position} from './position.js' */

/**
 * @typedef {{w: number, h: number}} Size
 * @typedef {{left: number, right: number, top: number, bottom: number}} Box
 */

/** The fonts of texts that are cut to fit, as in the style. */
export const FONTS = {
  name: '21px system-ui, sans-serif', title: '700 27px system-ui, sans-serif', part: '20px system-ui, sans-serif', paid: '650 21px system-ui, sans-serif',
};
/** Maximum number of parts of a result. */
const MAX_PARTS = 6;
/** The dora indicators below a result. */
const INDICATOR = { w: 24, h: 32 };

/**
 * A tile or a card upright, or a tile on its side.
 * @param {Game} game
 * @param {string} code
 * @param {number} x its left edge
 * @param {number} bottom its lower edge
 * @param {Size} size
 * @param {{side?: boolean, marks?: string[]}} [how]
 */
export function pieceAt({ pieces }, code, x, bottom, size, { side = false, marks = [] } = {}) {
  const piece = code === '??' ? '?' : code;
  const place = side ? `translate(${x} ${bottom}) rotate(-90)` : `translate(${x} ${bottom - size.h})`;
  return svg('use', {
    href: `#${pieces === 'tiles' ? 't' : 'c'}${piece}`,
    width: size.w,
    height: size.h,
    transform: place,
    'data-tile': piece,
    class: ['tile-on-board', ...marks].join(' '),
  });
}

/**
 * The outcome: the winner, the hand and the payments.
 * @param {Game} game
 * @param {Position} position
 * @param {Box} box where it is
 */
export function ending(game, { end, seats, dora, ura }, { left, right, top, bottom }) {
  if (!end) return null;
  const [centre, room] = [(left + right) / 2, right - left - 40];
  const to = dora ? bottom - INDICATOR.h - 8 : bottom;
  const most = dora ? MAX_PARTS - 1 : MAX_PARTS;
  /** @type {[text: string, figure: string, kind: string][]} */
  const lines = end.about.map((text) => [withoutMiddle(translated(text), room, FONTS.part), '', 'end-about']);
  const parts = end.parts.length > most ? end.parts.slice(0, most - 1) : end.parts;
  for (const [what, figure] of parts) lines.push([withoutMiddle(translated(what), room - 12 * figure.length - 20, FONTS.part), figure, 'end-part']);
  if (parts.length < end.parts.length) lines.push([`and ${end.parts.length - parts.length} more`, '', 'end-part']);
  // Seats that share a name are distinguished by their numbers.
  const nameOf = (/** @type {number} */ seat) => {
    const shared = game.names.filter((name) => name === game.names[seat]).length > 1;
    return shared ? `${game.names[seat]} (seat ${seat})` : game.names[seat];
  };
  const paid = seats.map(({ change }, seat) => ({ name: nameOf(seat), change })).sort((one, other) => (other.change ?? 0) - (one.change ?? 0));
  for (const { name, change } of paid) {
    if (change === null) continue;
    const figure = changeWord(change);
    lines.push([withoutMiddle(name, room - 14 * figure.length - 10, FONTS.paid), figure, 'end-paid']);
  }
  const pitch = Math.min(32, (to - top - 66) / lines.length);
  // The lines are in the middle of the room.
  const first = (top + to) / 2 - (pitch * lines.length) / 2 + 6;
  const group = svg('g', { class: 'end' },
    svg('rect', { x: left, y: top, width: right - left, height: bottom - top, rx: 10, class: 'end-back' }),
    svg('text', { x: centre, y: first, class: 'end-title' }, withoutMiddle(translated(end.title), room, FONTS.title)));
  lines.forEach(([text, figure, kind], index) => {
    const y = first + pitch * (index + 1);
    if (kind === 'end-about') group.append(svg('text', { x: centre, y, class: kind }, text));
    else group.append(svg('text', { x: left + 20, y, class: `${kind} left-text`, translate: kind === 'end-paid' ? 'no' : null }, text), svg('text', { x: right - 20, y, class: `${kind} right-text` }, figure));
  });
  // Dora indicators, and after a gap those of the ura dora.
  const rows = [dora, ura].map((tiles) => piecesOf(game, tiles)).filter((tiles) => tiles.length > 0);
  const wide = rows.flat().length * (INDICATOR.w + 2) + (rows.length - 1) * 14;
  let x = centre - wide / 2;
  for (const tiles of rows) {
    for (const tile of tiles) {
      group.append(pieceAt(game, tile, x, bottom - 12, INDICATOR));
      x += INDICATOR.w + 2;
    }
    x += 14;
  }
  return group;
}
