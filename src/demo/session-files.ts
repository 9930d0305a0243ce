import {mkdir, readdir, readFile, rename, writeFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import path from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {DemoSession} from './session.ts';

/** Where the demo agent keeps its sessions, as any agent keeps its own. */
function folder(): string {
  const state = process.env['XDG_STATE_HOME'] ?? path.join(homedir(), '.local', 'state');
  return path.join(state, 'acp-tui-demo-agent');
}

/** Keeps a session; a home that cannot be written to only means that it cannot be loaded later. */
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

export async function loadSession(id: string): Promise<DemoSession | undefined> {
  // Ids are our own UUIDs: anything else names no file of ours.
  if (!/^[0-9a-f-]{36}$/.test(id)) return undefined;
  return read(`${id}.json`);
}

/** All kept sessions, newest first. */
export async function listSessions(): Promise<acp.SessionInfo[]> {
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
