import type {Dirent} from 'node:fs';
import {readdir, stat} from 'node:fs/promises';
import {dirname, join} from 'node:path';

/** Returns a named pipe in place of a file that git reads in a folder, in those above or in their repository: git waits for it. Stops once `isOver`. */
export async function findBlockingFile(folder: string, isOver: () => boolean): Promise<string | undefined> {
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
    folders.push(...inner.map(({name}) => join(each, name)));
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
