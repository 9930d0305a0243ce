import {describe, expect, test} from 'vitest';
import {READY, runCommand} from '../../support/driver/chat.ts';
import {runProgram} from '../../support/program/run-program.ts';
import {hasNoSandbox} from './sandboxes.ts';
import {aPlace, here, inWindow, storedId, type By, type Place, type Where} from './started/place.ts';

/** What says that a session is confined. */
const BY = {
  nothing: {settings: {}},
  option: {settings: {}, option: '--sandbox'},
  setting: {settings: {sandbox: 'on'}},
  'setting of the agent': {settings: {}, ofAgent: {sandbox: 'on'}},
  'stored session': {settings: {}, isStored: true},
  'the setting, and not the option': {settings: {sandbox: 'on'}, option: '--no-sandbox'},
  'the stored session, and not the option': {settings: {}, isStored: true, option: '--no-sandbox'},
} satisfies Record<string, By>;

/** A way in which an agent is started; `resumes`: that of a stored session. */
interface Way {
  readonly resumes?: boolean;
  /** True for one that gets no option: the session is neither the first of a window nor of a command. */
  readonly isLater?: boolean;
  /** True for one that takes neither option, and starts nothing then. */
  readonly refusesOption?: boolean;
  readonly start: (place: Place, option: readonly string[]) => Promise<unknown>;
}

const agent = ['--agent', 'spy'];

const WAYS: Readonly<Record<string, Way>> = {
  '-p': {start: (place, option) => here(place, '-p', 'go', ...agent, ...option)},
  '-p -c': {resumes: true, start: (place, option) => here(place, '-p', 'go', '-c', ...option)},
  'a window with -r': {
    resumes: true,
    start: (place, option) => inWindow(place, ['-r', storedId(place), ...option]),
  },
  '-b': {start: (place, option) => inBackground(place, 'go', ...agent, ...option)},
  '-b -c': {resumes: true, start: (place, option) => inBackground(place, 'go', '-c', ...option)},
  doctor: {
    refusesOption: true,
    start: (place, option) => here(place, 'doctor', ...agent, ...option),
  },
  'a window': {start: (place, option) => inWindow(place, [...option], 'spy')},
  'a window with -c': {resumes: true, start: (place, option) => inWindow(place, ['-c', ...option])},
  '/restart': {
    async start(place, option) {
      const chat = await inWindow(place, [...option], 'spy');
      place.forget();
      await runCommand(chat, '/restart');
      await expect.poll(place.where).not.toBe('not started');
      await chat.sees(READY);
    },
  },
  "a session of the list in another agent's window": {
    resumes: true,
    isLater: true,
    async start(place, option) {
      const chat = await inWindow(place, [...option], 'demo');
      await runCommand(chat, '/resume');
      // Runs of print mode are hidden.
      await chat.sees('Ctrl+R show');
      chat.press('ctrl+r');
      await chat.sees('❯ go');
      chat.press('enter');
      await expect.poll(place.where).not.toBe('not started');
    },
  },
  'Ctrl+A in the list': {
    isLater: true,
    async start(place, option) {
      const chat = await inWindow(place, [...option], 'demo');
      await runCommand(chat, '/resume');
      await chat.sees('Ctrl+A all agents');
      chat.press('ctrl+a');
      await chat.sees('Spy: 1');
    },
  },
};

/** Runs a command and stops the service that it has started. */
async function inBackground({cwd, env, where}: Place, ...args: string[]): Promise<void> {
  await runProgram(['-b', ...args], {cwd, env, input: ''});
  await expect.poll(where).not.toBe('not started');
  await runProgram(['service', 'stop'], {cwd, env, input: ''});
}

/** Every cell of the table in docs/sandbox.md. */
const CELLS = Object.keys(WAYS).flatMap((way) =>
  Object.entries<By>(BY)
    .filter(([, {isStored}]) => !isStored || WAYS[way]?.resumes)
    .map(([by, {option}]): readonly [string, string, Where] => {
      if (option !== undefined && WAYS[way]?.refusesOption) return [way, by, 'not started'];
      // Those that begin later follow --sandbox, but not --no-sandbox.
      const isOff = option === '--no-sandbox' && !WAYS[way]?.isLater;
      return [way, by, by === 'nothing' || isOff ? 'outside' : 'inside'];
    }),
);

describe.skipIf(hasNoSandbox)('an agent', () => {
  test.each(CELLS)('that is started by %s, confined by %s, is %s', async (name, named, expected) => {
    const by = (BY as Readonly<Record<string, By>>)[named]!;
    const at = aPlace(by);
    const {resumes, start} = WAYS[name]!;
    if (resumes) await here(at, '-p', 'go', ...agent, by.isStored ? '--sandbox' : '--no-sandbox');
    const before = by.isStored ? 'inside' : 'outside';
    expect(at.where()).toBe(resumes ? before : 'not started');
    at.forget();
    await start(at, by.option === undefined ? [] : [by.option]);
    expect(at.where()).toBe(expected);
  });
});
