import {expect, test} from 'vitest';
import {displayAgentName} from '../../../../src/session/labels/labels.ts';

test.each([
  'acp-tui',
  'ACP TUI',
  'acp\u2010tui',
  'acp-tu\u0456',
  '\u0430cp-tui',
  'acp-tul',
  'acp\ufffd-tui',
  'acp_tui ',
])('an agent that calls itself %j does not look like acp-tui', (name) => {
  expect(displayAgentName(name)).toBe(`${name} (an agent of this name)`);
});

test.each(['Claude Code', 'acp-tui-helper', 'codex', '漢字'])(
  'an agent that calls itself %j keeps its name',
  (name) => {
    expect(displayAgentName(name)).toBe(name);
  },
);
