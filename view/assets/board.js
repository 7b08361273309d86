// The table as players see it.

import { svg } from './dom.js';
import { piecesOf } from './position.js';
import { windStrokes } from './tiles.js';
import { changeWord, pointsWord, windWord } from './words.js';

/** @import {Game, Player, Position} from './position.js' */

/**
 * The position of a row of pieces, their size, and the distance between them.
 * @typedef {{w: number, h: number}} Size
 * @typedef {Size & {step: number, hidden: number, bottom: number, room: number}} Row
 */

/** Tiles in rivers and melds. */
const RIVER = { w: 50, h: 66 };
/** Played cards. */
const PLAYED = { w: 46, h: 64.4, step: 24, room: 380, depth: 190 };
/** The own hand, and the others'. @type {Record<'tiles' | 'cards', {own: Row, others: Row}>} */
const HANDS = {
  tiles: {
    own: { w: 66, h: 88, step: 66, hidden: 66, bottom: 992, room: 984 },
    others: { w: 44, h: 58.5, step: 44, hidden: 44, bottom: 994, room: 800 },
  },
  cards: {
    own: { w: 70, h: 98, step: 47, hidden: 30, bottom: 992, room: 984 },
    others: { w: 52, h: 72.8, step: 36, hidden: 20, bottom: 994, room: 800 },
  },
};
/** The middle of the board. */
const MIDDLE = { from: 332, to: 668, strip: 58 };
const PER_ROW = 6;
/** Maximum number of parts of a result in the middle. */
const MAX_PARTS = 6;
/** The dora indicators below a result. */
const INDICATOR = { w: 24, h: 32 };

