import {createInterface} from 'node:readline';
import {setTimeout as wait} from 'node:timers/promises';

/**
 * An agent for measuring: answers a prompt `chunks <count> <per second>` with that many small chunks of markdown (0 per second: as
 * fast as possible), `blocks <count>` with that many short paragraphs, `calls <count>` with that many tool calls of 16 KB each,
 * `searches <count> <at once>` with that many small ones, `subagents <count> <per second> <chunks>` with that many subagents which send
 * that many chunks in rotation, `grow <kind> <count>` with that many of a kind (see `GROWING`), `ask` with a permission request, `update`, `code`, `diffs` or `change` with something of that size (see `LARGE`), and
 * anything else with one word.
 */
const WORDS = 'the agent reads a file and changes one line of it so that the test passes again'.split(' ');
/** The session of the current prompt: one at a time. */
let session = '';
let opened = 0;

function send(message: object): boolean {
  return process.stdout.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`);
}

function say(text: string): Promise<void> {
  return emit({sessionUpdate: 'agent_message_chunk', messageId: 'm1', content: {type: 'text', text}});
}

async function emit(update: object, sessionId = session): Promise<void> {
  if (!send({method: 'session/update', params: {sessionId, update}})) {
    await new Promise((drained) => process.stdout.once('drain', drained));
  }
}

/** Chunk `i` of a text with paragraphs, lists and code, about 20 characters each. */
function chunk(i: number): string {
  const words = `${WORDS[i % WORDS.length]} ${WORDS[(i * 7) % WORDS.length]} ${i} `;
  if (i % 200 === 150) return `${words}\n\n\`\`\`ts\nconst value${i} = ${i};\n`;
  if (i % 200 === 170) return `${words}\n\`\`\`\n\n`;
  if (i % 40 === 39) return `${words}.\n\n`;
  if (i % 40 === 20) return `${words}\n- `;
  return words;
}

async function chunks(count: number, perSecond: number): Promise<void> {
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    await untilDue(start, i, perSecond);
    await say(chunk(i));
  }
}

async function untilDue(start: number, i: number, perSecond: number): Promise<void> {
  const due = perSecond > 0 ? (i / perSecond) * 1000 - (performance.now() - start) : 0;
  if (due > 1) await wait(due);
}

/** Subagents that write in rotation, with a tool call now and then. */
async function subagents(count: number, perSecond: number, pieces: number): Promise<void> {
  const names = Array.from({length: count}, (_, index) => `sub${index}`);
  const report = (sessionId: string, reported: object) =>
    emit({sessionUpdate: 'subagent_update', sessionId, ...reported});
  for (const name of names) await report(name, {title: `Worker ${name}`, state: {state: 'running'}});
  const start = performance.now();
  for (let i = 0; i < pieces; i++) {
    await untilDue(start, i, perSecond);
    const name = names[i % count] ?? '';
    const content = {type: 'text', text: chunk(Math.floor(i / count))};
    const call = {
      toolCallId: `call${i}`,
      title: `Search for word ${i}`,
      kind: 'search',
      status: 'in_progress',
    };
    if (i % 100 < count) await emit({sessionUpdate: 'tool_call', ...call}, name);
    await emit({sessionUpdate: 'agent_message_chunk', content}, name);
  }
  for (const name of names) await report(name, {state: {state: 'idle', stopReason: 'end_turn'}});
  await say(`All ${pieces - 1} are done.`);
}

/** A file read of 16 KB, and a change every other time. */
async function call(i: number): Promise<void> {
  const text = `${WORDS.join(' ')} ${i}\n`.repeat(200).slice(0, 16_000);
  const diff = {
    type: 'diff',
    path: `/src/file${i}.ts`,
    oldText: text.slice(0, 8000),
    newText: text.slice(0, 7900),
  };
  const content = i % 2 === 0 ? {type: 'content', content: {type: 'text', text}} : diff;
  const toolCallId = `call${i}`;
  const [kind, title] = i % 2 === 0 ? ['read', `Read file ${i}`] : ['edit', `Change file ${i}`];
  await emit({sessionUpdate: 'tool_call', toolCallId, title, kind, status: 'in_progress'});
  await emit({sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content: [content]});
}

