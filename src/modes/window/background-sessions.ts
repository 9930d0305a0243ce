import {realpathSync} from 'node:fs';
import type {CommonOptions, InteractiveOptions} from '../../cli/options.ts';
import {nameOf} from '../../agents/resolve.ts';
import {attachSession, startAndAttach, type AttachedSession} from '../../service/attached-session.ts';
import type {ServiceClient} from '../../service/service-client.ts';
import {hasSocket, serviceProcess} from '../../service/socket-place.ts';
import {initialSession} from '../../session/initial.ts';
import {withInitialQueue} from '../../session/queue/interrupted-prompt.ts';
import type {Result} from '../../shared/failure.ts';
import {readRegularFile} from '../../shared/files/safe-files.ts';
import {readServersFile} from '../../settings/server-config.ts';
import {effectiveSettings} from '../../settings/schema/settings-schema.ts';
import type {ResumeOrigin, StoredSession} from '../../storage/sessions/stored-session.ts';
import type {
  BackgroundSessions,
  MovedSession,
  NewSessionOptions,
} from '../../window/effects/effect-context.ts';
import {findExistingFolders} from '../../window/sessions/resume.ts';
import {sessionStart} from '../start/run-options.ts';
import type {RunSetup} from '../start/run-setup.ts';
import {optionsOfOthers} from './window-agents.ts';

/** What the window of a session knows of the background service, too. */
export interface WindowBackground extends BackgroundSessions {
  /** Resumes what goes on there when the window has closed; returns the ids, or what went wrong. */
  finish(): Promise<Result<readonly string[]>>;
}

/** Returns the sessions of the background service for a window that was started with these options. */
export function windowBackground(given: CommonOptions, setup: RunSetup): WindowBackground {
  const {paths, settings, save, recorder, trust} = setup;
  const {state} = paths;
  const leaving: MovedSession[] = [];
  // Protocol messages are recorded, and a folder's settings are asked about, where the window runs.
  const isPossible = (folder: string) =>
    save && !recorder && (trust?.question === undefined || !trust.isOf(folder));
  const isWanted = effectiveSettings(settings).background.enabled;
  const service = async () => (await import('../../service/service-client.ts')).connectService(state);
  const startOf = (toStart: ToStart) => ({
    ...sessionStart(optionsOfStart(given, setup, toStart)),
    showsProblems: true,
  });

  async function resume({id, options}: MovedSession): Promise<Result<void>> {
    const connected = await service();
    if (!connected.ok) return connected;
    const started = await connected.value.start(startOf({options, before: {continues: id}, isMoved: true}));
    connected.value.close();
    return started.ok ? {ok: true, value: undefined} : started;
  }

  return {
    start({options, session, before, wasAttached = false}) {
      const {cwd, additionalDirectories, opening} = options;
      const isStored = before?.continues !== undefined || before?.copies !== undefined;
      if (
        !isPossible(cwd) ||
        !(isWanted || wasAttached) ||
        (opening !== undefined && opening.kind !== 'new' && !isStored)
      )
        return undefined;
      return startAndAttach(service(), {
        start: startOf({options, before}),
        // As it begins there.
        session: withInitialQueue(
          session ?? initialSession({cwd, additionalDirectories, at: Date.now()}),
          options.approval,
        ),
        continues: before?.continues,
      });
    },
    attach: (stored) => attach(stored, state),
    running: () => running(state),
    reach: () => closed(service()),
    resume,
    resumeAtEnd: (moved) => void leaving.push(moved),
    async finish() {
      for (const moved of leaving) {
        const resumed = await resume(moved);
        if (!resumed.ok) return resumed;
      }
      return {ok: true, value: leaving.map(({id}) => id)};
    },
  };
}

async function attach(
  {id, openBy}: Pick<StoredSession, 'id' | 'openBy'>,
  state: string,
): Promise<Result<AttachedSession | undefined>> {
  const none = {ok: true, value: undefined} as const;
  if (!hasSocket(state)) return none;
  const {findService} = await import('../../service/service-client.ts');
  const found = await findService(state);
  // Others are resumed whatever the service says.
  if (!found.ok) return openBy && openBy.pid === serviceProcess(state) ? found : none;
  if (!found.value) return none;
  const attached = await attachSession(found.value, id, state);
  if (attached.ok) return attached;
  found.value.close();
  return attached.failure.kind === 'no_such_session' ? none : attached;
}

async function running(state: string): ReturnType<BackgroundSessions['running']> {
  if (!hasSocket(state)) return undefined;
  const {findService} = await import('../../service/service-client.ts');
  const found = await findService(state);
  if (!found.ok || !found.value) return undefined;
  const {value: client} = found;
  const sessions = await client.list().catch(() => undefined);
  client.close();
  return sessions && {pid: client.pid, sessions};
}

/** Closes the connection to the service once there is one. */
async function closed(connecting: Promise<Result<ServiceClient>>): Promise<Result<void>> {
  const connected = await connecting;
  if (!connected.ok) return connected;
  connected.value.close();
  return {ok: true, value: undefined};
}

interface ToStart extends Pick<NewSessionOptions, 'options'> {
  readonly before: ResumeOrigin | undefined;
  /** It ran in this window: what it was started with may have changed since. */
  readonly isMoved?: boolean;
}

/** Returns the options with which a session of this window is started in the service, which reads the settings itself. */
export function optionsOfStart(
  given: CommonOptions,
  {options: first, agentName}: Pick<RunSetup, 'options' | 'agentName'>,
  {options, before, isMoved = false}: ToStart,
): CommonOptions {
  const {agent, cwd, additionalDirectories, settings, authMethod} = options;
  const id = before?.continues ?? before?.copies;
  const isFirst = first.ok && first.value.agent === agent;
  return {
    ...(isFirst
      ? {...given, ...(id === undefined && {agent: agentName})}
      : {...optionsOfOthers(given), agent: nameOf(agent)}),
    // A stored session has its own settings; the command line is for the one that it names.
    ...(id !== undefined && {settings: {...settings, options: [...settings.options]}, authMethod}),
    ...(isMoved && {settings: {options: []}}),
    // As the window has decided, also for a stored session.
    approve: options.approval,
    sandbox: options.sandbox !== undefined,
    cwd,
    additionalDirectories,
    fork: before?.copies !== undefined,
    resumeRequest: id === undefined ? undefined : {which: 'named', id},
  };
}

/**
 * Returns the options with which a window that attached starts sessions: those of the session that it shows. That has what its command line named, which may be
 * gone or broken by now: such files of servers are left out, and `instead` replaces its folder, which `problems` says in sentences.
 */
export async function optionsOfAttached(
  given: CommonOptions,
  instead: string,
): Promise<{readonly options: InteractiveOptions; readonly problems: readonly string[]}> {
  const {cwd = '', additionalDirectories} = given;
  const {folders, problems} = await findExistingFolders({cwd, additionalDirectories}, instead);
  const itsOwn = {resumeRequest: undefined, record: undefined, prompt: undefined};
  const mcpConfig = given.mcpConfig.filter(hasServers);
  return {options: {...given, ...folders, ...itsOwn, mcpConfig}, problems};
}

function hasServers(file: string): boolean {
  try {
    return (
      readServersFile(readRegularFile(realpathSync.native(file)), {kind: 'option', file}).fault === undefined
    );
  } catch {
    return false;
  }
}
