import {canLogOut} from '../../shared/authentication.ts';
import {pastesIn} from '../../session/content/pasted-text.ts';
import {isLimitAwaited, unsentPrompts} from '../../session/queue/queue.ts';
import type {SessionState} from '../../session/state.ts';
import {callAction, perform, type Reaction} from '../effects.ts';
import {showAgents} from '../pickers/agent-picker.ts';
import {openPicker} from '../pickers/picker.ts';
import {handoffPicker} from '../recovery/handoff-picker.ts';
import {submitPrompt} from '../queue/queue.ts';
import {recoveryFor} from '../recovery/recovery-menu.ts';
import {signInPicker} from '../recovery/sign-in.ts';
import {completeAgent, whyNotReady, whyTurnRuns, unquotedPath, type Command} from './command.ts';
import {isAgentBusy} from '../../session/lifecycle/live.ts';
import {runningTasks} from '../../session/lifecycle/tasks.ts';
import {agentCan, howToReopen} from '../../session/lifecycle/agent-capabilities.ts';
import {sessionTitle} from '../../session/titles.ts';
import {showSessions} from '../pickers/session-picker.ts';
import {activeSession} from '../sessions.ts';
import type {AppState} from '../state.ts';
import {toast} from '../status/toasts.ts';
import {newInWorktree} from './worktree-commands.ts';

export const resume: Command = {
  name: 'resume',
  aliases: ['sessions'],
  argument: '[words]',
  description: 'Resume, fork, archive or restore a session; find words said in one',
  run: ({argument}) => showSessions('folder', {filter: argument}),
};

export const fork: Command = {
  name: 'fork',
  aliases: ['branch'],
  description: 'Fork this session and continue in the copy',
  unavailable: (tab) =>
    whyNotReady(tab) ??
    (tab.session.unused
      ? 'No messages yet.'
      : agentCan(tab.session, 'fork')
        ? undefined
        : "This agent can't fork sessions."),
  run: ({tab: {key, session}}) =>
    session.sessionId === undefined
      ? {events: [], effects: []}
      : callAction(key, 'openSession', {kind: 'continue', sessionId: session.sessionId, fork: true}),
};

export const rename: Command = {
  name: 'rename',
  argument: '[title]',
  description: 'Rename this session (no title: restore the automatic one)',
  run: ({tab: {key, session}, argument, at}) =>
    argument === '' && session.ownTitle === undefined
      ? toast(`Title: ${sessionTitle(session) ?? 'none yet'}. /rename <title> changes it.`, at)
      : callAction(key, 'renameSession', argument),
};

export const restart: Command = {
  name: 'restart',
  description: 'Restart the agent and resume this session',
  run: ({tab: {key, session}}) =>
    session.connection.kind === 'closed'
      ? perform({kind: 'resume_ended', session: key})
      : callAction(key, 'restart'),
};

export const close: Command = {
  name: 'close',
  description: 'Close this session (/resume opens it again)',
  run: ({tab: {key}}) => perform({kind: 'remove_open', session: key, how: 'close', sure: false}),
};

const isEmpty: Command['unavailable'] = ({session}) => (session.unused ? 'No messages yet.' : undefined);

export const detach: Command = {
  name: 'detach',
  description: 'Move this session to the background (acp-tui attach shows it)',
  unavailable: ({isAttached, session}) => (isAttached ? undefined : whyStays(session)),
  run: ({tab: {key}}) => perform({kind: 'detach_session', session: key}),
};

/** Returns why a session of the window cannot go on elsewhere now: its agent is resumed there. */
function whyStays(session: SessionState): string | undefined {
  if (session.unused) return 'No messages yet.';
  if (howToReopen(session)?.kind !== 'continue')
    return "This agent can't resume sessions, so this one ends with its window.";
  if (session.ownProviders && session.ownProviders.length > 0)
    return 'What you set with /providers is not stored, and would end here.';
  const isQuiet = !isAgentBusy(session) && !session.queue.isSending && runningTasks(session).length === 0;
  if (isQuiet && unsentPrompts(session.queue).length === 0 && session.pending.length === 0) return undefined;
  return 'Possible once its turn has ended, no command or subagent runs, and nothing is queued or waits for a limit. acp-tui --background starts sessions that can be left at any time.';
}

export const deleteCommand: Command = {
  name: 'delete',
  description: 'Delete this session (asks first if that cannot be undone)',
  unavailable: isEmpty,
  run: ({tab: {key}}) => perform({kind: 'remove_open', session: key, how: 'delete', sure: false}),
};

