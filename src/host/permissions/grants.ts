import type * as acp from '@agentclientprotocol/sdk/unstable';
import {fingerprintOf} from '../changes/contents.ts';

/** An effect that the user allowed by answering a permission request, for one use. */
export interface Grant {
  readonly sessionId: acp.SessionId;
  readonly effect: GrantedEffect;
  /** True if an "always" option was chosen: covers the same effect repeatedly, also in later turns. */
  readonly always: boolean;
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

export interface GrantedCommand {
  readonly type: 'command';
  /** See `commandForms`. */
  readonly forms: ReadonlySet<string>;
  /** See `CommandFolder`. */
  readonly folder: string;
  /** See `environmentKey`. */
  readonly env: string;
}

/** How an approval covers a write: not at all, exactly, for a file that has changed since, or with other content. */
export type WriteCover =
  {readonly kind: 'none' | 'covered' | 'changed'} | {readonly kind: 'other'; readonly approved: string};

/**
 * Writes and commands that are already approved: an agent that asked permission for an edit is not asked again when it then makes exactly that edit. Valid
 * once, in the turn of the answer, unless it was an "always" (docs/permissions.md, "What an answer covers").
 */
export interface Grants {
  add(grant: Grant): void;
  /** Uses up a grant that covers this write. */
  takeWrite(sessionId: acp.SessionId, write: Omit<GrantedWrite, 'type'>): WriteCover;
  /** True if a grant covers this command; uses it up. */
  takeCommand(sessionId: acp.SessionId, command: Omit<GrantedCommand, 'type'>): boolean;
  /** Discards what was allowed for one turn. */
  turnOver(): void;
}

export function createGrants(): Grants {
  let open: readonly Grant[] = [];

  function ofSession<Type extends GrantedEffect['type']>(sessionId: acp.SessionId, type: Type) {
    return open.filter(
      (grant): grant is Grant & {effect: Extract<GrantedEffect, {type: Type}>} =>
        grant.sessionId === sessionId && grant.effect.type === type,
    );
  }

  function use(grant: Grant): void {
    if (!grant.always) open = open.filter((each) => each !== grant);
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
    takeCommand(sessionId, {forms, folder, env}) {
      const covering = ofSession(sessionId, 'command').find(
        ({effect}) =>
          effect.folder === folder && effect.env === env && [...forms].some((form) => effect.forms.has(form)),
      );
      if (covering) use(covering);
      return covering !== undefined;
    },
    turnOver() {
      open = open.filter(({always}) => always);
    },
  };
}
