import type {Host} from '../host/services.ts';
import type {SessionActions} from '../session/actions.ts';
import type {SessionLink} from './options.ts';

type CommandActions = Pick<SessionActions, 'runShell' | 'interruptCommand' | 'typeInto' | 'stopCommand'>;

/** What can be done with commands, the agent's and the user's own; an id is that of one of them. */
export function commandActions({terminals, shell}: Host, link: SessionLink): CommandActions {
  return {
    async runShell(command) {
      const started = await shell.run(command);
      if (started.ok) return;
      const text = `! ${command}: ${started.message}`;
      link.emit({type: 'notice', level: 'error', text, at: Date.now()});
    },
    interruptCommand: (terminalId) => shell.interrupt(terminalId),
    typeInto(terminalId, text) {
      terminals.type(terminalId, text);
      shell.terminals.type(terminalId, text);
    },
    async stopCommand(terminalId) {
      await Promise.all([terminals.kill(terminalId), shell.terminals.kill(terminalId)]);
    },
  };
}
