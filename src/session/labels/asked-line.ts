import type {PendingRequest, SessionState} from '../state.ts';
import {isOpenedLink} from '../selectors.ts';
import {oneLine} from './activity-line.ts';
import {commandIn} from './command-label.ts';

/** Returns what a session waits for, in one line that cannot control a terminal, and how many requests more there are; undefined if it does not wait. */
export function pendingRequestLine({pending, connection}: Pick<SessionState, 'pending' | 'connection'>) {
  const [asked, ...others] = pending.filter((request) => !isOpenedLink(request));
  if (!asked) return connection.kind === 'authentication_required' ? 'Sign in' : undefined;
  const text = oneLine(textOf(asked));
  return others.length === 0 ? text : `${text} (+${others.length})`;
}

/** A command rather than what the agent calls it. */
function textOf(request: PendingRequest): string {
  switch (request.kind) {
    case 'permission': {
      const {title, kind, rawInput} = request.call;
      const command = kind === 'execute' ? commandIn(rawInput)?.trim() : undefined;
      return `Allow ${command || title}?`;
    }
    case 'form':
      return request.message;
    case 'url':
      return `Open ${request.link.href}? ${request.message}`;
  }
}
