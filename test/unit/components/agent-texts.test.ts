import type * as acp from '@agentclientprotocol/sdk/unstable';
import * as fc from 'fast-check';
import {afterAll, beforeEach, expect, test, vi} from 'vitest';
import {panelOf} from '../../../components/panels/current-panel.ts';
import {entryChunk} from '../../../components/chunks/chunks.ts';
import {createMessageStream} from '../../../components/chunks/message-stream.ts';
import {rowsOfChunk} from '../../../components/chunks/chunk-rows.ts';
import {activeSession} from '../../../src/app/sessions.ts';
import {terminalTitle} from '../../../src/app/status/notifications.ts';
import {statusLine} from '../../../src/app/status/status-line.ts';
import {fileName} from '../../../src/session/content/content-names.ts';
import {contentItems} from '../../../src/session/content/content-items.ts';
import type {Update} from '../../../src/session/events.ts';
import {readFields} from '../../../src/session/forms/form-schema.ts';
import {codeFence} from '../../../src/text/format.ts';
import {fencedBlocks} from '../../../src/text/markdown/fences.ts';
import {appendTerminalText, emptyTerminalText} from '../../../src/text/terminal-output.ts';
import {createPlainOutput} from '../../../src/text/plain-output.ts';
import {startDrawing, useThreads} from '../../../src/worker/background.ts';
import {cpuTimeOf} from '../../support/cpu-time.ts';
import {inProcess} from '../../support/in-process.ts';
import {colorTheme} from '../../support/screen/theme.ts';
import {calls, callUpdate, says, text as textBlock, thinks} from '../../support/session/build.ts';
import {repeatedText, textOfLength, type RepeatedText} from '../../support/text/repeated.ts';
import {openWindow, options} from '../../support/window/app-window.ts';
import type {UntimedEvent} from '../../support/session/build.ts';

/** The size of everything that the thread gets, in UTF-16 units. */
let posted: number[] = [];

// What may take any time is done in the thread, which draws nothing here.
beforeEach(() => {
  useThreads(({onReady, onOutput}) => {
    queueMicrotask(onReady);
    const post = (_: string, input: unknown) => {
      posted.push(JSON.stringify(input).length);
      onOutput(null);
    };
    return {post, received: () => undefined, end: () => undefined};
  });
  startDrawing();
});
afterAll(() => useThreads(inProcess));

const draws = (['folded', 'whole'] as const).map((extent) =>
  colorTheme({columns: 100, extent, cwd: '/project'}),
);

/** Draws everything that a window shows of a session. */
function show(...events: readonly (UntimedEvent | Update)[]): void {
  const window = openWindow();
  for (const event of events)
    window.agent('sessionUpdate' in event ? {type: 'session_update', update: event} : event);
  const {state} = window;
  const {session} = activeSession(state);
  for (const theme of draws) {
    const look = {...theme, terminals: session.terminals, subagents: session.subagents};
    [...session.entries].forEach((entry, index) => rowsOfChunk(entryChunk(session, index, entry), look));
    panelOf(state, 20, look);
  }
  statusLine(state, window.now);
  terminalTitle(state);
  contentItems(session);
}

const call = (fields: Partial<acp.ToolCall>) => show(calls('c', {status: 'completed', ...fields}));
const content = (text: string): acp.ToolCallContent[] => [{type: 'content', content: textBlock(text)}];
const diff = (oldText: string | null, newText: string, path = '/project/a.ts'): acp.ToolCallContent[] => [
  {type: 'diff', path, oldText, newText},
];

function ask(fields: Partial<acp.ToolCallUpdate>, name = 'Yes'): void {
  const [allow, ...others] = options('allow_once', 'reject_once');
  const offered = [...(allow ? [{...allow, name}] : []), ...others];
  const toolCall = {toolCallId: 'c', title: 'Do', ...fields};
  show({type: 'permission_requested', id: 'p', request: {sessionId: 's1', toolCall, options: offered}});
}

function inPieces(text: string): string[] {
  return Array.from({length: Math.ceil(text.length / 997)}, (_, at) => text.slice(at * 997, at * 997 + 997));
}

function printed(text: string): void {
  const terminal = {terminal_id: 't'};
  const shown = calls('c', {
    content: [{type: 'terminal', terminalId: 't'}],
    _meta: {terminal_info: terminal},
  });
  const pieces = inPieces(text).map((data) =>
    callUpdate('c', {_meta: {terminal_output: {...terminal, data}}}),
  );
  show(shown, ...pieces);
}

/** Streams a message, drawing each part as it is finished. */
function stream(text: string): void {
  const [theme = colorTheme()] = draws;
  const read = createMessageStream('m');
  const window = openWindow();
  for (const piece of inPieces(text)) {
    window.update(says(piece));
    const entry = activeSession(window.state).session.entries.at(-1);
    if (entry?.type !== 'agent_message') continue;
    const {finished, tail} = read.take(entry);
    for (const chunk of [...finished, ...(tail ? [tail] : [])]) rowsOfChunk(chunk, theme);
  }
}

function form(message: string, properties: Readonly<Record<string, object>>): void {
  const fields = readFields({properties, required: []});
  show({type: 'elicitation_requested', id: 'e', asked: {mode: 'form', message, fields}});
}

