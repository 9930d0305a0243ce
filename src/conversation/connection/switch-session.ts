import {realpath, stat} from 'node:fs/promises';
import {absolutePath, isInside} from '../../shared/files/session-folders.ts';
import {takesAdditionalDirectories} from '../../protocol/capabilities.ts';
import type {NextOpening} from '../../session/events.ts';
import {isLimitAwaited} from '../../session/queue/queue.ts';
import {howToReopen} from '../../session/lifecycle/agent-capabilities.ts';
import {DONE, type Result} from '../../shared/failure.ts';
import {fileFailed} from '../../shared/files/file-failure.ts';
import {returnToPreviousPhase, inform, notRunning, type ConversationContext} from '../context.ts';
import {changeQueue} from '../prompt/send-queued.ts';
import {cancelTurn} from '../prompt/turns.ts';
import {closeAgentSession} from './agent-sessions.ts';
import {openSession} from './open-session.ts';
import {canBeGivenUp} from './phases.ts';
import {forgetReplay} from './reopen-session.ts';

/** Opens another session with the same agent; if that fails, the previous one continues. */
export async function openAnother(context: ConversationContext, opening: NextOpening): Promise<Result<void>> {
  const {run, sink} = context;
  if (!run) return notRunning();
  cancelTurn(context);
  // Including requests outside of a turn.
  context.host.cancelPending();
  const {sessionId} = sink.state();
  const {phase} = context;
  const wasOpen = run.sessionOpen ? sessionId : undefined;
  const previous = phase.name === 'opening' ? phase.previous : context.opening;
  if (phase.name === 'opening') {
    forgetReplay(context, run);
    run.starting = false;
  }
  context.opening = opening;
  const asked = openSession(context, run, previous);
  const {phase: opens} = context;
  const opened = await asked;
  if (opened.ok && wasOpen !== undefined && wasOpen !== sink.state().sessionId)
    void closeAgentSession(context, run, wasOpen);
  if (opened.ok || context.phase !== opens) return opened;
  context.opening = previous;
  if (opens.name !== 'opening') return opened;
  if (wasOpen !== undefined) run.updates.open(wasOpen);
  returnToPreviousPhase(context, opens, opened.failure);
  return opened;
}

/** Gives up what the session waits for, or cancels its turn. */
export function giveUp(context: ConversationContext): void {
  if (reloads(context))
    inform(
      context,
      'The agent is loading this session again, which cannot be given up halfway. /restart starts the agent again.',
    );
  else if (canBeGivenUp(context.phase)) context.phase.ended.abort();
  else if (isLimitAwaited(context.sink.state().queue))
    changeQueue(context, {kind: 'await_limit', isAwaited: false});
  else cancelTurn(context);
}

/** True while the agent loads the open session: the rest of the conversation would then come as something new. */
function reloads({run, opening, sink}: ConversationContext): boolean {
  const {replay, sessionId} = sink.state();
  const isOpen = opening.kind === 'continue' && !opening.fork && opening.sessionId === sessionId;
  return isOpen && replay !== undefined && run?.sessionOpen === true;
}

/**
 * Adds a folder to the session; the agent can access it through acp-tui at once. The protocol sends folders only when a session is opened ("Session Setup"),
 * so it is reopened if the agent supports that; a notice reports the result.
 */
export async function addDirectory(context: ConversationContext, typed: string): Promise<Result<void>> {
  const {cwd, additionalDirectories, realFolders} = context.options;
  const path = absolutePath(typed, cwd);
  try {
    if (!(await stat(path)).isDirectory()) return fileFailed(typed, 'it is not a folder');
    if (await isInside(path, {cwd, additionalDirectories}))
      return fileFailed(typed, 'it is already in the workspace');
    const folder = await realpath(path);
    context.options = {
      ...context.options,
      additionalDirectories: [...additionalDirectories, folder],
      realFolders: {...realFolders, [folder]: folder},
    };
    context.host.addRoot(folder);
    const informed = await notifyAgent(context);
    const how = context.sandbox ? `${informed} Its sandbox includes the folder after /restart.` : informed;
    add(context, folder, how);
  } catch (error) {
    return fileFailed(typed, error);
  }
  return DONE;
}

/** Reopens the session with all folders; returns the result as a sentence. */
async function notifyAgent(context: ConversationContext): Promise<string> {
  const state = context.sink.state();
  if (!takesAdditionalDirectories(state.agent?.capabilities))
    return 'This agent does not support additional folders.';
  const later = 'The agent learns of it in the next session: /new starts one.';
  const opening = howToReopen(state);
  const opened = opening && (await openAnother(context, opening));
  return opened?.ok ? 'The agent has been informed.' : later;
}

function add({sink}: ConversationContext, folder: string, how: string): void {
  if (!sink.state().additionalDirectories.includes(folder))
    sink.emit({type: 'folder_added', path: folder, at: Date.now()});
  const text = `Added ${folder} to the workspace: @ finds its files, and the agent may use them through acp-tui. ${how}`;
  inform({sink}, text);
}
