import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, test} from 'vitest';
import {decideByLevel, lowestLevel} from '../../../src/host/permissions/evaluate-policy.ts';
import type {Access} from '../../../src/host/permissions/subject.ts';
import type {ApprovalLevel} from '../../../src/session/settings/approval.ts';

const levels: readonly ApprovalLevel[] = ['none', 'reads', 'edits', 'all'];
const permission = (kind: acp.ToolKind): Access => ({
  type: 'permission',
  kind,
  insideRoots: true,
  hasCommand: false,
  namesFile: true,
});

/** One letter per level, in order: `a` for allow, `?` for ask. */
function row(subject: Access): string {
  return levels.map((level) => (decideByLevel(subject, level).effect === 'allow' ? 'a' : '?')).join('');
}

describe('what is allowed without asking at none, reads, edits and all', () => {
  test.each<[acp.ToolKind, string]>([
    ['read', '?aaa'],
    ['search', '?aaa'],
    ['think', '?aaa'],
    ['edit', '??aa'],
    ['delete', '???a'],
    ['move', '???a'],
    ['execute', '???a'],
    ['fetch', '???a'],
    ['switch_mode', '???a'],
    ['other', '???a'],
  ])('a permission of kind %s: %s', (kind, expected) => {
    expect(row(permission(kind))).toBe(expected);
  });

  test('includes a write inside the workspace, and a command', () => {
    expect(row({type: 'write', insideRoots: true})).toBe('??aa');
    expect(row({type: 'command'})).toBe('???a');
  });

  test('excludes everything that names a path outside the workspace', () => {
    expect(
      row({type: 'permission', kind: 'read', insideRoots: false, hasCommand: false, namesFile: true}),
    ).toBe('????');
    expect(row({type: 'write', insideRoots: false})).toBe('????');
  });

  test('treats everything that contains a command as one', () => {
    for (const kind of ['read', 'think', 'edit', 'execute'] as const)
      expect(row({type: 'permission', kind, insideRoots: true, hasCommand: true, namesFile: true})).toBe(
        '???a',
      );
  });

  test('excludes unknown kinds', () => {
    expect(row(permission('teleport' as acp.ToolKind))).toBe('????');
  });
});

test('a verdict names its setting', () => {
  expect(decideByLevel(permission('edit'), 'edits')).toEqual({effect: 'allow', by: '--approve edits'});
  expect(decideByLevel(permission('edit'), 'reads')).toEqual({effect: 'ask', by: '--approve reads'});
});

test('the lowest level that would allow something is reported, if there is one', () => {
  expect(lowestLevel(permission('think'))).toBe('reads');
  expect(lowestLevel({type: 'write', insideRoots: true})).toBe('edits');
  expect(lowestLevel({type: 'command'})).toBe('all');
  expect(
    lowestLevel({type: 'permission', kind: 'edit', insideRoots: false, hasCommand: false, namesFile: true}),
  ).toBeUndefined();
});
