// The page of a person's seat. It draws what the runner sends, and offers the actions that the runner lists.

import { cardSymbols } from './cards.js';
import { byId, el, write } from './dom.js';
import { listen, settings } from './feed.js';
import { translateDocument } from './languages.js';
import { piecesOf, positionAt } from './position.js';
import { picture, pieceWord, showTable } from './table.js';
import { tileSymbols } from './tiles.js';
import { actionWord, lossWord, whyParts } from './why.js';
import { changeWord, countWord, pointsWord } from './words.js';

/** @import {Game, Loss, Position} from './position.js' */

/**
 * A legal action. It is behind the button `call`, or is a tile of the hand, or both: first the button, then the tile. In a
 * game of cards, a play without a button is the cards in `pieces`. `waits` are those after a discard.
 * @typedef {{
 *   words: string, call: string, pieces: string, tile: string, drawn: boolean | null, waits: string, is_safe: boolean
 * }} Offered
 * @typedef {{number: number, left_ms: number, limit_ms: number, actions: Offered[], is_furiten: boolean}} Question
 * What the adviser says: `page` has the decision of the question of that number.
 * @typedef {{
 *   adviser: string, ended: string | null, question: number | null, page: Game | null, trouble: string | null
 * }} Advice
 * @typedef {{moment: string, done: string, advised: string, reason: string, loss: Pick<Loss, 'value' | 'unit'> | null}} Difference
 * The person's decisions in a round. @typedef {{made: number, compared: number, differences: Difference[]}} Compared
 * How to play the same games again: the command line without the seat, and the seat that was asked for.
 * @typedef {{command: string, games: number, seat: number | null}} Again
 * A player's result in the person's seat; `place` in a game of places, `losses` by the adviser, a sum for each unit.
 * @typedef {{
 *   name: string, policy: string | null, place: number | null, score: number, losses: Pick<Loss, 'value' | 'unit'>[] | null
 * }} SameWallRow
 * A game that has ended, of so many: the person, then the bots on the same wall.
 * @typedef {{game: number, games: number, rows: SameWallRow[]}} SameWall
 * A piece of the hand. @typedef {{code: string, drawn: boolean}} Piece
 */

/** How long the end of a round stays, unless the person goes on. */
const END_SHOWN_MS = 12_000;
/** The time left at which the end of a round stays no longer. */
const SHORT_MS = 10_000;

const seat = {
  /** @type {Game | null} */ game: null,
  /** @type {Position | null} */ position: null,
  /** @type {Question | null} */ question: null,
  /** When the time of the question is over. */ until: 0,
  /** The pressed button whose tile is still to be chosen. */ pressed: '',
  /** The selected cards, by their places. @type {Set<number>} */ selected: new Set(),
  /** The last suggested combination. */ hint: -1,
  /** Whether the answer is on its way. */ isSending: false,
  /** Rounds that came while the end of one is shown. @type {Game | null} */ next: null,
  /** Until when the end of a round is shown. */ endUntil: 0,
  isOver: false,
  /** Whether the seat is given back. */ hasLeft: false,
  /** @type {Advice | null} */ advice: null,
  /** @type {Compared[]} */ compared: [],
  /** The question whose hint was asked for. */ wanted: 0,
  /** @type {Again | null} */ again: null,
};

/** The actions behind one button have this in common. @param {Offered} action */
const buttonOf = (action) => `${action.call} ${action.pieces}`;

/** @returns {Piece[]} */
function hand() {
  const { game, position } = seat;
  if (!game || !position || game.seat === null) return [];
  const own = position.seats[game.seat];
  const pieces = piecesOf(game, own.hand).map((code) => ({ code, drawn: false }));
  return own.drawn ? [...pieces, { code: own.drawn, drawn: true }] : pieces;
}

const isCards = () => seat.game?.pieces === 'cards';
/** The actions of the question, with their places. @returns {[Offered, number][]} */
const actions = () => (seat.question && !seat.isSending ? seat.question.actions.map((action, place) => [action, place]) : []);

/** The place of the action that this tile of the hand is now. @param {Piece} piece */
function actionOf({ code, drawn }) {
  if (seat.endUntil > 0) return null;
  const found = actions().find(([action]) => action.tile === code && (action.drawn === null || action.drawn === drawn)
    && (seat.pressed === '' ? action.call === '' : buttonOf(action) === seat.pressed));
  return found ? found[1] : null;
}