/** The start of a text that is too long. @param {string} text @param {number} most */
function cut(text, most) {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}\u2026` : text;
}

/**
 * A tile or a card upright, or a tile on its side.
 * @param {Game} game
 * @param {string} code
 * @param {number} x its left edge
 * @param {number} bottom its lower edge
 * @param {Size} size
 * @param {{side?: boolean, marks?: string[]}} [how]
 */
function pieceAt({ pieces }, code, x, bottom, size, { side = false, marks = [] } = {}) {
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

/** @param {Game} game @param {Player} player @param {number} seat @param {Position} position */
function river(game, player, seat, position) {
  const group = svg('g', { class: 'river', 'data-seat': seat });
  const top = MIDDLE.to + 22;
  let x = 0;
  player.river.forEach((discard, index) => {
    const code = discard.slice(0, 2);
    const drawn = discard.includes('d', 2);
    const riichi = discard.includes('r', 2);
    const by = /[0-9-]$/.exec(discard.slice(2))?.[0];
    const row = Math.min(Math.floor(index / PER_ROW), 2);
    if (index % PER_ROW === 0 && index < 3 * PER_ROW) x = 500 - (PER_ROW * RIVER.w) / 2;
    const bottom = top + (row + 1) * (RIVER.h + 3);
    const marks = [drawn && 'drawn', by !== undefined && 'called', riichi && 'riichi'].filter((mark) => mark !== false);
    if (index === player.river.length - 1 && position.latest === seat) marks.push('latest');
    const width = riichi ? RIVER.h : RIVER.w;
    const tile = pieceAt(game, code, x, bottom, RIVER, { side: riichi, marks });
    if (by !== undefined) tile.setAttribute('data-by', by);
    group.append(tile);
    if (marks.includes('drawn')) {
      group.append(svg('circle', { cx: x + width / 2, cy: bottom - 5.5, r: 4, class: 'drawn-mark' }));
    }
    if (marks.includes('latest')) {
      const height = riichi ? RIVER.w : RIVER.h;
      group.append(svg('rect', { x: x - 1, y: bottom - height - 1, width: width + 2, height: height + 2, rx: 6, class: 'latest-frame' }));
    }
    x += width;
  });
  return group;
}

/**
 * The plays, bids and passes of a seat, in rows; they shrink to fit.
 * @param {Game} game
 * @param {Player} player
 * @param {number} seat
 * @param {Position} position
 */
function plays(game, player, seat, position) {
  const said = player.bid === null || player.river.length > 0 ? [] : [player.bid === 0 ? 'no bid' : `bid ${player.bid}`];
  const parts = [...said.map((words) => ({ words, cards: /** @type {string[]} */ ([]) })),
    ...player.river.map((play) => ({ words: play ? '' : 'pass', cards: piecesOf(game, play) }))];
  const widths = parts.map(({ words, cards }) => (words ? 22 + 11 * words.length : PLAYED.w + PLAYED.step * (cards.length - 1)));
  const line = PLAYED.h + 8;
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
      x += width + 12;
    });
    return rows;
  };
  const scale = [1, 0.9, 0.8, 0.7, 0.6].find((scale) => rowsOf(PLAYED.room / scale).length * line * scale <= PLAYED.depth) ?? 0.5;
  const group = svg('g', { class: 'river', 'data-seat': seat, transform: `translate(500 ${MIDDLE.to + 20}) scale(${scale})` });
  rowsOf(PLAYED.room / scale).forEach((row, number) => {
    let x = -(row.reduce((all, index) => all + widths[index] + 12, -12) / 2);
    const bottom = (number + 1) * line;
    for (const index of row) {
      const { words, cards } = parts[index];
      const last = index === parts.length - 1;
      const part = svg('g', { class: last ? 'part' : 'part earlier', 'data-part': words || cards.join('') });
      if (words) {
        part.append(
          svg('rect', { x, y: bottom - PLAYED.h / 2 - 18, width: widths[index], height: 36, rx: 18, class: 'said-back' }),
          svg('text', { x: x + widths[index] / 2, y: bottom - PLAYED.h / 2 + 7, class: 'said' }, words));
      }
      cards.forEach((card, at) => part.append(pieceAt(game, card, x + PLAYED.step * at, bottom, PLAYED)));
      if (last && position.latest === seat && !words) {
        part.append(svg('rect', { x: x - 3, y: bottom - PLAYED.h - 3, width: widths[index] + 6, height: PLAYED.h + 6, rx: 7, class: 'latest-frame' }));
      }
      group.append(part);
      x += widths[index] + 12;
    }
  });
  return group;
}

/**
 * The hand with its melds, in a row.
 * @param {Game} game
 * @param {Player} player
 * @param {number} seat
 * @param {boolean} own
 */
function hand(game, player, seat, own) {
  const size = HANDS[game.pieces][own ? 'own' : 'others'];
  const group = svg('g', { class: own ? 'row own' : 'row' });
  const concealed = svg('g', { class: 'hand', 'data-seat': seat });
  const pieces = piecesOf(game, player.hand);
  const step = player.hand.startsWith('?') ? size.hidden : size.step;
  let x = 0;
  for (const piece of pieces) {
    concealed.append(pieceAt(game, piece, x, 0, size));
    x += step;
  }
  if (pieces.length > 0) x += size.w - step;
  if (player.drawn) {
    x += size.w * 0.25;
    concealed.append(pieceAt(game, player.drawn, x, 0, size, { marks: ['just-drawn'] }));
    x += size.w;
  }
  group.append(concealed);
  const melds = svg('g', { class: 'melds', 'data-seat': seat });
  for (const { name, from, tiles } of [...player.melds].reverse()) {
    x += 14;
    const shown = svg('g', { class: 'meld', 'data-kind': name, 'data-from': from });
    for (const tile of tiles.match(/..[<^_]?/g) ?? []) {
      const mark = tile[2];
      const code = mark === '_' ? '??' : tile.slice(0, 2);
      if (mark === '^') {
        shown.append(pieceAt(game, code, x - RIVER.h, -RIVER.w - 1, RIVER, { side: true, marks: ['added'] }));
        continue;
      }
      shown.append(pieceAt(game, code, x, 0, RIVER, { side: mark === '<', marks: mark === '<' ? ['taken'] : [] }));
      x += mark === '<' ? RIVER.h : RIVER.w;
    }
    melds.append(shown);
  }
  group.append(melds);
  if (player.aside) {
    x += 14;
    const aside = piecesOf(game, player.aside);
    const shown = svg('g', { class: aside[0] === '1f' ? 'flowers' : 'norths', 'data-seat': seat, 'data-count': aside.length });
    for (const tile of aside) {
      shown.append(pieceAt(game, tile, x, 0, { w: 36, h: 48 }));
      x += 36;
    }
    group.append(shown);
  }
  const scale = x > 0 ? Math.min(1, size.room / x) : 1;
  group.setAttribute('transform', `translate(${500 - (x * scale) / 2} ${size.bottom}) scale(${scale})`);
  return group;
}

/**
 * Wind, points and name, at the edge of the middle; at the end the payment.
 * @param {Game} game
 * @param {Position} position
 * @param {number} seat
 * @param {boolean} upsideDown
 */
function strip(game, position, seat, upsideDown) {
  const { wind, score, change, note, riichi } = position.seats[seat];
  const top = MIDDLE.to - MIDDLE.strip;
  const inset = MIDDLE.strip;
  const shape = `M${MIDDLE.from + inset} ${top}H${MIDDLE.to - inset}L${MIDDLE.to} ${MIDDLE.to}H${MIDDLE.from}Z`;
  const name = cut(game.names[seat], 13);
  const changed = position.over && change !== null && change !== 0;
  const short = note.replace(/^(\d+) tiles in its wall.*/, 'wall $1');
  const figure = svg('text', { y: top + 27, class: score === null ? 'score note' : 'score', 'data-score': score });
  figure.textContent = score !== null ? pointsWord(score) : changed ? changeWord(change) : short;
  if (score === null && changed) figure.classList.add('paid');
  figure.setAttribute('x', wind === null ? '500' : '436');
  if (wind === null) figure.classList.add('centred');
  const words = svg('g', upsideDown ? { transform: `rotate(180 500 ${top + MIDDLE.strip / 2})` } : {},
    wind !== null && svg('path', { d: windStrokes(wind), transform: `translate(404 ${top + 7}) scale(0.22)`, class: wind === 0 ? 'wind dealer' : 'wind' }),
    figure,
    svg('text', { x: 500, y: top + 51, class: changed && score !== null ? 'change' : 'name' }, changed && score !== null ? changeWord(change) : name));
  const group = svg('g', { class: position.turn === seat ? 'strip turn' : 'strip', 'data-seat': seat, 'data-wind': wind === null ? null : windWord(wind) },
    svg('path', { d: shape, class: note.startsWith('landlord') ? 'strip-back landlord' : 'strip-back' }), words);
  if (riichi) {
    group.setAttribute('data-riichi', riichi);
    const pending = riichi === 'declared' ? 'stick pending' : 'stick';
    group.append(
      svg('rect', { x: 430, y: MIDDLE.to + 6, width: 140, height: 11, rx: 5, class: pending }),
      svg('circle', { cx: 500, cy: MIDDLE.to + 11.5, r: 3.6, class: 'stick-dot' }));
  }
  return group;
}

/** @param {Game} game @param {Position} position */
function middle(game, { round, counters, left, dora, ura }) {
  const group = svg('g', { class: 'middle' },
    svg('rect', { x: MIDDLE.from, y: MIDDLE.from, width: MIDDLE.to - MIDDLE.from, height: MIDDLE.to - MIDDLE.from, rx: 10, class: 'middle-back' }),
    svg('text', { x: 500, y: dora ? 446 : 492, class: 'round' }, round),
    svg('text', { x: 500, y: dora ? 478 : 526, class: 'counters' }, counters),
    svg('text', { x: 500, y: dora ? 597 : 562, class: 'left', 'data-left': left }, left === null ? '' : `${left} left`));
  const size = { w: 38, h: 50.5 };
  const from = 500 - (5 * (size.w + 2)) / 2;
  if (dora) {
    // Five tiles lie there, and some of them are turned.
    const shown = [...piecesOf(game, dora), '??', '??', '??', '??'].slice(0, 5);
    const below = ura ? 14 : 0;
    group.append(svg('g', { class: 'dora' }, ...shown.map((tile, index) => pieceAt(game, tile, from + index * (size.w + 2), 550 - below, size))));
  }
  if (ura) {
    const small = { w: 22, h: 29.3 };
    group.append(svg('g', { class: 'ura' }, ...piecesOf(game, ura).map((tile, index) => pieceAt(game, tile, from + index * (size.w + 2) + 8, 569, small))));
  }
  return group;
}

/** The bottom cards, where a game of three has room. @param {Game} game @param {Position} position */
function bottomCards(game, { bottom }) {
  const size = { w: 70, h: 98 };
  const cards = piecesOf(game, bottom);
  return svg('g', { class: 'bottom-cards' },
    svg('text', { x: 500, y: 200, class: 'counters' }, 'bottom cards'),
    ...cards.map((card, index) => pieceAt(game, card, 500 - (cards.length * 78 - 8) / 2 + index * 78, 316, size)));
}

/**
 * The outcome, over the middle: the winner, the hand and the payments.
 * @param {Game} game
 * @param {Position} position
 */
function ending(game, { end, seats, dora, ura }) {
  if (!end) return null;
  const { from } = MIDDLE;
  const to = dora ? MIDDLE.to - INDICATOR.h - 8 : MIDDLE.to;
  const most = dora ? MAX_PARTS - 1 : MAX_PARTS;
  /** @type {[text: string, figure: string, kind: string][]} */
  const lines = end.about.map((text) => [cut(text, 30), '', 'end-about']);
  const parts = end.parts.length > most ? end.parts.slice(0, most - 1) : end.parts;
  for (const [what, figure] of parts) lines.push([cut(what, 27), figure, 'end-part']);
  if (parts.length < end.parts.length) lines.push([`and ${end.parts.length - parts.length} more`, '', 'end-part']);
  // Seats that share a name are distinguished by their numbers.
  const nameOf = (/** @type {number} */ seat) => {
    const shared = game.names.filter((name) => name === game.names[seat]).length > 1;
    return shared ? `${cut(game.names[seat], 13)} (seat ${seat})` : game.names[seat];
  };
  const paid = seats.map(({ change }, seat) => ({ name: nameOf(seat), change })).sort((one, other) => (other.change ?? 0) - (one.change ?? 0));
  for (const { name, change } of paid) if (change !== null) lines.push([cut(name, 22), changeWord(change), 'end-paid']);
  const pitch = Math.min(32, (to - from - 66) / lines.length);
  // The lines are in the middle of the room.
  const first = (from + to) / 2 - (pitch * lines.length) / 2 + 6;
  const group = svg('g', { class: 'end' },
    svg('rect', { x: from, y: from, width: MIDDLE.to - from, height: MIDDLE.to - from, rx: 10, class: 'end-back' }),
    svg('text', { x: 500, y: first, class: 'end-title' }, cut(end.title, 24)));
  lines.forEach(([text, figure, kind], index) => {
    const y = first + pitch * (index + 1);
    if (kind === 'end-about') group.append(svg('text', { x: 500, y, class: kind }, text));
    else group.append(svg('text', { x: from + 20, y, class: `${kind} left-text` }, text), svg('text', { x: MIDDLE.to - 20, y, class: `${kind} right-text` }, figure));
  });
  // Dora indicators, and after a gap those of the ura dora.
  const rows = [dora, ura].map((tiles) => piecesOf(game, tiles)).filter((tiles) => tiles.length > 0);
  const wide = rows.flat().length * (INDICATOR.w + 2) + (rows.length - 1) * 14;
  let x = 500 - wide / 2;
  for (const tiles of rows) {
    for (const tile of tiles) {
      group.append(pieceAt(game, tile, x, MIDDLE.to - 12, INDICATOR));
      x += INDICATOR.w + 2;
    }
    x += 14;
  }
  return group;
}

/**
 * Draws a position.
 * @param {SVGElement} board
 * @param {Game} game
 * @param {Position} position
 * @param {number} bottom the seat that is nearest
 */
export function drawBoard(board, game, position, bottom) {
  const players = position.seats.length;
  const cards = game.pieces === 'cards';
  const drawn = [svg('rect', { width: 1000, height: 1000, rx: 18, class: 'felt' }), middle(game, position)];
  if (position.bottom) drawn.push(bottomCards(game, position));
  position.seats.forEach((player, seat) => {
    const after = (seat - bottom + players) % players;
    // The third of three sits at the left, from where runs could be called.
    const place = players === 3 && after === 2 ? 3 : after;
    drawn.push(svg('g', { transform: `rotate(${-90 * place} 500 500)`, class: 'seat-place' },
      strip(game, position, seat, place === 2), cards ? plays(game, player, seat, position) : river(game, player, seat, position),
      hand(game, player, seat, place === 0)));
  });
  const end = ending(game, position);
  if (end) drawn.push(end);
  board.replaceChildren(...drawn);
}
