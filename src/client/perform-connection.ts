import type {SessionEffect} from '../app/effects.ts';
import type {Result} from '../failure.ts';
import type {SessionActions} from '../session/actions.ts';

type ConnectionEffect = Extract<
  SessionEffect,
  {kind: 'authenticate' | 'log_out' | 'open_session' | 'rename_session' | 'restart'}
>;

/** What concerns the agent and its session as wholes. */
export function performConnection(effect: ConnectionEffect, actions: SessionActions): Promise<Result<void>> {
  switch (effect.kind) {
    case 'authenticate':
      return actions.authenticate(effect.methodId);
    case 'log_out':
      return actions.logOut();
    case 'open_session':
      return actions.openSession(effect.opening);
    case 'rename_session':
      return actions.renameSession(effect.title);
    case 'restart':
      return actions.restart();
  }
}
