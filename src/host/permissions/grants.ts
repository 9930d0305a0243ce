import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {SessionGrant} from '../../session/actions.ts';
import type {SessionGrants} from '../services.ts';
import {fingerprintOf} from '../files/file-system.ts';
import {isSameCommand, type ExactCommand} from '../terminals/same-command.ts';
import type {PermissionSubject} from './subject.ts';
import {covers, type SessionScope} from './session-scope.ts';

/** An effect that the user allowed by answering a permission request, for one use in the turn of the answer. */
export interface Grant {
  readonly sessionId: acp.SessionId;
  readonly effect: GrantedEffect;
}

export type GrantedEffect = GrantedWrite | GrantedCommand;

export interface GrantedWrite {
  readonly type: 'write';
  /** Resolved. */
  readonly path: string;
  /** The whole content after applying the diff. */
  readonly content: string;
  /** The fingerprint of its content when the diff was shown. */
  readonly base: string;
}

export interface GrantedCommand extends ExactCommand {
  readonly type: 'command';
}

interface GivenForSession extends SessionGrant {
  readonly scope: SessionScope;
}

/** How an approval covers a write: not at all, exactly, for a file that has changed since, or with other content. */
export type WriteCover =
  {readonly kind: 'none' | 'covered' | 'changed'} | {readonly kind: 'other'; readonly approved: string};

/**
 * What the user has approved: single writes and commands, so that an agent that asked permission for an edit is not asked again when it then makes exactly
 * that edit; and what was allowed for the session (docs/permissions.md, "What an answer covers").
 */
export interface Grants extends SessionGrants {
  add(grant: Grant): void;
  /** Uses up a grant that covers this write. */
  takeWrite(sessionId: acp.SessionId, write: Omit<GrantedWrite, 'type'>): WriteCover;
  /** True if a grant covers this command; uses it up. */
  takeCommand(sessionId: acp.SessionId, command: ExactCommand): boolean;
  /** Discards what was allowed for one turn. */
  turnOver(): void;
  addForSession(grant: Omit<GivenForSession, 'id'>): void;
  /** Gives a session what was allowed before it had an ID: programs connect while its agent starts. */
  sessionOpened(sessionId: acp.SessionId): void;
  /** What was allowed for the session that covers an operation, if anything does. */
  forSession(subject: PermissionSubject): SessionGrant | undefined;
}

export function createGrants(): Grants {
  let open: readonly Grant[] = [];
  let given: readonly GivenForSession[] = [];
  let count = 0;

  function ofSession<Type extends GrantedEffect['type']>(sessionId: acp.SessionId, type: Type) {
    return open.filter(
      (grant): grant is Grant & {effect: Extract<GrantedEffect, {type: Type}>} =>
        grant.sessionId === sessionId && grant.effect.type === type,
    );
  }

  function use(grant: Grant): void {
    open = open.filter((each) => each !== grant);
  }

  return {
    add(grant) {
      open = [...open, grant];
    },
    takeWrite(sessionId, {path, content, base}) {
      const ofFile = ofSession(sessionId, 'write').filter(({effect}) => effect.path === path);
      const same = ofFile.filter(({effect}) => effect.content === content);
      // Some agents write a file themselves, and then again through the client.
      const isThere = () => base === fingerprintOf(Buffer.from(content));
      const covering = same.find(({effect}) => effect.base === base || isThere());
      if (covering) use(covering);
      if (covering) return {kind: 'covered'};
      if (same.length > 0) return {kind: 'changed'};
      const other = ofFile.at(-1);
      return other ? {kind: 'other', approved: other.effect.content} : {kind: 'none'};
    },
    takeCommand(sessionId, command) {
      const covering = ofSession(sessionId, 'command').find(({effect}) => isSameCommand(effect, command));
      if (covering) use(covering);
      return covering !== undefined;
    },
    turnOver() {
      open = [];
    },
    addForSession(grant) {
      count += 1;
      given = [...given, {...grant, id: String(count)}];
    },
    sessionOpened(sessionId) {
      given = given.map((grant) => (grant.sessionId === '' ? {...grant, sessionId} : grant));
    },
    forSession: (subject) =>
      given.find(({sessionId, scope}) => sessionId === subject.sessionId && covers(scope, subject)),
    list: () => given,
    takeBack(id) {
      given = given.filter((each) => each.id !== id);
    },
  };
}
