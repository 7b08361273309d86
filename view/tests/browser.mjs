// A real Chromium, and what it is shown.

import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const target = process.env.CARGO_TARGET_DIR ?? path.join(root, 'target');
/** The folder of the packages from `.ci/pages`. */
const packages = createRequire(path.join(target, 'page-tools/'));
const { chromium } = packages('playwright-core');
const axe = fs.readFileSync(packages.resolve('axe-core/axe.min.js'), 'utf8');

export const runner = process.env.BOT_RUNNER ?? path.join(target, 'release/bot-runner');
/** Games with the library's tables. */
export const positions = path.join(target, 'page-positions');
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
  browser ??= chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' });
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 900 }, ...options });
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

/** Elements wider than their container, or than the window. */
export function cutAway(page) {
  return page.evaluate(() => [...document.querySelectorAll('body *')]
    .filter((element) => element instanceof HTMLElement && element.checkVisibility() && !element.closest('.unseen, svg'))
    .filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      const scrolls = element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== 'visible';
      return width > 0 && (left < -1 || right > window.innerWidth + 1 || (scrolls && !element.matches('.badge, thead th')));
    })
    .map((element) => `${element.localName}#${element.id}.${element.className}`));
}

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
