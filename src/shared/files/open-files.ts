import {constants} from 'node:fs';
import {readdir, readFile, readlink} from 'node:fs/promises';

/** Absolute, each character a byte, since names need not be UTF-8. */
type RawPath = string;

/**
 * Returns the files inside a folder that are open for writing, each with the name of a program that has it open. Empty on systems other than Linux; without files
 * that were opened by another user's programs, and those mapped into memory only. The folder's path must be resolved.
 */
export async function filesOpenForWriting(folder: string): Promise<ReadonlyMap<RawPath, string>> {
  const above = Buffer.from(`${folder === '/' ? '' : folder}/`).toString('latin1');
  const pids = (await listed('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map((pid) => openIn(pid, above)));
  return new Map(found.flat());
}

async function openIn(pid: string, above: RawPath): Promise<readonly (readonly [RawPath, string])[]> {
  const handles = await listed(`/proc/${pid}/fd`);
  const paths = await Promise.all(
    handles.map(async (handle): Promise<readonly RawPath[]> => {
      const target = () => readlink(`/proc/${pid}/fd/${handle}`, 'latin1').catch(() => '');
      const path = await target();
      // Its number may have become that of another file before the flags were read.
      return path.startsWith(above) && (await isWriting(pid, handle)) && (await target()) === path
        ? [path]
        : [];
    }),
  );
  const files = paths.flat();
  if (files.length === 0) return [];
  const program = (await textOf(`/proc/${pid}/comm`)).trimEnd();
  return files.map((path) => [path, program]);
}

async function isWriting(pid: string, handle: string): Promise<boolean> {
  const [, flags = '0'] =
    /(?<![^\n])flags:\s+(\d+)/.exec(await textOf(`/proc/${pid}/fdinfo/${handle}`)) ?? [];
  return (parseInt(flags, 8) & (constants.O_WRONLY | constants.O_RDWR)) !== 0;
}

function listed(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
