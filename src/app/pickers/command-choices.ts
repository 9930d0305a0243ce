import type {TerminalState} from '../../session/state.ts';
import {runningCommands} from '../queue/shell-commands.ts';
import {callAction, emitEvent, moveFocus, combine, type Reaction} from '../effects.ts';
import {toast} from '../status/toasts.ts';
import {pickerOf, type ListItem, type PickerSelection} from './picker.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, Tab} from '../state.ts';

type CommandAction = 'give_keyboard' | 'stop_command';

/** Focuses or stops the running command; if several are running, the user selects one. */
export function applyToCommand(state: AppState, action: CommandAction, at: number): Reaction {
  const tab = activeSession(state);
  const running = runningCommands(tab.session);
  const [first, ...others] = running;
  if (!first) {
    return toast(
      action === 'stop_command' ? 'No command is running.' : 'No running command accepts input.',
      at,
    );
  }
  if (others.length > 0) return emitEvent({type: 'overlay_opened', overlay: whichOf(running, action)});
  return action === 'stop_command' ? stopCommand(tab, first, at) : focusCommand(first, at);
}

function chooseCommand({tab, at}: PickerSelection, action: CommandAction, id: string): Reaction {
  const command = runningCommands(tab.session).find((each) => each.id === id);
  if (!command) return toast('This command has exited.', at);
  return action === 'stop_command' ? stopCommand(tab, command, at) : focusCommand(command, at);
}

export function stopCommand({key}: Tab, command: TerminalState, at: number): Reaction {
  return combine(
    callAction(key, 'stopCommand', command.id),
    toast(`Stopping ${command.command ?? 'the command'}`, at),
  );
}

const WITHOUT_INPUT = 'This command has no terminal, so it cannot be typed into.';

function focusCommand({id, pty}: TerminalState, at: number): Reaction {
  return pty ? moveFocus({kind: 'command', id}, at) : toast(WITHOUT_INPUT, at);
}

/** The most likely first: one that waits for input, then the newest. */
function whichOf(running: readonly TerminalState[], action: CommandAction) {
  const items = running.map(({id, command, awaitsInput, pty}): ListItem => ({
    id,
    label: command ?? 'a command',
    description: awaitsInput ? 'may be waiting for input' : undefined,
    disabled: action === 'give_keyboard' && !pty ? WITHOUT_INPUT : undefined,
    choose: (selection) => chooseCommand(selection, action, id),
  }));
  const title = action === 'stop_command' ? 'Stop a command' : 'Type into a command';
  return {kind: 'picker', picker: pickerOf({title, items})} as const;
}
