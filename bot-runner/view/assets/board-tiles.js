// A table with tiles, as players see it.

import { FONTS, ending, pieceAt } from './board-parts.js';
import { svg } from './dom.js';
import { translated } from './languages.js';
import { withoutMiddle } from './names.js';
import { piecesOf } from './position.js';
import { windStrokes } from './tiles.js';
import { changeWord, pointsWord, windWord } from './words.js';

/** @import {Size} from './board-parts.js' */
/** @import {Game, Player, Position} from './position.js' */

/**
 * A hand with its melds: the size of a tile, the lower edge of the row, its centre, and the width that it may take.
 * @typedef {Size & {bottom: number, centre: number, room: number}} HandRow
 *
 * The places of things, in the units of the board: 1,000 wide, from `top` to `bottom`. Each seat is drawn as if it were at
 * the bottom, and turned around (500, 500). A river has three rows of `perRow` tiles from `left` on; the last may be longer.
 * @typedef {{top: number, bottom: number, river: Size & {perRow: number, left: number, top: number, gap: number}, own: HandRow, others: HandRow}} Layout
 */

/** The middle of the board. */
const MIDDLE = { from: 332, to: 668, strip: 58 };

/** @type {Record<'four' | 'three' | 'mcr', Layout>} */
const LAYOUTS = {
  four: {
    top: 0, bottom: 1000,
    river: { w: 50, h: 66, perRow: 6, left: 350, top: 688, gap: 2 },
    own: { w: 66, h: 88, bottom: 994, centre: 500, room: 984 },
    others: { w: 55, h: 73, bottom: 995, centre: 500, room: 800 },
  },
  // Without a seat at the top, the two at the sides move down, and the empty part above the middle is cut off.
  three: {
    top: 176, bottom: 1004,
    river: { w: 50, h: 66, perRow: 6, left: 350, top: 688, gap: 2 },
    own: { w: 68, h: 90.7, bottom: 998, centre: 500, room: 984 },
    others: { w: 49, h: 65.3, bottom: 995, centre: 541, room: 710 },
  },
  // No discard is sideways here, and rows of ten fill the corners: each river begins at the left end of the middle.
  mcr: {
    top: 0, bottom: 1000,
    river: { w: 53, h: 70, perRow: 10, left: 332, top: 676, gap: 2 },
    own: { w: 66, h: 88, bottom: 994, centre: 500, room: 984 },
    others: { w: 55, h: 73, bottom: 995, centre: 500, room: 800 },
  },
};
/** Tiles in melds, of which two may lie on each other, and those set aside. */
const MELD = { w: 50, h: 66 };
const ASIDE = { w: 36, h: 48 };
/** Width of the room for a name, and where the strip is upside down. */
const NAME_ROOM = 286;
const UPSIDE_DOWN_ROOM = 224;

/** @param {Game} game @param {Player} player @param {number} seat @param {Position} position @param {Layout} layout */
function river(game, player, seat, position, { river: size }) {
  const group = svg('g', { class: 'river', 'data-seat': seat });
  const { perRow } = size;
  let x = 0;
  player.river.forEach((discard, index) => {
    const code = discard.slice(0, 2);
    const drawn = discard.includes('d', 2);
    const riichi = discard.includes('r', 2);
    const by = /[0-9-]$/.exec(discard.slice(2))?.[0];
    const row = Math.min(Math.floor(index / perRow), 2);
    if (index % perRow === 0 && index < 3 * perRow) x = size.left;
    const bottom = size.top + (row + 1) * (size.h + size.gap);
    const marks = [drawn && 'drawn', by !== undefined && 'called', riichi && 'riichi'].filter((mark) => mark !== false);
    if (index === player.river.length - 1 && position.latest === seat) marks.push('latest');
    const width = riichi ? size.h : size.w;
    const tile = pieceAt(game, code, x, bottom, size, { side: riichi, marks });
    if (by !== undefined) tile.setAttribute('data-by', by);
    group.append(tile);
    if (marks.includes('drawn')) {
      group.append(svg('circle', { cx: x + width / 2, cy: bottom - 5.5, r: 4, class: 'drawn-mark' }));
    }
    if (marks.includes('latest')) {
      const height = riichi ? size.w : size.h;
      group.append(svg('rect', { x: x - 1, y: bottom - height - 1, width: width + 2, height: height + 2, rx: 6, class: 'latest-frame' }));
    }
    x += width;
  });
  return group;
}

/**
 * The hand with its melds, in a row.
 * @param {Game} game
 * @param {Player} player
 * @param {number} seat
 * @param {HandRow} row
 * @param {number} centre of the row, after the seat is turned
 * @param {boolean} own
 */
