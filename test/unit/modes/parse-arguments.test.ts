import {completionSpec} from '../../../src/modes/commands/completion/completion-spec.ts';
import {describe, expect, test} from 'vitest';
import type {InteractiveOptions, PrintOptions} from '../../../src/cli/options.ts';
import {interpret} from '../../../src/cli/program.ts';
import {parseArguments} from '../../../src/modes/parse-arguments.ts';
import {version} from '../../../src/shared/version.ts';
import type {TerminalEnvironment} from '../../../src/cli/parsed-arguments.ts';

const terminal: TerminalEnvironment = {stdinIsTty: true, stdoutIsTty: true};
const pipedInput: TerminalEnvironment = {stdinIsTty: false, stdoutIsTty: true};
const pipedOutput: TerminalEnvironment = {stdinIsTty: true, stdoutIsTty: false};

function print(argv: readonly string[], surroundings = terminal): PrintOptions {
  const parsed = interpret(argv, surroundings);
  if (parsed.kind !== 'print') throw new Error(`not a print run: ${JSON.stringify(parsed)}`);
  return parsed.options;
}

function interactive(argv: readonly string[]): InteractiveOptions {
  const parsed = interpret(argv, terminal);
  if (parsed.kind !== 'interactive') throw new Error(`not interactive: ${JSON.stringify(parsed)}`);
  return parsed.options;
}

function refused(argv: readonly string[], surroundings = terminal): string {
  const parsed = interpret(argv, surroundings);
  if (parsed.kind !== 'message' || parsed.exitCode !== 2)
    throw new Error(`accepted: ${JSON.stringify(parsed)}`);
  return parsed.text;
}

describe('a run has a screen', () => {
  test.each([
    [terminal, [], 'interactive'],
    [terminal, ['-p', 'hello'], 'print'],
    [pipedInput, [], 'print'],
    [pipedOutput, ['hello'], 'print'],
    [{stdinIsTty: false, stdoutIsTty: false}, ['hello'], 'print'],
  ] as const)('only on a terminal and without -p: %j %j', (surroundings, argv, kind) => {
    expect(interpret(argv, surroundings).kind).toBe(kind);
  });

  test('and sends a prompt given as arguments first', () => {
    expect(interactive(['fix', 'the', 'tests']).prompt).toBe('fix the tests');
    expect(interactive([]).prompt).toBeUndefined();
  });
});

describe('the prompt of print mode', () => {
  test.each([
    [
      'arguments alone never read standard input',
      {argv: ['-p', 'a', 'b'], on: pipedInput},
      {prompt: 'a b', readStdin: false},
    ],
    ['without arguments it is standard input', {argv: ['-p'], on: pipedInput}, {prompt: '', readStdin: true}],
    ['- adds standard input', {argv: ['-p', 'a', '-'], on: pipedInput}, {prompt: 'a', readStdin: true}],
    [
      '--stdin adds standard input',
      {argv: ['-p', '--stdin', 'a'], on: pipedInput},
      {prompt: 'a', readStdin: true},
    ],
    ['- reads even a terminal, if given', {argv: ['-p', '-'], on: terminal}, {prompt: '', readStdin: true}],
    [
      'after -- everything is the prompt',
      {argv: ['-p', '--', '--not-an-option'], on: terminal},
      {prompt: '--not-an-option', readStdin: false},
    ],
    [
      'options may follow it',
      {argv: ['-p', 'a', '--timeout', '5'], on: terminal},
      {prompt: 'a', readStdin: false},
    ],
  ] as const)('%s', (_name, run, expected) => {
    expect(print(run.argv, run.on)).toMatchObject(expected);
  });

  test('that is missing on a terminal without arguments is a usage error instead of a wait', () => {
    expect(refused(['-p'])).toContain('Missing prompt');
    expect(refused([], pipedOutput)).toContain('Missing prompt');
  });

  test('that is an empty argument does not fall back to standard input, where a loop would hang', () => {
    expect(refused(['-p', ''], pipedInput)).toContain('Missing prompt');
  });

  test('may be files alone', () => {
    expect(print(['-p', '-f', 'a.txt', '-f', 'b.png']).files).toEqual(['a.txt', 'b.png']);
  });
});