/** Cards in an order of their own. @param {string[]} cards */
const sorted = (cards) => [...cards].sort().join('');

/** The place of the play of the selected cards. */
function playOf() {
  const pieces = hand();
  const cards = sorted([...seat.selected].map((place) => pieces[place]?.code ?? ''));
  const found = cards === '' ? undefined : actions().find(([action]) => action.call === '' && sorted([...action.pieces]) === cards);
  return found ? found[1] : null;
}

/** The legal plays of cards. */
const plays = () => actions().filter(([action]) => action.call === '' && action.tile === '');

/** @param {number} action */
async function answer(action) {
  const { question } = seat;
  if (!question || seat.isSending) return;
  seat.isSending = true;
  draw();
  byId('refused').hidden = true;
  let isTaken = false;
  try {
    const sent = await post('/seat/answer', { question: question.number, action });
    isTaken = sent.ok;
    if (!isTaken) refuse((await sent.text()).trim());
  } catch {
    refuse('The answer could not be sent; try again.');
  }
  // A question that was answered stays closed until the events say what comes next.
  if (!isTaken && seat.question === question) seat.isSending = false;
  draw();
}

/** @param {string} words */
function refuse(words) {
  write(byId('refused'), words);
  byId('refused').hidden = false;
}

/** @param {string} address @param {object} body */
function post(address, body) {
  return fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

/** Chooses a piece of the hand. @param {number} place */
function choose(place) {
  if (isCards()) {
    if (!seat.question || seat.endUntil > 0) return;
    if (!seat.selected.delete(place)) seat.selected.add(place);
    draw();
    return;
  }
  const piece = hand()[place];
  const action = piece ? actionOf(piece) : null;
  if (action !== null) answer(action);
}

/** Selects the next combination that can be played. */
function suggest() {
  const all = plays();
  if (all.length === 0 || seat.endUntil > 0) return;
  seat.hint = (seat.hint + 1) % all.length;
  const wanted = [...all[seat.hint][0].pieces];
  seat.selected.clear();
  hand().forEach(({ code }, place) => {
    const at = wanted.indexOf(code);
    if (at < 0) return;
    wanted.splice(at, 1);
    seat.selected.add(place);
  });
  draw();
}

/** @param {string} key @param {string} words @param {() => void} act @param {{pieces?: string, on?: boolean | null, off?: boolean, main?: boolean, label?: string}} [how] */
function button(key, words, act, { pieces = '', on = null, off = false, main = false, label } = {}) {
  const { game } = seat;
  const shown = game && pieces ? el('span', { class: 'tiles' }, ...piecesOf(game, pieces).map((piece) => picture(game, piece))) : null;
  const made = el('button', {
    type: 'button', 'data-key': key, class: main && 'main', disabled: off, 'aria-pressed': on === null ? null : String(on), 'aria-label': label ?? words,
  }, words, shown);
  made.addEventListener('click', act);
  return made;
}

function callButtons() {
  if (seat.endUntil > 0) return [button('continue', seat.isOver ? 'Look at the table' : 'Continue', goOn, { main: true })];
  const made = [];
  const known = new Set();
  for (const [action, place] of actions()) {
    const key = buttonOf(action);
    if (action.call === '' || known.has(key)) continue;
    known.add(key);
    const { call, pieces, tile, words } = action;
    if (tile === '') {
      made.push(button(key, call, () => answer(place), { pieces, label: words, main: call === 'Win' }));
      continue;
    }
    const press = () => {
      seat.pressed = seat.pressed === key ? '' : key;
      draw();
    };
    const with_ = pieces && seat.game ? `, ${piecesOf(seat.game, pieces).map((piece) => pieceWord(piece)).join(', ')}` : '';
    made.push(button(key, call, press, { pieces, on: seat.pressed === key, label: `${call}${with_}; then choose a tile to discard` }));
  }
  if (plays().length > 0) {
    const play = playOf();
    made.unshift(button('play', 'Play', () => { if (play !== null) answer(play); }, { off: play === null, main: true }));
    made.push(button('hint', 'Next combination', suggest));
  }
  return made;
}

/** The advice on the open question, if it is there and wanted. */
function advice() {
  const { advice: said, question } = seat;
  if (!said || !question || seat.endUntil > 0) return null;
  if (!isOn('show-advice') && seat.wanted !== question.number) return null;
  return said.question === question.number ? said : { ...said, question: question.number, page: null, trouble: null };
}

/** The place of the advised action, if it is shown. */
const advised = () => advice()?.page?.decisions[0].own?.chosen ?? null;

/** Shows the hint for the open question, or hides it. */
function hint() {
  const { question } = seat;
  if (!seat.advice || !question || isOn('show-advice')) return;
  seat.wanted = seat.wanted === question.number ? 0 : question.number;
  draw();
}

/** @param {Advice} said */
function hintWords({ adviser, ended, page, trouble }) {
  if (page) return `${adviser}: ${actionWord(page, page.decisions[0], page.decisions[0].own?.chosen)}`;
  const none = trouble ?? ended;
  return none === null ? `${adviser} is thinking.` : `${adviser} has no hint: ${none}`;
}

function drawAdvice() {
  const known = seat.advice;
  byId('adviser').hidden = known === null;
  document.body.classList.toggle('has-adviser', known !== null);
  byId('hint-room').hidden = known === null || !seat.question || seat.isSending || seat.endUntil > 0;
  if (!known) return;
  const said = advice();
  const words = said ? hintWords(said) : '';
  write(byId('hint-words'), words);
  byId('hint').setAttribute('aria-pressed', String(said !== null));
  byId('hint').hidden = isOn('show-advice');
  write(byId('adviser-words'), known.ended === null ? known.adviser : `${known.adviser} says nothing more: ${known.ended}`);
  byId('advice').replaceChildren(...(said?.page ? whyParts(said.page, said.page.decisions[0], '') : []));
}

/** The costs of differences in words: a sum for each unit. @param {Difference[]} differences */
function costWords(differences) {
  /** @type {Map<Loss['unit'], number>} */
  const sums = new Map();
  for (const { loss } of differences) if (loss) sums.set(loss.unit, (sums.get(loss.unit) ?? 0) + (loss.value ?? 0));
  return [...sums].map(([unit, value]) => lossWord({ value, unit })).join(' and ');
}

/** Where the person and the adviser differed, the newest round first. */
function drawCompared() {
  const rounds = [...seat.compared].reverse();
  const all = rounds.flatMap(({ differences }) => differences);
  const sum = (/** @type {(round: Compared) => number} */ of) => rounds.reduce((total, round) => total + of(round), 0);
  const compared = sum((round) => round.compared);
  const made = sum((round) => round.made);
  const cost = costWords(all);
  write(byId('compared-title'), `You and the adviser differ in ${all.length} of ${countWord(compared, 'decision')}`);
  const facts = [cost && `By the adviser's values that cost ${cost}.`, made > compared && `It has not said anything of ${countWord(made - compared, 'more decision')}.`];
  const tables = rounds.filter(({ differences }) => differences.length > 0).map(({ differences }, place) => el('table', {},
    el('caption', { class: 'unseen' }, place === 0 ? 'The last round' : 'A round before'),
    el('thead', {}, el('tr', {}, ...['decision', 'you', 'adviser', 'cost'].map((head) => el('th', { scope: 'col' }, head)))),
    el('tbody', {}, ...differences.map(({ moment, done, advised: own, reason, loss }) => el('tr', { title: reason },
      el('td', {}, moment), el('td', {}, done), el('td', {}, own), el('td', {}, loss ? lossWord(loss) : ''))))));
  byId('compared').replaceChildren(...facts.filter(Boolean).map((words) => el('p', {}, /** @type {string} */ (words))), ...tables);
}

/** Opens the differences at the end of a round that has some. */
function openCompared() {
  if (seat.compared.at(-1)?.differences.length) /** @type {HTMLDetailsElement} */ (byId('compared-room')).open = true;
}

/** What the bots made of the person's last wall. @param {SameWall} wall */
function drawSameWall({ game, games, rows }) {
  const dealt = isCards() ? 'deal' : 'wall';
  byId('same-wall').hidden = false;
  write(byId('same-wall-title'), games === 1 ? `The same ${dealt}` : `The ${dealt} of game ${game}`);
  const hasPlaces = rows.some(({ place }) => place !== null);
  const hasLosses = rows.some(({ losses }) => losses !== null);
  const heads = ['player', ...(hasPlaces ? ['place'] : []), 'points', ...(hasLosses ? ['cost'] : [])];
  byId('same-wall-room').replaceChildren(el('table', {},
    el('caption', { class: 'unseen' }, 'Results in your seat'),
    el('thead', {}, el('tr', {}, ...heads.map((head) => el('th', { scope: 'col' }, head)))),
    el('tbody', {}, ...rows.map(({ name, policy, place, score, losses }) => el('tr', {},
      el('th', { scope: 'row' }, el('span', { translate: 'no' }, name),
        policy === null ? el('div', {}, 'you') : el('div', { translate: 'no' }, policy)),
      place === null ? null : el('td', { class: 'number' }, String(place)),
      el('td', { class: 'number' }, hasPlaces ? pointsWord(score) : changeWord(score)),
      hasLosses && el('td', {}, losses === null ? '' : losses.map(lossWord).join(' and ')))))),
  ...(hasLosses ? [el('p', {}, 'The cost is that of the decisions, by the values of the adviser.')] : []));
}

/** The command line that plays the same walls again, from the chosen seat. */
function drawCommand() {
  const { again } = seat;
  if (!again) return;
  const chosen = /** @type {HTMLSelectElement} */ (byId('again-seat')).value;
  byId('again-command').textContent = chosen === '' ? again.command : `${again.command} --seat ${chosen}`;
}

/** Offers to play the same walls again, when the games are over. */
function offerAgain() {
  const { again, game } = seat;
  byId('again').hidden = !again || !game;
  if (!again || !game) return;
  const dealt = isCards() ? 'deal' : 'wall';
  write(byId('again-title'), again.games === 1 ? `Play this ${dealt} again` : `Play these ${again.games} ${dealt}s again`);
  const others = game.names.map((_, other) => String(other)).filter((other) => other !== String(again.seat ?? (again.games === 1 ? game.seat : null)));
  byId('again-seat').replaceChildren(
    el('option', { value: again.seat ?? '' }, 'the same seat'),
    ...others.map((other) => el('option', { value: other }, again.games === 1 ? `seat ${other}` : `seat ${other} in the first game`)));
  drawCommand();
}

async function copyCommand() {
  const command = byId('again-command');
  try {
    await navigator.clipboard.writeText(command.textContent ?? '');
    write(byId('again-copied'), 'Copied.');
  } catch {
    // A page without encryption on another machine may not copy: the text is selected instead.
    getSelection()?.selectAllChildren(command);
    write(byId('again-copied'), 'Selected; copy it with the browser.');
  }
}

/** Whether an option is on. @param {string} id */
const isOn = (id) => /** @type {HTMLInputElement} */ (byId(id)).checked;

/** The answer that the options give, if they give one. */
function automatic() {
  const all = actions();
  const win = all.find(([{ call }]) => call === 'Win');
  if (win) return isOn('auto-win') ? win[1] : null;
  const pass = all.every(([{ call }]) => call !== '') ? all.find(([{ call }]) => call === 'Pass') : undefined;
  return pass && isOn('auto-pass') ? pass[1] : null;
}

/** What the hand waits on after each discard that leaves it in tenpai. @param {Game} game */
function waitLines(game) {
  /** @type {Map<string, string>} */
  const waits = new Map();
  for (const [action] of actions()) if (action.waits && action.tile) waits.set(action.tile, action.waits);
  const lines = [...waits].map(([tile, on]) => el('p', {}, 'Without',
    el('span', { class: 'tiles' }, picture(game, tile)), 'it waits on',
    el('span', { class: 'tiles' }, ...piecesOf(game, on).map((piece) => picture(game, piece))),
    el('span', { class: 'unseen' }, `${pieceWord(tile)}: ${piecesOf(game, on).map((piece) => pieceWord(piece)).join(', ')}`)));
  return seat.question?.is_furiten ? [el('p', {}, 'You are in furiten: you can win only by self-draw.'), ...lines] : lines;
}

/** What is asked, in words. */
function askWords() {
  if (seat.endUntil > 0) return seat.position?.end?.title ?? 'The round is over.';
  if (seat.hasLeft) return 'The seat is given back: its policy decides again.';
  if (seat.isOver) return 'The game is over.';
  if (!seat.game) return 'Waiting for the deal.';
  if (!seat.question || seat.isSending) return 'The others play.';
  if (isCards()) return seat.question.actions.some(({ call }) => call.startsWith('Bid')) ? 'Your bid.' : 'Your turn: play cards, or pass.';
  if (seat.pressed !== '') return 'Choose the tile to discard.';
  const discards = seat.question.actions.some(({ call }) => call === '');
  const calls = seat.question.actions.some(({ call }) => call !== '' && call !== 'Pass');
  if (!discards) return 'You may call.';
  return calls ? 'Your turn: discard, or choose an action.' : 'Your turn: discard a tile.';
}

/** Replaces the children, and keeps the focus where it was. @param {HTMLElement} room @param {HTMLElement[]} children */
function refill(room, children) {
  const places = [...room.children];
  const focused = places.indexOf(/** @type {Element} */ (document.activeElement));
  room.replaceChildren(...children);
  if (focused >= 0) children[Math.min(focused, children.length - 1)]?.focus();
}

function draw() {
  const { game, position } = seat;
  if (game && position && game.seat !== null) {
    showTable(game, position, game.seat, false, game.rounds[0].steps[0][0]);
  }
  const words = askWords();
  write(byId('ask'), words);
  refill(byId('calls'), callButtons());
  drawAdvice();
  const hinted = advised();
  const hintedAction = hinted === null ? undefined : seat.question?.actions[hinted];
  if (hintedAction?.call) byId('calls').querySelector(`[data-key="${CSS.escape(buttonOf(hintedAction))}"]`)?.classList.add('advised');
  const pieces = hand();
  const isAsked = actions().length > 0 && seat.endUntil === 0;
  byId('waits').replaceChildren(...(game && isOn('show-waits') ? waitLines(game) : []));
  const room = byId('hand');
  room.classList.toggle('cards', isCards());
  room.classList.toggle('asked', isAsked && !isCards());
  refill(room, pieces.map((piece, place) => {
    const action = isCards() ? null : actionOf(piece);
    const can = isCards() ? isAsked : action !== null;
    const safe = action !== null && isOn('show-safe') && seat.question?.actions[action].is_safe;
    const isAdvised = hintedAction !== undefined && action !== null && action === hinted;
    const made = el('button', {
      type: 'button', 'data-place': place, 'data-tile': piece.code, 'aria-disabled': String(!can),
      class: `${piece.drawn ? 'just-drawn ' : ''}${can && !isCards() && seat.pressed ? 'choice ' : ''}${safe ? 'safe ' : ''}${isAdvised ? 'advised' : ''}`,
      'aria-pressed': isCards() ? String(seat.selected.has(place)) : null,
      'aria-label': `${pieceWord(piece.code)}${piece.drawn ? ', just drawn' : ''}${safe ? ', safe' : ''}${isAdvised ? ', advised' : ''}`,
    }, game && picture(game, piece.code));
    made.addEventListener('click', () => choose(place));
    return made;
  }));
  document.querySelectorAll('#board .own .hand use').forEach((tile, place) => {
    const piece = pieces[place];
    if (piece && !isCards() && actionOf(piece) !== null) tile.classList.add('choice');
  });
  tick();
}

/** The time, by the runner's clock. */
function tick() {
  const { question } = seat;
  const left = seat.until - performance.now();
  const isShown = question !== null && !seat.isSending;
  byId('time-room').hidden = !isShown;
  document.body.classList.toggle('riichi', seat.position?.seats.some(({ score }) => score !== null) ?? false);
  if (isShown) {
    const bar = /** @type {HTMLProgressElement} */ (byId('time'));
    bar.value = Math.max(0, left / question.limit_ms);
    bar.classList.toggle('short', left < SHORT_MS);
    write(byId('time-words'), `${Math.max(0, Math.ceil(left / 1000))} s`);
  }
  if (seat.endUntil > 0 && !seat.isOver && (performance.now() > seat.endUntil || (isShown && left < SHORT_MS))) goOn();
}

/** Shows the round that has begun meanwhile. */
function goOn() {
  seat.endUntil = 0;
  if (seat.next) show(seat.next);
  else draw();
}

/** @param {Game} game */
function show(game) {
  const position = positionAt(game.rounds[0], 0);
  seat.next = null;
  seat.game = game;
  seat.position = position;
  if (position.end) {
    seat.endUntil = performance.now() + END_SHOWN_MS;
    openCompared();
  }
  draw();
}

/** @param {Game | null} game */
function showRound(game) {
  if (!game) return;
  if (seat.endUntil > 0) seat.next = game;
  else show(game);
}

/** @param {Question | null} question */
function showQuestion(question) {
  seat.question = question;
  seat.until = performance.now() + (question?.left_ms ?? 0);
  seat.isSending = false;
  seat.pressed = '';
  seat.hint = -1;
  seat.selected.clear();
  proceed();
}

/** Answers as the options say, or asks. */
function proceed() {
  const action = automatic();
  if (action === null) draw();
  else answer(action);
}

/** @param {KeyboardEvent} event */
function key(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const on = event.target instanceof HTMLElement ? event.target : document.body;
  if (on.matches('select, input:not([type="checkbox"])')) return;
  const buttons = /** @type {HTMLButtonElement[]} */ ([...byId('calls').children]);
  const tiles = /** @type {HTMLButtonElement[]} */ ([...byId('hand').children]);
  const move = (/** @type {number} */ by) => {
    const at = tiles.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const next = at < 0 ? (by > 0 ? 0 : tiles.length - 1) : (at + by + tiles.length) % tiles.length;
    tiles[next]?.focus();
  };
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowLeft: () => move(-1),
    ArrowRight: () => move(1),
    d: () => { if (hand().at(-1)?.drawn) choose(hand().length - 1); },
    p: () => buttons.find((made) => made.dataset.key?.startsWith('Pass '))?.click(),
    h: suggest,
    a: hint,
    Escape: () => {
      seat.pressed = '';
      seat.selected.clear();
      draw();
    },
  };
  const act = /^[1-9]$/.test(event.key) ? () => buttons[Number(event.key) - 1]?.click() : keys[event.key];
  if (!act) return;
  act();
  event.preventDefault();
}

