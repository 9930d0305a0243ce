import {describe, expect, it, test} from 'vitest';
import {describeFailure, failureSentence} from '../../../src/shared/failure-messages.ts';
import {errorMessage, type Failure} from '../../../src/shared/failure.ts';

const HOSTILE = '\u001b]0;owned\u0007\u001b[31mred\u202e\nnext line';

/** One of each kind, with `words` in every text of an agent or a user. */
function everyFailure(words: string): Failure[] {
  return [
    {kind: 'bad_agent', agent: words, problem: words},
    {kind: 'command_not_found', command: words},
    {kind: 'not_executable', command: words, problem: words},
    {kind: 'not_acp', command: words, sample: words},
    {kind: 'exited_early', command: words, exit: {code: 1, signal: null}, stderrTail: words},
    {kind: 'connection_lost', exit: {code: null, signal: words}, stderrTail: words},
    {kind: 'connection_lost', exit: undefined, stderrTail: '', problem: words},
    {kind: 'interrupted'},
    {kind: 'interrupted', stillRunning: true},
    {kind: 'protocol_version', ours: 1, theirs: 2},
    {kind: 'no_answer', method: 'initialize', seconds: 30},
    {kind: 'message_too_large', limitBytes: 32 * 1024 * 1024},
    {kind: 'authentication_required', methods: [{id: words, name: words}], problem: words},
    {kind: 'agent_error', method: 'session/prompt', code: -32603, message: words, detail: words},
    {kind: 'unknown_value', what: 'mode', value: words, valid: [words]},
    {kind: 'not_offered', what: words, why: words},
    {kind: 'file', path: words, problem: words},
    {kind: 'internal', problem: words},
  ];
}

