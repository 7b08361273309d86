// The positions of a game: each is stored as the difference from the one before.

/**
 * Two characters: number and suit (m, p, s); 0m, 0p, 0s are red fives; 1z to 7z the honours; 1f a flower; ?? is a back.
 * @typedef {string} Tile
 *
 * @typedef {{name: string, from: number | null, tiles: string}} Meld
 *
 * @typedef {{
 *   wind: number | null, score: number | null, change: number | null, note: string, hand: string, drawn: string, melds: Meld[],
 *   river: string[], bid: number | null, aside: string, riichi: '' | 'declared' | 'accepted'
 * }} Player
 *
 * @typedef {{
 *   round: string, counters: string, left: number | null, dora: string, ura: string, bottom: string, turn: number | null,
 *   latest: number | null, over: boolean, end: {title: string, about: string[], parts: [string, string][]} | null, seats: Player[]
 * }} Position
 *
 * An event in words, its kind, and its change.
 * @typedef {[words: string, sort: string, changed: any]} Step
 *
 * @typedef {{name: string, short: string, steps: Step[], shanten: [number, number][][], outcome: string}} Round
 *
 * @typedef {[words: string, pieces: string, sort: string]} Action
 *
 * @typedef {'score' | 'places-gained' | 'places-above-last' | 'points' | 'chance' | 'steps'} UnitName
 *
 * `steps` are the values in the unit of that name.
 * @typedef {{
 *   chosen?: number, values?: (number | null)[], steps?: ([steps: number, tiles: number] | null)[], reason?: string, policy: number, us?: number, safe?: string, desync?: boolean
 * }} OwnChoice
 *
 * @typedef {{chosen?: number, values?: (number | null)[], reason?: string, agrees?: boolean}} OtherChoice
 *
 * `legal` are indices of the game's actions; `errors` are the standard errors of `simulated`.
 * @typedef {{
 *   round: number, step: number, seat: number, legal: number[], done?: number, own?: OwnChoice, other?: OtherChoice,
 *   simulated?: (number | null)[], errors?: (number | null)[], unit?: UnitName, loss?: Loss
 * }} Decision
 *
 * What an action cost by the values of the policy that reviews, and why in words.
 * @typedef {{value: number, unit: UnitName, kind?: string, why?: string}} Loss
 *
 * @typedef {{
 *   title: string, pieces: 'tiles' | 'cards', names: string[], seat: number | null, facts: [string, string][], warnings: string[],
 *   policies: [words: string, unit: UnitName][], other: string | null, scores: number[][],
 *   changes: number[][], places: number[], rounds: Round[], actions: Action[], decisions: Decision[],
 *   desyncs: {round: number, step: number, kind: string}[]
 * }} Game
 */

/** Applies a change to a value. @param {any} value @param {any} changed @returns {any} */
function put(value, changed) {
  if (changed === null || typeof changed !== 'object') return changed;
  if (Array.isArray(changed)) return changed.map((part) => put(undefined, part));
  const whole = value ?? {};
  for (const [name, part] of Object.entries(changed)) whole[name] = put(whole[name], part);
  return whole;
}

/**
 * @param {Round} round
 * @param {number} step
 * @returns {Position}
 */
export function positionAt(round, step) {
  return round.steps.slice(0, step + 1).reduce((position, [, , changed]) => put(position, changed), /** @type {any} */ ({}));
}

/** The pieces in a text of concatenated codes. @param {Game} game @param {string} text */
export function piecesOf({ pieces }, text) {
  return text.match(pieces === 'tiles' ? /../gu : /./gu) ?? [];
}

/**
 * A position with hidden hands replaced by backs.
 * @param {Game} game
 * @param {Position} position
 * @param {boolean} open
 * @returns {Position}
 */
export function asSeen(game, position, open) {
  const seats = position.seats.map((player, seat) => (open || seat === game.seat ? player
    : { ...player, hand: '?'.repeat(player.hand.length), drawn: '?'.repeat(player.drawn.length) }));
  return { ...position, seats };
}

/** Whether there are hands to reveal besides the hand of the page's seat. @param {Game} game */
export function canOpen(game) {
  return game.rounds.some((round) => positionAt(round, 0).seats.some(({ hand }, seat) => seat !== game.seat && !hand.startsWith('?')));
}
