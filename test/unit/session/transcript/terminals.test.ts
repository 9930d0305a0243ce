import {describe, expect, it} from 'vitest';
import {TERMINAL_TAIL} from '../../../../src/session/terminals/terminals.ts';
import {
  callUpdate,
  calls,
  reduceEvents,
  only,
  opened,
  reduceUpdates,
} from '../../../support/session/build.ts';

const created = reduceEvents(opened, {
  type: 'terminal_created',
  terminalId: 't1',
  command: 'npm test',
  cwd: '/project',
  pty: true,
});

describe('a terminal run by acp-tui', () => {
  it('keeps its output after it was released', () => {
    const session = reduceEvents(
      created,
      {type: 'terminal_output', terminalId: 't1', data: 'one\n'},
      {type: 'terminal_output', terminalId: 't1', data: 'two\n'},
      {type: 'terminal_exited', terminalId: 't1', exit: {code: 3, signal: null}},
      {type: 'terminal_released', terminalId: 't1'},
    );
    expect(session.terminals.get('t1')).toMatchObject({
      command: 'npm test',
      cwd: '/project',
      runBy: 'client',
      output: 'one\ntwo\n',
      truncated: false,
      exit: {code: 3, signal: null},
      released: true,
    });
  });

  it('keeps the end of a long output, and says so', () => {
    const session = reduceEvents(
      created,
      {type: 'terminal_output', terminalId: 't1', data: 'x\n'.repeat(TERMINAL_TAIL)},
      {type: 'terminal_output', terminalId: 't1', data: 'the end'},
    );
    expect(session.terminals.get('t1')?.output.length).toBeLessThanOrEqual(TERMINAL_TAIL);
    expect(session.terminals.get('t1')?.output).toMatch(/the end$/);
    expect(session.terminals.get('t1')?.truncated).toBe(true);
  });

  it('is found by its own ID only', () => {
    expect(created.terminals.get('constructor')).toBeUndefined();
    const odd = reduceEvents(opened, {
      type: 'terminal_created',
      terminalId: '__proto__',
      command: 'ls',
      cwd: '/',
      pty: true,
    });
    expect(odd.terminals.get('__proto__')?.command).toBe('ls');
    expect(odd.terminals.get('toString')).toBeUndefined();
  });

  it('that is unknown gets no output', () => {
    expect(reduceEvents(opened, {type: 'terminal_output', terminalId: 'other', data: 'x'})).toEqual(opened);
  });
});

describe('a terminal that an agent only reports', () => {
  const info = {terminal_info: {terminal_id: 'x1', cwd: '/workspace'}};
  const output = (data: string) => ({terminal_output: {terminal_id: 'x1', data}});
  const content = [{type: 'terminal' as const, terminalId: 'x1'}];

  it('is a terminal like any other', () => {
    const session = reduceUpdates(
      opened,
      calls('c', {content, _meta: info}),
      callUpdate('c', {_meta: output('tick 1\n')}),
      callUpdate('c', {_meta: output('tick 2\n')}),
      callUpdate('c', {
        status: 'failed',
        _meta: {
          terminal_output_delta: {terminal_id: 'x1', data: 'bye\n'},
          terminal_exit: {terminal_id: 'x1', exit_code: 3, signal: null},
        },
      }),
    );
    expect(session.terminals.get('x1')).toMatchObject({
      runBy: 'agent',
      cwd: '/workspace',
      output: 'tick 1\ntick 2\nbye\n',
      exit: {code: 3, signal: null},
    });
    expect(only(session, 'tool_call').content).toEqual(content);
  });

  it('has a place in its call even if the agent gave it none', () => {
    const session = reduceUpdates(opened, calls('c'), callUpdate('c', {_meta: output('hi\n')}));
    expect(only(session, 'tool_call').content).toEqual(content);
    expect(session.terminals.get('x1')?.output).toBe('hi\n');
  });

  it('does not write into a terminal run by acp-tui', () => {
    const ours = reduceEvents(created, {type: 'terminal_output', terminalId: 't1', data: 'real\n'});
    const session = reduceUpdates(
      ours,
      calls('c', {_meta: {terminal_output: {terminal_id: 't1', data: 'real\n'}}}),
    );
    expect(session.terminals.get('t1')).toMatchObject({output: 'real\n', runBy: 'client'});
  });

  it.each([
    ['nothing', {terminal_output: null}],
    ['no id', {terminal_output: {data: 'x'}}],
    ['a number as ID', {terminal_info: {terminal_id: 7}}],
    ['a list', {terminal_exit: []}],
    ['words', {terminal_output_delta: 'x'}],
  ])('with %s instead of its data is ignored', (_what, _meta) => {
    const session = reduceUpdates(opened, calls('c', {_meta}));
    expect([...session.terminals]).toEqual([]);
    expect(only(session, 'tool_call').content).toEqual([]);
  });
});
