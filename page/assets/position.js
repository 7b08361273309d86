// The table after so many events of a round.

import { tilesOf } from './words.js';

/**
 * Two characters: number and suit (m, p, s); 0m, 0p, 0s are red fives; 1z to 7z the honours.
 * @typedef {string} Tile
 *
 * A letter and what belongs to it.
 * @typedef {['d' | 'r' | 'c' | 'p' | 'k' | 'a' | '+' | 'n' | 'w' | 'x' | '-', ...(string | number)[]]} Action
 *
 * A letter and what belongs to it; mostly the seat comes first.
 * @typedef {[string, ...any[]]} GameEvent
 *
 * @typedef {{
 *   wind: number, kyoku: number, honba: number, sticks: number, dealer: number, dora: string, scores: number[],
 *   hands: (string | null)[], events: GameEvent[], shanten: [number, number][][]
 * }} Round
 *
 * @typedef {{
 *   chosen?: number, values?: (number | null)[], reason?: string, policy: number, us?: number, safe?: string, desync?: boolean
 * }} OwnChoice
 *
 * @typedef {{chosen?: number, values?: (number | null)[], reason?: string, agrees?: boolean}} OtherChoice
 *
 * @typedef {{
 *   round: number, step: number, legal: Action[], done?: number, own?: OwnChoice, other?: OtherChoice,
 *   simulated?: (number | null)[]
 * }} Decision
 *
 * @typedef {{
 *   title: string, players: number, wall: number, names: string[], seat: number | null, facts: [string, string][],
 *   warnings: string[], policies: string[], other: string | null, rounds: Round[], end: number[] | null,
 *   decisions: Decision[], desyncs?: {round: number, step: number, kind: string}[]
 * }} Game
 *
 * @typedef {{kind: 'c' | 'p' | 'k' | 'a' | '+', tiles: Tile[], called: Tile | null, from: number | null, added?: Tile}} Meld
 *
 * @typedef {{tile: Tile, drawn: boolean, riichi: boolean, by: number | null}} Discard
 *
 * `hand` is without the drawn tile, and `drawn` is `?` where it is hidden.
 * @typedef {{
 *   hand: Tile[] | null, count: number, drawn: Tile | '?' | null, melds: Meld[], river: Discard[],
 *   riichi: '' | 'declared' | 'accepted', norths: number, score: number, change: number
 * }} Player
 *
 * @typedef {{
 *   wind: number, kyoku: number, honba: number, sticks: number, dealer: number, dora: Tile[], ura: Tile[], left: number,
 *   players: Player[], turn: number | null, last: GameEvent | null, over: boolean, declaring: number | null
 * }} Position
 */

/** Order of kinds, plain before red. @param {Tile} tile */
function order(tile) {
  const number = tile[0] === '0' ? 5.5 : Number(tile[0]);
  return 'mpsz'.indexOf(tile[1]) * 10 + number;
}

/** @param {Tile[]} tiles */
export function sorted(tiles) {
  return [...tiles].sort((one, other) => order(one) - order(other));
}

/**
 * @param {Game} game
 * @param {number} number of the round, from 0
 * @param {number} step how many of its events have happened
 * @returns {Position}
 */
export function positionAt(game, number, step) {
  const round = game.rounds[number];
  /** @type {Position} */
  const position = {
    wind: round.wind,
    kyoku: round.kyoku,
    honba: round.honba,
    sticks: round.sticks,
    dealer: round.dealer,
    dora: tilesOf(round.dora),
    ura: [],
    left: game.wall,
    players: round.scores.map((score, seat) => {
      const hand = round.hands[seat];
      return {
        hand: hand === null ? null : sorted(tilesOf(hand)),
        count: 13,
        drawn: null,
        melds: [],
        river: [],
        riichi: '',
        norths: 0,
        score,
        change: 0,
      };
    }),
    turn: round.dealer,
    last: null,
    over: false,
    declaring: null,
  };
  for (const event of round.events.slice(0, step)) happen(position, event);
  return position;
}

/**
 * Takes tiles out of a hand, where they are known to be there.
 * @param {Player} player
 * @param {Tile[]} tiles
 */
function take(player, tiles) {
  if (player.hand === null) {
    player.count += player.drawn === null ? 0 : 1;
    player.count -= tiles.length;
  } else {
    const hand = player.drawn === null ? player.hand : [...player.hand, player.drawn];
    for (const tile of tiles) {
      const at = hand.indexOf(tile);
      if (at >= 0) hand.splice(at, 1);
    }
    player.hand = sorted(hand);
    player.count = hand.length;
  }
  player.drawn = null;
}

/** @param {Position} position @param {number[] | null} changes @param {number[] | null} scores */
function settle(position, changes, scores) {
  position.players.forEach((player, seat) => {
    const before = player.score;
    if (changes) player.score += changes[seat];
    if (scores) player.score = scores[seat];
    player.change += player.score - before;
  });
}

/** @param {Position} position @param {GameEvent} event */
function happen(position, event) {
  const player = position.players[event[1]];
  position.last = event;
  switch (event[0]) {
    case 't':
      player.drawn = event[2] ?? '?';
      position.left -= 1;
      position.turn = event[1];
      break;
    case 'd': {
      const tile = event[2];
      // The first discard of a dealer may count as from the hand although it was drawn.
      if (event[3] && (player.hand === null || player.drawn === tile)) player.drawn = null;
      else take(player, [tile]);
      player.river.push({ tile, drawn: Boolean(event[3]), riichi: position.declaring === event[1], by: null });
      if (position.declaring === event[1]) player.riichi = 'declared';
      position.declaring = null;
      position.turn = event[1];
      break;
    }
    case 'c':
    case 'p':
    case 'k': {
      const own = tilesOf(event[4]);
      take(player, own);
      const river = position.players[event[2]].river;
      if (river.length > 0) river[river.length - 1].by = event[1];
      player.melds.push({ kind: event[0], tiles: sorted([event[3], ...own]), called: event[3], from: event[2] });
      position.turn = event[1];
      break;
    }
    case 'a': {
      const own = tilesOf(event[2]);
      take(player, own);
      player.melds.push({ kind: 'a', tiles: sorted(own), called: null, from: null });
      break;
    }
    case '+': {
      const tile = event[2];
      take(player, [tile]);
      const kind = order(tile) | 0;
      const pon = player.melds.find((meld) => meld.kind === 'p' && (order(meld.tiles[0]) | 0) === kind);
      if (pon) Object.assign(pon, { kind: '+', tiles: sorted([...pon.tiles, tile]), added: tile });
      break;
    }
    case 'n':
      take(player, ['4z']);
      player.norths += 1;
      break;
    case 'i':
      position.dora.push(event[1]);
      break;
    case 'r':
      position.declaring = event[1];
      break;
    case 'R':
      player.riichi = 'accepted';
      position.sticks += 1;
      player.score -= 1000;
      player.change -= 1000;
      if (event[2]) settle(position, null, event[2]);
      break;
    case 'w':
      position.sticks = 0;
      settle(position, event[3], event[4]);
      position.ura = tilesOf(event[5]);
      position.over = true;
      position.turn = event[1];
      break;
    case 'x':
      settle(position, event[2], event[3]);
      position.over = true;
      position.turn = null;
      break;
  }
}
