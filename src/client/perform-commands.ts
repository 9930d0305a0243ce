import type {SessionEffect} from '../app/effects.ts';
import type {SessionActions} from '../session/actions.ts';

type CommandEffect = Extract<
  SessionEffect,
  {kind: 'run_shell' | 'interrupt_command' | 'type_into' | 'stop_command'}
>;

/** What the user does to commands that run. */
export async function performCommand(effect: CommandEffect, actions: SessionActions): Promise<undefined> {
  switch (effect.kind) {
    case 'run_shell':
      await actions.runShell(effect.command);
      return undefined;
    case 'interrupt_command':
      actions.interruptCommand(effect.terminalId);
      return undefined;
    case 'type_into':
      actions.typeInto(effect.terminalId, effect.text);
      return undefined;
    case 'stop_command':
      await actions.stopCommand(effect.terminalId);
      return undefined;
  }
}
