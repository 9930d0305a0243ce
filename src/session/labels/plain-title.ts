import type * as acp from '@agentclientprotocol/sdk/unstable';
import {commandsIn} from '../requests/command-fields.ts';

/** What a title says in Markdown without naming code: a word, such as "Read", before a name in backticks. */
const QUOTED = /^(?:[A-Z][a-z]+:? )?`[^`\n]+`$/;

/** Kinds of calls whose title is prose, and never a line for a shell. */
const IN_WORDS: ReadonlySet<unknown> = new Set<acp.ToolKind>([
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'fetch',
  'think',
]);

/** Returns a title for comparisons: an update may lack what tells whether backticks are Markdown. */
export function comparableTitle(title: string | null | undefined): string | undefined {
  return title?.replaceAll('`', '');
}

/** Returns the title of a tool call without the backticks of Markdown around names and commands. Those of a command stay: to a shell they say what runs. */
export function plainTitle<Title extends string | null | undefined>({
  title,
  kind,
  rawInput,
}: {
  readonly title?: Title;
  readonly kind?: acp.ToolKind | null | undefined;
  readonly rawInput?: unknown;
}): Title | string {
  if (!title?.includes('`')) return title as Title;
  const isQuoting = IN_WORDS.has(kind) || QUOTED.test(title);
  const runsBackticks = commandsIn(rawInput).commands.some((command) =>
    [command].flat().join(' ').includes('`'),
  );
  return isQuoting && !runsBackticks ? plainProse(title) : title;
}

/** Returns a title that never is a command, such as that of a subagent, without the backticks of Markdown. */
export function plainProse<Title extends string | null | undefined>(title: Title): Title | string {
  return title?.replaceAll(/`([^`\n]+)`/g, '$1') ?? title;
}
