import type {SessionEffect} from '../app/effects.ts';
import type {SessionActions} from '../session/actions.ts';

type CommandEffect = Extract<SessionEffect, {kind: 'type_into' | 'stop_command'}>;

/** What the user does to commands that run. */
export async function performCommand(effect: CommandEffect, actions: SessionActions): Promise<undefined> {
  switch (effect.kind) {
    case 'type_into':
      actions.typeInto(effect.terminalId, effect.text);
      return undefined;
    case 'stop_command':
      await actions.stopCommand(effect.terminalId);
      return undefined;
  }
}
