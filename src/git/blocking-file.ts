import {readFileSync, statSync, type Dirent} from 'node:fs';
import {readdir, stat} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {codeOf} from '../shared/files/safe-files.ts';
import {addAll} from '../text/lists.ts';

/** Git that takes longer may wait for a named pipe, in milliseconds. */
const SLOW_MS = 200;
/** How often it has to be in the same call then. */
const STUCK = 3;

/**
 * Calls back if git waits for a named pipe in place of a file that it reads, with the path of that if it is in the folder. Wherever git's settings or a
 * submodule lead, the kernel knows that it waits. Returns the function to stop.
 */
export function watchForPipe(
  pid: number | undefined,
  folder: string,
  onBlocked: (what: string) => void,
): () => void {
  let isOver = false;
  let last: string | undefined;
  let times = 0;
  let timer = setTimeout(() => void look(), SLOW_MS);
  async function look(): Promise<void> {
    const call = pid === undefined ? '' : openingCall(pid);
    times = call === last ? times + 1 : 1;
    last = call;
    const waits = call === undefined || (call !== '' && times >= STUCK);
    const named = waits ? await findBlockingFile(folder, () => isOver) : undefined;
    if (isOver) return;
    if (named !== undefined || (waits && call !== undefined)) onBlocked(named ?? 'a file that git reads');
    else timer = setTimeout(() => void look(), SLOW_MS);
  }
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** The numbers of the system calls `openat` and `read`. */
const CALLS: Readonly<Record<string, readonly [open: string, read: string]>> = {
  x64: ['257', '0'],
  arm64: ['56', '63'],
};

/**
 * Returns which call a process is in if that opens a file, or reads a pipe that it has opened: the same again means that it waits there since. Empty if it is in
 * none of these; undefined where that is not known.
 */
function openingCall(pid: number): string | undefined {
  const calls = CALLS[process.arch];
  if (process.platform !== 'linux' || !calls) return undefined;
  try {
    const call = readFileSync(`/proc/${pid}/syscall`, 'latin1');
    const [number, file = '0'] = call.split(' ');
    const isPipe = () => Number(file) > 2 && statSync(`/proc/${pid}/fd/${Number(file)}`).isFIFO();
    if (number !== calls[0] && !(number === calls[1] && isPipe())) return '';
    // It changes whenever the process has slept.
    return call + readFileSync(`/proc/${pid}/status`, 'latin1').replace(/^[^]*\nvoluntary/, '');
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? '' : undefined;
  }
}

/** Returns a named pipe in place of a file that git reads in a folder, in those above or in their repository: git waits for it. Stops once `isOver`. */
async function findBlockingFile(folder: string, isOver: () => boolean): Promise<string | undefined> {
  for (let above = folder; ; above = dirname(above)) {
    const found =
      (await pipeIn(above, isRules)) ??
      (await pipeIn(join(above, '.git'))) ??
      (await pipeIn(join(above, '.git/info')));
    if (found !== undefined) return found;
    if (above === dirname(above)) break;
  }
  const folders = [folder];
  for (const each of folders) {
    if (isOver()) return undefined;
    const entries = await entriesOf(each);
    const rules = entries.find((entry) => entry.isFIFO() && isRules(entry));
    if (rules) return join(each, rules.name);
    const inner = entries.filter((entry) => entry.isDirectory() && entry.name !== '.git');
    addAll(
      folders,
      inner.map(({name}) => join(each, name)),
    );
  }
  return undefined;
}

const isRules = ({name}: Dirent) => name === '.gitignore' || name === '.gitattributes';

async function pipeIn(
  folder: string,
  isRead: (entry: Dirent) => boolean = () => true,
): Promise<string | undefined> {
  for (const entry of (await entriesOf(folder)).filter(isRead)) {
    const path = join(folder, entry.name);
    const isPipe = entry.isSymbolicLink()
      ? stat(path).then(
          (stats) => stats.isFIFO(),
          () => false,
        )
      : entry.isFIFO();
    if (await isPipe) return path;
  }
  return undefined;
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, {withFileTypes: true}).catch(() => []);
}
