// A position, drawn and in words: tiles on a board, cards in rows.

import { drawBoard } from './board.js';
import { byId, el } from './dom.js';
import { asSeen, piecesOf } from './position.js';
import { tilePicture } from './tiles.js';
import { countWord, pointsWord, tileWord, tilesWord, windWord } from './words.js';

/** @import {Game, Meld, Player, Position} from './position.js' */

/** @type {Record<string, string>} */
const CARD_WORDS = { T: '10', J: 'jack', Q: 'queen', K: 'king', A: 'ace', x: 'small joker', X: 'big joker' };

/** A tile or a card in a line of text. @param {Game} game @param {string} piece */
export function picture({ pieces }, piece) {
  if (pieces === 'tiles') return tilePicture(piece === '??' ? '?' : piece);
  const joker = { x: 'jk', X: 'JK' }[piece];
  const kind = joker ? ' joker' : piece === '?' ? ' back' : '';
  return el('span', { class: `playing-card${kind}`, 'aria-hidden': 'true' }, joker ?? (piece === 'T' ? '10' : piece));
}

/** @param {string[]} cards */
function cardsWord(cards) {
  return cards[0] === '?' ? `${cards.length} hidden` : cards.map((card) => CARD_WORDS[card] ?? card).join(' ') || 'none';
}

/** @param {Player} player @returns {[label: string, groups: string[]][]} */
const rowsOf = ({ hand, river }) => [['hand', [hand]], ['plays', river]];

/** @param {Game} game @param {string} label @param {string[]} groups */
function rowWords(game, label, groups) {
  return `${label}: ${groups.map((group) => cardsWord(piecesOf(game, group))).join(', ') || 'nothing'}`;
}

/** @param {Game} game @param {Position} position */
function cardSeats(game, position) {
  return position.seats.map((player, seat) => {
    const rows = rowsOf(player).map(([label, groups]) =>
      el('div', { class: `row ${label}`, role: 'img', 'aria-label': rowWords(game, label, groups), 'data-row': label },
        el('span', { class: 'row-label', 'aria-hidden': 'true' }, label),
        ...groups.map((group) => el('span', { class: 'group', 'data-group': group }, ...piecesOf(game, group).map((piece) => picture(game, piece))))));
    return el('div', { class: position.latest === seat ? 'seat acted' : 'seat', role: 'group', 'aria-label': `Seat ${seat}: ${game.names[seat]}` },
      el('h3', {}, game.names[seat], el('span', {}, ` \u00b7 ${player.note}`)), ...rows);
  });
}

/** Order of kinds, plain before red. @param {string} tile */
function order([number, suit]) {
  return 'mpsz'.indexOf(suit) * 10 + (number === '0' ? 5.5 : Number(number));
}

/** @param {Game} game @param {Player} player */
function tilesOfPlayer(game, { hand, drawn, melds, river, aside, riichi }) {
  const parts = riichi ? ['in riichi'] : [];
  const tiles = piecesOf(game, hand);
  if (hand.startsWith('?')) parts.push(countWord(tiles.length + (drawn ? 1 : 0), 'concealed tile'));
  else parts.push(`hand ${tilesWord(tiles)}${drawn ? `, drawn ${tileWord(drawn)}` : ''}`);
  const meldWord = (/** @type {Meld} */ { name, from, tiles: shown }) => {
    const open = piecesOf(game, shown.replace(/[<^_]/g, '')).filter((tile) => tile !== '??').sort((one, other) => order(one) - order(other));
    return `${name} ${tilesWord(open)}${from === null ? '' : ` from ${game.names[from]}`}`;
  };
  if (melds.length > 0) parts.push(`melds ${melds.map(meldWord).join('; ')}`);
  if (aside) parts.push(`${countWord(piecesOf(game, aside).length, 'north')} set aside`);
  parts.push(river.length > 0 ? `discards ${tilesWord(river.map((discard) => discard.slice(0, 2)))}` : 'no discards');
  return parts;
}

/**
 * The position in words, a sentence for each thing.
 * @param {Game} game
 * @param {Position} position
 */
function positionWords(game, position) {
  const { round, counters, left, dora, seats } = position;
  const table = [round, counters.replaceAll(' \u00b7 ', ', '), left !== null && `${countWord(left, 'tile')} left`].filter(Boolean).join(', ');
  const indicators = dora && ` Dora indicators: ${tilesWord(piecesOf(game, dora))}.`;
  const lines = seats.map((player, seat) => {
    const { wind, score, note } = player;
    const who = `${wind === null ? '' : `${windWord(wind)}, `}${game.names[seat]}: ${score === null ? note : `${pointsWord(score)} points`}`;
    const parts = game.pieces === 'tiles' ? tilesOfPlayer(game, player) : rowsOf(player).map(([label, groups]) => rowWords(game, label, groups));
    return `${[who, ...parts].join('. ')}.`;
  });
  return table ? [`${table}.${indicators}`, ...lines] : lines;
}

/**
 * Shows a position with what has just happened.
 * @param {Game} game
 * @param {Position} position
 * @param {number} bottom the seat that is nearest
 * @param {boolean} open whether hands that are known are shown
 * @param {string} event
 */
export function showTable(game, position, bottom, open, event) {
  const seen = asSeen(game, position, open);
  const tiles = game.pieces === 'tiles';
  const board = byId('board');
  byId('board-room').hidden = !tiles;
  byId('seats').hidden = tiles;
  if (tiles) drawBoard(/** @type {SVGElement} */ (/** @type {unknown} */ (board)), game, seen, bottom);
  byId('seats').replaceChildren(...(tiles ? [] : cardSeats(game, seen)));
  board.setAttribute('aria-label', `Board. ${position.round}. ${event}`);
  byId('event').textContent = event;
  byId('words').replaceChildren(...positionWords(game, seen).map((line) => el('p', {}, line)));
}
