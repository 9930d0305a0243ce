import {afterEach, describe, expect, test} from 'vitest';
import {closeWindows, open, shown} from '../support/screen/window.ts';
import {update} from '../support/session/build.ts';
import {asks, diff, ended, prompt, says, thinks, tool} from '../support/session/conversation.ts';
import {ASKS} from '../support/driver/request-texts.ts';

afterEach(closeWindows);

describe('the window', () => {
  test('starts with a prompt and a status line', async () => {
    const window = open();
    await shown(window).toContain('Ask anything');
    expect(await window.screen()).toMatchSnapshot();
  });

  test('shows a whole turn, and leaves it in the scrollback in order', async () => {
    const window = open();
    window.report(
      prompt(1, 'Fix the test'),
      thinks('It may be the date.'),
      says('I look at it.'),
      tool('a', 'completed'),
      says('Done.\n\n- one\n- two'),
      ended(1),
    );
    await shown(window).toContain('two');
    const all = await window.everything();
    const order = ['▌ Fix the test', '∴ Thought', 'I look at it.', '✓ tool a', 'Done.', 'Ask anything'];
    expect(order.map((text) => all.indexOf(text))).toEqual(
      order.map((text) => all.indexOf(text)).toSorted((a, b) => a - b),
    );
    expect(order.filter((text) => all.split(text).length !== 2)).toEqual([]);
  });

  test('shows what streams and runs before it is finished', async () => {
    const window = open();
    window.report(prompt(1), says('Half a sen'));
    await shown(window).toContain('Half a sen');
    await shown(window).toContain('Answering…');
    window.report(tool('a', 'in_progress'));
    await shown(window).toContain('◐ tool a');
    await shown(window).toMatch(/Working…$/m);
    expect(await window.everything()).toContain('Half a sen');
    window.report(tool('b', 'in_progress'));
    await shown(window).toMatch(/Running 2 tools…$/m);
  });

  test('shows a running command once, with the keys that stop it and type into it beside the activity', async () => {
    const window = open({columns: 80, rows: 24});
    const content = [{type: 'terminal' as const, terminalId: 't'}];
    window.report(
      prompt(1),
      {type: 'terminal_created', terminalId: 't', command: 'npm test', cwd: '/work', pty: true},
      tool('a', 'in_progress', {title: 'npm test', kind: 'execute', content}),
      {type: 'terminal_output', terminalId: 't', data: 'step 1\r\nstep 2\r\n'},
    );
    await shown(window).toMatch(/^ {2}◐ Run npm test +(?:\d+ s · )?2 lines$/m);
    await shown(window).toMatch(/^\S Working….* Ctrl\+X k stop · i type into it$/m);
    expect((await window.screen()).match(/npm test|Ctrl\+X k/g)).toEqual(['npm test', 'Ctrl+X k']);
  });

  test('never cuts the time of what it waits for', async () => {
    const window = open({columns: 40, rows: 24});
    const connection = {kind: 'starting', step: 'reconnecting', since: 0, attempt: 123_456_789} as const;
    const event = {type: 'connection_changed', connection, at: 0} as const;
    window.store.dispatch({type: 'session', key: 'one', event, at: performance.now() - 61_500});
    await shown(window).toMatch(/Reconnecting to .*… 1 min 1 s$/m);
  });

  test('is never taller than the screen, and keeps the prompt on it, however much streams', async () => {
    const window = open({columns: 40, rows: 10});
    window.report(prompt(1), says('word '.repeat(800)));
    await shown(window).toContain('word');
    await shown(window).toContain('Ask anything');
    expect((await window.screen()).split('\n').length).toBeLessThanOrEqual(10);
    window.report(says('the end'), ended(1));
    await expect.poll(() => window.everything()).toContain('the end');
    expect((await window.everything()).split('word')).toHaveLength(801);
  });

  test('does not write the prompt again while an answer grows above it, line by line or block by block', async () => {
    const window = open();
    window.report(prompt(1), says('Beginning '));
    await shown(window).toContain('Beginning');
    const before = window.bytes().length;
    for (let part = 10; part < 60; part++) {
      window.report(says(`part ${part}${part % 9 === 0 ? '\n\n' : ' '}`));
      await shown(window).toContain(`part ${part}`);
    }
    const written = window.bytes().slice(before);
    expect(written).not.toContain('Ask anything');
    expect(written).not.toMatch(/[╭╰]/);
    const parts = Array.from({length: 50}, (_, index) => `part ${index + 10}`);
    const all = await window.everything();
    expect(parts.filter((part) => all.split(part).length !== 2)).toEqual([]);
  });

  test('never clears the screen or the scrollback', async () => {
    const window = open({columns: 40, rows: 8});
    window.report(prompt(1));
    for (let line = 0; line < 50; line++) window.report(says(`line ${line}\n\n`));
    window.report(ended(1));
    await shown(window).toContain('line 49');
    expect(window.bytes()).not.toMatch(/\x1b\[[23]J|\x1b\[1?;?1?H|\x1bc/);
  });

  test('echoes typed text', async () => {
    const window = open();
    await shown(window).toContain('Ask anything');
    window.press('h', 'ello');
    await shown(window).toContain('hello');
    expect(await window.screen()).not.toContain('Ask anything');
  });

  test('writes no colors without color support', async () => {
    const window = open();
    window.report(prompt(1), says('**bold** and `code`'), tool('a', 'failed'), ended(1));
    await shown(window).toContain('✗ tool a');
    expect(window.bytes()).not.toMatch(/\x1b\[[\d;]*m/);
  });

  test('draws only ASCII if the terminal supports nothing else', async () => {
    const window = open({columns: 60, rows: 16}, {charset: 'ascii'});
    window.report(prompt(1, 'Hi'), tool('a', 'completed'), tool('b', 'failed'), ended(1));
    await shown(window).toContain('x tool b');
    const own = await window.everything();
    expect(own).toMatch(/^[\x20-\x7e\n]*$/);
  });
});

describe('quitting', () => {
  test('leaves the conversation on the screen, including unfinished entries, and no prompt', async () => {
    const window = open();
    window.report(prompt(1, 'Hi'), says('Half a sen'), tool('a', 'in_progress'));
    await shown(window).toContain('tool a');
    await window.close();
    expect((await window.everything()).replace(/^[^]*?\n\n(?=▌)/, '\n')).toBe(
      '\n▌ Hi\n\n  Half a sen\n\n  ◐ tool a',
    );
  });
});

test.each([0, 3] as const)('what Esc does is said once, with colors of level %d', async (colors) => {
  const window = open({columns: 80, rows: 24}, {colors, emphasis: colors > 0});
  window.report(prompt(1), asks({kind: 'execute', rawInput: {command: 'make'}}));
  await shown(window).toContain('Esc back ─');
  expect((await window.screen()).match(/\bEsc\b/g)).toHaveLength(1);
  window.press('\x1b');
  await shown(window).toContain('Esc cancel');
  window.press('?');
  await shown(window).toContain('Esc close');
  expect((await window.screen()).match(/\bEsc [a-z]/g)).toHaveLength(1);
});

test('blank rows set a plan, a list and the prompt apart', async () => {
  const window = open({columns: 60, rows: 30});
  const entries = ['One', 'Two'].map((content) => ({
    content,
    status: 'pending' as const,
    priority: 'low' as const,
  }));
  window.report(prompt(1), says('Text.'), update({sessionUpdate: 'plan', entries}));
  await shown(window).toMatch(/Text\.\n\nPlan 0\/2\n○ One\n○ Two\n\n◐ /);
  window.press('?');
  await shown(window).toContain('all keys');
  window.press('?');
  await shown(window).toContain('Help');
  expect(await window.screen()).toMatch(/○ Two\n\n─ Help [^]*─ Type to filter.*\n\n[^]*╭─/);
});

test('a small screen has one row of the queue: the selected prompt, or how many there are', async () => {
  const window = open({columns: 40, rows: 12});
  window.report(prompt(1), says('word '.repeat(200)));
  await shown(window).toContain('Answering');
  for (const text of ['one', 'two', 'three']) {
    window.press(text, '\r');
    await shown(window).toContain('Ask anything');
  }
  await shown(window).toContain('3 queued\n');
  window.press('\x1b[A');
  await shown(window).toContain('❯ then  three\n');
  window.press('\x1b[A');
  await shown(window).toContain('❯ then  two\n');
  expect(await window.screen()).not.toContain('queued');
});

describe('overlays of the prompt', () => {
  test.each([
    [80, 24, 9],
    [120, 40, 7],
    [40, 12, 6],
  ])(
    'show the first keys for ?, while the prompt stays usable, at %d by %d',
    async (columns, rows, height) => {
      const window = open({columns, rows});
      await shown(window).toContain('Ask anything');
      window.press('?');
      await shown(window).toMatch(/─ Keys ─[^]*\/ +commands[^]*\? all keys · Esc close ─/);
      const lines = (await window.screen()).split('\n');
      const from = lines.findIndex((line) => line.startsWith('─ Keys'));
      expect(lines.findIndex((line) => line.includes('Esc close ─')) - from).toBe(height - 1);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
      window.press('f');
      await shown(window).not.toContain('─ Keys');
      expect(await window.screen()).toContain('❯ f');
    },
  );

  test('say how many of the first keys a small screen leaves out, and give way to a request', async () => {
    const window = open({columns: 40, rows: 12});
    await shown(window).toContain('Ask anything');
    window.press('?');
    await shown(window).toMatch(/… \d+ below · \? all keys · Esc close/);
    window.report(prompt(1), asks({kind: 'execute', rawInput: {command: 'make'}}));
    await shown(window).toContain('Allow this command?');
    expect(await window.screen()).not.toContain('all keys');
  });

  test('show all keys for ? twice on an empty prompt, search while typing, and close with Esc', async () => {
    const window = open({columns: 70, rows: 24});
    await shown(window).toContain('Ask anything');
    window.press('?');
    await shown(window).toContain('all keys');
    window.press('?');
    await shown(window).toContain('Everywhere');
    window.press('quit');
    await shown(window).toMatch(/❯ \/quit/);
    expect(await window.screen()).toMatch(/─ Help ─+ \d+ of \d+ ─/);
    window.press('\x1b');
    await shown(window).not.toContain('Everywhere');
    expect(await window.screen()).toContain('Ask anything');
  });

  test("print a command's whole output that arrived before its tool call ended", async () => {
    const window = open();
    window.report(
      prompt(1),
      {type: 'terminal_created', terminalId: 't', command: 'greet', cwd: '/work', pty: true},
      tool('a', 'in_progress', {title: 'greet', content: [{type: 'terminal', terminalId: 't'}]}),
    );
    await shown(window).toContain('greet');
    const last = [
      {
        type: 'terminal_drawn',
        terminalId: 't',
        isBehind: false,
        change: {from: 0, rows: [[{text: 'hello Ada'}]]},
      },
      {type: 'terminal_exited', terminalId: 't', exit: {code: 0, signal: null}},
      update({sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'completed'}),
      ended(1),
    ] as const;
    // All of it between two frames.
    for (const event of last)
      window.store.dispatch({
        type: 'session',
        key: 'one',
        event: {...event, at: Date.now()},
        at: performance.now(),
      });
    await expect.poll(() => window.everything()).toContain('✓ greet');
    expect(await window.everything()).toContain('hello Ada');
  });

  test('print no unfinished tool call for a request, however tall', async () => {
    const window = open({columns: 60, rows: 27});
    const newText = Array.from({length: 12}, (_, line) => `line ${line}\n`).join('');
    const content = [diff(newText, null, '/work/a.md')];
    window.report(prompt(1), asks({kind: 'edit', status: 'pending', content}));
    window.report(says('I will write the file.'));
    await shown(window).toContain('I will write the file.');
    await shown(window).toMatch(ASKS);
    window.report({
      type: 'permission_resolved',
      id: 'p',
      toolCallId: 'a',
      decision: {outcome: 'allowed', option: 'Allow once', by: 'user'},
    });
    window.report(
      update({sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'completed'}),
      ended(1),
    );
    await expect.poll(() => window.everything()).toContain('✓');
    expect(await window.everything()).not.toMatch(/[○◐]/);
    expect((await window.everything()).match(/a\.md \(new file/g)).toHaveLength(1);
  });

  test('list commands that fit for /', async () => {
    const window = open();
    await shown(window).toContain('Ask anything');
    window.press('/', 'm', 'o', 'd');
    await shown(window).toContain('/model');
    expect(await window.screen()).toMatchSnapshot();
  });

  test('show the current item of a list, and what matches the filter', async () => {
    const window = open();
    window.report(update({sessionUpdate: 'current_mode_update', currentModeId: 'ask'}), {
      type: 'session_opened',
      how: 'new',
      session: {
        sessionId: 's',
        cwd: '/work',
        additionalDirectories: [],
        modes: {
          currentModeId: 'ask',
          availableModes: [
            {id: 'ask', name: 'Ask', description: 'Only looks'},
            {id: 'code', name: 'Code'},
          ],
        },
      },
    });
    await shown(window).toContain('Ask anything');
    window.press('/mode');
    await shown(window).toContain('/mode');
    window.press('\r');
    await shown(window).toContain('Ask (now)');
    expect(await window.screen()).toMatchSnapshot();
    window.press('c', 'o');
    await shown(window).not.toContain('Only looks');
    await shown(window).toContain('Code');
  });
});
