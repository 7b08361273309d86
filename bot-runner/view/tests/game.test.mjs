// The page of a game in a real browser.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { closeAll, config, cutAway, folder, open, place, played, run, shots, viewed, violations } from './browser.mjs';

after(closeAll);

/** Maximum size of the page of a hanchan, in bytes. */
const LARGEST = 400_000;

const four = played(4, 11);
const three = played(3, 12);
const seat = four.names.indexOf('kuma');
const pages = {
  four: viewed(four.game, '--seat', String(seat), '--policy', config(1)),
  three: viewed(three.game, '--seat', String(three.names.indexOf('kuma'))),
};

const text = (page, id) => page.locator(`#${id}`).textContent();
/** Waits until the address holds the position. */
const hash = (page) => page.waitForTimeout(300).then(() => page.evaluate(() => location.hash));

for (const [name, file] of Object.entries(pages)) {
  test(`a game of ${name} steps through to its end without a message or a request`, async () => {
    assert.ok(fs.statSync(file).size <= LARGEST, `${fs.statSync(file).size} bytes`);
    const { page, faults, close } = await open(`${file}#round=1&step=0`);
    const steps = await page.evaluate(async () => {
      const seen = new Set();
      for (;;) {
        const before = document.getElementById('board').getAttribute('aria-label');
        seen.add(before);
        document.getElementById('step-on').click();
        if (document.getElementById('board').getAttribute('aria-label') === before) return seen.size;
      }
    });
    assert.ok(steps > 200, `${steps} steps`);
    assert.match(await text(page, 'event'), /wins|ends/);
    // The table says how the last round ended, and what each seat was paid.
    assert.match(await page.locator('#board .end').textContent(), /wins?\d+ han|players win|Draw/);
    assert.equal(await page.locator('#board .end-paid.right-text').count(), name === 'four' ? 4 : 3);
    assert.deepEqual(faults, []);
    await close();
  });

  test(`a game of ${name} has nothing that axe finds, light and dark`, async () => {
    for (const colorScheme of ['light', 'dark']) {
      const { page, close } = await open(`${file}#round=1&decision=2`, { colorScheme });
      for (const details of await page.locator('summary').all()) await details.click();
      assert.deepEqual(await violations(page), [], colorScheme);
      await close();
    }
  });

  test(`a game of ${name} needs no sideways scrolling from 360 pixels on, and nothing is cut`, async () => {
    for (const [width, height] of [[360, 740], [390, 844], [768, 1024], [1280, 900], [1920, 1080]]) {
      for (const colorScheme of ['light', 'dark']) {
        const { page, close } = await open(`${file}#round=2&decision=8`, { viewport: { width, height }, colorScheme });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${wide} of ${width} pixels`);
        assert.deepEqual(await cutAway(page), [], `${width}`);
        const tile = await page.locator('.row.own .hand use').first().boundingBox();
        assert.ok(tile.width >= 19.5, `a tile of the own hand is ${tile.width} pixels wide at ${width}`);
        await page.screenshot({ path: path.join(shots, `${name}-${width}-${colorScheme}.png`), fullPage: true });
        await close();
      }
    }
  });
}

test('a table of three is not as high as wide, and the hands of the others are large', async () => {
  for (const [file, shape, size] of [[pages.three, 0.85, 0.045], [pages.four, 1.01, 0.052]]) {
    const { page, close } = await open(`${file}#round=1&step=20`, { viewport: { width: 1280, height: 900 } });
    const board = await page.locator('#board').boundingBox();
    assert.ok(board.height < shape * board.width, `${board.width} x ${board.height}`);
    const narrow = await page.locator('#board .row:not(.own) .hand use').evaluateAll((tiles) => tiles.map((tile) => Math.min(tile.getBoundingClientRect().width, tile.getBoundingClientRect().height)));
    for (const width of narrow) assert.ok(width > size * board.width, `${width} of ${board.width}`);
    await close();
  }
});

test('a page opens at the first decision of the nearest bot, with the names of all in its title', async () => {
  const { page, close } = await open(pages.four);
  assert.match(await text(page, 'why-parts'), /^decision 1 of /);
  assert.ok((await text(page, 'why-parts')).includes(four.names[seat]));
  const title = await page.title();
  assert.ok(four.names.every((name) => title.includes(name)), title);
  await close();
});

/** What is wrong with the bars of these rows: the best value has the longest bar, and a worse one a shorter one. */
function bars(rows) {
  const found = [];
  rows.forEach((one, index) => {
    for (const other of rows.slice(index + 1)) {
      const sign = (difference) => Math.sign(Math.abs(difference) < 0.01 ? 0 : difference);
      // Bars of nearly equal values may differ by less than a pixel is wide.
      const [values, widths] = [Number(one.value) - Number(other.value), one.width - other.width];
      if (values === 0 ? sign(widths) !== 0 : widths * Math.sign(values) < -0.01) found.push(`${one.value}: ${one.width}, ${other.value}: ${other.width}`);
    }
    if (!(one.width > 0)) found.push(`${one.value} has no bar`);
  });
  const longest = Math.max(...rows.map(({ width }) => width));
  const [best, worst] = [Math.max, Math.min].map((end) => rows.find(({ value }) => Number(value) === end(...rows.map(({ value }) => Number(value)))));
  if (best.width < longest) found.push(`the best, ${best.value}, has no longest bar`);
  if (best.value !== worst.value && worst.width > 0.1 * longest) found.push(`the worst, ${worst.value}, has ${worst.width} of ${longest}`);
  return found;
}

/** The values of a column in the page, each with its bar, and the bars that a number touches. */
function columnOf(page, kind) {
  return page.evaluate((kind) => {
    const rows = [...document.querySelectorAll(`#why tbody .${kind}`)].filter((cell) => cell.querySelector('.number'));
    return rows.map((cell) => {
      const [number, bar] = ['.number', '.bar'].map((part) => cell.querySelector(part)?.getBoundingClientRect());
      const touches = bar !== undefined && Math.min(number.right, bar.right) > Math.max(number.left, bar.left) && Math.min(number.bottom, bar.bottom) > Math.max(number.top, bar.top);
      return { value: cell.querySelector('.number').dataset.value, words: cell.querySelector('.number').textContent, width: bar?.width ?? 0, touches };
    });
  }, kind);
}

/** A page whose decisions have these values; each gives what it returns an own decision. */
function withValues(file, decisions) {
  const page = fs.readFileSync(file, 'utf8');
  const out = path.join(folder, `values-${Math.random().toString(36).slice(2)}.html`);
  fs.writeFileSync(out, page.replace(/(id="game">)([^]*?)(<\/script>)/, (_, before, data, after) => {
    const game = JSON.parse(data);
    const [first] = game.decisions.filter(({ legal }) => legal.length >= 6);
    game.policies = [['of-another 1.0.0', 'score'], ['greedy-tenpai 1.0.0', 'steps']];
    game.decisions = decisions.map(({ values, steps, ...more }) => ({ ...first, other: undefined, legal: first.legal.slice(0, values.length), done: 0, own: { chosen: 0, values, steps, policy: steps ? 1 : 0 }, ...more }));
    return before + JSON.stringify(game).replaceAll('<', '\\u003c') + after;
  }));
  return out;
}

test('the best action has the longest bar and a worse one a shorter one, whatever the values are, and no number lies on a bar', async () => {
  const values = [[-0.036, -0.037, -0.041], [2, 0.5, -3], [1000.5, 1000.25, 1000], [0, -0.6, -1.2, -1.8], [1e-9, 0, -1e-9], [5, null, 3]];
  for (const [width, colorScheme] of [[390, 'light'], [1280, 'dark'], [1920, 'light']]) {
    for (const of of values) {
      const { page, close } = await open(withValues(pages.four, [{ values: of }]), { viewport: { width, height: 900 }, colorScheme });
      const column = await columnOf(page, 'by-own');
      assert.equal(column.length, of.filter((value) => value !== null).length);
      assert.deepEqual(bars(column), [], `${width}: ${of}`);
      assert.deepEqual(column.filter(({ touches }) => touches), [], `${width}: ${of}`);
      await close();
    }
  }
});

test('equal values have equal bars, a lone value and a forced action have a whole one, and without values there are none', async () => {
  for (const [values, widths] of [[[0.5, 0.5, 0.5], [1, 1, 1]], [[-2, null, null], [1]], [[1000, null], [1]], [[null, null], []]]) {
    const { page, close } = await open(withValues(pages.four, [{ values }]));
    const column = await columnOf(page, 'by-own');
    const room = await page.evaluate(() => document.querySelector('#why .bar-room')?.getBoundingClientRect().width ?? 0);
    assert.deepEqual(column.map(({ width }) => width / room), widths, String(values));
    if (values[0] === 1000) assert.deepEqual(column.map(({ words }) => words), ['no choice']);
    await close();
  }
});

test('steps to tenpai and tiles are two figures: only the fewest steps have bars, by their tiles', async () => {
  const record = path.join(folder, 'greedy');
  run('play', config(3), '--seed', '1', '--record', record);
  const file = viewed(path.join(record, 'game-0001.jsonl'));
  for (const width of [390, 1280]) {
    const { page, close } = await open(`${file}#round=1&step=0`, { viewport: { width, height: 900 } });
    let compared = 0;
    for (let decision = 0; decision < 15; decision++) {
      await page.keyboard.press('n');
      const column = await columnOf(page, 'by-own');
      if (column.length < 2 || !/tiles?/.test(column[0].words)) continue;
      compared += 1;
      const parts = column.map(({ words }) => words.match(/^(?:(\d+)\sstep|tenpai).*?(\d+)\stiles?$/).slice(1).map((count) => Number(count ?? 0)));
      const fewest = Math.min(...parts.map(([steps]) => steps));
      const longest = Math.max(...column.map(({ width }) => width));
      column.forEach(({ width: bar, words, touches }, index) => {
        const [steps, tiles] = parts[index];
        const most = Math.max(...parts.filter(([of]) => of === fewest).map(([, count]) => count));
        assert.equal(bar > 0, steps === fewest, words);
        if (steps === fewest && most > 0 && tiles > 0) assert.ok(Math.abs(bar / longest - tiles / most) < 0.05, `${words}: ${bar} of ${longest}`);
        assert.ok(!touches, words);
      });
      assert.equal(column[0].width, longest);
    }
    assert.ok(compared > 5, `${compared} decisions`);
    await close();
  }
});

test('simulated values come with their standard errors', async () => {
  const { page, faults, close } = await open(`${viewed(four.game, '--seat', String(seat), '--simulate', '30')}#round=1&decision=3`, { viewport: { width: 390, height: 844 } });
  assert.match(await page.locator('#why thead').textContent(), /places gained.*simulated: places above last, \u00b1 standard error/);
  const column = await columnOf(page, 'by-simulation');
  assert.ok(column.length > 2, `${column.length}`);
  for (const { words, touches } of column) {
    assert.match(words, /^\d\.\d+( \u00b1\d\.\d+)?$/);
    assert.ok(!touches, words);
  }
  assert.ok(column.some(({ words }) => words.includes('\u00b1')));
  assert.deepEqual(bars(column.sort((one, other) => other.value - one.value)), []);
  assert.deepEqual(await cutAway(page), []);
  // No word of a heading is cut.
  const heads = await page.locator('#why thead th').evaluateAll((heads) => heads.filter((head) => head.scrollWidth > head.clientWidth).map((head) => head.textContent));
  assert.deepEqual(heads, []);
  assert.deepEqual(faults, []);
  await close();
});

test('bars show the values by which a bot chose, beside its reason, its policy and its time', async () => {
  const { page, close } = await open(`${pages.four}#round=1&step=0`);
  // In the order in which they were made, as the page goes through them.
  const own = four.decisions.filter((decision) => decision.seat === seat);
  let compared = 0;
  for (const decision of own.slice(0, 15)) {
    await page.keyboard.press('n');
    const why = await text(page, 'why-parts');
    const rows = await page.locator('#why tbody tr').evaluateAll((rows) => rows.map((row) => ({
      words: row.querySelector('.action').textContent,
      value: row.querySelector('.by-own .number')?.dataset.value ?? null,
      shown: row.querySelector('.by-own .number')?.textContent ?? '',
      width: row.querySelector('.by-own .bar')?.getBoundingClientRect().width ?? 0,
      chosen: row.querySelector('.badge.chosen') !== null,
    })));
    assert.equal(rows.length, decision.legal.length);
    assert.ok(why.includes(decision.reason) && why.includes(`${decision.policy} ${decision.version}`), why);
    if (!decision.values.some((value) => value !== null)) continue;
    compared += 1;
    const valued = decision.values.filter((value) => value !== null);
    const given = rows.filter(({ value }) => value !== null);
    const shown = given.map(({ value }) => Number(value));
    valued.sort((one, other) => other - one);
    assert.equal(shown.length, valued.length);
    shown.forEach((value, at) => assert.ok(Math.abs(value - valued[at]) <= (Math.abs(value) < 10 ? 1e-4 : 1e-2), `${value}: ${valued[at]}`));
    assert.match(await page.locator('#why thead').textContent(), /places gained/);
    assert.ok(bars(given).length === 0, bars(given).join('; '));
    const decimals = new Set(given.map(({ shown }) => shown.split('.')[1]?.length ?? 0));
    assert.equal(decimals.size, 1, given.map(({ shown }) => shown).join(' '));
    given.forEach(({ value, shown }) => assert.ok(Math.abs(Number(shown.replace('\u2212', '-')) - value) <= 0.0051, shown));
    assert.equal(rows.filter(({ chosen }) => chosen).length, 1);
    const chosen = decision.values[decision.chosen];
    if (chosen !== null) assert.ok(Math.abs(Number(rows.find((row) => row.chosen).value) - chosen) < 0.02);
  }
  assert.ok(compared >= 10, `${compared} decisions`);
  await close();
});

test('differences from the other policy are listed, counted and gone to', async () => {
  const { page, close } = await open(`${pages.four}#round=1&step=0`);
  const listed = await page.locator('#difference-list li').count();
  assert.ok(listed > 5, `${listed} differences`);
  const [made, agreed] = await page.locator('#agreement tbody tr:last-child td').allTextContents();
  assert.equal(Number(made) - Number(agreed), listed);
  for (let index = 0; index < 5; index++) {
    await page.keyboard.press('d');
    assert.match(await text(page, 'why-parts'), /tora differs: /);
    assert.equal(await page.locator('#why .badge.other').count(), 1);
  }
  const fifth = await place(page);
  await page.locator('#difference-list button').last().click();
  assert.match(await text(page, 'why-parts'), /tora differs: /);
  const last = await place(page);
  await page.keyboard.press('d');
  assert.deepEqual(await place(page), last);
  await page.locator('#difference-list button').nth(4).click();
  assert.deepEqual(await place(page), fifth);
  await close();
});

test('a link leads to a round and a decision, and the address tells where one is', async () => {
  const { page, close } = await open(`${pages.four}#round=3&decision=7`);
  assert.match(await text(page, 'why-parts'), /^decision 7 of /);
  assert.equal((await place(page))[0], 2);
  await page.keyboard.press('ArrowRight');
  assert.match(await hash(page), /^#round=3&(step|decision)=\d+$/);
  for (const wrong of ['#round=99&decision=1', '#round=-3', '#decision=x', '#<script>']) {
    await page.goto(page.url().split('#')[0] + wrong);
    assert.match(await text(page, 'event'), /./);
  }
  await close();
});

test('the letters of the timeline are explained beside it', async () => {
  const { page, close } = await open(`${pages.four}#round=2&step=0`);
  const signs = await page.locator('.mark').allTextContents();
  const told = await page.locator('#signs .sign').allTextContents();
  assert.deepEqual([...new Set(signs)].sort(), [...told].sort());
  assert.match(await text(page, 'signs'), /W win|D end without a winner/);
  await close();
});

test('keys alone go everywhere', async () => {
  const { page, close } = await open(`${pages.four}#round=1&step=0`);
  const steps = () => page.evaluate(() => Number(document.getElementById('slider').max));
  await page.keyboard.press('ArrowRight');
  assert.deepEqual(await place(page), [0, 1]);
  await page.keyboard.press('ArrowLeft');
  assert.deepEqual(await place(page), [0, 0]);
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  assert.match(await text(page, 'event'), /draws/);
  await page.keyboard.press('End');
  assert.deepEqual(await place(page), [0, await steps()]);
  await page.keyboard.press('ArrowRight');
  assert.deepEqual(await place(page), [1, 0]);
  await page.keyboard.press('PageDown');
  assert.deepEqual(await place(page), [2, 0]);
  await page.keyboard.press('PageUp');
  await page.keyboard.press('4');
  assert.deepEqual(await place(page), [3, 0]);
  await page.keyboard.press('Home');
  await page.keyboard.press(' ');
  await page.waitForFunction(() => Number(document.getElementById('slider').value) > 0);
  await page.keyboard.press(' ');
  assert.equal(await text(page, 'play'), 'Play');
  await page.keyboard.press('o');
  assert.ok(await page.locator('.hand use[data-tile="?"]').count() > 30);

  // By Tab, every control is reached.
  const controls = await page.evaluate(() => {
    const found = [...document.querySelectorAll('button, select, input, summary, [tabindex="0"]')].filter((element) => element.checkVisibility());
    found.forEach((element, index) => { element.dataset.number = String(index); });
    document.activeElement.blur();
    return found.length;
  });
  const reached = new Set();
  for (let index = 0; index < controls + 5; index++) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement.dataset.number));
  }
  reached.delete(undefined);
  assert.equal(reached.size, controls);
  await close();
});

