import type {AgentsCommand} from '../../cli/agents/commands.ts';
import type {AgentsContext} from './context.ts';

/** Does what `acp-tui agents` was asked for; resolves to the exit code. */
export async function runAgentsCommand(command: AgentsCommand, context: AgentsContext): Promise<number> {
  switch (command.kind) {
    case 'list':
      return (await import('./list.ts')).list(command, context);
    case 'search':
      return (await import('./list.ts')).search(command, context);
    case 'info':
      return (await import('./info.ts')).info(command, context);
    case 'add':
      return (await import('./add.ts')).add(command, context);
    case 'remove':
      return (await import('./add.ts')).remove(command, context);
    case 'install':
      return (await import('./install.ts')).install(command, context);
    case 'update':
      return (await import('./install.ts')).update(command, context);
    case 'uninstall':
      return (await import('./install.ts')).uninstall(command, context);
  }
}
