// A real Chromium, and what it is shown.

import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const target = process.env.CARGO_TARGET_DIR ?? path.join(root, 'target');
/** The folder of the packages from `.ci/pages`. */
const packages = createRequire(path.join(target, 'page-tools/'));
const { chromium } = packages('playwright-core');
const axe = fs.readFileSync(packages.resolve('axe-core/axe.min.js'), 'utf8');

export const runner = process.env.BOT_RUNNER ?? path.join(target, 'release/bot-runner');
/** Games with the library's tables. */
export const positions = path.join(target, 'page-positions');
/** Maximum time for a step of a browser, milliseconds: beside the gate's other parts it may wait long for CPU time. */
const PATIENCE = 120_000;
/** The folder for pictures. */
export const shots = path.join(target, 'page-shots');
fs.mkdirSync(shots, { recursive: true });
/** The folder for the tests' files. */
export const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'page-tests-'));

/** Runs the program to its end, which must succeed. */
export function run(...args) {
  const done = spawnSync(runner, args, { encoding: 'utf8', cwd: folder });
  if (done.status !== 0) throw new Error(`bot-runner ${args.join(' ')}: ${done.error ?? done.stderr}`);
  return done.stdout;
}

/** The processes still running. */
const children = new Set();

/** Starts the program and waits for a matching line of its output; `stop` ends it, `ended` resolves when it has ended. */
export async function start(pattern, ...args) {
  const child = spawn(runner, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  const ended = new Promise((resolve) => { child.on('exit', (code) => { children.delete(child); resolve(code); }); });
  let text = '';
  const found = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`bot-runner ${args.join(' ')} ended with ${code}: ${text}`)));
    child.stdout.on('data', (data) => {
      text += data;
      const fits = text.match(pattern);
      if (fits) resolve(fits);
    });
  });
  return { found, ended, stop: () => { child.kill('SIGINT'); return ended; } };
}

const POLICIES = ['defensive-fold', 'weighted-shape', 'eight-step', 'greedy-tenpai'];
const NAMES = ['kuma', 'tora', 'shika', 'usagi'];

/** A bot's config. */
export function config(index, more = '') {
  const file = path.join(folder, `${NAMES[index]}.toml`);
  fs.writeFileSync(file, `name = "${NAMES[index]}"\n${more}[policy]\nid = "${POLICIES[index]}"\nlibrary = "builtin"\n`);
  return file;
}

/** The page of a game of this kind in which one bot plays a policy, with its records. */
export function stepped(game, policy, seed) {
  const bot = path.join(folder, `${game}.toml`);
  fs.writeFileSync(bot, `name = "kuma"\n[policy]\nid = "${policy}"\nlibrary = "builtin"\n`);
  const records = path.join(folder, game);
  run('play', bot, '--game', game, '--seed', String(seed), '--record', records);
  const decisions = fs.readFileSync(path.join(records, 'decisions/game-0001.jsonl'), 'utf8').trim().split('\n');
  return { file: viewed(path.join(records, 'game-0001.jsonl')), records, decisions: decisions.map((line) => JSON.parse(line)) };
}

/** Two different names, and others that are equal in their first 40 letters. */
export const LONG_NAMES = ['kuma', '\u718a\u732b\u6253\u9ebb\u5c06\u6a5f\u5668\u4eba\u718a\u732b\u6253\u9ebb\u5c06\u6a5f\u5668\u4eba\u718a\u732b\u6253\u9ebb\u5c06-3',
  'the-beginning-of-a-long-name-that-bots-share-WWWWWW-1', 'the-beginning-of-a-long-name-that-bots-share-WWWWWW-2'];

/** A copy of a record whose seats have other names. */
export function renamed(record, names) {
  const [first, ...lines] = fs.readFileSync(record, 'utf8').split('\n');
  const start = JSON.parse(first);
  const file = path.join(folder, `renamed-${Math.random().toString(36).slice(2)}.jsonl`);
  fs.writeFileSync(file, [JSON.stringify({ ...start, names: names.slice(0, start.names.length) }), ...lines].join('\n'));
  return file;
}

/** A game played here, with its decisions. */
export function played(players, seed) {
  const record = path.join(folder, `games-${players}-${seed}`);
  const bots = NAMES.slice(0, players).map((_, index) => config(index));
  run('play', ...bots, '--players', String(players), '--seed', String(seed), '--record', record);
  const game = path.join(record, 'game-0001.jsonl');
  const lines = fs.readFileSync(path.join(record, 'decisions/game-0001.jsonl'), 'utf8').trim().split('\n');
  return { game, names: JSON.parse(fs.readFileSync(game, 'utf8').split('\n')[0]).names, decisions: lines.map((line) => JSON.parse(line)) };
}

/** The page of a record. */
export function viewed(record, ...more) {
  const out = path.join(folder, `page-${Math.random().toString(36).slice(2)}.html`);
  run('view', record, '--out', out, ...more);
  return out;
}

/** The shared browser, started on demand. */
let browser = null;