test('the mouse and settings work', async () => {
  const { page, close } = await open(`${pages.four}#round=1&step=0`);
  const box = await page.locator('#board').boundingBox();
  await page.mouse.click(box.x + box.width * 0.8, box.y + 40);
  assert.deepEqual(await place(page), [0, 1]);
  await page.mouse.click(box.x + box.width * 0.2, box.y + 40);
  assert.deepEqual(await place(page), [0, 0]);
  await page.locator('#theme').selectOption('dark');
  const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.locator('#theme').selectOption('light');
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), dark);
  await page.locator('#bottom').selectOption('2');
  assert.equal(await page.locator('.row.own .hand').getAttribute('data-seat'), '2');
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('#play').isVisible(), false);
  assert.equal(await page.locator('#board').isVisible(), true);
  await close();
});

test('names and reasons are texts, whatever they look like', async () => {
  const bad = '<img src=x onerror="window.hacked=1"></script><script>window.hacked=2</script><b>&amp;\u2028';
  const games = path.join(folder, 'hostile');
  fs.mkdirSync(path.join(games, 'decisions'), { recursive: true });
  const file = path.join(games, "<b onclick='x'>&.jsonl");
  const lines = fs.readFileSync(four.game, 'utf8').split('\n');
  lines[0] = JSON.stringify({ type: 'start_game', names: [bad, `{data}{script}${bad}`, 'x'.repeat(1 << 20), '\u202e\u0000'] });
  fs.writeFileSync(file, lines.join('\n'));
  const decisions = four.decisions.map((decision, index) => ({ ...decision, policy: bad, reason: index < 8 ? bad.repeat(20_000) : bad, safe_answer: bad }));
  fs.writeFileSync(path.join(games, 'decisions', path.basename(file)), decisions.map((decision) => JSON.stringify(decision)).join('\n'));
  const out = viewed(file, '--seat', String(seat));
  assert.ok(fs.statSync(out).size < 2_000_000, `${fs.statSync(out).size} bytes`);
  const { page, faults, close } = await open(`${out}#round=1&decision=3`);
  assert.ok((await text(page, 'why-parts')).includes(bad));
  assert.ok((await text(page, 'words')).includes(bad.slice(0, 40)));
  assert.match(await page.locator('#bottom option').nth(2).getAttribute('title'), /cut: 1048576 characters/);
  assert.ok((await text(page, 'bottom')).length < 200);
  assert.ok((await page.title()).includes("<b onclick='x'>&.jsonl"));
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator('img, b, script:not([type])').count(), 0);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 1280);
  assert.deepEqual(faults, []);
  await close();
});

