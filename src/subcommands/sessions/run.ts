import type {SessionsCommand} from '../../cli/sessions/commands.ts';
import type {SessionsContext} from './context.ts';

/** Does what `acp-tui sessions` was asked for; resolves to the exit code. */
export async function runSessionsCommand(
  command: SessionsCommand,
  context: SessionsContext,
): Promise<number> {
  switch (command.kind) {
    case 'list':
      return (await import('./list.ts')).list(command, context);
    case 'show':
      return (await import('./show.ts')).show(command, context);
    case 'search':
      return (await import('./search.ts')).search(command, context);
    case 'export':
      return (await import('./export.ts')).exportSession(command, context);
    case 'import':
      return (await import('./import.ts')).importSession(command, context);
    case 'delete':
      return (await import('./delete.ts')).deleteSessions(command, context);
    case 'restore':
      return (await import('./delete.ts')).restoreSessions(command, context);
  }
}
