// What is on the table, in words.

/** @import {Action, Game, GameEvent, Meld, Position, Tile} from './position.js' */

const WINDS = ['East', 'South', 'West', 'North'];
const SUITS = { m: 'characters', p: 'dots', s: 'bamboo' };
const HONOURS = ['East', 'South', 'West', 'North', 'white dragon', 'green dragon', 'red dragon'];

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
 * Tiles in their order, those of a suit that follow one another together: "1 2 3 of characters, East, East".
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

/** @param {{wind: number, kyoku: number, honba: number}} round */
export function roundWord({ wind, kyoku, honba }) {
  return `${windWord(wind)} ${kyoku}${honba > 0 ? `, repeat ${honba}` : ''}`;
}

const ACTIONS = {
  d: 'discard', r: 'riichi with', c: 'chi', p: 'pon', k: 'kan', a: 'closed kan', '+': 'added kan', n: 'north set aside',
  w: 'win on', x: 'draw by nine terminals', '-': 'pass',
};

/** @param {Action} action */
export function actionWord(action) {
  const [kind, tile, more] = action;
  const word = ACTIONS[kind];
  switch (kind) {
    case 'd':
      return `${word} ${tileWord(String(tile))}${more ? ' (drawn)' : ''}`;
    case 'c':
    case 'p':
    case 'k':
      return `${word} ${tileWord(String(tile))} with ${tilesWord(tilesOf(String(more)))}`;
    case 'a':
      return `${word} ${tilesWord(tilesOf(String(tile)))}`;
    case 'n':
    case 'x':
    case '-':
      return word;
    default:
      return `${word} ${tileWord(String(tile))}`;
  }
}

/**
 * The tiles of a text in which they stand one after the other.
 * @param {string} text
 * @returns {Tile[]}
 */
export function tilesOf(text) {
  return text.match(/../g) ?? [];
}

/**
 * What happens, in a sentence.
 * @param {Game} game
 * @param {GameEvent} event
 */
export function eventWord(game, event) {
  const who = game.names[event[1]] ?? '';
  const tile = () => tileWord(event[2]);
  switch (event[0]) {
    case 't':
      return event[2] ? `${who} draws ${tile()}.` : `${who} draws.`;
    case 'd':
      return `${who} discards ${tile()}${event[3] ? ', the tile drawn' : ''}.`;
    case 'c':
    case 'p':
    case 'k': {
      const call = { c: 'chi', p: 'pon', k: 'kan' }[/** @type {'c' | 'p' | 'k'} */ (event[0])];
      return `${who} calls ${call} on ${tileWord(event[3])} of ${game.names[event[2]]}, with ${tilesWord(tilesOf(event[4]))}.`;
    }
    case 'a':
      return `${who} shows a closed kan, ${tilesWord(tilesOf(event[2]))}.`;
    case '+':
      return `${who} adds ${tile()} to a pon.`;
    case 'n':
      return `${who} sets a north aside.`;
    case 'i':
      return `A further dora indicator is turned: ${tileWord(event[1])}.`;
    case 'r':
      return `${who} declares riichi.`;
    case 'R':
      return `The riichi of ${who} stands.`;
    case 'w': {
      const how = event[1] === event[2] ? 'by self-draw' : `on the tile of ${game.names[event[2]]}`;
      return `${who} wins ${how}${event[6] ? `: ${event[6]}` : ''}.`;
    }
    case 'x':
      return event[1] ? `The round ends: ${event[1]}.` : 'The round ends without a winner.';
    default:
      return '';
  }
}

const MELDS = { c: 'chi', p: 'pon', k: 'open kan', a: 'closed kan', '+': 'added kan' };

/** @param {Game} game @param {Meld} meld */
function meldWord(game, meld) {
  const from = meld.from === null ? '' : ` from ${game.names[meld.from]}`;
  return `${MELDS[meld.kind]} ${tilesWord(meld.tiles)}${from}`;
}

/**
 * The whole position, a sentence for each thing.
 * @param {Game} game
 * @param {Position} position
 * @param {boolean} open whether hands that are known are told
 * @returns {string[]}
 */
export function positionWords(game, position, open) {
  const lines = [
    `${roundWord(position)}. ${countWord(position.left, 'tile')} left in the wall, ` +
      `${countWord(position.sticks, 'riichi stick')} on the table. Dora indicators: ${tilesWord(position.dora)}.`,
  ];
  position.players.forEach((player, seat) => {
    const wind = windWord((seat - position.dealer + game.players) % game.players);
    const parts = [`${wind}, ${game.names[seat]}: ${pointsWord(player.score)} points`];
    if (player.riichi) parts.push('in riichi');
    const shown = open || seat === game.seat;
    if (player.hand && shown) {
      parts.push(`hand ${tilesWord(player.hand)}${player.drawn ? `, drawn ${tileWord(player.drawn)}` : ''}`);
    } else {
      parts.push(`${countWord(player.count + (player.drawn ? 1 : 0), 'concealed tile')}`);
    }
    if (player.melds.length > 0) parts.push(`melds ${player.melds.map((meld) => meldWord(game, meld)).join('; ')}`);
    if (player.norths > 0) parts.push(`${countWord(player.norths, 'north')} set aside`);
    parts.push(player.river.length > 0 ? `discards ${tilesWord(player.river.map(({ tile }) => tile))}` : 'no discards');
    lines.push(`${parts.join('. ')}.`);
  });
  return lines;
}
