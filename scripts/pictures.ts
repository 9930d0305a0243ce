import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import type {Script} from '../fixtures/fake-agent/scenarios/script.ts';
import {movingPictureOf, type TimedFrame} from '../test/support/driver/picture.ts';
import {TerminalDriver} from '../test/support/driver/terminal.ts';

/**
 * Draws the pictures of the README and of docs/ from real runs of the built program: `npm run pictures`, or only those whose names begin
 * with a word: `npm run pictures -- turn`.
 */
const at = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const FOLDER = at('../docs/pictures/');

interface Shot {
  /** Without size and shade. */
  readonly name: string;
  readonly sizes: readonly (readonly [columns: number, rows: number])[];
  readonly shades?: readonly Shade[];
  /** The scripted agent by default. */
  readonly agent?: string;
  readonly args?: readonly string[];
  readonly show: (terminal: TerminalDriver) => Promise<void>;
}

type Shade = 'dark' | 'light';
const BACKGROUNDS: Readonly<Record<Shade, string>> = {
  dark: 'rgb:1616/1818/1d1d',
  light: 'rgb:ffff/ffff/ffff',
};

const READY = 'Ask anything';
const WIDTHS = [
  [40, 24],
  [80, 26],
  [120, 36],
] as const;

const SHOTS: readonly Shot[] = [
  {name: 'start', sizes: [[80, 26]], show: (terminal) => terminal.sees(READY)},
  {name: 'request', sizes: WIDTHS, shades: ['dark', 'light'], show: ask},
  {name: 'turn', sizes: WIDTHS, shades: ['dark', 'light'], show: finish},
  {name: 'full-screen', sizes: [[140, 36]], shades: ['dark', 'light'], args: ['--fullscreen'], show: finish},
  {name: 'board', sizes: [[120, 36]], shades: ['dark', 'light'], show: showBoard},
  {name: 'settings', sizes: [[80, 26]], show: (terminal) => open(terminal, '/settings\r', '─ Settings')},
  {name: 'help', sizes: [[80, 26]], show: (terminal) => open(terminal, '?', '─ Keys')},
  {name: 'themes', sizes: [[80, 26]], show: showThemes},
  {name: 'commands', sizes: [[80, 26]], show: (terminal) => open(terminal, '/', '─ Commands')},
  {
    name: 'form',
    sizes: [[80, 26]],
    agent: 'demo',
    show: (terminal) => open(terminal, '/form\r', 'Tab next'),
  },
];

async function open(terminal: TerminalDriver, typed: string, seen: string): Promise<void> {
  await terminal.sees(READY);
  terminal.type(typed.replace(/\r$/, ''));
  if (typed.endsWith('\r')) terminal.press('enter');
  await terminal.sees(seen);
}

async function ask(terminal: TerminalDriver): Promise<void> {
  await terminal.sees(READY);
  terminal.type(PROMPT);
  terminal.press('enter');
  await terminal.sees('Allow this command?');
  await terminal.sees('why am I asked');
}

async function finish(terminal: TerminalDriver): Promise<void> {
  await ask(terminal);
  await allow(terminal);
  await terminal.sees('1 file changed');
  await terminal.sees(READY);
}

async function showThemes(terminal: TerminalDriver): Promise<void> {
  await open(terminal, '/theme\r', 'Filter: theme');
  terminal.press('enter');
  await terminal.sees('high-contrast');
}

/** A session that is done, one that asks, and a new one, on the board. */
async function showBoard(terminal: TerminalDriver): Promise<void> {
  await finish(terminal);
  await another(terminal, '2/2');
  terminal.type(PROMPT);
  terminal.press('enter');
  await terminal.sees('why am I asked');
  await another(terminal, '3/3');
  terminal.press('left');
  await terminal.sees('Needs you');
}

async function another(terminal: TerminalDriver, place: string): Promise<void> {
  terminal.press('ctrl+x');
  terminal.type('n');
  await terminal.sees(place);
  await terminal.sees(READY);
}

/** Allows what is asked when it takes keys: those before it was read may have been meant for the prompt. */
async function allow(terminal: TerminalDriver): Promise<void> {
  await terminal.sees('why am I asked');
  await setTimeout(READING);
  terminal.type('1');
  await terminal.noLongerSees('why am I asked');
}

const PROMPT = 'Two requests refresh the session at once and one of them is logged out. Fix that.';

const BEFORE = `export async function refresh(token: string): Promise<Session> {
  if (busy) return current;
  busy = true;
  return current = await start(token);
}
`;
const AFTER = `export async function refresh(token: string): Promise<Session> {
  pending ??= start(token).finally(() => (pending = undefined));
  return pending;
}
`;

function update(sessionUpdate: string, content: object): {readonly update: Record<string, unknown>} {
  return {update: {sessionUpdate, ...content}};
}

function say(text: string) {
  return update('agent_message_chunk', {content: {type: 'text', text}});
}

function text(content: string): object {
  return {type: 'content', content: {type: 'text', text: content}};
}

const lines = (count: number, name: string) =>
  Array.from({length: count}, (_, index) => `${name} ${index + 1}`).join('\n');

