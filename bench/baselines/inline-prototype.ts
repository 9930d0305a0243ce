import {spawn} from 'node:child_process';
import {Readable, Writable} from 'node:stream';
import {client, ndJsonStream} from '@agentclientprotocol/sdk/unstable';
import {Box, render, Static, Text, useInput, useWindowSize} from 'ink';
import {createElement as h, Fragment, memo, useState, useSyncExternalStore} from 'react';
import wrapAnsi from 'wrap-ansi';

/**
 * The smallest inline chat that draws like acp-tui: finished paragraphs through <Static>, the last one live, at most
 * 30 updates a second. No markdown, no tools, no permissions: their cost is the difference. `node inline-prototype.ts <agent…>`
 */
const [command = '', ...args] = process.argv.slice(2);
const listeners = new Set<() => void>();
let state: {readonly finished: readonly {id: number; text: string}[]; readonly tail: string} = {
  finished: [],
  tail: '',
};
let pending: string[] = [];
let tail = '';
let timer: NodeJS.Timeout | undefined;
let last = 0;

function receive(text: string): void {
  const parts = (tail + text).split('\n\n');
  tail = parts.pop() ?? '';
  pending.push(...parts);
  timer ??= setTimeout(flush, Math.max(0, 33 - (performance.now() - last)));
}

function flush(): void {
  timer = undefined;
  last = performance.now();
  const next = pending.splice(0, 10).map((text, i) => ({id: state.finished.length + i, text: wrap(text)}));
  state = {finished: next.length > 0 ? [...state.finished, ...next] : state.finished, tail: wrap(tail)};
  for (const listener of listeners) listener();
  if (pending.length > 0) timer = setTimeout(flush, 33);
}

function wrap(text: string): string {
  return wrapAnsi(text, process.stdout.columns - 1, {hard: true});
}

function useChat<T>(select: (now: typeof state) => T): T {
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return useSyncExternalStore(subscribe, () => select(state));
}

const Block = memo(({text}: {readonly text: string}) => h(Text, null, text));
const Finished = () => {
  const items = [...useChat((now) => now.finished)];
  return h(Static<{id: number; text: string}>, {items, children: ({id, text}) => h(Block, {key: id, text})});
};
const Tail = () => {
  const text = useChat((now) => now.tail);
  const {rows} = useWindowSize();
  return text
    ? h(
        Text,
        null,
        text
          .split('\n')
          .slice(-Math.max(1, rows - 8))
          .join('\n'),
      )
    : null;
};
function Prompt({onSubmit}: {readonly onSubmit: (text: string) => Promise<void>}) {
  const [text, setText] = useState('');
  useInput((input, key) => {
    if (key.ctrl && input === 'c') process.exit(0);
    // Text typed before the terminal was raw arrives together with its Enter.
    if (key.return || /[\r\n]$/.test(input)) {
      void onSubmit(text + input.replace(/[\r\n]$/, ''));
      setText('');
    } else setText((before) => before + input);
  });
  return h(Box, {borderStyle: 'round'}, h(Text, null, text || 'Ask anything'));
}

const child = spawn(command, args, {stdio: ['pipe', 'pipe', 'inherit']});
const stream = ndJsonStream(
  Writable.toWeb(child.stdin),
  Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
);
const app = client().onNotification('session/update', ({params: {update}}) => {
  if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
    receive(update.content.text);
});
const {agent} = app.connect(stream);
const session = agent
  .request('initialize', {protocolVersion: 1, clientCapabilities: {}})
  .then(() => agent.request('session/new', {cwd: process.cwd(), mcpServers: []}));

async function submit(text: string): Promise<void> {
  const {sessionId} = await session;
  await agent.request('session/prompt', {sessionId, prompt: [{type: 'text', text}]});
  receive('\n\nturn ended\n\n');
}

render(
  h(Fragment, null, h(Finished), h(Box, {flexDirection: 'column'}, h(Tail), h(Prompt, {onSubmit: submit}))),
  {
    exitOnCtrlC: false,
    patchConsole: false,
    incrementalRendering: true,
    maxFps: 240,
  },
);
process.on('exit', () => child.kill());
process.on('SIGTERM', () => process.exit(0));
