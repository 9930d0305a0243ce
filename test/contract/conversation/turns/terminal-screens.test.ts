import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {createTerminalScreens} from '../../../../src/conversation/terminal-screens/terminal-screens.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {reduce} from '../../../../src/session/reduce.ts';
import type {SessionEvent} from '../../../../src/session/events.ts';
import {SCREEN_ROWS, type TerminalScreen} from '../../../../src/session/terminals/terminal-screen.ts';

/** A session whose terminals are interpreted. */
function open(awaitsInput: () => boolean = () => false) {
  let session = initialSession({cwd: '/work', additionalDirectories: [], at: 0});
  const apply = (event: SessionEvent) => {
    session = reduce(session, event);
  };
  const follow = createTerminalScreens({emit: apply, awaitsInput, log: () => undefined});
  const report = (event: SessionEvent) => {
    apply(event);
    follow(event);
  };
  const terminal = () => session.terminals.get('t');
  return {
    report,
    terminal,
    start: (pty = true) =>
      report({type: 'terminal_created', terminalId: 't', command: 'c', cwd: '/', pty, at: 0}),
    print: (data: string) => report({type: 'terminal_output', terminalId: 't', data, at: 0}),
    drawn: async (): Promise<TerminalScreen> => {
      await expect.poll(() => terminal()?.isBehind).toBe(false);
      return terminal()!.screen!;
    },
  };
}

const texts = ({rows}: TerminalScreen) => rows.map((row) => row.map(({text}) => text).join(''));

describe('the screen of a command', () => {
  test('holds colors as data, without control characters', async () => {
    const {start, print, drawn} = open();
    start();
    print(
      '\x1b[1;31mred\x1b[0m \x1b[38;2;1;2;255;4mtrue\x1b[0m \x1b[48;5;200mback\x1b[0m\x1b]0;title\x07 plain\u202e!\r\n',
    );
    const {rows} = await drawn();
    expect(rows).toEqual([
      [
        {text: 'red', style: {foreground: 1, bold: true}},
        {text: ' '},
        {text: 'true', style: {foreground: '#0102ff', underline: true}},
        {text: ' '},
        {text: 'back', style: {background: 200}},
        {text: expect.stringMatching(/^ plain[^\u202e]*!$/)},
      ],
    ]);
  });

  test('shows the last state of progress bars on several lines', async () => {
    const {start, print, drawn} = open();
    start();
    print('one 1%\r\ntwo 1%\r\n');
    await drawn();
    print('\x1b[2A\rone 99%\x1b[K\r\ntwo 50%\r\n');
    expect(texts(await drawn())).toEqual(['one 99%', 'two 50%']);
  });

  test('keeps its scrollback and counts the lines it dropped', async () => {
    const {start, print, drawn} = open();
    start();
    for (let line = 0; line < 3000; line += 100)
      print(Array.from({length: 100}, (_, index) => `line ${line + index}\r\n`).join(''));
    const screen = await drawn();
    expect(texts(screen)).toEqual(Array.from({length: SCREEN_ROWS}, (_, index) => `line ${1000 + index}`));
    expect(screen.dropped).toBe(1000);
  });

  test('shows the end of a flood and counts what it left out', async () => {
    const {start, print, drawn} = open();
    start();
    print(Array.from({length: 100_000}, (_, line) => `line ${line}\r\n`).join(''));
    const screen = await drawn();
    expect(texts(screen).at(-1)).toBe('line 99999');
    expect(screen.dropped + screen.rows.length).toBe(100_000);
  });

  test('shows a full-screen program while it runs, and the previous content afterwards', async () => {
    const {start, print, drawn} = open();
    start();
    print('before\r\n\x1b[?1049h\x1b[2J\x1b[3;5Hmenu');
    expect(texts(await drawn())).toContain('    menu');
    print('\x1b[?1049lafter\r\n');
    expect(texts(await drawn())).toEqual(['before', 'after']);
  });

  test('starts a new line at LF alone when the command has pipes', async () => {
    const {start, print, drawn} = open();
    start(false);
    print('a\nb\n');
    expect(texts(await drawn())).toEqual(['a', 'b']);
  });

  test('is the same when an agent only sends the output', async () => {
    const {report, drawn, terminal} = open();
    const describe = (meta: object) =>
      report({
        type: 'session_update',
        update: {sessionUpdate: 'tool_call_update', toolCallId: 'c', _meta: meta as Record<string, unknown>},
        at: 0,
      });
    describe({terminal_info: {terminal_id: 't', cwd: '/'}});
    describe({terminal_output: {terminal_id: 't', data: '10%\r\x1b[32m100%\x1b[0m\ndone\n'}});
    describe({terminal_exit: {terminal_id: 't', exit_code: 0}});
    expect((await drawn()).rows).toEqual([[{text: '100%', style: {foreground: 2}}], [{text: 'done'}]]);
    expect(terminal()?.exit).toEqual({code: 0, signal: null});
  });

  test('is outdated from the moment new output arrives', () => {
    const {start, print, terminal} = open();
    start();
    expect(terminal()?.isBehind).toBe(false);
    print('x');
    expect(terminal()?.isBehind).toBe(true);
  });
});

describe('a command that seems to wait for input', () => {
  beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']}));
  afterEach(() => void vi.useRealTimers());

  /** What it is detected as, after it printed something and was quiet for a while. */
  async function quietAfter(
    printed: string,
    {pty = true, surely = false} = {},
  ): Promise<boolean | undefined> {
    const {start, print, terminal} = open(() => surely);
    start(pty);
    print(printed);
    const isTaken = () => (vi.advanceTimersByTime(1), printed === '' || terminal()?.isBehind === false);
    await expect.poll(isTaken).toBe(true);
    expect(terminal()?.awaitsInput).toBe(false);
    await vi.advanceTimersByTimeAsync(2000);
    const waits = terminal()?.awaitsInput;
    print('more');
    expect(terminal()?.awaitsInput).toBe(false);
    return waits;
  }

  test.each([
    'Name: ',
    'Overwrite? ',
    'Proceed (y/N) ',
    'Ok to proceed? [Y/n]',
    '\x1b[32m?\x1b[0m Which one \x1b[2m›\x1b[0m\r\n> ',
    '>>> ',
  ])('is detected by a question at its end: %j', async (printed) => {
    expect(await quietAfter(printed)).toBe(true);
  });

  test.each(['Compiling\r\n', ' 50%', '[=====>', 'building (3/10)', '$ make\r\n'])(
    'is not detected for: %j',
    async (printed) => {
      expect(await quietAfter(printed)).toBe(false);
    },
  );

  test('is detected by its processes, whatever it prints', async () => {
    expect(await quietAfter('\r\n', {surely: true})).toBe(true);
    expect(await quietAfter('', {surely: true})).toBe(true);
  });

  test('is not reported where no input is possible', async () => {
    expect(await quietAfter('Name: ', {pty: false, surely: true})).toBe(false);
  });
});
