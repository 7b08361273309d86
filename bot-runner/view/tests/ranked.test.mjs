// The page of a ranked game in a real browser.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { after, test } from 'node:test';

import { closeAll, folder, open, place, run, start, violations } from './browser.mjs';

after(closeAll);

test('the record of a ranked game hides the hands of others, and is served where nobody else looks', async () => {
  const arena = await start(/listening on (ws:\S+)/, 'arena', '--players', '3', '--length', 'east', '--fill-after', '50', '--seed', '5');
  const file = path.join(folder, 'ranked.toml');
  fs.writeFileSync(file, `name = "kuma"\n[arena]\nkind = "riichilab"\nurl = "${arena.found[1]}"\ntoken_env = "KUMA_TOKEN"\nplayers = 3\n`
    + '[policy]\nid = "weighted-shape"\nlibrary = "builtin"\n[records]\nfolder = "ranked"\n');
  process.env.KUMA_TOKEN = 'canary-of-the-page-tests';
  run('run', file, '--games', '1');
  await arena.stop();
  const [record] = fs.readdirSync(path.join(folder, 'ranked')).filter((name) => !name.startsWith('.'));
  const manifest = path.join(folder, 'ranked', record, 'manifest.json');
  const told = JSON.parse(fs.readFileSync(manifest, 'utf8'));
  assert.deepEqual(told.played.desync_marks, []);
  told.played.desync_marks = [{ kind: 'observation', round: 0, step: 4 }];
  fs.writeFileSync(manifest, JSON.stringify(told));
  const server = await start(/(http:\S+)/, 'view', path.join(folder, 'ranked', record));
  const url = server.found[1];
  const { page, faults, close } = await open(url);
  // Only the own hand is known, so there is nothing to open.
  assert.equal(await page.locator('#open').isVisible(), false);
  await page.keyboard.press('o');
  assert.equal(await page.locator('.row.own .hand use[data-tile="?"]').count(), 0);
  await page.locator('.mark.desync[title="Desync: observation"]').click();
  assert.deepEqual(await place(page), [0, 4]);
  await page.keyboard.press('n');
  assert.ok(await page.locator('#why .by-own .bar').count() > 0);
  assert.ok(await page.locator('.hand use[data-tile="?"]').count() > 15);
  assert.equal(await page.locator('.row.own .hand use[data-tile="?"]').count(), 0);
  assert.ok(!(await page.content()).includes('canary'));
  assert.ok(!(await page.content()).includes(folder));
  assert.match(await page.locator('#facts').textContent(), /weighted-shape/);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(faults, []);
  await close();
  const answer = (host, where) => new Promise((resolve, reject) => {
    const { hostname, port, pathname } = new URL(url);
    http.get({ host: hostname, port, path: where ?? pathname, headers: { host } }, (response) => { response.resume(); resolve(response); }).on('error', reject);
  });
  const { host } = new URL(url);
  const good = await answer(host);
  assert.equal(good.statusCode, 200);
  assert.match(good.headers['content-security-policy'], /default-src 'none'; script-src 'sha256-/);
  assert.equal((await answer('evil.example')).statusCode, 421);
  assert.equal((await answer(host, '/')).statusCode, 404);
  assert.equal(await server.stop(), 0);
});
