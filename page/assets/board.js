// The board as players see it.

import { svg } from './dom.js';
import { windStrokes } from './tiles.js';
import { changeWord, pointsWord, windWord } from './words.js';

/** @import {Game, Meld, Player, Position, Tile} from './position.js' */

/** Tiles in rivers and melds. */
const RIVER = { w: 50, h: 66 };
/** Tiles of the own hand, and of the others'. */
const OWN = { w: 66, h: 88, bottom: 992, room: 984 };
const OTHERS = { w: 44, h: 58.5, bottom: 994, room: 800 };
/** The middle of the board. */
const MIDDLE = { from: 332, to: 668, strip: 58 };
const PER_ROW = 6;

/**
 * @typedef {{tile: Tile | '?', side?: boolean, above?: Tile}} Placed
 * @typedef {{w: number, h: number}} Size
 */

/**
 * A tile upright, or on its side.
 * @param {Tile | '?'} tile
 * @param {number} x its left edge
 * @param {number} bottom its lower edge
 * @param {Size} size
 * @param {{side?: boolean, marks?: string[]}} [how]
 */
function tileAt(tile, x, bottom, size, { side = false, marks = [] } = {}) {
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
    const row = Math.min(Math.floor(index / PER_ROW), 2);
    if (index % PER_ROW === 0 && index < 3 * PER_ROW) x = 500 - (PER_ROW * RIVER.w) / 2;
    const bottom = top + (row + 1) * (RIVER.h + 3);
    const marks = [];
    if (discard.drawn) marks.push('drawn');
    if (discard.by !== null) marks.push('called');
    if (discard.riichi) marks.push('riichi');
    const last = index === player.river.length - 1;
    const now = position.last;
    if (last && now && ((now[0] === 'd' && now[1] === seat) || (now[0] === 'w' && now[2] === seat && now[1] !== seat))) {
      marks.push('latest');
    }
    const width = discard.riichi ? RIVER.h : RIVER.w;
    const tile = tileAt(discard.tile, x, bottom, RIVER, { side: discard.riichi, marks });
    if (discard.by !== null) tile.setAttribute('data-by', String(discard.by));
    group.append(tile);
    if (marks.includes('drawn')) {
      group.append(svg('circle', { cx: x + width / 2, cy: bottom - 5.5, r: 4, class: 'drawn-mark' }));
    }
    if (marks.includes('latest')) {
      const height = discard.riichi ? RIVER.w : RIVER.h;
      group.append(svg('rect', { x: x - 1, y: bottom - height - 1, width: width + 2, height: height + 2, rx: 6, class: 'latest-frame' }));
    }
    x += width;
  });
  return group;
}

/**
 * The tiles of a meld from left to right: the one on its side points to whom it came from.
 * @param {Meld} meld
 * @param {number} seat
 * @param {number} players
 * @returns {Placed[]}
 */
function meldTiles(meld, seat, players) {
  // Two tiles lie on their faces; a red five, the last of its kind in order, is shown.
  if (meld.kind === 'a') return [{ tile: '?' }, { tile: meld.tiles[1] }, { tile: meld.tiles[3] }, { tile: '?' }];
  const own = [...meld.tiles];
  const called = meld.called ?? own[0];
  own.splice(own.indexOf(called), 1);
  if (meld.added) own.splice(own.indexOf(meld.added), 1);
  const from = ((meld.from ?? seat) - seat + players) % players;
  const at = from === players - 1 ? 0 : from === 1 ? own.length : 1;
  /** @type {Placed[]} */
  const placed = own.map((tile) => ({ tile }));
  placed.splice(at, 0, { tile: called, side: true, above: meld.added });
  return placed;
}

/** @param {Placed[]} tiles */
function meldWidth(tiles) {
  return tiles.reduce((width, { side }) => width + (side ? RIVER.h : RIVER.w), 0);
}

/**
 * The hand with its melds, in a row.
 * @param {Game} game
 * @param {Player} player
 * @param {number} seat
 * @param {boolean} open
 * @param {boolean} own
 */
