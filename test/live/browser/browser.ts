import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {onTestFinished, vi} from 'vitest';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

/** A page in a real browser. */
export interface Page {
  /** Sends a command of the DevTools protocol. */
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  /** The value of an expression in the page; it runs although the page allows no scripts. */
  evaluate(expression: string): Promise<unknown>;
  /** The browser's errors, and every URL it requested. */
  readonly complaints: readonly string[];
  readonly requests: readonly string[];
}

function findBrowser(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = [
    process.env['ACP_TUI_BROWSER'] ?? '',
    ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))),
  ].find((file) => file !== '' && existsSync(file));
  if (found !== undefined) return found;
  throw new Error(
    'This test needs Chromium, and there is none on PATH. Install it (apt-get install chromium), or name a browser of that kind in ACP_TUI_BROWSER.',
  );
}

/** Opens a URL in its own browser, which stops with the test. */
export async function openPage(address: string): Promise<Page> {
  const folder = mkdtempSync(join(tmpdir(), 'acp-tui-browser-'));
  const browser = spawn(
    findBrowser(),
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--remote-debugging-port=0',
      `--user-data-dir=${folder}`,
      'about:blank',
    ],
    {stdio: 'ignore'},
  );
  const ended = new Promise((resolve) => browser.on('exit', resolve));
  onTestFinished(async () => {
    browser.kill('SIGKILL');
    await ended;
    rmSync(folder, {recursive: true, force: true, maxRetries: 5});
  });
  const port = await vi.waitFor(
    () => {
      const [line] = readFileSync(join(folder, 'DevToolsActivePort'), 'utf8').split('\n');
      if (!line) throw new Error('the browser has not started');
      return line;
    },
    {timeout: 60_000, interval: 100},
  );
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
    readonly type: string;
    readonly webSocketDebuggerUrl: string;
  }[];
  const target = targets.find(({type}) => type === 'page');
  if (!target) throw new Error('the browser has no page');
  const page = await connect(target.webSocketDebuggerUrl);
  for (const domain of ['Page', 'Log', 'Runtime', 'Network']) await page.send(`${domain}.enable`);
  const loaded = page.next('Page.loadEventFired');
  await page.send('Page.navigate', {url: address});
  await loaded;
  return page;
}

interface BrowserMessage {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, Record<string, unknown>>;
  readonly result?: Record<string, unknown>;
  readonly error?: {readonly message: string};
}

async function connect(address: string): Promise<Page & {readonly next: (event: string) => Promise<void>}> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, (reported: BrowserMessage) => void>();
  const events = new Map<string, () => void>();
  const complaints: string[] = [];
  const requests: string[] = [];
  let sent = 0;
  socket.addEventListener('message', ({data}) => {
    const reported = JSON.parse(String(data)) as BrowserMessage;
    const {method, params = {}} = reported;
    if (reported.id !== undefined) waiting.get(reported.id)?.(reported);
    if (method === 'Log.entryAdded') complaints.push(JSON.stringify(params['entry']));
    if (method === 'Runtime.exceptionThrown') complaints.push(JSON.stringify(params));
    if (method === 'Network.requestWillBeSent') requests.push(String(params['request']?.['url']));
    if (method !== undefined) events.get(method)?.();
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });

  async function send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = ++sent;
    const answer = new Promise<BrowserMessage>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({id, method, params}));
    const {result, error} = await answer;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  return {
    send,
    complaints,
    requests,
    next: (event) => new Promise((resolve) => events.set(event, resolve)),
    async evaluate(expression) {
      const {result} = await send('Runtime.evaluate', {expression, returnByValue: true});
      return (result as {readonly value?: unknown}).value;
    },
  };
}