/** Gives the seat of a bot back to its policy. */
async function giveBack() {
  const given = await post('/seat/give-back', {});
  if (!given.ok) refuse((await given.text()).trim());
}

/** Takes the seat with the token of the link, or goes on at it. */
async function sit() {
  const token = location.hash.slice(1);
  const taken = await post('/seat/take', { token });
  if (!taken.ok) {
    write(byId('ask'), 'This is not your seat.');
    byId('connection').textContent = '';
    refuse((await taken.text()).trim());
    return;
  }
  // The token is used, and should not stay in the history.
  history.replaceState(null, '', location.pathname);
  write(byId('ask'), 'Waiting for the deal.');
  listen('/seat/events', {
    round: showRound,
    question: showQuestion,
    again: (/** @type {Again} */ again) => { seat.again = again; },
    advice: (/** @type {Advice} */ said) => {
      seat.advice = said;
      draw();
    },
    compared: (/** @type {Compared[]} */ rounds) => {
      seat.compared = rounds;
      drawCompared();
      if (seat.endUntil > 0 || seat.isOver) openCompared();
    },
    same_wall: drawSameWall,
    lent: (/** @type {{bot: string}} */ { bot }) => {
      byId('lent').hidden = false;
      write(byId('lent-words'), `You play in place of the policy of ${bot}.`);
    },
    left: () => {
      seat.hasLeft = true;
      seat.question = null;
      byId('lent').hidden = true;
      draw();
    },
    over: () => {
      seat.isOver = true;
      openCompared();
      offerAgain();
      seat.question = null;
      draw();
    },
  }, []);
}

write(byId('title'), 'Your seat');
document.title = 'Your seat';
byId('symbols').append(tileSymbols(), cardSymbols());
translateDocument();
byId('open-room').hidden = true;
settings();
byId('board').addEventListener('click', (event) => {
  const tiles = [...document.querySelectorAll('#board .own .hand use')];
  const place = tiles.indexOf(/** @type {Element} */ (event.target));
  if (place >= 0) choose(place);
});
byId('hint').addEventListener('click', hint);
byId('give-back').addEventListener('click', giveBack);
byId('again-seat').addEventListener('change', drawCommand);
byId('again-copy').addEventListener('click', copyCommand);
byId('show-advice').addEventListener('change', draw);
for (const option of ['auto-win', 'auto-pass', 'show-waits', 'show-safe']) byId(option).addEventListener('change', proceed);
document.addEventListener('keydown', key);
setInterval(tick, 250);
sit().catch(() => refuse('The runner cannot be reached; load the page again.'));
