import type {Result} from '../failure.ts';
import {failureSentence} from '../errors.ts';
import {connectionChanged, isCurrent, type ClientContext, type Life} from './context.ts';
import {applySettings} from './settings.ts';

/**
 * `session/new` on a connection that is initialized ("Session Setup"), then the wanted settings. With a person there, a
 * setting that the agent does not have is told and the session goes on; without one it is a failure.
 */
export async function openSession(context: ClientContext, life: Life): Promise<Result<void>> {
  const {options, link} = context;
  connectionChanged(context, {kind: 'starting', step: 'opening_session', since: Date.now()});
  life.updates.expect();
  const {cwd, additionalDirectories} = options;
  const opened = await life.connection.newSession({cwd, additionalDirectories});
  if (!isCurrent(context, life)) return opened.ok ? {ok: true, value: undefined} : opened;
  if (!opened.ok) return opened;
  link.emit({type: 'session_opened', session: opened.value, how: 'new', at: Date.now()});
  life.updates.open(opened.value.sessionId);
  // What an earlier session still runs has nobody left to release it.
  void context.host.terminals.closeAll();
  if (additionalDirectories.length > opened.value.additionalDirectories.length) {
    warn(
      context,
      `The agent takes no additional folders, so it was not told of ${additionalDirectories.join(', ')}.`,
    );
  }
  const applied = await applySettings(context, options.settings);
  if (!isCurrent(context, life)) return applied;
  if (!applied.ok) {
    if (!options.person) return applied;
    warn(context, failureSentence(applied.failure));
  }
  connectionChanged(context, {kind: 'ready'});
  return {ok: true, value: undefined};
}

function warn(context: ClientContext, text: string): void {
  context.link.emit({type: 'notice', level: 'warning', text, at: Date.now()});
}