/** Small tool calls, at most `atOnce` of them open. */
async function searches(count: number, atOnce: number): Promise<void> {
  for (let from = 0; from < count; from += atOnce) {
    const batch = Array.from({length: Math.min(atOnce, count - from)}, (_call, index) => from + index);
    for (const i of batch) {
      const title = `Search for word ${i}`;
      await emit({sessionUpdate: 'tool_call', toolCallId: `s${i}`, title, kind: 'search', status: 'pending'});
    }
    for (const i of batch) {
      const content = [{type: 'content', content: {type: 'text', text: `${i % 9} matches for word ${i}`}}];
      await emit({sessionUpdate: 'tool_call_update', toolCallId: `s${i}`, status: 'completed', content});
    }
  }
}

const search = (i: number) => ({toolCallId: `s${i}`, title: `Search for word ${i}`, kind: 'search'});
const text = (words: string) => ({type: 'text', text: words});
const plan = (i: number) => [{content: `Step ${i}`, priority: 'medium', status: 'pending'}];

/** What a long turn has very many of. */
const GROWING: Readonly<Record<string, (i: number, count: number) => Promise<unknown>>> = {
  call: async (i) => {
    await emit({sessionUpdate: 'tool_call', ...search(i), status: 'pending'});
    const content = [{type: 'content', content: text(`${i % 9} matches for word ${i}`)}];
    await emit({sessionUpdate: 'tool_call_update', toolCallId: `s${i}`, status: 'completed', content});
  },
  message: (i) =>
    emit({sessionUpdate: 'agent_message_chunk', messageId: `a${i}`, content: text(`Message ${i}.`)}),
  thought: (i) =>
    emit({sessionUpdate: 'agent_thought_chunk', messageId: `t${i}`, content: text(`Thought ${i}.`)}),
  plan: (i) => emit({sessionUpdate: 'plan', entries: plan(i)}),
  mode: (i) => emit({sessionUpdate: 'current_mode_update', currentModeId: i % 2 === 0 ? 'ask' : 'code'}),
  mixed: (i, count) => {
    const kinds = ['call', 'message', 'thought', 'plan', 'mode'];
    return GROWING[kinds[i % kinds.length] ?? '']?.(i, count) ?? Promise.resolve();
  },
  late: async (i, count) => {
    await emit({sessionUpdate: 'tool_call', ...search(i), status: 'pending'});
    if (i < count - 1) return;
    for (let call = 0; call < count; call++)
      await emit({sessionUpdate: 'tool_call_update', toolCallId: `s${call}`, status: 'completed'});
  },
  request: (i) => ask({toolCallId: `r${i}`, title: `Read part ${i}`, kind: 'read'}),
  subagent: async (i) => {
    const about = {sessionUpdate: 'subagent_update', sessionId: `sub${i}`};
    await emit({...about, title: `Worker ${i}`, state: {state: 'running'}});
    await emit({sessionUpdate: 'agent_message_chunk', content: text(`Part ${i} is done.`)}, `sub${i}`);
    await emit({...about, state: {state: 'idle', stopReason: 'end_turn'}});
  },
};

const line = (i: number) => `const value${i} = compute(${i}, 'abc');\n`;
const lines = (count: number, from = 0) =>
  Array.from({length: count}, (_line, index) => line(from + index)).join('');

