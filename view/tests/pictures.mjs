// The pictures of the README: `.ci/pages --pictures`.

import fs from 'node:fs';
import path from 'node:path';

import { closeAll, config, open, played, viewed } from './browser.mjs';

/** Most bytes of a picture. */
const LARGEST = 200_000;

const folder = process.argv[2];
fs.mkdirSync(folder, { recursive: true });
const game = played(4, 11);
const page = viewed(game.game, '--seat', String(game.names.indexOf('kuma')), '--policy', config(1));

async function picture(name, hash, width, height, colorScheme, what) {
  const { page: window, close } = await open(`${page}${hash}`, { viewport: { width, height }, colorScheme });
  const file = path.join(folder, name);
  await what(window).screenshot({ path: file });
  const { size } = fs.statSync(file);
  if (size > LARGEST) throw new Error(`${file} has ${size} bytes`);
  console.log(`${file}: ${size} bytes`);
  await close();
}

await picture('game.png', '#round=2&decision=10', 1040, 700, 'light', (window) => window);
await picture('overview.png', '#round=2&decision=10', 1040, 900, 'dark', (window) => window.locator('.overview'));
await closeAll();