describe('options', () => {
  test('are absent when not given, so that settings can decide', () => {
    expect(interactive([])).toEqual({
      prompt: undefined,
      agent: undefined,
      cwd: undefined,
      additionalDirectories: [],
      mcpConfig: [],
      resumeRequest: undefined,
      fork: false,
      systemPrompt: {},
      settings: {options: []},
      approve: undefined,
      sandbox: undefined,
      noSandbox: undefined,
      offer: {fs: true, terminal: true},
      save: true,
      authMethod: undefined,
      env: {},
      screenReader: false,
      theme: undefined,
      background: false,
      wait: false,
      color: true,
      logLevel: undefined,
      logFile: undefined,
    });
  });

  test('that can be repeated collect their values in order', () => {
    const options = print([
      '-p',
      'x',
      '--add-dir',
      '/a',
      '--add-dir',
      '/b',
      '--set',
      'm=1',
      '--set',
      'm=a=b',
    ]);
    expect(options.additionalDirectories).toEqual(['/a', '/b']);
    expect(options.settings.options).toEqual([
      ['m', '1'],
      ['m', 'a=b'],
    ]);
    expect(interactive(['--env', 'A=1', '--env', 'B=']).env).toEqual({A: '1', B: ''});
    expect([...print(['-p', 'x', '--include', 'tools,usage', '--include', 'plan']).include]).toEqual([
      'tools',
      'usage',
      'plan',
    ]);
    expect([...print(['-p', 'x', '--verbose']).include]).toEqual(['thoughts', 'tools', 'plan', 'usage']);
  });

  test('disable capabilities', () => {
    expect(interactive(['--no-fs']).offer).toEqual({fs: false, terminal: true});
    expect(interactive(['--no-terminal', '--no-color'])).toMatchObject({
      offer: {fs: true, terminal: false},
      color: false,
    });
  });

  test.each([
    [['-p', 'x', '--timeout', '0'], '--timeout'],
    [['-p', 'x', '--timeout', 'soon'], '--timeout'],
    [['-p', 'x', '--timeout', '99999999'], '--timeout'],
    [['-p', 'x', '--output-format', 'xml'], 'stream-json'],
    [['-p', 'x', '--include', 'secrets'], 'thoughts'],
    [['--approve', 'most'], 'none, reads, edits or all'],
    [['--theme', ''], '--theme'],
    [['--set', 'mode'], 'option=value'],
    [['--env', '=x'], 'NAME=value'],
    [['--agent', ''], '--agent'],
    [['--agent'], '--agent'],
    [['--color'], '--color'],
    [['--inline', '--fullscreen'], '--inline and --fullscreen'],
    [['--agnet', 'x'], 'Did you mean --agent?'],
    [['-p', 'x', '--allow', 'npm test'], '--allow must be a rule such as "execute npm test*"'],
    [['--deny', ''], '--deny must be a rule'],
    [['--yolo'], "Unknown option '--yolo'. Here it is --approve all."],
    [['--allowedTools', 'Bash(git log:*)'], 'Here it is --allow, with a rule (acp-tui help permissions).'],
  ])('with an invalid value list the available ones: %j', (argv, hint) => {
    const text = refused(argv);
    expect(text).toContain(hint);
    expect(text.split('\n')).toEqual([expect.stringMatching(/^acp-tui: /), '']);
  });

  test.each([
    ['--stdin', ['--stdin']],
    ['--file', ['-f', 'x']],
    ['--output-format', ['--output-format', 'json']],
    ['--output', ['-o', 'x']],
    ['--save-content', ['--save-content', 'x']],
    ['--timeout', ['--timeout', '3']],
    ['--verbose', ['--verbose']],
    ['--include', ['--include', 'plan']],
    ['-', ['-']],
  ])('of print mode are rejected with a screen: %s', (flag, argv) => {
    const text = refused([...argv, 'hello']);
    expect(text).toContain(flag);
    expect(text).toContain('-p');
  });
});

test.each([
  ['a prompt', ['--wait', 'x'], terminal],
  ['-p', ['-p', '--wait', 'x'], terminal],
  ['a pipe', ['--wait'], pipedInput],
  ['a pipe as output', ['--wait', 'x'], pipedOutput],
])('--wait without --background is refused with %s', (_name, argv, on) => {
  expect(refused(argv, on)).toContain('--wait requires --background.');
});