/** A window; `faults` collects its messages, and its requests other than for its own file or, with `own`, to its own server. */
export async function open(address, { own = false, ...options } = {}) {
  browser ??= chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell', timeout: PATIENCE });
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const url = /^http:/.test(address) ? address : pathToFileURL(address.split('#')[0]).href + (address.match(/#.*/)?.[0] ?? '');
  const faults = [];
  page.on('console', (message) => faults.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`error: ${error.stack}`));
  page.on('request', (request) => {
    const asked = request.url();
    const isOwn = own ? new URL(asked).origin === new URL(url).origin || asked === 'data:,' : asked.split('#')[0] === url.split('#')[0];
    if (!isOwn) faults.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  return { page, faults, close: () => context.close() };
}

export async function closeAll() {
  for (const child of children) child.kill('SIGKILL');
  await (await browser)?.close();
  fs.rmSync(folder, { recursive: true, force: true });
}

/** The problems that axe finds. */
export async function violations(page) {
  await page.evaluate(axe);
  const { violations: found } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'] }));
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html.slice(0, 200)} ${node.failureSummary}`).join('\n')}`);
}

/** Elements wider than their container, or than the window; names hide their middle. */
export function cutAway(page) {
  return page.evaluate(() => [...document.querySelectorAll('body *')]
    .filter((element) => element instanceof HTMLElement && element.checkVisibility() && !element.closest('.unseen, svg'))
    .filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      const scrolls = element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== 'visible';
      return width > 0 && (left < -1 || right > window.innerWidth + 1 || (scrolls && !element.matches('.name-start')));
    })
    .map((element) => `${element.localName}#${element.id}.${element.className}`));
}

/** Parts of the board that lie on parts of others, or outside of the board. Runs in the page. */
export function overlaps() {
  const board = document.getElementById('board');
  const around = board.getBoundingClientRect();
  // Strips lie on the middle of a board of tiles, and a result over both.
  const layers = ['strip', 'middle-back', 'end-back'];
  const groups = ['hand', 'melds', 'norths', 'flowers', 'river', 'bottom-cards', ...layers]
    .flatMap((kind) => [...board.querySelectorAll(`.${kind}`)].map((group) => ({ group, name: `${kind} ${group.dataset.seat ?? ''}`, isLayer: layers.includes(kind), box: group.getBoundingClientRect() })))
    .filter(({ box }) => box.width > 0);
  const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  const pieces = ({ group, isLayer, box }) => (isLayer ? [box] : [...group.querySelectorAll('use, .said-back')].map((part) => part.getBoundingClientRect()));
  const found = [];
  groups.forEach((one, index) => {
    const { left, right, top, bottom } = one.box;
    if (left < around.left - 1 || right > around.right + 1 || top < around.top - 1 || bottom > around.bottom + 1) found.push(`${one.name} is outside`);
    for (const other of groups.slice(index + 1)) {
      if ((one.isLayer && other.isLayer) || !meet(one.box, other.box)) continue;
      const others = pieces(other);
      if (pieces(one).some((box) => others.some((of) => meet(box, of)))) found.push(`${one.name} on ${other.name}`);
    }
  });
  return found;
}

/** The round and the decision that the page of a game shows. */
export const place = (page) => page.evaluate(() => [document.querySelector('#rounds [aria-current]').dataset.round, document.getElementById('slider').value].map(Number));

/** The drawn table, in the form of `examples/positions.rs`. Runs in the page. */
export function drawn() {
  const board = document.getElementById('board');
  const tilesOf = (group) => [...(group?.querySelectorAll('use') ?? [])].map((tile) => tile.dataset.tile);
  const text = (name) => board.querySelector(name).textContent;
  const strips = [...board.querySelectorAll('.strip')].sort((one, other) => one.dataset.seat - other.dataset.seat);
  const players = strips.map((strip) => {
    const seat = strip.dataset.seat;
    const part = (name) => board.querySelector(`.${name}[data-seat="${seat}"]`);
    const hand = [...part('hand').querySelectorAll('use')];
    const isDrawn = (tile) => tile.classList.contains('just-drawn');
    const melds = [...part('melds').querySelectorAll('.meld')].reverse().map((meld) => {
      const kind = meld.dataset.kind;
      const tiles = tilesOf(meld);
      const called = meld.querySelector('.taken')?.dataset.tile;
      const order = (tile) => 'mpsz'.indexOf(tile[1]) * 10 + (tile[0] === '0' ? 5.5 : Number(tile[0]));
      if (kind === 'closed kan') return [kind, tiles.filter((tile) => tile !== '?'), null];
      return [kind, tiles.sort((one, other) => order(one) - order(other)), [called, Number(meld.dataset.from)]];
    });
    const river = [...part('river').querySelectorAll('use')].map((tile) => [tile.dataset.tile, tile.classList.contains('drawn'),
      tile.classList.contains('riichi'), tile.dataset.by === undefined ? null : Number(tile.dataset.by)]);
    return {
      wind: strip.dataset.wind,
      score: Number(strip.querySelector('[data-score]').dataset.score),
      hand: hand.filter((tile) => !isDrawn(tile)).map((tile) => tile.dataset.tile),
      drawn: hand.find(isDrawn)?.dataset.tile ?? null,
      melds,
      river,
      riichi: strip.dataset.riichi ?? '',
      norths: Number(part('norths')?.dataset.count ?? 0),
    };
  });
  const turn = board.querySelector('.strip.turn')?.dataset.seat;
  return {
    round: text('.round'),
    counters: text('.counters'),
    left: Number(board.querySelector('[data-left]').dataset.left),
    dora: tilesOf(board.querySelector('.dora')).filter((tile) => tile !== '?'),
    turn: turn === undefined ? null : Number(turn),
    players,
  };
}