function hand(game, player, seat, row, centre, own) {
  const group = svg('g', { class: own ? 'row own' : 'row' });
  const concealed = svg('g', { class: 'hand', 'data-seat': seat });
  let x = 0;
  for (const piece of piecesOf(game, player.hand)) {
    concealed.append(pieceAt(game, piece, x, 0, row));
    x += row.w;
  }
  if (player.drawn) {
    x += row.w * 0.25;
    concealed.append(pieceAt(game, player.drawn, x, 0, row, { marks: ['just-drawn'] }));
    x += row.w;
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
        shown.append(pieceAt(game, code, x - MELD.h, -MELD.w - 1, MELD, { side: true, marks: ['added'] }));
        continue;
      }
      shown.append(pieceAt(game, code, x, 0, MELD, { side: mark === '<', marks: mark === '<' ? ['taken'] : [] }));
      x += mark === '<' ? MELD.h : MELD.w;
    }
    melds.append(shown);
  }
  group.append(melds);
  if (player.aside) {
    x += 14;
    const aside = piecesOf(game, player.aside);
    const shown = svg('g', { class: aside[0] === '1f' ? 'flowers' : 'norths', 'data-seat': seat, 'data-count': aside.length });
    for (const tile of aside) {
      shown.append(pieceAt(game, tile, x, 0, ASIDE));
      x += ASIDE.w;
    }
    group.append(shown);
  }
  const scale = x > 0 ? Math.min(1, row.room / x) : 1;
  group.setAttribute('transform', `translate(${centre - (x * scale) / 2} ${row.bottom}) scale(${scale})`);
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
  const name = withoutMiddle(game.names[seat], upsideDown ? UPSIDE_DOWN_ROOM : NAME_ROOM, FONTS.name);
  const changed = position.over && change !== null && change !== 0;
  const short = note.replace(/^(\d+) tiles in its wall.*/, '$1 in its wall');
  const figure = svg('text', { x: 436, y: top + 27, class: score === null ? 'score note' : 'score', 'data-score': score });
  figure.textContent = score !== null ? pointsWord(score) : changed ? changeWord(change) : translated(short);
  if (score === null && changed) figure.classList.add('paid');
  const words = svg('g', upsideDown ? { transform: `rotate(180 500 ${top + MIDDLE.strip / 2})` } : {},
    wind !== null && svg('path', { d: windStrokes(wind), transform: `translate(404 ${top + 7}) scale(0.22)`, class: wind === 0 ? 'wind dealer' : 'wind' }),
    figure,
    svg('text', { x: 500, y: top + 51, class: changed && score !== null ? 'change' : 'name', translate: 'no' }, changed && score !== null ? changeWord(change) : name));
  const group = svg('g', { class: position.turn === seat ? 'strip turn' : 'strip', 'data-seat': seat, 'data-wind': wind === null ? null : windWord(wind) },
    svg('path', { d: shape, class: 'strip-back' }), words);
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

/**
 * Draws a position.
 * @param {SVGElement} board
 * @param {Game} game
 * @param {Position} position
 * @param {number} bottom the seat that is nearest
 */
export function drawTileBoard(board, game, position, bottom) {
  const players = position.seats.length;
  const layout = LAYOUTS[players === 3 ? 'three' : position.seats.some(({ score }) => score !== null) ? 'four' : 'mcr'];
  const height = layout.bottom - layout.top;
  board.setAttribute('viewBox', `0 ${layout.top} 1000 ${height}`);
  const drawn = [svg('rect', { y: layout.top, width: 1000, height, rx: 18, class: 'felt' }), middle(game, position)];
  position.seats.forEach((player, seat) => {
    const after = (seat - bottom + players) % players;
    // The third of three sits at the left, from where runs could be called.
    const place = players === 3 && after === 2 ? 3 : after;
    const row = place === 0 ? layout.own : layout.others;
    // At the right the row is upside down.
    const centre = place === 1 ? 1000 - row.centre : row.centre;
    drawn.push(svg('g', { transform: `rotate(${-90 * place} 500 500)`, class: 'seat-place' },
      strip(game, position, seat, place === 2), river(game, player, seat, position, layout), hand(game, player, seat, row, centre, place === 0)));
  });
  const end = ending(game, position, { left: MIDDLE.from, right: MIDDLE.to, top: MIDDLE.from, bottom: MIDDLE.to });
  if (end) drawn.push(end);
  board.replaceChildren(...drawn);
}
