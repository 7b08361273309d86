// The pictures of README and docs, each in two sizes: `bot-runner/view/retake-pictures`.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { closeAll, config, folder, open, played, run, start, stepped, viewed } from './browser.mjs';

/** Maximum size of a picture, in bytes. */
const LARGEST = 150_000;
/** The size of the window, for a desktop and a phone. */
const SIZES = [['', { width: 1280, height: 900 }], ['-narrow', { width: 390, height: 844 }]];

const pictures = process.argv[2];
fs.mkdirSync(pictures, { recursive: true });

/** With few colours a picture is a third as large. */
function shrink(file) {
  spawnSync('pngquant', ['--force', '--skip-if-larger', '--speed', '1', '--output', file, '64', file]);
  const { size } = fs.statSync(file);
  if (size > LARGEST) throw new Error(`${file} has ${size} bytes`);
  console.log(`${file}: ${size} bytes`);
}

/** A page at each size: the part `what`, or everything down to the end of the part with the whole table. */
async function picture(name, address, colorScheme, { what, table = '.table', ready = '#board .felt', own = false } = {}) {
  for (const [suffix, viewport] of SIZES) {
    const { page, close } = await open(address, { viewport, colorScheme, own });
    await page.locator(ready).first().waitFor();
    const file = path.join(pictures, `${name}${suffix}.png`);
    if (what) {
      await page.locator(what).screenshot({ path: file });
    } else {
      const { y, height } = await page.locator(table).boundingBox();
      const clip = { x: 0, y: 0, width: viewport.width, height: Math.ceil(y + height + 8) };
      await page.screenshot({ path: file, clip, fullPage: true });
    }
    shrink(file);
    await close();
  }
}

/** The number of a decision that has something to choose from, and not too much for a picture. */
function pictured(decisions) {
  const isFit = ({ legal }, index) => index > 2 && legal.length >= 4 && legal.length <= 14;
  return Math.max(1 + decisions.findIndex(isFit), 1);
}

const game = played(4, 11);
const riichi = viewed(game.game, '--seat', String(game.names.indexOf('kuma')));
await picture('game', `${riichi}#round=2&decision=10`, 'light');
await picture('overview', `${riichi}#round=2&decision=10`, 'dark', { what: '.overview' });

const chinese = stepped('chinese-standard', 'cs-fan', 2);
await picture('chinese-standard', `${chinese.file}#decision=${pictured(chinese.decisions)}`, 'light');
const cards = stepped('doudizhu', 'doudizhu-split', 2);
await picture('doudizhu', `${cards.file}#decision=${pictured(cards.decisions)}`, 'light');
await picture('doudizhu-end', `${cards.file}#step=9999`, 'dark');

const all = path.join(folder, 'games');
fs.mkdirSync(path.join(all, 'decisions'), { recursive: true });
for (const [name, records] of [['hanchan', path.dirname(game.game)], ['chinese-standard', chinese.records], ['doudizhu', cards.records]]) {
  for (const part of ['', 'decisions/']) fs.copyFileSync(path.join(records, `${part}game-0001.jsonl`), path.join(all, `${part}${name}.jsonl`));
}
const site = path.join(folder, 'site');
run('view', all, '--out', site);
await picture('index', path.join(site, 'index.html'), 'light', { what: '.overview', ready: '.games' });

const bots = ['kuma', 'tora', 'shika', 'usagi'].map((_, index) => config(index));
const live = await start(/page: (\S+)/, 'play', ...bots, '--seed', '4', '--pace-ms', '150', '--games', '20', '--page');
await picture('bots', live.found[1], 'dark', { table: '.seat', ready: '#why-parts table.actions', own: true });
live.stop();
await live.stop();

/** Number of the person's decisions before the picture of the seat. */
const TURNS = 4;
const adviser = path.join(folder, 'learned.toml');
fs.writeFileSync(adviser, 'name = "learned"\n[policy]\nid = "learned"\nlibrary = "builtin"\n');
const table = await start(/^seat: (\S+)/m, 'play', '--person', '--name', 'Mia', ...bots.slice(1), '--seed', '11', '--pace-ms', '20', '--adviser', adviser);
const seat = await open(table.found[1], { own: true, colorScheme: 'light' });
const tile = seat.page.locator('#hand button[aria-disabled="false"]');
const pass = seat.page.locator('#calls button[data-key^="Pass "]');
for (let turns = 0; ; ) {
  await tile.or(pass).first().waitFor();
  // The picture is of a discard, with the adviser's values.
  const discards = await tile.count();
  if (discards > 0 && turns >= TURNS) break;
  const answered = seat.page.waitForResponse('**/seat/answer');
  await (discards > 0 ? tile : pass).last().click();
  await answered;
  if (discards > 0) turns += 1;
}
await seat.page.locator('#hint').click();
await seat.page.locator('#advice td.value').first().waitFor();
for (const [suffix, viewport] of SIZES) {
  await seat.page.setViewportSize(viewport);
  const file = path.join(pictures, `seat${suffix}.png`);
  await seat.page.screenshot({ path: file });
  shrink(file);
}
await seat.close();
// It would wait for the person.
await closeAll();
