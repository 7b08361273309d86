// The messages that the runner sends while the page is open.

import { byId, write } from './dom.js';

/**
 * @typedef {Record<string, (data: any) => void>} Handlers by the names of events
 */

/** @type {EventSource | null} */
let source = null;
const state = { paused: false, over: false, connected: false };
/** The last update while the page was paused, to be shown afterwards. @type {Map<string, () => void>} */
const held = new Map();

function showState() {
  const words = byId('connection');
  const lost = !state.connected && !state.over;
  words.classList.toggle('alert', lost && source !== null);
  if (state.over) write(words, 'The runner has ended; this is how it stood.');
  else if (lost) write(words, 'No connection to the runner; trying again.');
  else write(words, state.paused ? 'Paused.' : 'Live.');
}

/**
 * Listens only to the runner from now on.
 * @param {string} address
 * @param {Handlers} handlers
 * @param {string[]} whole the events that carry the whole state: of those, the last is enough
 */
export function listen(address, handlers, whole) {
  source?.close();
  held.clear();
  if (state.over) return;
  const own = new EventSource(address);
  source = own;
  own.addEventListener('open', () => {
    state.connected = true;
    showState();
    handlers.open?.(null);
  });
  own.addEventListener('error', () => {
    state.connected = false;
    showState();
  });
  own.addEventListener('over', () => {
    state.over = true;
    own.close();
    showState();
  });
  own.addEventListener('left', () => {
    own.close();
    byId('connection').textContent = '';
  });
  for (const [name, handle] of Object.entries(handlers)) {
    own.addEventListener(name, (event) => {
      if (!(event instanceof MessageEvent)) return;
      const show = () => handle(JSON.parse(event.data));
      if (state.paused && whole.includes(name)) held.set(name, show);
      else show();
    });
  }
}

/** Stops drawing until continued, and then draws the last update. */
function pause() {
  state.paused = !state.paused;
  byId('pause').setAttribute('aria-pressed', String(state.paused));
  if (!state.paused) {
    for (const show of held.values()) show();
    held.clear();
  }
  showState();
}

/** The settings that all pages have: the theme, and numbers on tiles. */
export function settings() {
  const theme = /** @type {HTMLSelectElement} */ (byId('theme'));
  theme.addEventListener('change', () => { document.documentElement.dataset.theme = theme.value; });
  const corners = /** @type {HTMLInputElement} */ (byId('corners'));
  corners.addEventListener('change', () => document.documentElement.toggleAttribute('data-corners', corners.checked));
}

/** The controls of pages that are looked at. @param {Record<string, () => void>} keys what further keys do */
export function controls(keys) {
  settings();
  byId('pause').addEventListener('click', pause);
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const on = event.target instanceof HTMLElement ? event.target : document.body;
    // The focused element handles its own keys first.
    if (on.matches('select, input:not([type="checkbox"])')) return;
    if (event.key === ' ' && on.matches('button, summary, input, [tabindex]')) return;
    const act = event.key === ' ' ? pause : keys[event.key];
    if (!act) return;
    act();
    event.preventDefault();
  });
}
