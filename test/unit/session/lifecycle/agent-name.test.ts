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
  'acp-tui-helper',
  'folder \u00b7 \u0430cp-tui asks',
  '\u1d00\u1d04p-tui asks',
  '\u13aa\u13df\u13e2-\u13a2UI',
  'acp-tu!',
  'acp-tu\u00a1',
  '@cp-tui',
  'a\u00a9p-tui',
  'acp-7ui',
  'acp-tu\u00ed',
  '\u041f\u043e\u043c\u043e\u0449\u043d\u0438\u043a',
])('an agent that calls itself %j is shown in quotes', (name) => {
  expect(displayAgentName(name)).toBe(`"${name}"`);
});

test('a name cannot end the quotes', () => {
  expect(displayAgentName('x" \u00b7 acp-tui asks "')).toBe('"x\' \u00b7 acp-tui asks \'"');
});

test.each(['Claude Code', 'tui', 'codex', '\u6f22\u5b57', 'Gr\u00f6\u00dfe 2.0 (beta)'])(
  'an agent that calls itself %j keeps its name',
  (name) => {
    expect(displayAgentName(name)).toBe(name);
  },
);