export const newSession: Command = {
  name: 'new',
  aliases: ['clear'],
  argument: '[--worktree [name]]',
  description: 'Start a new session with the same agent',
  unavailable: whyNotReady,
  run: ({tab: {key}, argument}) =>
    argument === '' ? callAction(key, 'openSession', {kind: 'new'}) : newInWorktree(key, argument),
};

/** Sends the last prompt again. One that could not be sent is already at the front of the queue: it is not sent twice. */
export function resend(state: AppState, at: number): Reaction {
  const tab = activeSession(state);
  const {key, session} = tab;
  const problem = whyTurnRuns(tab, state.keymap);
  const {prompts, lastPrompt, interruptedPrompt} = session.queue;
  if (!lastPrompt) return toast('No prompt sent yet.', at);
  if (problem !== undefined) return toast(problem, at);
  if (isLimitAwaited(session.queue)) return callAction(key, 'changeQueue', {kind: 'limit_over'});
  if (interruptedPrompt) return callAction(key, 'changeQueue', {kind: 'resend_interrupted'});
  if (prompts[0]?.id === lastPrompt.id) return callAction(key, 'changeQueue', {kind: 'resume'});
  const {text, content, files = [], outputs = [], isAgents = false} = lastPrompt;
  const pastes = pastesIn(content);
  return submitPrompt(key, {text, pastes, files, outputs, ...(isAgents && {isAgents})}, 'first');
}

export const undo: Command = {
  name: 'undo',
  description: 'Undo the file changes of the last turn',
  unavailable: whyTurnRuns,
  run: ({tab}) => perform({kind: 'plan_undo', key: tab.key}),
};

export const rewind: Command = {
  name: 'rewind',
  description: 'Rewind to before a prompt: files, conversation, or both',
  unavailable: (tab, keymap) => isEmpty(tab, keymap) ?? whyTurnRuns(tab, keymap),
  run: ({tab}) => perform({kind: 'show_rewind', key: tab.key}),
};

export const handoff: Command = {
  name: 'handoff',
  argument: '[agent]',
  description: 'Continue this conversation with another agent',
  unavailable: (tab, keymap) => isEmpty(tab, keymap) ?? whyTurnRuns(tab, keymap),
  complete: completeAgent,
  run: ({tab, argument}) =>
    argument === '' ? showAgents({handsOver: tab.key}) : openPicker(handoffPicker(tab, argument)),
};

export const quit: Command = {
  name: 'quit',
  aliases: ['exit', 'q'],
  description: 'Quit (unsent text is kept)',
  run: () => perform({kind: 'quit'}),
};

export const addDir: Command = {
  name: 'add-dir',
  aliases: ['directory'],
  argument: '<folder>',
  description: 'Add a folder to the workspace',
  unavailable: (tab, keymap) => whyNotReady(tab) ?? whyTurnRuns(tab, keymap),
  run({tab, argument, at}) {
    const path = unquotedPath(argument);
    return path === ''
      ? toast('Which folder? For example: /add-dir ../other-project', at)
      : callAction(tab.key, 'addDirectory', path);
  },
};

export const login: Command = {
  name: 'login',
  description: 'Sign in, or switch accounts',
  unavailable(tab, keymap) {
    const {connection, agent} = tab.session;
    if (connection.kind === 'authentication_required') return undefined;
    if (!agent || connection.kind === 'starting') return whyNotReady(tab);
    return agent.authMethods.length === 0 ? 'This agent has no sign-in methods.' : whyTurnRuns(tab, keymap);
  },
  run({tab}) {
    const isWanted = tab.session.connection.kind === 'authentication_required';
    const asked = isWanted ? recoveryFor(tab) : undefined;
    return openPicker(asked ?? signInPicker(tab, {title: 'Sign in', byUser: true}));
  },
};

export const logout: Command = {
  name: 'logout',
  description: 'Sign out of the agent',
  unavailable(tab, keymap) {
    const {agent} = tab.session;
    if (!agent) return whyNotReady(tab);
    const {capabilities, authMethods} = agent;
    const takesValues = authMethods.some((method) => 'type' in method && method.type === 'env_var');
    if (!canLogOut(capabilities) && !takesValues) return 'This agent does not support signing out.';
    return whyTurnRuns(tab, keymap);
  },
  run: ({tab: {key}}) => callAction(key, 'logOut'),
};
