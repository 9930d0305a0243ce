import {resolve} from 'node:path';
import type {SessionsCommand} from './sessions-arguments.ts';
import {readExport} from '../../../export/json/read.ts';
import {tryFileOperation} from '../../../shared/files/file-failure.ts';
import {initialSession} from '../../../session/initial.ts';
import {reduce} from '../../../session/reduce.ts';
import {readRegularFile} from '../../../shared/files/safe-files.ts';
import {type SessionsContext, reportFailure} from './session-lookup.ts';

/** Stores an exported session that no agent knows: it can be read, and passed to another session as context. */
export async function importSession(
  {file}: Extract<SessionsCommand, {kind: 'import'}>,
  {store, stdout, stderr, now, cwd: here}: SessionsContext,
): Promise<number> {
  const path = resolve(here, file);
  const read = tryFileOperation(path, () => readRegularFile(path));
  const exported = read.ok ? readExport(read.value, path) : read;
  if (!exported.ok) return reportFailure(exported.failure, stderr);
  const {session, entries, subagents, terminals} = exported.value;
  const {agent, cwd, additionalDirectories, title} = session;
  const {label, name} = agent;
  const recorder = store.record({
    agent: {label, command: '', args: [], ...(name !== undefined && {name})},
    cwd,
    additionalDirectories,
  });
  if (!recorder.ok) return reportFailure(recorder.failure, stderr);
  const at = now();
  const event = {type: 'imported', title, entries, subagents, terminals, at} as const;
  recorder.value.follow(event, reduce(initialSession({cwd, additionalDirectories, at}), event));
  const id = recorder.value.id();
  recorder.value.close();
  if (id === undefined) return 1;
  stdout.write(`${id}\n`);
  stderr(`Imported. Read it with: acp-tui sessions show ${id}\n`);
  return 0;
}
