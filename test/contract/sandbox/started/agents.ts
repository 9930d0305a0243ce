import {describe, expect, test} from 'vitest';
import {hasNoSandbox} from '../sandboxes.ts';
import {aPlace, aPlaceHere, here, program, type By, type Place, type Where} from './place.ts';

/** What says that a session is confined; the columns of the table in docs/sandbox.md are those that name something. */
export const BY = {
  nothing: {settings: {}},
  '`--sandbox`': {settings: {}, option: '--sandbox'},
  'the setting': {settings: {sandbox: 'on'}},
  "the agent's setting": {settings: {}, ofAgent: {sandbox: 'on'}},
  'the stored session': {settings: {}, isStored: true},
  'the setting, with `--no-sandbox`': {settings: {sandbox: 'on'}, option: '--no-sandbox'},
  'the stored session, with `--no-sandbox`': {settings: {}, isStored: true, option: '--no-sandbox'},
} as const satisfies Record<string, By>;

export type Cause = keyof typeof BY;

/** A way in which an agent is started. */
export interface Way {
  /** True for that of a stored session. */
  readonly resumes?: boolean;
  /** True for one that gets no option: the session is neither the first of a window nor of a command. It follows --sandbox, but not --no-sandbox. */
  readonly isLater?: boolean;
  /** True for one that takes neither option, and starts nothing then. */
  readonly refusesOption?: boolean;
  /** True for one that needs a process of the agent, or of the program, whatever confines it. */
  readonly needsProcess?: boolean;
}

/** By the file of its test: the rows of the table in docs/sandbox.md. */
export const WAYS = {
  windows: {
    'a window': {},
    '`/restart`': {},
    '"Restart the agent", after it has died': {needsProcess: true},
    'another agent in a window, by `/agents`': {isLater: true},
  },
  beside: {
    'Ctrl+X `n`, another session': {isLater: true},
    '`/new --worktree`': {isLater: true},
    '`/compare`': {isLater: true},
    '`/handoff`': {isLater: true},
    'a prompt on the board': {isLater: true},
  },
  commands: {
    '`-p`': {},
    '`-p -w`': {},
    '`acp-tui compare`': {},
    '`acp-tui acp`, `session/new`': {},
    '`acp-tui serve`': {refusesOption: true, needsProcess: true},
    '`acp-tui doctor`': {refusesOption: true},
  },
  resumed: {
    'a window with `-c`': {resumes: true},
    'a window with `-r`': {resumes: true},
    'a window with `-c --fork`': {resumes: true},
    "a session of the list in another agent's window": {resumes: true, isLater: true},
    'a session of the list in a window of its agent': {resumes: true, isLater: true},
  },
  later: {
    'all agents of the list, Ctrl+A, each for its sessions': {isLater: true},
    '`-p -c`': {resumes: true},
    '`-p -r`': {resumes: true},
    '`acp-tui acp`, `session/load`': {resumes: true},
    '`acp-tui acp`, `session/resume`': {resumes: true},
  },
  background: {
    '`-b`': {},
    '`-b -c`': {resumes: true},
    '`-b -r`': {resumes: true},
    '`/detach`, a session that goes on in the background': {},
  },
  attached: {
    '`/restart` in `acp-tui attach`, after its service has ended': {isLater: true},
  },
} as const satisfies Record<string, Record<string, Way>>;

/** Where the agent is that is started in this way, if this confines its session; undefined where there is no such case. */
export function expectedOf({resumes, isLater, refusesOption}: Way, cause: Cause): Where | undefined {
  const {option, isStored}: By = BY[cause];
  if (isStored && !resumes) return undefined;
  if (option !== undefined && refusesOption) return 'not started';
  const isOff = option === '--no-sandbox' && !isLater;
  return cause === 'nothing' || isOff ? 'outside' : 'inside';
}

type Start = (place: Place, option: readonly string[]) => Promise<unknown>;

/** Tests each cell of these rows: one with a real sandbox, the others by what was to be started in one. */
export function testWays<Name extends string>(
  ways: Readonly<Record<Name, Way>>,
  starts: Readonly<Record<Name, Start>>,
): void {
  const cells = (Object.keys(ways) as Name[]).flatMap((name) =>
    (Object.keys(BY) as Cause[]).flatMap((cause) => {
      const expected = expectedOf(ways[name], cause);
      return expected === undefined ? [] : [[name, cause, expected] as const];
    }),
  );
  describe.skipIf(hasNoSandbox)('an agent', () => {
    test.each(cells)('that is started by %s, confined by %s, is %s', async (name, cause, expected) => {
      const by: By = BY[cause];
      const {resumes, needsProcess} = ways[name];
      const at = needsProcess || cause === 'the setting' ? aPlace(by) : aPlaceHere(by);
      if (resumes) await here(at, '-p', 'go', ...AGENT, by.isStored ? '--sandbox' : '--no-sandbox');
      const before = by.isStored ? 'inside' : 'outside';
      expect(at.where()).toBe(resumes ? before : 'not started');
      at.forget();
      await starts[name](at, by.option === undefined ? [] : [by.option]);
      expect(at.where()).toBe(expected);
    });
  });
}

/** The options that choose the agent. */
export const AGENT = ['--agent', 'spy'] as const;

/** Waits until the agent has been started. */
export async function untilStarted(place: Place): Promise<void> {
  try {
    await expect.poll(place.where).not.toBe('not started');
  } catch (cause) {
    const {stdout} = await program(place, 'sessions', '--json');
    throw new Error(`the agent was not started; the sessions are\n${stdout}`, {cause});
  }
}