describe('an earlier session', () => {
  test('is the newest, a named one, or one to select', () => {
    expect(interactive(['-c']).resumeRequest).toEqual({which: 'newest'});
    expect(interactive(['--resume']).resumeRequest).toEqual({which: 'chosen'});
    const named = {resumeRequest: {which: 'named', id: 'abc'}, prompt: 'go on'};
    expect(interactive(['-r', 'abc', 'go', 'on'])).toMatchObject(named);
    expect(print(['-p', '-c', '--fork', 'x'])).toMatchObject({resumeRequest: {which: 'newest'}, fork: true});
  });

  test.each([
    ['--fork', ['--fork', 'x']],
    ['cannot be combined', ['-c', '-r', 'abc']],
    ['--resume requires a session ID', ['-p', '--resume']],
  ])('cannot be selected by: %s', (text, argv) => {
    expect(refused(argv)).toContain(text);
  });
});

test("a subcommand's name inside a prompt stays part of it", () => {
  expect(print(['-p', 'agents', 'are', 'many']).prompt).toBe('agents are many');
  expect(interactive(['--', 'doctor', 'the', 'tests']).prompt).toBe('doctor the tests');
});

describe('a mistyped subcommand', () => {
  test.each([
    ['sesions', 'acp-tui sessions', 'acp-tui -- sesions'],
    ['agent list', 'acp-tui agents list', 'acp-tui -- agent list'],
    ['agent list --json', 'acp-tui agents list --json', 'acp-tui -- agent list --json'],
    ['sesion show x1', 'acp-tui sessions show x1', 'acp-tui -- sesion show x1'],
    ['confg set theme dark', 'acp-tui config set theme dark', 'acp-tui -- confg set theme dark'],
    [
      'docter gemini --no-prompt',
      'acp-tui doctor gemini --no-prompt',
      'acp-tui -- docter gemini --no-prompt',
    ],
    ['atach', 'acp-tui attach', 'acp-tui -- atach'],
    ['repaly x.ndjson', 'acp-tui replay x.ndjson', 'acp-tui -- repaly x.ndjson'],
    ['ac', 'acp-tui acp', 'acp-tui -- ac'],
    ['sesions shwo x', 'acp-tui sessions show x', 'acp-tui -- sesions shwo x'],
    ['agetns lsit --json', 'acp-tui agents list --json', 'acp-tui -- agetns lsit --json'],
    ['agent ls', 'acp-tui agents list', 'acp-tui -- agent ls'],
    ['sesions rm x', 'acp-tui sessions delete x', 'acp-tui -- sesions rm x'],
    ['servic stp', 'acp-tui service stop', 'acp-tui -- servic stp'],
    ['sesion shw x', 'acp-tui sessions show x', 'acp-tui -- sesion shw x'],
    ['sesion lgos x', 'acp-tui sessions logs x', 'acp-tui -- sesion lgos x'],
    ['session show', 'acp-tui sessions show', 'acp-tui -- session show'],
    ['sesion shwo', 'acp-tui sessions show', 'acp-tui -- sesion shwo'],
    ['sesions export', 'acp-tui sessions export', 'acp-tui -- sesions export'],
    ['agent install', 'acp-tui agents install', 'acp-tui -- agent install'],
    ['confg get', 'acp-tui config get', 'acp-tui -- confg get'],
    ['confg set theme', 'acp-tui config set theme', 'acp-tui -- confg set theme'],
    ['hlep', 'acp-tui help', 'acp-tui -- hlep'],
    ['hepl sandbox', 'acp-tui help sandbox', 'acp-tui -- hepl sandbox'],
    ['hel agents install', 'acp-tui help agents install', 'acp-tui -- hel agents install'],
    ['servic --help', 'acp-tui service --help', 'acp-tui -- servic --help'],
  ])('is no prompt: %s', async (typed, command, prompt) => {
    const argv = typed.split(' ');
    const [word = ''] = argv;
    const text = `acp-tui: Unknown subcommand "${word}". Did you mean: ${command}\nTo send it as a prompt: ${prompt}\n`;
    for (const pipe of [pipedInput, pipedOutput])
      expect(await parseArguments(argv, pipe)).toEqual({kind: 'message', text, exitCode: 2});
    const parsed = await parseArguments(argv, terminal);
    expect(parsed).toMatchObject({text});
    expect(['mistyped', 'message']).toContain(parsed.kind);
  });

  test('may be a prompt on a terminal', async () => {
    expect(await parseArguments(['agent', 'list'], terminal)).toMatchObject({
      kind: 'mistyped',
      asPrompt: {kind: 'interactive', options: {prompt: 'agent list'}},
    });
  });

  test.each([
    ['fix', 'it'],
    ['add', 'tests'],
    ['hello'],
    ['app', 'is', 'broken'],
    ['agent', 'mode', 'is', 'broken'],
    ['agent', 'list', 'is', 'empty'],
    ['session', 'handling', 'leaks'],
    ['session', 'shows', 'nothing'],
    ['agent', 'and', 'client', 'differ'],
    ['agent', 'lsit', 'is', 'empty'],
    ['server', 'crashes', 'at', 'start'],
    ['session', 'handling', 'is', 'broken'],
    ['session', 'ends', 'early'],
    ['session', 'and', 'window'],
    ['session', 'how', 'long'],
    ['agent', 'ls', 'output', 'is', 'wrong'],
    ['agent', 'is', 'broken'],
    ['agent', 'rm', 'fails', 'here'],
    ['heap', 'is', 'full'],
    ['hello', 'agents'],
    ['hepl', 'me', 'fix', 'it'],
    ['servers', 'the', 'page'],
    ['docker', 'compose', 'fails'],
    ['confirm', 'the', 'order'],
    ['Review', 'this'],
    ['Sessions'],
    ['sesions list'],
    ['--', 'sesions'],
    ['-p', 'sesions'],
    ['sesions', '-p'],
    ['--approve', 'edits', 'sesions'],
  ])('is none of: %s %s %s %s', async (...words) => {
    const argv = words.filter((word) => word !== undefined);
    const {kind} = await parseArguments(argv, terminal);
    expect(kind).toBe(argv.includes('-p') ? 'print' : 'interactive');
    expect(await parseArguments(argv, pipedOutput)).toMatchObject({kind: 'print'});
    expect(await parseArguments(['-b', ...argv.filter((word) => word !== '-p')], pipedOutput)).toMatchObject({
      kind: 'background',
    });
  });
});

