import type * as acp from '@agentclientprotocol/sdk/unstable';

/** What a person allowed by answering a permission request. */
export interface Grant {
  readonly sessionId: acp.SessionId;
  /** Files, after links. */
  readonly paths: readonly string[];
  /** See `commandForms`; empty when the request named no command. */
  readonly command: ReadonlySet<string>;
  /** The folder the command was approved for, after links; undefined when the request named none. */
  readonly cwd: string | undefined;
  /** An "always" option was chosen: it covers more than one use, and later turns. */
  readonly always: boolean;
}

/**
 * Which writes and commands were already approved: an agent that asked for permission to edit a file is not asked about again
 * when it then writes that file. Each path and each command once, in the turn of the answer, unless it was an "always".
 */
export interface Grants {
  add(grant: Grant): void;
  /** True when a grant covers this write; uses it up. */
  takeWrite(sessionId: acp.SessionId, path: string): boolean;
  /** True when a grant covers this command; uses it up. */
  takeCommand(sessionId: acp.SessionId, command: {forms: ReadonlySet<string>; cwd: string}): boolean;
  turnStarted(): void;
}

interface Open {
  readonly grant: Grant;
  readonly paths: Set<string>;
  command: ReadonlySet<string>;
}

export function createGrants(): Grants {
  let open: Open[] = [];
  const ofSession = (sessionId: acp.SessionId) => open.filter(({grant}) => grant.sessionId === sessionId);
  return {
    add(grant) {
      open.push({grant, paths: new Set(grant.paths), command: grant.command});
    },
    takeWrite(sessionId, path) {
      const covering = ofSession(sessionId).find(({paths}) => paths.has(path));
      if (covering && !covering.grant.always) covering.paths.delete(path);
      return covering !== undefined;
    },
    takeCommand(sessionId, {forms, cwd}) {
      const covering = ofSession(sessionId).find(
        ({grant, command}) => [...forms].some((form) => command.has(form)) && (grant.cwd ?? cwd) === cwd,
      );
      if (covering && !covering.grant.always) covering.command = new Set();
      return covering !== undefined;
    },
    turnStarted() {
      open = open.filter(({grant}) => grant.always);
    },
  };
}
