import {mkdir, readdir, readFile, rename, writeFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import path from 'node:path';
import {RequestError, type AgentApp, type AgentContext} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {commands} from './scenes.ts';
import {newSession, type DemoSession, type Demo} from './session.ts';
import {configOptions, modes, setMode, setOption} from './settings.ts';
import {checkSignedIn} from './sign-in.ts';

const PAGE = 20;

/** "Session Setup", "Session List", "Session Modes" and "Session Config Options". */
export function registerSessions(app: AgentApp, demo: Demo): void {
  app
    .onRequest('session/new', ({params, client}) => {
      checkSignedIn(demo.account);
      const session = newSession(params.cwd);
      return {sessionId: session.id, ...open(demo, session, client)};
    })
    .onRequest('session/load', async ({params, client}) => {
      checkSignedIn(demo.account);
      const session = await storedSession(params.sessionId);
      for (const update of session.updates) {
        await client.notify('session/update', {sessionId: session.id, update});
      }
      return open(demo, session, client);
    })
    .onRequest('session/resume', async ({params, client}) => {
      checkSignedIn(demo.account);
      const session = demo.sessions.get(params.sessionId) ?? (await storedSession(params.sessionId));
      return open(demo, session, client);
    })
    .onRequest('session/list', ({params}) => list(params))
    .onRequest('session/set_mode', async ({params, client}) => {
      const session = sessionOf(demo, params.sessionId);
      setMode(session, params.modeId);
      const update: acp.SessionUpdate = {
        sessionUpdate: 'config_option_update',
        configOptions: configOptions(session, demo.client),
      };
      await client.notify('session/update', {sessionId: session.id, update});
      return {};
    })
    .onRequest('session/set_config_option', ({params}) => {
      const session = sessionOf(demo, params.sessionId);
      setOption(session, params.configId, params.value);
      return {configOptions: configOptions(session, demo.client)};
    });
}

/** Returns the open session with that id, or throws the protocol's error. */
export function sessionOf(demo: Demo, id: string): DemoSession {
  const session = demo.sessions.get(id);
  if (!session) throw RequestError.sessionNotFound(id);
  return session;
}

function open(demo: Demo, session: DemoSession, client: AgentContext) {
  demo.sessions.set(session.id, session);
  const update: acp.SessionUpdate = {
    sessionUpdate: 'available_commands_update',
    availableCommands: commands(),
  };
  // After the response with the session's id.
  setImmediate(() => void client.notify('session/update', {sessionId: session.id, update}));
  return {modes: modes(session), configOptions: configOptions(session, demo.client)};
}

async function list(params: acp.ListSessionsRequest): Promise<acp.ListSessionsResponse> {
  const all = (await listSessions()).filter((info) => !params.cwd || info.cwd === params.cwd);
  const from = Number(params.cursor ?? 0);
  const next = from + PAGE < all.length ? {nextCursor: String(from + PAGE)} : {};
  return {sessions: all.slice(from, from + PAGE), ...next};
}

/** Returns the folder where the demo agent stores its sessions, like any agent. */
function folder(): string {
  // As XDG has it, an empty or relative path does not count.
  const given = process.env['XDG_STATE_HOME'] ?? '';
  const state = path.isAbsolute(given) ? given : path.join(homedir(), '.local', 'state');
  return path.join(state, 'acp-tui-demo-agent');
}

/** Stores a session; if the home folder is not writable, it just cannot be loaded later. */
export async function saveSession(session: DemoSession): Promise<void> {
  session.updatedAt = new Date().toISOString();
  const file = path.join(folder(), `${session.id}.json`);
  try {
    await mkdir(folder(), {recursive: true, mode: 0o700});
    await writeFile(`${file}.new`, JSON.stringify(session), {mode: 0o600});
    await rename(`${file}.new`, file);
  } catch (error) {
    process.stderr.write(`the session could not be kept: ${String(error)}\n`);
  }
}

/** Returns the stored session with that id, or throws the protocol's error. */
async function storedSession(id: string): Promise<DemoSession> {
  // Ids are UUIDs: anything else could be a path.
  const session = /^[0-9a-f-]{36}$/.test(id) ? await read(`${id}.json`) : undefined;
  if (!session) throw RequestError.sessionNotFound(id);
  return session;
}

/** Returns all stored sessions, newest first. */
async function listSessions(): Promise<acp.SessionInfo[]> {
  const names = await readdir(folder()).catch(() => []);
  const sessions = await Promise.all(names.filter((name) => name.endsWith('.json')).map(read));
  return sessions
    .filter((session) => session !== undefined)
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    .map(({id, cwd, title, updatedAt}) => ({sessionId: id, cwd, title: title ?? null, updatedAt}));
}

async function read(name: string): Promise<DemoSession | undefined> {
  try {
    return JSON.parse(await readFile(path.join(folder(), name), 'utf8')) as DemoSession;
  } catch {
    return undefined;
  }
}