/** What is large at once, by its size: MB, lines, calls or changes. */
const LARGE: Readonly<Record<string, (size: number, atOnce: number) => Promise<unknown>>> = {
  update: (size) =>
    say(Array.from({length: size * 10_000}, (_text, i) => `${chunk(i)}${chunk(i + 1)}\n\n`).join('')),
  code: (size) => say(`\`\`\`ts\n${lines(size)}\`\`\`\n`),
  searches,
  diffs: (size) =>
    emit({
      sessionUpdate: 'tool_call',
      toolCallId: 'diffs',
      title: 'Rename a function',
      kind: 'edit',
      status: 'completed',
      content: Array.from({length: size}, (_diff, i) => ({
        type: 'diff',
        path: `/src/file${i}.ts`,
        oldText: lines(100, i),
        newText: lines(100, i).replaceAll('compute', 'calculate'),
      })),
    }),
  change: (size) => {
    const content = [{type: 'diff', path: '/src/new.ts', oldText: null, newText: lines(size)}];
    return askUser({toolCallId: 'asked', title: 'Write new.ts', kind: 'edit', content});
  },
};

/** Requests permission, and never continues. */
function askUser(
  toolCall: object = {
    toolCallId: 'asked',
    title: 'Clean up',
    kind: 'execute',
    rawInput: {command: 'rm -r build'},
  },
): Promise<never> {
  const options = [{optionId: 'yes', name: 'Yes', kind: 'allow_once'}];
  send({id: 'asked', method: 'session/request_permission', params: {sessionId: session, toolCall, options}});
  return new Promise(() => {});
}

const answered = new Map<string, () => void>();

/** Requests permission; resolves when it is answered. */
function ask({toolCallId, ...fields}: ReturnType<typeof search>): Promise<void> {
  const options = [{optionId: 'yes', name: 'Yes', kind: 'allow_once'}];
  const params = {sessionId: session, toolCall: {toolCallId, ...fields}, options};
  send({id: toolCallId, method: 'session/request_permission', params});
  const {promise, resolve} = Promise.withResolvers<void>();
  answered.set(toolCallId, resolve);
  return promise;
}

async function grow(kind: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await GROWING[kind]?.(i, count);
  await say('That is all.');
}

async function answer(prompt: string): Promise<void> {
  const [kind, count = '0', rate = '0', pieces = '0'] = prompt.trim().split(/\s+/);
  if (kind === 'chunks') await chunks(Number(count), Number(rate));
  else if (kind === 'blocks')
    for (let i = 0; i < Number(count); i++) await say(`Block ${i}: ${chunk(1)}${chunk(2)}\n\n`);
  else if (kind === 'calls') for (let i = 0; i < Number(count); i++) await call(i);
  else if (kind === 'grow') await grow(count, Number(rate));
  else if (kind === 'ask') await askUser();
  else if (kind === 'subagents') await subagents(Number(count), Number(rate), Number(pieces));
  else if (kind !== undefined && Object.hasOwn(LARGE, kind)) {
    await LARGE[kind]?.(Number(count), Number(rate));
    await say('That is all.');
  } else await say('pong');
}

interface Params {
  readonly sessionId?: string;
  readonly prompt?: readonly {readonly text?: string}[];
}

const results: Record<string, (params: Params) => Promise<object> | object> = {
  initialize: () => ({
    protocolVersion: 1,
    agentCapabilities: {loadSession: true},
    agentInfo: {name: 'bench', version: '1'},
  }),
  'session/load': () => ({}),
  'session/new': () => ({
    sessionId: `bench-${++opened}`,
    modes: {currentModeId: 'code', availableModes: ['ask', 'code'].map((id) => ({id, name: id}))},
  }),
  'session/prompt': async ({prompt = [], sessionId = ''}) => {
    session = sessionId;
    await answer(prompt.map((block) => block.text ?? '').join(''));
    return {stopReason: 'end_turn'};
  },
};

for await (const line of createInterface({input: process.stdin})) {
  const {id, method, params} = JSON.parse(line) as {id?: number | string; method?: string; params: object};
  if (method === undefined) answered.get(String(id))?.();
  if (id === undefined || method === undefined) continue;
  const result = results[method];
  if (result) void Promise.resolve(result(params)).then((value) => send({id, result: value}));
  else send({id, error: {code: -32601, message: 'no such method'}});
}
process.exit(0);
