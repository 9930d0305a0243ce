import {stat} from 'node:fs/promises';

export interface Folders {
  /** Absolute, like the others. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
}

/**
 * The folders of a session of before, as far as they are still there: one that was moved or deleted must not take the conversation
 * with it. `instead` takes the place of the working folder; `problems` says in sentences what is another one now.
 */
export async function foldersThere(
  {cwd, additionalDirectories}: Folders,
  instead: string,
): Promise<{readonly folders: Folders; readonly problems: readonly string[]}> {
  const [hasCwd, ...has] = await Promise.all([cwd, ...additionalDirectories].map(isFolder));
  const gone = additionalDirectories.filter((_, index) => !has[index]);
  return {
    folders: {
      cwd: hasCwd ? cwd : instead,
      additionalDirectories: additionalDirectories.filter((_, index) => has[index]),
    },
    problems: [
      ...(hasCwd ? [] : [`The folder of this session, ${cwd}, is gone; it goes on in ${instead}.`]),
      ...gone.map((folder) => `${folder}, another folder of this session, is gone and left out.`),
    ],
  };
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
