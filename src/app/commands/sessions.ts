import {agentCan} from '../../session/abilities.ts';
import {sessionTitle} from '../../session/titles.ts';
import {perform} from '../effects.ts';
import {hint} from '../hints.ts';
import {showSessions} from '../keys/session-list-keys.ts';
import {notReady, type Command} from './command.ts';

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
      ? hint(`The title is: ${sessionTitle(session) ?? 'none yet'}. /rename and a title changes it.`, at)
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
