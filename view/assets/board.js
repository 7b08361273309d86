// The board as players see it.

import { svg } from './dom.js';
import { windStrokes } from './tiles.js';
import { changeWord, pointsWord, windWord } from './words.js';

/** @import {Game, Player, Position, Tile} from './position.js' */

/** Tiles in rivers and melds. */
const RIVER = { w: 50, h: 66 };
/** Tiles of the own hand, and of the others'. */
const OWN = { w: 66, h: 88, bottom: 992, room: 984 };
const OTHERS = { w: 44, h: 58.5, bottom: 994, room: 800 };
/** The middle of the board. */
const MIDDLE = { from: 332, to: 668, strip: 58 };
const PER_ROW = 6;

/** @typedef {{w: number, h: number}} Size */

/** The tiles of a text in which they stand one after the other. @param {string} text @returns {Tile[]} */
const tilesOf = (text) => text.match(/../g) ?? [];

/**
 * A tile upright, or on its side.
 * @param {Tile} code
 * @param {number} x its left edge
 * @param {number} bottom its lower edge
 * @param {Size} size
 * @param {{side?: boolean, marks?: string[]}} [how]
 */
function tileAt(code, x, bottom, size, { side = false, marks = [] } = {}) {
  const tile = code === '??' ? '?' : code;
  const place = side ? `translate(${x} ${bottom}) rotate(-90)` : `translate(${x} ${bottom - size.h})`;
  return svg('use', {
    href: `#t${tile}`,
    width: size.w,
    height: size.h,
    transform: place,
    'data-tile': tile,
    class: ['tile-on-board', ...marks].join(' '),
  });
}

/** @param {Player} player @param {number} seat @param {Position} position */
function river(player, seat, position) {
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
    const tile = tileAt(code, x, bottom, RIVER, { side: riichi, marks });
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
 * The hand with its melds, in a row.
 * @param {Player} player
 * @param {number} seat
 * @param {boolean} own
 */
function hand(player, seat, own) {
  const size = own ? OWN : OTHERS;
  const group = svg('g', { class: own ? 'row own' : 'row' });
  const concealed = svg('g', { class: 'hand', 'data-seat': seat });
  let x = 0;
  for (const tile of tilesOf(player.hand)) {
    concealed.append(tileAt(tile, x, 0, size));
    x += size.w;
  }
  if (player.drawn) {
    x += size.w * 0.25;
    concealed.append(tileAt(player.drawn, x, 0, size, { marks: ['just-drawn'] }));
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
        shown.append(tileAt(code, x - RIVER.h, -RIVER.w - 1, RIVER, { side: true, marks: ['added'] }));
        continue;
      }
      shown.append(tileAt(code, x, 0, RIVER, { side: mark === '<', marks: mark === '<' ? ['taken'] : [] }));
      x += mark === '<' ? RIVER.h : RIVER.w;
    }
    melds.append(shown);
  }
  group.append(melds);
  if (player.aside) {
    x += 14;
    const norths = svg('g', { class: 'norths', 'data-seat': seat, 'data-count': tilesOf(player.aside).length });
    for (const tile of tilesOf(player.aside)) {
      norths.append(tileAt(tile, x, 0, { w: 36, h: 48 }));
      x += 36;
    }
    group.append(norths);
  }
  const scale = Math.min(1, size.room / x);
  group.setAttribute('transform', `translate(${500 - (x * scale) / 2} ${size.bottom}) scale(${scale})`);
  return group;
}

/**
 * Wind, points and name, at the edge of the middle.
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
  const name = game.names[seat];
  const shortName = [...name].length > 13 ? `${[...name].slice(0, 12).join('')}\u2026` : name;
  const changed = position.over && change !== null && change !== 0;
  const [figure, kind] = score === null ? [note.split(' in ')[0], 'score note'] : [pointsWord(score), 'score'];
  const words = svg('g', upsideDown ? { transform: `rotate(180 500 ${top + MIDDLE.strip / 2})` } : {},
    svg('path', { d: windStrokes(wind ?? 0), transform: `translate(404 ${top + 7}) scale(0.22)`, class: wind === 0 ? 'wind dealer' : 'wind' }),
    svg('text', { x: 436, y: top + 27, class: kind, 'data-score': score }, figure),
    svg('text', { x: 500, y: top + 51, class: changed ? 'change' : 'name' }, changed ? changeWord(change) : shortName));
  const group = svg('g', { class: position.turn === seat ? 'strip turn' : 'strip', 'data-seat': seat, 'data-wind': windWord(wind ?? 0) },
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

/** @param {Position} position */
function middle({ round, counters, left, dora, ura }) {
  const group = svg('g', { class: 'middle' },
    svg('rect', { x: MIDDLE.from, y: MIDDLE.from, width: MIDDLE.to - MIDDLE.from, height: MIDDLE.to - MIDDLE.from, rx: 10, class: 'middle-back' }),
    svg('text', { x: 500, y: 446, class: 'round' }, round),
    svg('text', { x: 500, y: 478, class: 'counters' }, counters),
    svg('text', { x: 500, y: 597, class: 'left', 'data-left': left }, left === null ? '' : `${left} left`));
  const size = { w: 38, h: 50.5 };
  const from = 500 - (5 * (size.w + 2)) / 2;
  if (dora) {
    // Five lie there, of which some are turned.
    const shown = [...tilesOf(dora), '??', '??', '??', '??'].slice(0, 5);
    const below = ura ? 14 : 0;
    group.append(svg('g', { class: 'dora' }, ...shown.map((tile, index) => tileAt(tile, from + index * (size.w + 2), 550 - below, size))));
  }
  if (ura) {
    const small = { w: 22, h: 29.3 };
    group.append(svg('g', { class: 'ura' }, ...tilesOf(ura).map((tile, index) => tileAt(tile, from + index * (size.w + 2) + 8, 569, small))));
  }
  return group;
}

/**
 * Draws a position as it is seen.
 * @param {SVGElement} board
 * @param {Game} game
 * @param {Position} position
 * @param {number} bottom the seat that is nearest
 */
export function drawBoard(board, game, position, bottom) {
  const players = position.seats.length;
  const drawn = [svg('rect', { width: 1000, height: 1000, rx: 18, class: 'felt' }), middle(position)];
  position.seats.forEach((player, seat) => {
    const after = (seat - bottom + players) % players;
    // The third of three sits at the left, from where runs could be called.
    const place = players === 3 && after === 2 ? 3 : after;
    drawn.push(svg('g', { transform: `rotate(${-90 * place} 500 500)`, class: 'seat-place' },
      strip(game, position, seat, place === 2), river(player, seat, position), hand(player, seat, place === 0)));
  });
  board.replaceChildren(...drawn);
}
