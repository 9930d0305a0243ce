import type {TerminalState} from '../../session/state.ts';
import {runningCommands} from '../queue/own-commands.ts';
import {fold, perform, together, type Step} from '../effects.ts';
import {hint} from '../status/toasts.ts';
import {pickerOf} from './picker.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, OpenSession, PickerPurpose} from '../state.ts';

type Deed = Extract<PickerPurpose, {kind: 'command'}>['deed'];

/** Gives the running command the keyboard, or stops it; where several run, the user says which. */
export function doToCommand(state: AppState, deed: Deed, at: number): Step {
  const open = activeSession(state);
  const running = runningCommands(open.session);
  const [first, ...others] = running;
  if (!first) {
    return hint(
      deed === 'stop_command' ? 'No command runs.' : 'No command runs that could have the keyboard.',
      at,
    );
  }
  if (others.length > 0) return fold({type: 'overlay_opened', overlay: whichOf(running, deed)});
  return deed === 'stop_command' ? stopCommand(open, first, at) : giveKeyboard(first, at);
}

/** What choosing one of them does; nothing where it has ended meanwhile. */
export function chooseCommand(
  open: OpenSession,
  deed: Deed,
  {id, at}: {readonly id: string; readonly at: number},
): Step {
  const command = runningCommands(open.session).find((each) => each.id === id);
  if (!command) return hint('This command has ended.', at);
  return deed === 'stop_command' ? stopCommand(open, command, at) : giveKeyboard(command, at);
}

export function stopCommand({key}: OpenSession, command: TerminalState, at: number): Step {
  return together(
    perform({kind: 'stop_command', key, terminalId: command.id}),
    hint(`Stopping ${command.command ?? 'the command'}`, at),
  );
}

const WITHOUT_INPUT = 'This command has no terminal of its own, so it cannot be typed into.';

function giveKeyboard({id, pty}: TerminalState, at: number): Step {
  return pty ? fold({type: 'keyboard_given', terminalId: id}) : hint(WITHOUT_INPUT, at);
}

/** The most likely first: one that waits for input, then the newest. */
function whichOf(running: readonly TerminalState[], deed: Deed) {
  const items = running.map(({id, command, awaitsInput, pty}) => ({
    id,
    label: command ?? 'a command',
    description: awaitsInput ? 'seems to wait for input' : undefined,
    disabled: deed === 'give_keyboard' && !pty ? WITHOUT_INPUT : undefined,
  }));
  const title =
    deed === 'stop_command' ? 'Which command is to be stopped' : 'Which command gets the keyboard';
  return {kind: 'picker', picker: pickerOf({purpose: {kind: 'command', deed}, title, items})} as const;
}
