// Numbers and tiles in words.

/** @import {Tile} from './position.js' */

const WINDS = ['East', 'South', 'West', 'North'];
export const SUITS = { m: 'characters', p: 'dots', s: 'bamboo' };
export const HONOURS = ['East', 'South', 'West', 'North', 'white dragon', 'green dragon', 'red dragon'];

/** @param {number} wind */
export function windWord(wind) {
  return WINDS[wind & 3];
}

/** @param {number} points */
export function pointsWord(points) {
  return points.toLocaleString('en-US').replace('-', '\u2212');
}

/**
 * A change of points.
 * @param {number} points
 */
export function changeWord(points) {
  return points > 0 ? `+${pointsWord(points)}` : points === 0 ? '0' : pointsWord(points);
}

/** @param {number} count @param {string} one @param {string} [more] */
export function countWord(count, one, more = `${one}s`) {
  return `${count} ${count === 1 ? one : more}`;
}

/** @param {Tile} tile */
function numberWord(tile) {
  return tile[0] === '0' ? 'red 5' : tile[0];
}

/** @param {Tile} tile */
function suitWord(tile) {
  return SUITS[/** @type {'m' | 'p' | 's'} */ (tile[1])];
}

/**
 * One tile: "red 5 of dots", "white dragon".
 * @param {Tile} tile
 */
export function tileWord(tile) {
  return tile[1] === 'z' ? HONOURS[Number(tile[0]) - 1] : `${numberWord(tile)} of ${suitWord(tile)}`;
}

/**
 * Tiles in order, with adjacent tiles of a suit grouped: "1 2 3 of characters, East, East".
 * @param {Tile[]} tiles
 */
export function tilesWord(tiles) {
  /** @type {string[]} */
  const parts = [];
  for (let at = 0; at < tiles.length; ) {
    if (tiles[at][1] === 'z') {
      parts.push(tileWord(tiles[at++]));
      continue;
    }
    const suit = tiles[at][1];
    const numbers = [];
    const first = tiles[at];
    while (at < tiles.length && tiles[at][1] === suit) numbers.push(numberWord(tiles[at++]));
    parts.push(`${numbers.join(' ')} of ${suitWord(first)}`);
  }
  return parts.join(', ');
}
