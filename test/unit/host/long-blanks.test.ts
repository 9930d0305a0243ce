import {expect, test} from 'vitest';
import {terminalText} from '../../../src/export/text.ts';
import {createRoots} from '../../../src/host/files/roots.ts';
import {toolCallFacts} from '../../../src/host/permissions/tool-call-facts.ts';
import {unseenTerminal} from '../../../src/session/terminals/terminals.ts';
import {cpuTimeOf} from '../../support/cpu-time.ts';

const text = `x${' '.repeat(40_000)}x`;

test('a run of blanks in the input of a request takes no time', () => {
  const call = {toolCallId: 'a', title: 'Run', kind: 'execute', rawInput: {code: text, path: text}} as const;
  const roots = createRoots('/project', []);
  expect(cpuTimeOf(() => void toolCallFacts(call, roots, undefined).catch(() => undefined))).toBeLessThan(
    100,
  );
});

test('a run of blanks in the output of a command takes no time', () => {
  const terminal = {...unseenTerminal('t', 'agent'), output: `\n${text}\n`};
  expect(cpuTimeOf(() => expect(terminalText(terminal)).toBe(text))).toBeLessThan(100);
});
