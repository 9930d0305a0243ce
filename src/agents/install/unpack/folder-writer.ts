import {link, mkdir, open, readlink, realpath, symlink} from 'node:fs/promises';
import {dirname, isAbsolute, join, posix, relative, sep} from 'node:path';
import {rejectEntry, type ArchiveEntry, type Meter, splitEntryPath} from './archive-entry.ts';

const EXECUTABLE = 0o755;
const READABLE = 0o644;
const ANY_EXECUTE_BIT = 0o111;

/**
 * Writes the entries of an archive into a folder, and nowhere else: it must exist, be empty, and not be used by anything else. Throws BadArchive, or the errors
 * of Node's file functions.
 */
export function createFolderWriter(folder: string, meter: Meter) {
  const places = createPathGuard();
  const links: {readonly path: string; readonly target: string}[] = [];

  async function write(path: string, {mode, content}: ArchiveEntry): Promise<void> {
    const place = join(folder, path);
    await mkdir(dirname(place), {recursive: true});
    // Keeps only the execute bits: setuid and setgid are dropped.
    const file = await open(place, 'wx', mode & ANY_EXECUTE_BIT ? EXECUTABLE : READABLE);
    try {
      for await (const bytes of content) {
        meter.bytes(bytes.length);
        await file.writeFile(bytes);
      }
    } finally {
      await file.close();
    }
  }

  return {
    /** Writes an entry; reads its content to the end. */
    add: async (entry: ArchiveEntry): Promise<void> => {
      meter.entry();
      if (entry.kind === 'other') rejectEntry(entry.path, 'is not a file, folder or link');
      const path = places.take(entry.path, entry.kind);
      switch (entry.kind) {
        case 'file':
          return write(path, entry);
        case 'folder':
          await mkdir(join(folder, path), {recursive: true});
          break;
        case 'symbolic_link':
          links.push({path, target: symbolicTarget(path, entry.target ?? '')});
          break;
        case 'hard_link': {
          const target = splitEntryPath(entry.target ?? '').join('/');
          if (places.at(target) !== 'file')
            rejectEntry(entry.path, 'links to something that is not a file of the archive');
          await mkdir(dirname(join(folder, path)), {recursive: true});
          await link(join(folder, target), join(folder, path));
        }
      }
      // An ignored entry still takes time to decompress, so it is counted.
      for await (const bytes of entry.content) meter.bytes(bytes.length);
    },
    /** Creates the links last, so that no file can be written through one. */
    async finish(): Promise<void> {
      for (const {path, target} of links) {
        await mkdir(dirname(join(folder, path)), {recursive: true});
        await symlink(target, join(folder, path));
      }
      await checkLinks(
        folder,
        links.map(({path}) => path),
      );
    },
  };
}

/** Returns the lexical target of a link, which must be inside the archive. Its real target is checked when everything is written. */
function symbolicTarget(path: string, target: string): string {
  const leadsOut = (): never => rejectEntry(path, 'links to a place outside the target folder');
  if (target === '' || isAbsolute(target) || /^[A-Za-z]:|\\/.test(target)) leadsOut();
  const end = posix.join(dirname(path), target);
  if (end === '..' || end.startsWith('../')) leadsOut();
  splitEntryPath(end);
  return target;
}

/** Links through other links can lead elsewhere than their lexical target. */
async function checkLinks(folder: string, links: readonly string[]): Promise<void> {
  const root = await realpath(folder);
  for (const path of links) {
    const end = await realpath(join(folder, path)).catch(() => undefined);
    if (end === undefined) rejectEntry(path, `links to nothing ("${await readlink(join(folder, path))}")`);
    const way = relative(root, end);
    if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) {
      rejectEntry(path, 'links to a place outside the target folder');
    }
  }
}

type Kind = ArchiveEntry['kind'];

/** Tracks which entry occupies which path. No two entries may share one, including paths that differ only in case. */
function createPathGuard() {
  const claimed = new Map<string, {readonly path: string; readonly kind: Kind}>();

  function put(path: string, kind: Kind, asked: string): void {
    const key = path.normalize('NFC').toLowerCase();
    const there = claimed.get(key);
    if (there === undefined) claimed.set(key, {path, kind});
    else if (there.path !== path) rejectEntry(asked, `has the same path as "${there.path}"`);
    else if (kind === 'folder' && there.kind !== 'folder')
      rejectEntry(asked, 'goes through something that is not a folder');
    else if (kind !== 'folder') rejectEntry(asked, 'appears twice');
  }

  return {
    /** Claims the path of an entry and returns it in normal form; '' for the archive's root. */
    take(path: string, kind: Kind): string {
      const names = splitEntryPath(path);
      for (let depth = 1; depth < names.length; depth++) put(names.slice(0, depth).join('/'), 'folder', path);
      const whole = names.join('/');
      if (whole !== '') put(whole, kind, path);
      else if (kind !== 'folder') rejectEntry(path, 'has no name');
      return whole;
    },
    /** Returns the kind of entry at exactly this path. */
    at(path: string): Kind | undefined {
      const there = claimed.get(path.normalize('NFC').toLowerCase());
      return there?.path === path ? there.kind : undefined;
    },
  };
}
