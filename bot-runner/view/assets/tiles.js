// The tiles, drawn as symbols 60 wide and 80 high.

import { svg } from './dom.js';

/** @import {Tile} from './position.js' */

/** Strokes of characters in a square of 100. */
const STROKES = {
  1: 'M10 50H90',
  2: 'M22 26H78M8 76H92',
  3: 'M16 18H84M24 49H76M8 82H92',
  4: 'M12 20H88V84H12ZM37 20C37 46 34 56 20 62M62 20V48Q62 58 72 58H86',
  5: 'M14 16H86M50 16L36 84M22 46H76L70 84M6 84H94',
  6: 'M50 4V26M6 34H94M36 50L12 92M62 50L88 92',
  7: 'M6 48L94 34M44 8V74Q44 88 58 88H88V74',
  8: 'M36 20Q33 62 6 90M48 14H60Q64 60 94 90',
  9: 'M10 34H66V76Q66 90 78 90H92V74M38 6Q40 62 8 92',
  ten: 'M8 16H92M42 16Q42 62 10 92M40 44H80Q80 78 70 92L54 84',
  '1z': 'M50 4V96M8 18H92M20 34H80V64H20ZM20 49H80M48 64L8 94M52 64L92 94',
  '2z': 'M50 4V34M8 18H92M14 96V34H86V90L76 96M36 42L42 54M64 42L58 54M28 58H72M26 74H74M50 58V94',
  '3z': 'M6 14H94M14 34H86V92H14ZM38 14V34Q38 58 22 68M62 14V54Q62 66 78 66',
  '4z': 'M36 8V94M8 36H36M6 80L36 66M62 8V78Q62 90 76 90H94V74M62 46L90 30',
  '6z': 'M16 14H42Q34 38 6 54M18 30L30 42M58 6Q66 34 96 52M86 10L68 26M96 26L78 40M28 54H74M12 70H88M40 54V70Q38 88 12 96M62 54V84Q62 95 74 95H92V82',
  '7z': 'M12 28H88V66H12ZM50 4V98',
};

/** The positions of a tile's dots, in thirds and fourths of its face. @type {Record<number, [number, number][]>} */
const DOTS = {
  1: [[30, 40]],
  2: [[30, 22], [30, 58]],
  3: [[16, 19], [30, 40], [44, 61]],
  4: [[18, 23], [42, 23], [18, 57], [42, 57]],
  5: [[16, 19], [44, 19], [30, 40], [16, 61], [44, 61]],
  6: [[19, 18], [41, 18], [19, 42], [41, 42], [19, 62], [41, 62]],
  7: [[14, 14], [30, 22], [46, 30], [19, 47], [41, 47], [19, 65], [41, 65]],
  8: [[19, 14], [41, 14], [19, 31], [41, 31], [19, 48], [41, 48], [19, 65], [41, 65]],
  9: [[13, 18], [30, 18], [47, 18], [13, 40], [30, 40], [47, 40], [13, 62], [30, 62], [47, 62]],
};
const DOT_SIZES = [0, 19, 13.5, 10.5, 10.5, 10, 9.4, 8.2, 8, 7.8];

/** Sticks of bamboo: centre and angle. @type {Record<number, [number, number, number?][]>} */
const STICKS = {
  2: [[30, 23], [30, 57]],
  3: [[30, 23], [17, 57], [43, 57]],
  4: [[17, 23], [43, 23], [17, 57], [43, 57]],
  5: [[15, 23], [45, 23], [30, 40], [15, 57], [45, 57]],
  6: [[14, 23], [30, 23], [46, 23], [14, 57], [30, 57], [46, 57]],
  7: [[30, 16], [14, 40], [30, 40], [46, 40], [14, 64], [30, 64], [46, 64]],
  8: [[11, 23], [23, 25, -28], [37, 25, 28], [49, 23], [11, 57], [23, 55, 28], [37, 55, -28], [49, 57]],
  9: [[14, 16], [30, 16], [46, 16], [14, 40], [30, 40], [46, 40], [14, 64], [30, 64], [46, 64]],
};

/** @param {keyof typeof STROKES} name @param {number} x @param {number} y @param {number} size @param {string} ink */
function glyph(name, x, y, size, ink) {
  const transform = `translate(${x} ${y}) scale(${size / 100})`;
  return svg('path', { d: STROKES[name], transform, class: `glyph ${ink}` });
}

/** @param {number} number @param {string} ink */
function dots(number, ink) {
  return DOTS[number].flatMap(([x, y], index) => {
    const size = DOT_SIZES[number];
    const accent = { 1: true, 5: index === 2, 6: index > 1, 7: index > 2, 9: index > 2 && index < 6 }[number];
    const class_ = ink || (accent ? 'red' : number === 3 && index === 1 ? 'red' : 'blue');
    return [
      svg('circle', { cx: x, cy: y, r: size, class: class_ }),
      svg('circle', { cx: x, cy: y, r: size * 0.55, class: 'ring' }),
      svg('circle', { cx: x, cy: y, r: size * 0.22, class: class_ }),
    ];
  });
}

