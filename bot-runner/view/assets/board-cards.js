// A table with cards: the others at the left and at the right, with upright cards.

import { FONTS, ending, pieceAt } from './board-parts.js';
import { svg } from './dom.js';
import { translated } from './languages.js';
import { withoutMiddle } from './names.js';
import { piecesOf } from './position.js';
import { changeWord } from './words.js';

/** @import {Box, Size} from './board-parts.js' */
/** @import {Game, Player, Position} from './position.js' */

const CARD_HEIGHT = 768;
/** A hand in rows of at most `most` cards, which overlap. @typedef {Size & {step: number, most: number, line: number}} Cards */
/** @type {Cards} */
const OWN_CARDS = { w: 76, h: 106.4, step: 47, most: 20, line: 0 };
/** @type {Cards} */
const OTHER_CARDS = { w: 58, h: 81.2, step: 29.6, most: 10, line: 52 };
const PLAYED_CARD = { w: 60, h: 84, step: 31, gap: 12 };
const BOTTOM_CARD = { w: 54, h: 75.6 };
/** What is said instead of a play. */
const SAID = { h: 40, letter: 11 };

/** The bottom cards and the state of the game, between the others. @type {Box} */
const CARD_MIDDLE = { left: 346, right: 654, top: 122, bottom: 212 };
/** The outcome; the own plays are below it then. @type {Box} */
const CARD_END = { left: 346, right: 654, top: 122, bottom: 392 };
/**
 * Where a seat's parts are: the row of its hand, its strip, the room for its plays.
 * @typedef {{cards: Cards, hand: Box, strip: Box, plays: Box}} CardPlace
 */
/** Own, right, left. @type {[CardPlace, CardPlace, CardPlace]} */
const CARD_PLACES = [
  {
    cards: OWN_CARDS,
    hand: { left: 8, right: 992, top: 652, bottom: 760 },
    strip: { left: 320, right: 680, top: 590, bottom: 642 },
    plays: { left: 346, right: 654, top: 222, bottom: 580 },
  },
  {
    cards: OTHER_CARDS,
    hand: { left: 664, right: 990, top: 10, bottom: 152 },
    strip: { left: 664, right: 990, top: 160, bottom: 212 },
    plays: { left: 664, right: 990, top: 222, bottom: 580 },
  },
  {
    cards: OTHER_CARDS,
    hand: { left: 10, right: 336, top: 10, bottom: 152 },
    strip: { left: 10, right: 336, top: 160, bottom: 212 },
    plays: { left: 10, right: 336, top: 222, bottom: 580 },
  },
];

/** The number of letters that a text is wide; those of Chinese and Japanese are as wide as two. @param {string} text */
const roomOf = (text) => [...text].reduce((room, letter) => room + (letter >= '\u2e80' ? 2 : 1), 0);

/** @param {Box} box */
const centreOf = ({ left, right }) => (left + right) / 2;

/**
 * The plays, bids and passes of a seat, in rows, as large as fits.
 * @param {Game} game
 * @param {Player} player
 * @param {number} seat
 * @param {Position} position
 * @param {Box} box
 */
function cardPlays(game, player, seat, position, box) {
  const said = player.bid === null || player.river.length > 0 ? [] : [player.bid === 0 ? 'no bid' : `bid ${player.bid}`];
  const parts = [...said.map((words) => ({ words, cards: /** @type {string[]} */ ([]) })),
    ...player.river.map((play) => ({ words: play ? '' : 'pass', cards: piecesOf(game, play) }))];
  const widths = parts.map(({ words, cards }) => (words ? 22 + SAID.letter * roomOf(translated(words)) : PLAYED_CARD.w + PLAYED_CARD.step * (cards.length - 1)));
  const line = PLAYED_CARD.h + 8;
  /** The rows, each with the numbers of its parts, at this width. @param {number} room */
  const rowsOf = (room) => {
    /** @type {number[][]} */
    const rows = [];
    let x = Number.POSITIVE_INFINITY;
    widths.forEach((width, index) => {
      if (x + width > room) {
        rows.push([]);
        x = 0;
      }
      rows[rows.length - 1].push(index);
      x += width + PLAYED_CARD.gap;
    });
    return rows;
  };
  const [width, depth] = [box.right - box.left, box.bottom - box.top];
  const isEnough = (/** @type {number} */ scale) => Math.max(...widths) * scale <= width && rowsOf(width / scale).length * line * scale <= depth;
  const scale = [1.3, 1.15, 1, 0.9, 0.8, 0.7, 0.6, 0.5].find(isEnough) ?? 0.4;
  const group = svg('g', { class: 'river', 'data-seat': seat, transform: `translate(${centreOf(box)} ${box.top}) scale(${scale})` });
  rowsOf(width / scale).forEach((row, number) => {
    let x = -(row.reduce((all, index) => all + widths[index] + PLAYED_CARD.gap, -PLAYED_CARD.gap) / 2);
    const bottom = (number + 1) * line;
    for (const index of row) {
      const { words, cards } = parts[index];
      const last = index === parts.length - 1;
      const part = svg('g', { class: last ? 'part' : 'part earlier', 'data-part': words || cards.join('') });
      if (words) {
        const middle = bottom - PLAYED_CARD.h / 2;
        part.append(
          svg('rect', { x, y: middle - SAID.h / 2, width: widths[index], height: SAID.h, rx: SAID.h / 2, class: 'said-back' }),
          svg('text', { x: x + widths[index] / 2, y: middle + 7, class: 'said' }, words));
      }
      cards.forEach((card, at) => part.append(pieceAt(game, card, x + PLAYED_CARD.step * at, bottom, PLAYED_CARD)));
      if (last && position.latest === seat && !words) {
        part.append(svg('rect', { x: x - 3, y: bottom - PLAYED_CARD.h - 3, width: widths[index] + 6, height: PLAYED_CARD.h + 6, rx: 7, class: 'latest-frame' }));
      }
      group.append(part);
      x += widths[index] + PLAYED_CARD.gap;
    }
  });
  return group;
}

