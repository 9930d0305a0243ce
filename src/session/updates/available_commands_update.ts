import type {UpdateOf} from '../events.ts';
import type {SessionState} from '../state.ts';

export function availableCommandsUpdate(
  state: SessionState,
  update: UpdateOf<'available_commands_update'>,
): SessionState {
  return {...state, commands: update.availableCommands};
}