/** @param {number} number @param {string} ink */
function sticks(number, ink) {
  const height = number === 7 || number === 9 ? 19 : 27;
  return STICKS[number].flatMap(([x, y, lean], index) => {
    const red = (number === 5 && index === 2) || (number === 7 && index === 0) || (number === 9 && index % 3 === 1);
    const transform = lean ? `rotate(${lean} ${x} ${y})` : null;
    return [
      svg('rect', { x: x - 4, y: y - height / 2, width: 8, height, rx: 3, transform, class: ink || (red ? 'red' : 'green') }),
      svg('path', { d: `M${x - 4} ${y}h8`, transform, class: 'joint' }),
    ];
  });
}

/** The one of bamboo: a bird, as on every set. */
function bird() {
  return [
    svg('path', { d: 'M30 70C14 66 12 44 22 34C26 30 30 26 30 20L38 22C38 28 44 36 44 46C44 60 40 68 30 70Z', class: 'green' }),
    svg('circle', { cx: 33, cy: 17, r: 9, class: 'green' }),
    svg('path', { d: 'M41 14L50 18L40 21Z', class: 'red' }),
    svg('circle', { cx: 35, cy: 15, r: 2.2, class: 'ring' }),
    svg('path', { d: 'M20 48C24 56 32 58 38 54M20 56C24 63 32 65 38 61', class: 'joint' }),
    svg('path', { d: 'M26 69V76M34 69V76', class: 'glyph-thin red-line' }),
  ];
}

/** A flower. */
function flower() {
  const petals = [0, 72, 144, 216, 288].map((turn) => svg('circle', { cx: 30, cy: 19, r: 9, transform: `rotate(${turn} 30 32)`, class: 'red' }));
  return [svg('path', { d: 'M30 40V72M30 62Q42 60 44 50M30 66Q18 64 16 54', class: 'glyph-thin green-line' }), ...petals, svg('circle', { cx: 30, cy: 32, r: 6, class: 'ring' })];
}

/** @param {Tile} tile */
function face(tile) {
  const red = tile[0] === '0';
  const number = red ? 5 : Number(tile[0]);
  switch (tile[1]) {
    case 'm':
      return [
        glyph(/** @type {1} */ (number), 14, 5, 32, red ? 'red-line' : 'ink-line'),
        glyph('ten', 13, 41, 34, 'red-line'),
      ];
    case 'p':
      return dots(number, red ? 'red' : '');
    case 's':
      return number === 1 ? bird() : sticks(number, red ? 'red' : '');
    case 'f':
      return flower();
    default:
      if (tile === '5z') return [svg('rect', { x: 13, y: 17, width: 34, height: 46, rx: 3, class: 'frame' })];
      return [glyph(/** @type {'1z'} */ (tile), 9, 19, 42, { '6z': 'green-line', '7z': 'red-line' }[tile] ?? 'ink-line')];
  }
}

/** @param {Tile} tile */
function corner(tile) {
  const letters = ['E', 'S', 'W', 'N', 'Wh', 'Gr', 'Rd'];
  const text = tile[1] === 'f' ? 'F' : tile[1] === 'z' ? letters[Number(tile[0]) - 1] : tile[0] === '0' ? '5' : tile[0];
  return svg('g', { class: 'corner' },
    svg('rect', { x: 2, y: 2, width: text.length > 1 ? 25 : 17, height: 21, rx: 4, class: 'corner-back' }),
    svg('text', { x: 5, y: 19, class: 'corner-text' }, text));
}

/** All tiles, by their names. */
export function tileSymbols() {
  const defs = svg('defs');
  const tiles = ['m', 'p', 's'].flatMap((suit) => [...'0123456789'].map((number) => number + suit));
  for (const tile of [...tiles, ...[...'1234567'].map((number) => `${number}z`), '1f']) {
    const mark = tile[0] === '0' && svg('path', { d: 'M50 4L56 11L50 18L44 11Z', class: 'red' });
    defs.append(
      svg('symbol', { id: `t${tile}`, viewBox: '0 0 60 80' },
        svg('rect', { x: 0.75, y: 0.75, width: 58.5, height: 78.5, rx: 6, class: 'tile-edge' }),
        svg('rect', { x: 0.75, y: 0.75, width: 58.5, height: 74.5, rx: 6, class: 'face' }),
        svg('g', { transform: 'translate(0 -2)' }, ...face(tile)), mark, corner(tile)));
  }
  defs.append(
    svg('symbol', { id: 't?', viewBox: '0 0 60 80' },
      svg('rect', { x: 0.75, y: 0.75, width: 58.5, height: 78.5, rx: 6, class: 'tile-edge' }),
      svg('rect', { x: 0.75, y: 0.75, width: 58.5, height: 74.5, rx: 6, class: 'back' }),
      svg('path', { d: 'M10 12H50V64H10ZM18 20H42V56H18Z', class: 'back-line' })));
  return defs;
}

/**
 * A wind's character alone, in a square of 100.
 * @param {number} wind
 */
export function windStrokes(wind) {
  return STROKES[/** @type {'1z'} */ (`${(wind & 3) + 1}z`)];
}

/**
 * A tile as a picture in a line of text.
 * @param {Tile} tile
 */
export function tilePicture(tile) {
  return svg('svg', { viewBox: '0 0 60 80', class: 'tile', 'aria-hidden': 'true' },
    svg('use', { href: `#t${tile}`, width: 60, height: 80, 'data-tile': tile }));
}
