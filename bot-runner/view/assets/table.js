// A position, drawn and in words.

import { drawCardBoard } from './board-cards.js';
import { drawTileBoard } from './board-tiles.js';
import { cardPicture } from './cards.js';
import { byId, el, write } from './dom.js';
import { translated } from './languages.js';
import { asSeen, piecesOf } from './position.js';
import { tilePicture } from './tiles.js';
import { countWord, pointsWord, tileWord, tilesWord, windWord } from './words.js';

/** @import {Game, Meld, Player, Position} from './position.js' */

/** @type {Record<string, string>} */
const CARD_WORDS = { T: '10', J: 'jack', Q: 'queen', K: 'king', A: 'ace', x: 'small joker', X: 'big joker' };

/** A tile or a card in a line of text. @param {Game} game @param {string} piece */
export function picture({ pieces }, piece) {
  return pieces === 'tiles' ? tilePicture(piece === '??' ? '?' : piece) : cardPicture(piece);
}

/** A tile or a card in words. @param {string} piece */
export function pieceWord(piece) {
  return piece.length === 1 ? CARD_WORDS[piece] ?? piece : piece[1] === 'f' ? 'flower' : tileWord(piece);
}

/** @param {string[]} cards */
function cardsWord(cards) {
  return cards[0] === '?' ? `${cards.length} hidden` : cards.map((card) => CARD_WORDS[card] ?? card).join(' ') || 'none';
}

/** @param {Game} game @param {Player} player */
function cardsOfPlayer(game, { hand, bid, river }) {
  const plays = river.map((play) => (play ? cardsWord(piecesOf(game, play)) : 'pass')).join(', ');
  const said = bid === null ? [] : [bid === 0 ? 'no bid' : `bid ${bid}`];
  return [...said, `hand: ${cardsWord(piecesOf(game, hand))}`, `plays: ${plays || 'nothing'}`];
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
  if (aside) parts.push(`${countWord(piecesOf(game, aside).length, aside.startsWith('1f') ? 'flower' : 'north')} set aside`);
  parts.push(river.length > 0 ? `discards ${tilesWord(river.map((discard) => discard.slice(0, 2)))}` : 'no discards');
  return parts;
}

/**
 * The position in words, a sentence for each thing.
 * @param {Game} game
 * @param {Position} position
 */
function positionWords(game, position) {
  const { round, counters, left, dora, bottom, seats } = position;
  const table = [round, counters.replaceAll(' \u00b7 ', ', '), left !== null && `${countWord(left, 'tile')} left`].filter(Boolean).join(', ');
  const indicators = dora && ` Dora indicators: ${tilesWord(piecesOf(game, dora))}.`;
  const under = bottom && ` Bottom cards: ${cardsWord(piecesOf(game, bottom))}.`;
  const lines = seats.map((player, seat) => {
    const { wind, score, note } = player;
    const who = `${wind === null ? '' : `${windWord(wind)}, `}${game.names[seat]}: ${score === null ? note : `${pointsWord(score)} points`}`;
    const parts = game.pieces === 'tiles' ? tilesOfPlayer(game, player) : cardsOfPlayer(game, player);
    return `${[who, ...parts].join('. ')}.`;
  });
  return table ? [`${table}.${indicators}${under}`, ...lines] : lines;
}

/**
 * Shows a position with the latest event.
 * @param {Game} game
 * @param {Position} position
 * @param {number} bottom the seat that is nearest
 * @param {boolean} open whether hands that are known are shown
 * @param {string} event
 */
export function showTable(game, position, bottom, open, event) {
  const seen = asSeen(game, position, open);
  /** @type {SVGSVGElement} */
  const board = byId('board');
  (game.pieces === 'cards' ? drawCardBoard : drawTileBoard)(board, game, seen, bottom);
  const { width, height } = board.viewBox.baseVal;
  board.style.setProperty('--shape', String(width / height));
  board.setAttribute('aria-label', translated(`Board. ${position.round}. ${event}`));
  write(byId('event'), event);
  byId('words').replaceChildren(...positionWords(game, seen).map((line) => el('p', {}, line)));
}
