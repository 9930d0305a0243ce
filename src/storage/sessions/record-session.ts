import {gitBranch} from '../../git/git-branch.ts';
import type {SessionEvent} from '../../session/events.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import type {SessionState} from '../../session/state.ts';
import type {Recorder} from './recorder.ts';
import type {SessionStore} from './session-store.ts';
import type {SessionOrigin, ResumeOrigin} from './stored-session.ts';

/** The part of a session's options that is stored. */
export type StartOptions = Pick<SessionOrigin, 'agent' | 'cwd' | 'additionalDirectories'>;

/** Records a session; in a copy, if it is resumed while another process has it open. */
export function recordSession(
  sessions: SessionStore,
  {continues, ...origin}: SessionOrigin,
): Result<{readonly recorder: Recorder; readonly elsewhere?: Failure}> {
  const own = sessions.record(continues === undefined ? origin : {...origin, continues});
  if (own.ok) return {ok: true, value: {recorder: withBranch(own.value, origin.cwd)}};
  if (continues === undefined || own.failure.kind !== 'not_offered') return own;
  const copy = sessions.record({...origin, copies: continues});
  if (!copy.ok) return copy;
  return {ok: true, value: {recorder: withBranch(copy.value, origin.cwd), elsewhere: own.failure}};
}

/** Records the branch as well. */
function withBranch(recorder: Recorder, cwd: string): Recorder {
  recorder.branchChanged(gitBranch(cwd));
  return {
    ...recorder,
    follow(event, state) {
      recorder.follow(event, state);
      if (mayChangeBranch(event)) recorder.branchChanged(gitBranch(cwd));
    },
  };
}

/** The agent may change it in each turn, and the user with each command. */
export function mayChangeBranch({type}: SessionEvent): boolean {
  return type === 'prompt_ended' || type === 'terminal_exited';
}

/** Returns the origin of a session; a restored one that waits for its agent has the time of its restoring. */
export function sessionOrigin(
  {agent: {label, command, args}, cwd, additionalDirectories}: StartOptions,
  before: ResumeOrigin,
  session: SessionState | undefined,
): SessionOrigin {
  const {connection} = session ?? {};
  const restored = connection?.kind === 'starting' && {restoredAt: connection.since};
  return {agent: {label, command, args}, cwd, additionalDirectories, ...before, ...restored};
}