function hand(game, player, seat, open, own) {
  const size = own ? OWN : OTHERS;
  const group = svg('g', { class: own ? 'row own' : 'row' });
  const concealed = svg('g', { class: 'hand', 'data-seat': seat });
  let x = 0;
  const tiles = player.hand && open ? player.hand : Array(player.count).fill('?');
  for (const tile of tiles) {
    concealed.append(tileAt(tile, x, 0, size));
    x += size.w;
  }
  if (player.drawn !== null) {
    x += size.w * 0.25;
    concealed.append(tileAt(open ? player.drawn : '?', x, 0, size, { marks: ['just-drawn'] }));
    x += size.w;
  }
  group.append(concealed);
  const melds = svg('g', { class: 'melds', 'data-seat': seat });
  for (const meld of [...player.melds].reverse()) {
    x += 14;
    const shown = svg('g', { class: 'meld', 'data-kind': meld.kind, 'data-from': meld.from });
    const placed = meldTiles(meld, seat, game.players);
    let at = x;
    for (const { tile, side, above } of placed) {
      shown.append(tileAt(tile, at, 0, RIVER, { side, marks: side ? ['taken'] : [] }));
      if (above) shown.append(tileAt(above, at, -RIVER.w - 1, RIVER, { side, marks: ['added'] }));
      at += side ? RIVER.h : RIVER.w;
    }
    x += meldWidth(placed);
    melds.append(shown);
  }
  group.append(melds);
  if (player.norths > 0) {
    x += 14;
    const norths = svg('g', { class: 'norths', 'data-seat': seat, 'data-count': player.norths });
    for (let north = 0; north < player.norths; north++) {
      norths.append(tileAt('4z', x, 0, { w: 36, h: 48 }));
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
  const player = position.players[seat];
  const wind = (seat - position.dealer + game.players) % game.players;
  const top = MIDDLE.to - MIDDLE.strip;
  const turn = position.turn === seat;
  const inset = MIDDLE.strip;
  const shape = `M${MIDDLE.from + inset} ${top}H${MIDDLE.to - inset}L${MIDDLE.to} ${MIDDLE.to}H${MIDDLE.from}Z`;
  const over = position.over || player.change !== 0;
  const name = game.names[seat];
  const shortName = [...name].length > 13 ? `${[...name].slice(0, 12).join('')}\u2026` : name;
  const words = svg('g', upsideDown ? { transform: `rotate(180 500 ${top + MIDDLE.strip / 2})` } : {},
    svg('path', { d: windStrokes(wind), transform: `translate(404 ${top + 7}) scale(0.22)`, class: wind === 0 ? 'wind dealer' : 'wind' }),
    svg('text', { x: 436, y: top + 27, class: 'score', 'data-score': player.score }, pointsWord(player.score)),
    svg('text', { x: 500, y: top + 51, class: over && position.over ? 'change' : 'name' },
      position.over && player.change !== 0 ? changeWord(player.change) : shortName));
  const group = svg('g', { class: turn ? 'strip turn' : 'strip', 'data-seat': seat, 'data-wind': windWord(wind) }, svg('path', { d: shape, class: 'strip-back' }), words);
  if (player.riichi) {
    group.setAttribute('data-riichi', player.riichi);
    const pending = player.riichi === 'declared' ? 'stick pending' : 'stick';
    group.append(
      svg('rect', { x: 430, y: MIDDLE.to + 6, width: 140, height: 11, rx: 5, class: pending }),
      svg('circle', { cx: 500, cy: MIDDLE.to + 11.5, r: 3.6, class: 'stick-dot' }));
  }
  return group;
}

/** @param {Position} position */
function middle(position) {
  const group = svg('g', { class: 'middle' },
    svg('rect', { x: MIDDLE.from, y: MIDDLE.from, width: MIDDLE.to - MIDDLE.from, height: MIDDLE.to - MIDDLE.from, rx: 10, class: 'middle-back' }),
    svg('text', { x: 500, y: 446, class: 'round' }, `${windWord(position.wind)} ${position.kyoku}`),
    svg('text', { x: 500, y: 478, class: 'counters' }, `repeat ${position.honba} \u00b7 sticks ${position.sticks}`),
    svg('text', { x: 500, y: 597, class: 'left', 'data-left': position.left }, `${position.left} left`));
  const size = { w: 38, h: 50.5 };
  const from = 500 - (5 * (size.w + 2)) / 2;
  const dora = svg('g', { class: 'dora' });
  const below = position.ura.length > 0 ? 14 : 0;
  for (let index = 0; index < 5; index++) {
    dora.append(tileAt(position.dora[index] ?? '?', from + index * (size.w + 2), 550 - below, size));
  }
  group.append(dora);
  if (position.ura.length > 0) {
    const ura = svg('g', { class: 'ura' });
    const small = { w: 22, h: 29.3 };
    position.ura.forEach((tile, index) => ura.append(tileAt(tile, from + index * (size.w + 2) + 8, 569, small)));
    group.append(ura);
  }
  return group;
}

/**
 * Draws a position.
 * @param {SVGElement} board
 * @param {Game} game
 * @param {Position} position
 * @param {number} bottom the seat that is nearest
 * @param {boolean} open whether hands that are known are shown
 */
export function drawBoard(board, game, position, bottom, open) {
  const drawn = [svg('rect', { width: 1000, height: 1000, rx: 18, class: 'felt' }), middle(position)];
  position.players.forEach((player, seat) => {
    const after = (seat - bottom + game.players) % game.players;
    // The third of three sits at the left, from where runs could be called.
    const place = game.players === 3 && after === 2 ? 3 : after;
    const shown = open || seat === game.seat;
    drawn.push(svg('g', { transform: `rotate(${-90 * place} 500 500)`, class: 'seat' },
      strip(game, position, seat, place === 2),
      river(player, seat, position),
      hand(game, player, seat, shown, place === 0)));
  });
  board.replaceChildren(...drawn);
}