/**
 * The hand, in the middle of its room.
 * @param {Game} game
 * @param {Player} player
 * @param {number} seat
 * @param {CardPlace} place
 * @param {boolean} own
 */
function cardHand(game, player, seat, { cards, hand: box }, own) {
  const group = svg('g', { class: 'hand', 'data-seat': seat });
  const pieces = piecesOf(game, player.hand);
  const rows = Math.ceil(pieces.length / cards.most);
  const perRow = Math.ceil(pieces.length / Math.max(rows, 1));
  const depth = cards.h + cards.line * (rows - 1);
  const top = (box.top + box.bottom - depth) / 2;
  pieces.forEach((piece, index) => {
    const row = Math.floor(index / perRow);
    const inRow = Math.min(pieces.length - row * perRow, perRow);
    const x = centreOf(box) - (cards.w + cards.step * (inRow - 1)) / 2 + cards.step * (index - row * perRow);
    group.append(pieceAt(game, piece, x, top + cards.h + cards.line * row, cards));
  });
  return svg('g', { class: own ? 'row own' : 'row' }, group);
}

/**
 * Name and note, or at the end the payment.
 * @param {Game} game
 * @param {Position} position
 * @param {number} seat
 * @param {Box} box
 */
function cardStrip(game, position, seat, box) {
  const { change, note } = position.seats[seat];
  const [x, room] = [centreOf(box), box.right - box.left];
  const changed = position.over && change !== null && change !== 0;
  const figure = svg('text', { x, y: box.top + 24, class: changed ? 'score note centred paid' : 'score note centred' }, changed ? changeWord(change) : note);
  return svg('g', { class: position.turn === seat ? 'strip turn' : 'strip', 'data-seat': seat },
    svg('rect', {
      x: box.left, y: box.top, width: room, height: box.bottom - box.top, rx: 8, class: note.startsWith('landlord') ? 'strip-back landlord' : 'strip-back',
    }),
    figure, svg('text', { x, y: box.top + 45, class: 'name', translate: 'no' }, withoutMiddle(game.names[seat], room - 24, FONTS.name)));
}

/** @param {Game} game @param {Position} position */
function cardMiddle(game, { round, counters, bottom }) {
  const { left, right, top, bottom: end } = CARD_MIDDLE;
  const x = centreOf(CARD_MIDDLE);
  const cards = piecesOf(game, bottom);
  const wide = cards.length * (BOTTOM_CARD.w + 8) - 8;
  return svg('g', { class: 'middle' },
    svg('g', { class: 'bottom-cards' },
      cards.length > 0 && svg('text', { x, y: 28, class: 'counters' }, 'bottom cards'),
      ...cards.map((card, index) => pieceAt(game, card, x - wide / 2 + index * (BOTTOM_CARD.w + 8), 112, BOTTOM_CARD))),
    svg('rect', { x: left, y: top, width: right - left, height: end - top, rx: 10, class: 'middle-back' }),
    svg('text', { x, y: top + (counters ? 46 : 60), class: 'round' }, round),
    svg('text', { x, y: top + 75, class: 'counters' }, counters));
}

/**
 * Draws a position.
 * @param {SVGElement} board
 * @param {Game} game
 * @param {Position} position
 * @param {number} bottom the seat that is nearest
 */
export function drawCardBoard(board, game, position, bottom) {
  const players = position.seats.length;
  board.setAttribute('viewBox', `0 0 1000 ${CARD_HEIGHT}`);
  const drawn = [svg('rect', { width: 1000, height: CARD_HEIGHT, rx: 18, class: 'felt' }), cardMiddle(game, position)];
  position.seats.forEach((player, seat) => {
    const after = (seat - bottom + players) % players;
    const place = CARD_PLACES[after];
    const room = after === 0 && position.end ? { ...place.plays, top: CARD_END.bottom + 10 } : place.plays;
    drawn.push(svg('g', { class: 'seat-place' },
      cardStrip(game, position, seat, place.strip), cardPlays(game, player, seat, position, room), cardHand(game, player, seat, place, after === 0)));
  });
  const end = ending(game, position, CARD_END);
  if (end) drawn.push(end);
  board.replaceChildren(...drawn);
}