/** Everywhere that a text of an agent is shown, or is read for what is shown. */
const PLACES: Readonly<Record<string, (text: string) => void>> = {
  message: (text) => show(says(text)),
  'streamed message': stream,
  thought: (text) => show(thinks(text)),
  plan: (text) =>
    show({sessionUpdate: 'plan', entries: [{content: text, status: 'pending', priority: 'low'}]}),
  'title of a call': (title) => call({title}),
  'path of a call': (path) => call({kind: 'read', locations: [{path: `/project/${path}`}]}),
  'result of a call': (text) => call({content: content(text)}),
  'result of a command': (text) => call({kind: 'execute', content: content(text)}),
  'input of a call': (text) => call({rawInput: {text}}),
  command: (command) => call({kind: 'execute', rawInput: {command}}),
  'raw output': (rawOutput) => call({rawOutput}),
  'terminal output': printed,
  change: (text) => call({kind: 'edit', content: diff(text, `${text.slice(1)}new`)}),
  'new file': (text) => call({kind: 'edit', content: diff(null, text)}),
  'path of a change': (path) => call({kind: 'edit', content: diff('a', 'b', `/project/${path}`)}),
  'session title': (title) => show({sessionUpdate: 'session_info_update', title}),
  'command list': (text) =>
    show({
      sessionUpdate: 'available_commands_update',
      availableCommands: [{name: 'a', description: text, input: {hint: text}}],
    }),
  'agent name': (name) =>
    show({
      type: 'agent_initialized',
      fallbackName: 'a',
      response: {protocolVersion: 1, agentInfo: {name, version: '1'}},
    }),
  failure: (stderrTail) =>
    show({
      type: 'connection_changed',
      connection: {
        kind: 'lost',
        failure: {kind: 'connection_lost', exit: {code: 1, signal: null}, stderrTail},
      },
    }),
  'unknown update': (json) => show({sessionUpdate: '_unknown', kind: 'a', json}),
  'request for a call': (text) => ask({title: text, rawInput: {text}}),
  'request for a command': (command) => ask({kind: 'execute', rawInput: {command}}),
  'request for a change': (text) => ask({kind: 'edit', content: diff(text, `${text.slice(1)}new`)}),
  'request for a patch': (patch) => ask({kind: 'edit', rawInput: {patch}, content: diff('a\n', 'b\n')}),
  'option of a request': (name) => ask({}, name),
  'text of a form': (text) => form(text, {a: {type: 'string', title: text, description: text}}),
  'choices of a form': (text) => form('', {a: {type: 'string', enum: [text, `${text}x`]}}),
  'name of content': (name) => void fileName({name, mimeType: undefined, kind: 'text'}),
  'code to copy': (text) => void fencedBlocks(text),
  'quoted output': (text) => void codeFence(text),
  'output without a window': (text) => void createPlainOutput().push(text),
};

const SHORT = 5000;
/** Four times as long: more than nine times as much work is not linear. */
const MOST = 9;
/** Milliseconds of CPU time that are too few to compare, and too few for a user to notice. */
const NOTHING = 100;
const TRIES = 5;

/** Returns how many times as much CPU time a text takes that is four times as long; 0 if it takes hardly any. */
function growth(show: (text: string) => void, text: RepeatedText): number {
  const time = (length: number) => {
    const shown = textOfLength(text, length);
    return cpuTimeOf(() => show(shown));
  };
  let [short, long] = [Infinity, Infinity];
  for (let tries = 0; tries < TRIES; tries++) {
    long = Math.min(long, time(4 * SHORT));
    if (long < NOTHING) return 0;
    short = Math.min(short, time(SHORT));
    if (long <= MOST * short) break;
  }
  return long / short;
}

const run = (unit: string, start = 'a\n', end = 'x\ty') => ({start, unit, end});

test.each<readonly [place: string, text: RepeatedText]>([
  ['result of a call', run('\r')],
  ['terminal output', run('50%\r100%\n')],
  ['terminal output', run('\x1b[4096Gx\n')],
  ['raw output', run('\x1b[4096Gx\n')],
  ['output without a window', run('\r')],
  ['thought', run('\r')],
  ['result of a call', run('`', '', '\nx')],
  ['title of a call', run(' ')],
  ['name of content', run('.', 'a')],
  ['message', run('.', 'http://a')],
  ['quoted output', run('\n')],
  ['code to copy', run('`', '', 'x`')],
  ['streamed message', run('\\[', '[a]: http://b\n\n')],
])('a %s takes linear time: %#', (place, text) => {
  expect(growth(PLACES[place] ?? fail, text)).toBeLessThanOrEqual(MOST);
});

test('no text takes more than linear time anywhere', {timeout: 180_000}, () => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(PLACES)), repeatedText, (place, text) => {
      expect(growth(PLACES[place] ?? fail, text)).toBeLessThanOrEqual(MOST);
    }),
  );
});

/** The most that is drawn at once, with what comes before it. */
const MAX_TASK = 100_000;

test('the thread gets a message in parts of limited size', {timeout: 180_000}, () => {
  fc.assert(
    fc.property(repeatedText, (text) => {
      posted = [];
      const message = textOfLength(text, 4 * SHORT);
      show(says(message));
      expect(Math.max(0, ...posted)).toBeLessThan(MAX_TASK);
    }),
  );
});

test('the thread gets no definition of a link that is longer than a block', () => {
  // However busy the machine is, the window waits for the thread.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
  posted = [];
  const blocks = Array.from({length: 100}, (_, index) => `See [a] ${index}.`);
  show(says([`[a]: http://b/${'c'.repeat(MAX_TASK)}`, ...blocks].join('\n\n')));
  clock.mockRestore();
  expect(posted.length).toBeGreaterThan(100);
  expect(posted.filter((length) => length > MAX_TASK).length).toBeLessThanOrEqual(2);
});

test('a command that moves its cursor far to the right prints hardly more than it sends', () => {
  const {text} = appendTerminalText(emptyTerminalText, '\x1b[4096Gx\n'.repeat(1000), Infinity);
  expect(text.length).toBeLessThan(600_000);
});

function fail(): never {
  throw new Error('no such place');
}
