import {createHash, randomBytes} from 'node:crypto';
import {existsSync} from 'node:fs';
import {readdir, readFile, rename, rm, stat, utimes, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {deflate, inflate} from 'node:zlib';
import {codeOf, makeFolder, PRIVATE_FILE} from '../shared/files/safe-files.ts';

/*
 * Git's objects and references in acp-tui's own repository, read and written in this process: starting git takes longer than all the rest of a snapshot of a
 * small folder. What is packed is left to git.
 */

type Kind = 'blob' | 'tree' | 'commit';

/** As git makes them: objects never change. */
const OBJECT_MODE = 0o400;

/** Stores an object; returns its id. */
export async function storeObject(gitDir: string, kind: Kind, content: string | Buffer): Promise<string> {
  const bytes = Buffer.from(content);
  const whole = Buffer.concat([Buffer.from(`${kind} ${bytes.length}\0`), bytes]);
  const id = idOf(whole);
  const path = objectPath(gitDir, id);
  if (await isRenewed(path)) return id;
  // Abandoned ones of this name are removed by `git gc`.
  const temporary = join(dirname(path), `tmp_obj_${randomBytes(6).toString('hex')}`);
  await writeInto(temporary, await promisify(deflate)(whole, {level: 1}), {mode: OBJECT_MODE});
  await rename(temporary, path);
  return id;
}

/** True if an object is there already; it counts as new from now on, so that `git gc` keeps it. */
async function isRenewed(path: string): Promise<boolean> {
  try {
    // A power cut can leave an empty file.
    if ((await stat(path)).size === 0) return false;
    const now = new Date();
    await utimes(path, now, now);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return false;
  }
}

/** Returns the content of an object; undefined if it is packed, missing, damaged or of another kind. */
export async function looseObject(gitDir: string, kind: Kind, id: string): Promise<Buffer | undefined> {
  try {
    const whole = await promisify(inflate)(await readFile(objectPath(gitDir, id)));
    const end = whole.indexOf(0);
    const isSound = whole.toString('latin1', 0, end) === `${kind} ${whole.length - end - 1}`;
    return isSound && idOf(whole) === id ? whole.subarray(end + 1) : undefined;
  } catch {
    return undefined;
  }
}

/** Points a new reference to a commit. */
export async function storeRef(gitDir: string, ref: string, commit: string): Promise<void> {
  const path = join(gitDir, ref);
  // Git ignores names with this end.
  const temporary = `${path}.${randomBytes(6).toString('hex')}.lock`;
  try {
    await writeInto(temporary, `${commit}\n`, {mode: PRIVATE_FILE, flush: true});
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, {force: true});
    throw error;
  }
}

/** Commits by the file of their reference, which is written once. */
const knownRefs = new Map<string, string>();

/** Returns the commits that the references below one point to; undefined if they cannot be read here. */
export async function readRefs(gitDir: string, below: string): Promise<readonly string[] | undefined> {
  try {
    const folder = join(gitDir, below);
    const entries = existsSync(folder) ? await readdir(folder, {recursive: true, withFileTypes: true}) : [];
    const refs = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'));
    const loose = await Promise.all(refs.map(({parentPath, name}) => readRef(join(parentPath, name))));
    // Last: git packs them before it removes them there.
    return [...new Set([...loose, ...(await packedRefs(gitDir, below))])].filter((id) => id !== '');
  } catch {
    return undefined;
  }
}

/** Returns '' if it was packed or removed meanwhile. */
async function readRef(path: string): Promise<string> {
  const known = knownRefs.get(path);
  if (known !== undefined) return known;
  const id = (await readIfAny(path)).trim();
  if (ID.test(id)) knownRefs.set(path, id);
  return id;
}

const ID = /^[0-9a-f]{40}$/;

async function packedRefs(gitDir: string, below: string): Promise<readonly string[]> {
  const lines = (await readIfAny(join(gitDir, 'packed-refs'))).split('\n');
  return lines.filter((line) => line.startsWith(`${below}/`, 41)).map((line) => line.slice(0, 40));
}

async function readIfAny(path: string): Promise<string> {
  return readFile(path, 'latin1').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  });
}

const ATTEMPTS = 5;

/** Writes a new file into a folder, which git removes now and then while it is empty. */
async function writeInto(
  path: string,
  content: string | Buffer,
  options: {readonly mode: number; readonly flush?: boolean},
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    makeFolder(dirname(path));
    try {
      return await writeFile(path, content, {...options, flag: 'wx'});
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || attempt === ATTEMPTS) throw error;
    }
  }
}

function objectPath(gitDir: string, id: string): string {
  return join(gitDir, 'objects', id.slice(0, 2), id.slice(2));
}

function idOf(whole: Buffer): string {
  return createHash('sha1').update(whole).digest('hex');
}