const SCRIPT: Script = {
  initialize: {agentInfo: {name: 'scripted', title: 'Scripted agent', version: '1.0.0'}},
  turns: [
    [
      say(
        'The refresh is guarded by a flag that is cleared too early. I will keep the `promise` instead.\n\n',
      ),
      update('tool_call', {
        toolCallId: 'read',
        kind: 'read',
        title: 'Read src/session.ts',
        status: 'completed',
        content: [text(lines(88, 'line'))],
      }),
      update('tool_call', {
        toolCallId: 'search',
        kind: 'search',
        title: 'Search "refresh(" in src',
        status: 'completed',
        content: [text(lines(7, 'match'))],
      }),
      update('tool_call', {
        toolCallId: 'edit',
        kind: 'edit',
        title: 'Edit src/session.ts',
        status: 'completed',
        content: [{type: 'diff', path: '$cwd/src/session.ts', oldText: BEFORE, newText: AFTER}],
      }),
      {
        ask: 'run',
        method: 'session/request_permission',
        params: {
          sessionId: '$session',
          toolCall: {
            toolCallId: 'run',
            kind: 'execute',
            title: 'Run npm test -- session',
            status: 'pending',
            rawInput: {command: 'npm test -- session'},
          },
          options: [
            {optionId: 'yes', name: 'Allow once', kind: 'allow_once'},
            {optionId: 'always', name: 'Always allow npm test', kind: 'allow_always'},
            {optionId: 'no', name: 'Reject', kind: 'reject_once'},
          ],
        },
      },
      {answered: 'run'},
      update('tool_call_update', {
        toolCallId: 'run',
        status: 'completed',
        content: [text('✓ refreshes once for two callers  14 ms\n✓ starts again after a failure    3 ms')],
      }),
      say(
        '\nFixed: whoever calls second waits for the first call, and a failure does not block the next one.\n',
      ),
    ],
  ],
};

/** Where nothing of this computer is named. */
function workFolder(): string {
  const wanted = path.join(tmpdir(), 'shop');
  try {
    mkdirSync(wanted);
    return wanted;
  } catch {
    return mkdtempSync(path.join(tmpdir(), 'shop-'));
  }
}

const home = mkdtempSync(path.join(tmpdir(), 'acp-tui-pictures-'));
const cwd = workFolder();
mkdirSync(path.join(cwd, 'src'));
writeFileSync(path.join(cwd, 'src/session.ts'), AFTER);
writeFileSync(path.join(cwd, 'README.md'), '# Shop\n\nA small shop.\n');

interface Opened {
  readonly agent: string;
  readonly args?: readonly string[];
  readonly columns: number;
  readonly rows: number;
  readonly shade: Shade;
}

function openTerminal({agent, args = [], columns, rows, shade}: Opened): TerminalDriver {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: mkdtempSync(path.join(home, 'home-')),
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    LANG: 'C.UTF-8',
    ACP_TUI_DEMO_PACE: '0.5',
  };
  const line = [at('../bin/acp-tui.js'), '--agent', agent, ...args];
  return new TerminalDriver(process.execPath, line, {
    cwd,
    env,
    columns,
    rows,
    background: BACKGROUNDS[shade],
  });
}

async function shoot(shot: Shot): Promise<void> {
  const fakeAgent = [
    process.execPath,
    at('../fixtures/fake-agent/main.ts'),
    'script',
    JSON.stringify(SCRIPT),
  ];
  const {agent = fakeAgent.map((word) => `'${word}'`).join(' '), args = [], sizes, shades = ['dark']} = shot;
  for (const [columns, rows] of sizes)
    for (const shade of shades) {
      const terminal = openTerminal({agent, args, columns, rows, shade});
      await shot.show(terminal);
      writeFileSync(`${FOLDER}${shot.name}-${columns}-${shade}.svg`, terminal.picture());
      await terminal.dispose();
    }
}

/** Seconds: the longest that a frame of the tour is shown, a request, and the last frame. */
const LONGEST = 1.2;
const REQUEST = 2;
const LAST = 4;
/** Milliseconds before a request is answered. */
const READING = 1000;
/** Requests of the tour: two changes and a command. */
const REQUESTS = 3;
/** Fields of its form before the one that must be chosen. */
const FIELDS_BEFORE_CHOICE = 7;
/** Milliseconds between two looks at the screen. */
const INTERVAL = 120;

/** The demo agent's tour, with its requests allowed and its form sent. */
async function film(): Promise<void> {
  const terminal = openTerminal({agent: 'demo', columns: 90, rows: 28, shade: 'dark'});
  const frames: TimedFrame[] = [];
  let last = '';
  function look(): void {
    const frame = terminal.frame();
    const seen = frame.rows.join('\n');
    if (seen === last) return;
    last = seen;
    frames.push({frame, seconds: INTERVAL / 1000});
  }
  const timer = setInterval(look, INTERVAL);
  await terminal.sees(READY);
  terminal.type('/tour');
  await terminal.sees('❯ /tour');
  terminal.press('enter');
  for (let request = 0; request < REQUESTS; request++) {
    await allow(terminal);
  }
  await terminal.sees('Ctrl+S submit');
  // A form takes no keys at first: they may have been meant for the prompt.
  await setTimeout(READING);
  for (const keys of ['Ada', ...Array<string>(FIELDS_BEFORE_CHOICE).fill('\t'), ' ', '\x13']) {
    terminal.type(keys);
    await setTimeout(READING / 5);
  }
  await terminal.sees('What you can do:');
  await terminal.sees(READY);
  clearInterval(timer);
  look();
  const timed = frames.map(({frame}, index) => ({
    frame,
    seconds: index === frames.length - 1 ? LAST : isRequest(frame.rows) ? REQUEST : LONGEST / 4,
  }));
  writeFileSync(`${FOLDER}tour.svg`, movingPictureOf(timed));
  await terminal.dispose();
}

function isRequest(rows: readonly string[]): boolean {
  return rows.some((row) => row.includes('why am I asked'));
}

mkdirSync(FOLDER, {recursive: true});
const [wanted = ''] = process.argv.slice(2);
for (const shot of SHOTS) if (shot.name.startsWith(wanted)) await shoot(shot);
if ('tour'.startsWith(wanted)) await film();
rmSync(home, {recursive: true, force: true});
rmSync(cwd, {recursive: true, force: true});
process.exit(0);