describe('every failure', () => {
  it.each(everyFailure('some words').map((failure) => [failure.kind, failure] as const))(
    '%s is a whole sentence',
    (_kind, failure) => {
      expect(describeFailure(failure).what).toMatch(/^["A-Z].*[.!?]$/);
    },
  );

  it.each(everyFailure(HOSTILE).map((failure) => [failure.kind, failure] as const))(
    '%s is one line without control characters, whatever the agent wrote',
    (_kind, failure) => {
      // oxlint-disable-next-line no-control-regex
      expect(failureSentence(failure)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
    },
  );

  it.each(everyFailure('x'.repeat(1_000_000)).map((failure) => [failure.kind, failure] as const))(
    '%s stays short enough to read',
    (_kind, failure) => {
      expect(failureSentence(failure).length).toBeLessThan(1800);
    },
  );
});

describe('an error of the agent', () => {
  const error = {kind: 'agent_error', method: 'session/prompt', code: 400} as const;

  it('that is the JSON of a service shows the message inside', () => {
    const message = JSON.stringify({
      type: 'error',
      error: {code: 400, status: 'INVALID_ARGUMENT', message: 'The API key is not valid.'},
    });
    expect(failureSentence({...error, message})).toBe(
      'The agent answered session/prompt with an error (400): The API key is not valid.',
    );
  });

  it('that is JSON in the message of JSON shows the innermost', () => {
    const message = `got status: 429. ${JSON.stringify([{error: {message: JSON.stringify({error: {message: 'Slow down.'}})}}])}`;
    expect(failureSentence({...error, message})).toMatch(/\(400\): Slow down\.$/);
  });

  it('that is JSON without a message is shown unchanged', () => {
    expect(failureSentence({...error, message: '{"code":7}'})).toContain('{"code":7}');
  });

  it('with its cause in the details shows the cause', () => {
    const sentence = failureSentence({...error, message: 'Internal error', detail: 'no rollout found'});
    expect(sentence).toMatch(/Internal error: no rollout found\.$/);
  });

  it('with its cause in both shows it once', () => {
    const sentence = failureSentence({...error, message: 'Internal error: no disk', detail: 'no disk'});
    expect(sentence.match(/no disk/g)).toHaveLength(1);
  });
});

describe('an agent that could not be started', () => {
  it('names a command that is not on PATH, and what to do', () => {
    const sentence = failureSentence({kind: 'command_not_found', command: 'gemni'});
    expect(sentence).toMatch(/"gemni".*PATH.*spelling.*agents search/);
  });

  it('that is known names the command that installs it', () => {
    const failure = {kind: 'command_not_found', command: 'gemini', installable: 'gemini'} as const;
    expect(failureSentence(failure)).toMatch(/PATH.* Install it with: acp-tui agents install gemini$/);
  });

  it('does not mention PATH when a file was named', () => {
    const sentence = failureSentence({kind: 'command_not_found', command: './agent'});
    expect(sentence).not.toContain('PATH');
  });

  it('that printed something else shows it and suggests the usual argument', () => {
    const sentence = failureSentence({kind: 'not_acp', command: 'gemini', sample: 'Welcome to Gemini'});
    expect(sentence).toMatch(/Welcome to Gemini.*--acp or acp/);
  });

  it("that is a missing script says so, without Node's error", () => {
    const stderrTail =
      "Error: Cannot find module '/a.js'\n    at f (node:x:1:2) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n\nNode.js v24.0.0\n";
    const exit = {code: 1, signal: null};
    expect(describeFailure({kind: 'exited_early', command: 'agent', exit, stderrTail}).why).toBe(
      "Last output: Error: Cannot find module '/a.js'",
    );
  });

  it('that exited shows its last output, without stack frames', () => {
    const stderrTail = 'node:internal\nError: no key\n    at main (a.js:1:2)\n\nNode.js v24.0.0\n';
    const {what, why} = describeFailure({
      kind: 'exited_early',
      command: 'agent',
      exit: {code: 3, signal: null},
      stderrTail,
    });
    expect(what).toContain('exit code 3');
    expect(why).toBe('Last output: node:internal\nError: no key');
  });

  it('that was killed names the signal', () => {
    const {what} = describeFailure({
      kind: 'connection_lost',
      exit: {code: null, signal: 'SIGKILL'},
      stderrTail: '',
    });
    expect(what).toContain('SIGKILL');
  });

  it.each([
    [3, /Update acp-tui/],
    [2, /Try --protocol 2/],
    [0, /Update the agent/],
  ])('that speaks version %d says which side is older', (theirs, advice) => {
    const failure = {kind: 'protocol_version', ours: 1, theirs} as const;
    expect(failureSentence(failure)).toMatch(advice);
    expect(describeFailure(failure).what).toMatch(new RegExp(`version ${theirs}.*version 1`));
  });
});

describe('a missing sign-in', () => {
  it('lists the methods', () => {
    const methods = [{id: 'api-key', name: 'Use an API key'}];
    expect(failureSentence({kind: 'authentication_required', methods})).toContain(
      'Sign-in methods: Use an API key.',
    );
  });

  it('without methods says where else to sign in', () => {
    expect(failureSentence({kind: 'authentication_required', methods: []})).toContain('its own program');
  });
});

describe('an unknown value', () => {
  it('lists the available ones, and counts what is too much to list', () => {
    const valid = Array.from({length: 384}, (_, index) => `model-${index}`);
    const sentence = failureSentence({kind: 'unknown_value', what: 'model', value: 'gpt', valid});
    expect(sentence).toMatch(/Unknown model "gpt".*model-0, model-1.* and 372 more\.$/);
  });
});

it("npm's line with the cause is not dropped for its advice", () => {
  const stderrTail = [
    'npm error code E404',
    'npm error 404 Not Found - GET https://registry.npmjs.org/nope - Not found',
    'npm error 404',
    "npm error 404  The requested resource 'nope@*' could not be found or you do not have permission to access it.",
    'npm error 404',
    'npm error 404 Note that you can also install from a',
    'npm error 404 tarball, folder, http url, or git folder.',
    'npm error A complete log of this run can be found in: /home/ann/.npm/_logs/1-debug-0.log',
  ].join('\n');
  const {why} = describeFailure({
    kind: 'exited_early',
    command: 'npx',
    exit: {code: 1, signal: null},
    stderrTail,
  });
  expect(why).toContain('404 Not Found - GET https://registry.npmjs.org/nope');
  expect(why).not.toContain('tarball');
});

it('the first line that names an error is shown beside the last lines', () => {
  const stderrTail = 'starting\nError: no key\nset one\nin the file\nor the variable\nand try again\n';
  const {why} = describeFailure({
    kind: 'exited_early',
    command: 'a',
    exit: {code: 1, signal: null},
    stderrTail,
  });
  expect(why).toBe('Last output: Error: no key\nor the variable\nand try again');
});

test('an error that a part is missing says that the program is another one', async () => {
  const missing = './a-part-of-an-earlier-version.ts';
  const error: unknown = await import(missing).catch((reason: unknown) => reason);
  expect(errorMessage(error)).toContain('was updated or removed while it ran');
  const noPackage = "Cannot find package 'node-pty' imported from /dist/pty.js";
  const optional = Object.assign(new Error(noPackage), {code: 'ERR_MODULE_NOT_FOUND'});
  expect(errorMessage(optional)).toBe(noPackage);
});