describe('messages', () => {
  test.each([['--version'], ['-V'], ['--inline', '--version']])(
    'the version is printed alone, by %s',
    async (...argv) => {
      const reported = {kind: 'message', text: `${version}\n`, exitCode: 0};
      expect(await parseArguments(argv, terminal)).toEqual(reported);
    },
  );

  test('--help lists every exit code', () => {
    const help = interpret(['-h'], pipedOutput);
    expect(help).toMatchObject({kind: 'message', exitCode: 0});
    for (const code of [0, 1, 2, 3, 5, 6, 7, 8, 129, 130, 141, 143])
      expect(JSON.stringify(help)).toMatch(new RegExp(`\\\\n  ${code} +\\w`));
  });

  test('--help lists every subcommand', () => {
    const help = JSON.stringify(interpret(['--help'], terminal));
    const [main] = completionSpec();
    const missing = (main?.subcommands ?? []).filter(({name}) => !help.includes(`\\n  ${name} `));
    expect(missing.map(({name}) => name)).toEqual([]);
  });

  test('--help fits the terminal', () => {
    const help = interpret(['--help'], {...terminal, columns: 70});
    const options = JSON.stringify(help)
      .split('\\n')
      .filter((line) => line.startsWith('  -'));
    expect(options.length).toBeGreaterThan(20);
    expect(Math.max(...options.map((line) => line.length))).toBeLessThanOrEqual(70);
  });

  test.each(completionSpec().map(({path}) => path))(
    'the help of acp-tui %s fits 80 columns',
    async (path) => {
      const argv = [...path.split(' ').filter((word) => word !== ''), '--help'];
      const help = await parseArguments(argv, {...terminal, columns: 80});
      if (help.kind !== 'message') throw new Error(`no help: ${help.kind}`);
      expect(help.text).toMatch(/^Usage: acp-tui/);
      expect(help.text.split('\n').filter((line) => line.length > 80)).toEqual([]);
    },
  );
});
