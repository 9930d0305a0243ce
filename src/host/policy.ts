import type * as acp from '@agentclientprotocol/sdk/unstable';
import {APPROVAL_LEVELS, type ApprovalLevel} from '../session/actions.ts';

/**
 * What an agent wants, as far as the policy cares. `insideRoots` says that every path it names lies there. Reads inside the
 * roots are no matter of permission unless a rule makes them one, and what lies outside is not served at all.
 */
export type Subject =
  | {
      readonly type: 'permission';
      readonly kind: acp.ToolKind;
      readonly insideRoots: boolean;
      readonly hasCommand: boolean;
      readonly namesFile: boolean;
    }
  | {readonly type: 'write'; readonly insideRoots: boolean}
  /** Of a file inside the roots. */
  | {readonly type: 'read'}
  | {readonly type: 'command'};

/** `by` says what decided, in the words that the user set it with. */
export interface Verdict {
  readonly effect: 'allow' | 'ask';
  readonly by: string;
}

/** The lowest level at which a permission of this kind is given without asking. */
const KINDS: Readonly<Record<acp.ToolKind, ApprovalLevel>> = {
  read: 'reads',
  search: 'reads',
  think: 'reads',
  edit: 'edits',
  delete: 'all',
  move: 'all',
  execute: 'all',
  fetch: 'all',
  switch_mode: 'all',
  other: 'all',
};

/** The table of docs/permissions.md. */
export function decide(subject: Subject, level: ApprovalLevel): Verdict {
  const lowest = lowestLevel(subject);
  const isAllowed = lowest !== undefined && APPROVAL_LEVELS.indexOf(level) >= APPROVAL_LEVELS.indexOf(lowest);
  return {effect: isAllowed ? 'allow' : 'ask', by: `--approve ${level}`};
}

/** The lowest level that allows it without asking; undefined when none does. */
export function lowestLevel(subject: Subject): ApprovalLevel | undefined {
  if (subject.type === 'command') return 'all';
  if (subject.type === 'read') return 'none';
  if (!subject.insideRoots) return undefined;
  if (subject.type === 'write') return 'edits';
  // What it calls itself says nothing of what a command does, or which file is read or changed.
  const isOfFile = subject.kind === 'edit' || subject.kind === 'read';
  const isUnknown = subject.hasCommand || (isOfFile && !subject.namesFile);
  return isUnknown && Object.hasOwn(KINDS, subject.kind) ? 'all' : KINDS[subject.kind];
}