test('a record that is cut shows what is there and says that it was cut', async () => {
  const whole = fs.readFileSync(four.game);
  const cut = [
    ['line.jsonl', whole.subarray(0, Math.floor(whole.length * 0.6)), /line \d+/],
    ['gzip.jsonl.gz', gzipSync(whole).subarray(0, -600), /cannot be read/],
    ['nonsense.jsonl', Buffer.from(whole.toString().replace(/("type":"dahai"\}\n[^]*?)("pai":"[^"]*")/, '$1"pai":"P"')), /cannot have happened/],
  ];
  for (const [name, bytes, says] of cut) {
    const file = path.join(folder, name);
    fs.writeFileSync(file, bytes);
    const { page, faults, close } = await open(viewed(file));
    assert.match(await text(page, 'warnings'), says, name);
    assert.ok(await page.locator('#rounds button').count() >= 1, name);
    assert.deepEqual(faults, [], name);
    await close();
  }
});

test('the number of a difference stands beside its first line', async () => {
  const { page, close } = await open(pages.four, { viewport: { width: 390, height: 800 } });
  const [lines, lower] = await page.evaluate(() => {
    const items = [...document.querySelectorAll('#difference-list li')];
    const long = items.reduce((one, other) => (other.offsetHeight > one.offsetHeight ? other : one));
    // It lies where the number does.
    const mark = document.createElement('span');
    mark.textContent = '1.';
    long.prepend(mark);
    const { height } = mark.getBoundingClientRect();
    mark.style.position = 'relative';
    mark.style.marginRight = `-${mark.offsetWidth}px`;
    return [long.offsetHeight / height, (mark.getBoundingClientRect().top - long.getBoundingClientRect().top) / height];
  });
  assert.ok(lines > 1.8, `a long one has several lines: ${lines}`);
  assert.ok(lower < 0.5, `${lower} lines lower`);
  await close();
});

/** The pages of a review of a game of four and one of three. */
const review = path.join(folder, 'review');
run('review', four.game, three.game, '--policy', config(0), '--pages', review);

for (const [name, file] of [['index', 'index.html'], ['four', '00001-game-0001.html'], ['three', '00002-game-0001.html']]) {
  test(`the page ${name} of a review has nothing that axe finds, needs no sideways scrolling, and nothing is cut`, async () => {
    for (const [width, height] of [[390, 844], [1280, 900], [1920, 1080]]) {
      for (const colorScheme of ['light', 'dark']) {
        const { page, faults, close } = await open(path.join(review, file), { viewport: { width, height }, colorScheme });
        if (name !== 'index') await page.locator('#mistake-list button').first().click();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${wide} of ${width} pixels`);
        // In a narrow window the tables of the index scroll, each by itself.
        if (name !== 'index' || width >= 1280) assert.deepEqual(await cutAway(page), [], `${width}`);
        assert.deepEqual(await violations(page), [], `${width} ${colorScheme}`);
        await page.screenshot({ path: path.join(shots, `review-${name}-${width}-${colorScheme}.png`), fullPage: true });
        assert.deepEqual(faults, []);
        await close();
      }
    }
  });
}

test('the page of a review lists the mistakes, marks them on the timeline, and M goes from one to the next', async () => {
  const file = path.join(review, '00001-game-0001.html');
  assert.ok(fs.statSync(file).size <= 3 * LARGEST, `${fs.statSync(file).size} bytes`);
  const { page, faults, close } = await open(file);
  const { losses, places } = await page.evaluate(() => {
    const game = JSON.parse(document.getElementById('game').textContent);
    const found = game.decisions.filter(({ loss }) => loss?.value > 0).sort((one, other) => other.loss.value - one.loss.value).slice(0, 20);
    const inOrder = game.decisions.filter((decision) => found.includes(decision)).map(({ round, step }) => [round, step]);
    return { losses: found.map(({ loss }) => loss.value), places: inOrder };
  });
  assert.equal(losses.length, 20);
  const listed = await page.locator('#mistake-list li').allTextContents();
  assert.equal(listed.length, 20);
  assert.match(listed[0], new RegExp(`${losses[0].toFixed(3)} places`));
  await page.evaluate(() => { location.hash = '#round=1&step=0'; });
  await page.waitForTimeout(100);
  const visited = [];
  for (let count = 0; count < places.length; count += 1) {
    await page.keyboard.press('m');
    visited.push(await place(page));
  }
  const once = places.filter((here, index) => index === 0 || here.join() !== places[index - 1].join());
  assert.deepEqual(visited.slice(0, once.length), once);
  assert.match(await text(page, 'why-parts'), /Loss \d+\.\d{3} places/);
  assert.ok(await page.locator('#marks .loss.most').count() > 0);
  await page.locator('#mistake-list button').first().click();
  assert.match(await text(page, 'why-parts'), / is worth .* places more than /);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(faults, []);
  await close();
});
