import type {Result} from '../../shared/failure.ts';
import type {Entry} from '../../session/entries.ts';
import {jsonOf} from '../../text/json.ts';
import {EXPORT_VERSION, exportSchema, type ExportedSession} from './schema.ts';
import type {ImportedSubagent, ImportedTerminal} from '../../session/events.ts';

/** The contents of an export. */
type ReadExport = Pick<ExportedSession, 'session'> & {
  readonly entries: readonly Entry[];
  readonly subagents: readonly ImportedSubagent[];
  readonly terminals: readonly ImportedTerminal[];
};

/** Reads the output of `writeJson`; `path` is for the failure (`file`), which describes the problem. */
export function readExport(text: string, path: string): Result<ReadExport> {
  const fail = (problem: string): Result<never> => ({ok: false, failure: {kind: 'file', path, problem}});
  const json = jsonOf(text);
  if (typeof json !== 'object' || json === null || !('kind' in json)) {
    return fail('it is not an exported session; create one with: acp-tui sessions export --format json');
  }
  if ('v' in json && typeof json.v === 'number' && json.v > EXPORT_VERSION) {
    return fail(`it was written by a newer acp-tui (format version ${json.v})`);
  }
  const checked = exportSchema.safeParse(json);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    return fail(`it is corrupt at ${issue?.path.join('.') || 'startup'}: ${issue?.message ?? 'unreadable'}`);
  }
  const {session, entries, subagents = [], terminals} = checked.data;
  // The schema validates the format; the protocol's own content types are open, as they are for an agent.
  return {
    ok: true,
    value: {
      session,
      entries: entries as unknown as readonly Entry[],
      subagents: subagents as unknown as readonly ImportedSubagent[],
      terminals: terminals as readonly ImportedTerminal[],
    },
  };
}
