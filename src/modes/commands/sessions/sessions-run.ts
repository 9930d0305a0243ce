import {skippedNotice} from '../../../window/sessions/storage-notices.ts';
import {failureSentence} from '../../../shared/failure-messages.ts';
import {createMask} from '../../../shared/mask.ts';
import {findPaths} from '../../../shared/files/paths.ts';
import {openStored} from '../../../storage/sessions/session-store.ts';
import {openSubcommandIo} from '../../../cli/terminal-io.ts';
import type {SessionsContext} from './session-lookup.ts';
import type {SessionsCommand} from './sessions-arguments.ts';
import {reportReading} from '../../../cli/reading-progress.ts';

/** Runs `acp-tui sessions …` in this process; resolves to the exit code. Loads neither React nor Ink. */
export async function sessionsRun(command: SessionsCommand): Promise<number> {
  const io = openSubcommandIo();
  const {state} = findPaths();
  const {database, store} = openStored({
    state,
    onDamaged: io.warn,
    onProblem: (problem) => io.warn(failureSentence(problem)),
    onLeftOut: (failures) => io.warn(skippedNotice(failures)),
  });
  // Indexes what a killed window left unindexed. A single session is found by its file, or in the service.
  if (!['show', 'export', 'send', 'cancel', 'stop'].includes(command.kind))
    await store.reindex(reportReading(io.status));
  const exitCode = await runSessionsCommand(command, {
    ...io,
    state,
    store,
    now: Date.now,
    cwd: process.cwd(),
    mask: createMask(process.env),
  });
  database.close();
  return io.end(exitCode);
}

/** Runs the parsed command; resolves to the exit code. */
export async function runSessionsCommand(
  command: SessionsCommand,
  context: SessionsContext,
): Promise<number> {
  switch (command.kind) {
    case 'list':
      return (await import('./list-sessions.ts')).listSessions(command, context);
    case 'show':
      return command.follow
        ? (await import('./follow-session.ts')).followSession(command, context)
        : (await import('./show-session.ts')).showSession(command, context);
    case 'search':
      return (await import('./search-sessions.ts')).searchSessions(command, context);
    case 'export':
      return (await import('./export-session.ts')).exportSession(command, context);
    case 'import':
      return (await import('./import-session.ts')).importSession(command, context);
    case 'delete':
      return (await import('./delete-sessions.ts')).deleteSessions(command, context);
    case 'send':
      return (await import('./running-session.ts')).sendPrompt(command, context);
    case 'cancel':
      return (await import('./running-session.ts')).cancelTurn(command.id, context);
    case 'stop':
      return (await import('./running-session.ts')).stopSession(command.id, context);
    case 'restore':
      return (await import('./delete-sessions.ts')).restoreSessions(command, context);
  }
}
