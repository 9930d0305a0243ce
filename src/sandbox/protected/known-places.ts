import {createHash} from 'node:crypto';
import {existsSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import * as z from 'zod/mini';
import {isWithin} from '../../shared/files/folders.ts';
import {readJson, writeJson} from '../../shared/files/json-file.ts';
import {namesIn} from '../../shared/files/safe-files.ts';
import {byDepth} from './entries.ts';
import type {FoundPlaces} from './search.ts';

/** Folders in which something protected was found. They are looked at first the next time, in any session: however many others a program makes, they are not forgotten. */
export interface KnownPlaces {
  folders(): readonly string[];
  /** Remembers what was found. */
  note(found: FoundPlaces): void;
}

const MAX_KNOWN = 10_000;

/** The root of the workspace comes first. */
const stored = z.array(z.string());

/** Where they are stored. */
export interface PlacesStore {
  /** acp-tui's own. */
  readonly state: string;
  /** False if they are known until the end of the session only. */
  readonly isWritten: boolean;
}

export function knownPlaces(roots: readonly string[], store?: PlacesStore): KnownPlaces {
  const files = roots.flatMap((root) => {
    const name = createHash('sha256').update(root).digest('hex').slice(0, 24);
    return store ? [{root, file: join(store.state, 'protected', `${name}.json`)}] : [];
  });
  let known: readonly string[] = files.flatMap(({file}) => readJson(file, stored)?.slice(1) ?? []);
  return {
    folders: () => known,
    note(found) {
      const now = foldersWith(found);
      const isAll = found.unseen.length + found.unseenDependencies.length === 0;
      const before = known;
      const there = new Set(now);
      // If there are too many, those in which nothing is any more are forgotten.
      const all = [...before.filter((path) => there.has(path)), ...now, ...before];
      known = isAll ? now : [...new Set(all)].slice(0, MAX_KNOWN);
      for (const {root, file} of store?.isWritten ? files : []) {
        const [old = [], fresh = []] = [before, known].map((paths) =>
          paths.filter((path) => isWithin(path, root)),
        );
        if (JSON.stringify(old) === JSON.stringify(fresh)) continue;
        try {
          if (!existsSync(file)) removeGone(dirname(file));
          writeJson(file, [root, ...fresh]);
        } catch {
          // They are known in this session.
        }
      }
    },
  };
}

/** Removes what is stored of workspaces that are no more, such as those of worktrees; not of those on a disk that is missing now. */
function removeGone(folder: string): void {
  for (const file of namesIn(folder).map((name) => join(folder, name))) {
    const root = readJson(file, stored)?.[0];
    if (root !== undefined && !existsSync(root) && existsSync(dirname(root))) rmSync(file, {force: true});
  }
}

function foldersWith({found, links, gitFiles, repositories}: FoundPlaces): readonly string[] {
  const trees = [...repositories.values()].flatMap((each) => Array.from(each));
  const files = [...found, ...links, ...gitFiles].map((path) => dirname(path));
  return byDepth([...new Set([...files, ...trees, ...repositories.keys()])].sort());
}
