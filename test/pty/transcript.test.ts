import {expect, test} from 'vitest';
import {endedTurns, fakeAgent, openReady, turnsEnd} from './driver/chat.ts';
import {openPuppet} from './driver/puppet.ts';

/** How often a text stands anywhere on the screen or above it. */
function count(history: string, text: string): number {
  return history.split(text).length - 1;
}

test('a long answer that streams is in the scrollback completely, in order, and once', async () => {
  const chat = await openPuppet({rows: 12});
  const lines = Array.from({length: 120}, (_, index) => `Line ${index} of the answer.`);
  chat.type('go\r');
  for (const [index, line] of lines.entries()) {
    chat.tell({say: `${line}\n`}, {say: index % 10 === 9 ? '\n' : ''});
    if (index % 30 === 0) await chat.hasSeen(line);
  }
  chat.tell({end: 'end_turn'});
  await turnsEnd(chat);
  // Lines of one paragraph flow together: their words are compared.
  const words = chat.history().replaceAll(/\s+/g, ' ');
  expect(words).toContain(lines.join(' '));
  for (const line of lines) expect(count(words, line)).toBe(1);
  expect(count(chat.history(), '❯ go')).toBe(1);
});

test('markdown is drawn as what it means', async () => {
  const chat = await openReady({agent: 'demo'});
  chat.type('/markdown\r');
  await turnsEnd(chat);
  const history = chat.history();
  expect(history).toContain('Text can be strong, emphasised, struck out or code');
  expect(history).not.toContain('**strong**');
  expect(history).not.toContain('```');
  expect(history).not.toContain('| ---');
  expect(history).toMatch(/what +.? *how fast/);
  expect(count(history, 'export function greet')).toBe(1);
  expect(count(history, '日本語, 한국어')).toBe(1);
});

test('a thought is shown while it goes on, and folded to a line once it is over', async () => {
  const chat = await openPuppet();
  const thought = (text: string) => ({
    update: {sessionUpdate: 'agent_thought_chunk', content: {type: 'text', text}},
  });
  chat.type('go\r');
  chat.tell(thought('First idea.\n\n'), thought('Second idea.'));
  await chat.sees('Second idea.');
  await chat.sees('Thinking…');
  chat.tell({say: 'The answer.'}, {end: 'end_turn'});
  await turnsEnd(chat);
  expect(chat.history()).toMatch(/∴ Thought.* · First idea\. Second idea\.\n\nThe answer\./);
});

test('tool calls are cards with what matters for their kind', async () => {
  const chat = await openReady({agent: fakeAgent('tools')});
  chat.type('go\r');
  await turnsEnd(chat);
  const history = chat.history();
  expect(history).toMatch(/✓ Read greet\.ts/);
  expect(history).toMatch(/✓ Edit greet\.ts/);
  expect(history).toContain('- export const greeting = "hello";');
  expect(history).toContain('+ export const greeting = "good morning";');
  expect(history).toMatch(/✗ Run npm test · failed\n {2}1 failing/);
  expect(count(history, 'Search for "greeting"')).toBe(1);
});

test('what a running command prints is shown while it runs, and once afterwards', async () => {
  const chat = await openReady({agent: fakeAgent('terminal'), args: ['--approve', 'all']});
  chat.type('echo started; while [ ! -e go ]; do sleep 0.05; done; echo finished\r');
  await chat.sees(/^ *started$/m);
  const go = await openReady({agent: fakeAgent('terminal'), args: ['--approve', 'all'], cwd: chat.cwd});
  go.type('touch go\r');
  await chat.hasSeen(/^ *finished$/m);
  await turnsEnd(chat);
  expect(chat.history().match(/^ *started$/gm)).toHaveLength(1);
});

test('a plan stands above the prompt while it is unfinished, and in the transcript afterwards', async () => {
  const chat = await openPuppet();
  const plan = (...statuses: readonly string[]) => ({
    update: {
      sessionUpdate: 'plan',
      entries: statuses.map((status, index) => ({content: `Step ${index + 1}`, priority: 'high', status})),
    },
  });
  chat.type('go\r');
  chat.tell(plan('in_progress', 'pending'), {say: 'Working on it.'});
  await chat.sees(/Working on it\.[^]*Plan[^]*Step 1[^]*Step 2/);
  chat.tell(plan('completed', 'in_progress'));
  await chat.sees(/✓ Step 1/);
  chat.tell(plan('completed', 'completed'), {say: ' All done.'}, {end: 'end_turn'});
  await turnsEnd(chat);
  expect(chat.history()).toMatch(/Plan\n✓ Step 1\n✓ Step 2\n/);
  expect(count(chat.history(), 'Step 2')).toBe(1);
});

test('changes of the mode, usage and cost are told', async () => {
  const chat = await openPuppet();
  chat.type('go\r');
  chat.tell(
    {
      update: {
        sessionUpdate: 'usage_update',
        used: 50_000,
        size: 200_000,
        cost: {amount: 0.42, currency: 'USD'},
      },
    },
    {say: 'Counted.'},
    {end: 'end_turn'},
  );
  await turnsEnd(chat);
  await chat.sees(/Fake agent · .*25% of 200k.*0\.42/);
});

test.each([
  ['max-tokens', 'Stopped: the answer reached the most tokens'],
  ['max-turn-requests', 'Stopped: the agent reached the most model requests'],
  ['refusal', 'The agent refused to go on.'],
  ['error-details', 'quota exceeded'],
  ['error-http', 'API key not valid'],
  ['error-string', 'the model is overloaded'],
])('%s: why a turn stopped is said', async (scenario, sentence) => {
  const chat = await openReady({agent: fakeAgent(scenario)});
  chat.type('go\r');
  await chat.hasSeen(sentence);
  await turnsEnd(chat);
});

test('unknown updates are shown as what they are, and the turn goes on', async () => {
  const chat = await openReady({agent: fakeAgent('unknowns')});
  chat.type('go\r');
  await turnsEnd(chat);
  expect(chat.history()).toContain('hologram');
  expect(chat.history()).toContain('Teleport');
  expect(chat.history()).toContain('session/fly: -32601');
});

test('what comes before and after the turn is in its place', async () => {
  const chat = await openReady({agent: fakeAgent('disorder')});
  chat.type('go\r');
  await chat.hasSeen('after the turn');
  const history = chat.history();
  for (const text of ['before the turn', 'in the turn', 'after the turn'])
    expect(count(history, text)).toBe(1);
  expect(history.indexOf('before the turn')).toBeLessThan(history.indexOf('in the turn'));
  expect(history.indexOf('in the turn')).toBeLessThan(history.indexOf('after the turn'));
  expect(endedTurns(chat)).toBe(1);
});
