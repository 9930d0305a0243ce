import {agentCan} from '../../session/lifecycle/agent-capabilities.ts';
import {isIdle} from '../../session/selectors.ts';
import {sessionTitle} from '../../session/titles.ts';
import {perform, fold} from '../effects.ts';
import {showSessions} from '../handlers/session-list-keys.ts';
import {toast} from '../status/toasts.ts';
import {notReady, type Command, type CommandCall} from './command.ts';

export const resume: Command = {
  name: 'resume',
  aliases: ['sessions'],
  argument: '[words]',
  description: 'Go on with an earlier session',
  run: ({argument, at}) => showSessions('folder', at, argument),
};

export const fork: Command = {
  name: 'fork',
  description: 'Go on with a copy of this session; it stays as it is',
  unavailable: (open) =>
    notReady(open) ??
    (open.session.unused
      ? 'Nothing was said yet.'
      : agentCan(open.session, 'fork')
        ? undefined
        : 'This agent cannot copy a session.'),
  run: ({open: {key, session}}) =>
    session.sessionId === undefined
      ? {events: [], effects: []}
      : perform({
          kind: 'open_session',
          key,
          opening: {kind: 'continue', sessionId: session.sessionId, fork: true},
        }),
};

export const rename: Command = {
  name: 'rename',
  argument: '[title]',
  description: 'Give this session a title; without one, take yours back',
  run: ({open: {key, session}, argument, at}) =>
    argument === '' && session.ownTitle === undefined
      ? toast(`The title is: ${sessionTitle(session) ?? 'none yet'}. /rename and a title changes it.`, at)
      : perform({kind: 'rename_session', key, title: argument}),
};

export const close: Command = {
  name: 'close',
  description: 'Close this session; /resume opens it again',
  run: ({open: {key}}) => perform({kind: 'close_session', session: key}),
};

const nothingSaid: Command['unavailable'] = ({session}) =>
  session.unused ? 'Nothing was said yet.' : undefined;

export const archive: Command = {
  name: 'archive',
  description: 'Close this session and take it out of the list; /unarchive brings it back',
  unavailable: nothingSaid,
  run: ({open: {key}}) => perform({kind: 'remove_open', session: key, how: 'archive', sure: false}),
};

export const unarchive: Command = {
  name: 'unarchive',
  description: 'Bring back the newest session that was archived',
  run: () => perform({kind: 'unarchive_session'}),
};

export const deleteCommand: Command = {
  name: 'delete',
  description: 'Close this session and delete it; asks first where that cannot be taken back',
  unavailable: nothingSaid,
  run: ({open: {key}}) => perform({kind: 'remove_open', session: key, how: 'delete', sure: false}),
};

export const undelete: Command = {
  name: 'undelete',
  description: 'Bring back the session that was deleted last',
  run: () => perform({kind: 'restore_session'}),
};

export const newSession: Command = {
  name: 'new',
  aliases: ['clear'],
  description: 'A new session with the same agent',
  unavailable: notReady,
  run: ({open}) => perform({kind: 'open_session', key: open.key, opening: {kind: 'new'}}),
};

export const retry: Command = {
  name: 'retry',
  description: 'Send the last prompt again',
  unavailable({session, sending, lastPrompt}) {
    if (!lastPrompt) return 'Nothing was sent yet.';
    return isIdle(session) && !sending ? undefined : 'The turn still runs; Esc cancels it.';
  },
  run: sendAgain,
};

/** One that could not be sent waits at the front already: it is not sent twice. */
function sendAgain({open: {key, queue, lastPrompt, cutOff}, at}: CommandCall) {
  if (cutOff) return fold({type: 'cut_off_resolved', key, to: 'agent'});
  if (!lastPrompt) return toast('Nothing was sent yet.', at);
  return queue[0]?.id === lastPrompt.id
    ? fold({type: 'queue_resumed', key})
    : fold({
        type: 'prompt_submitted',
        key,
        text: lastPrompt.text,
        files: lastPrompt.files ?? [],
        outputs: lastPrompt.outputs ?? [],
        place: 'first',
      });
}

export const undo: Command = {
  name: 'undo',
  description: 'Take back what the last turn wrote',
  unavailable: ({session, sending}) =>
    isIdle(session) && !sending ? undefined : 'The turn still runs; Esc cancels it.',
  run: ({open}) => perform({kind: 'plan_undo', key: open.key}),
};

export const quit: Command = {
  name: 'quit',
  aliases: ['exit', 'q'],
  description: 'Leave; what is not sent is kept',
  run: () => perform({kind: 'quit'}),
};

export const addDir: Command = {
  name: 'add-dir',
  argument: '<folder>',
  description: 'One more folder that the agent may use; @ finds it',
  unavailable(open) {
    const problem = notReady(open);
    if (problem !== undefined) return problem;
    return open.session.turn.kind === 'idle' ? undefined : 'The turn still runs; Esc cancels it.';
  },
  run({open, argument, at}) {
    // As it is completed with @, and as a shell would quote it.
    const path = argument.replace(/^@/, '').replace(/^(["'])(.*)\1$/su, '$2');
    return path === ''
      ? toast('Say which folder: /add-dir ../other-project', at)
      : perform({kind: 'add_directory', key: open.key, path});
  },
};
