import {refuse, type ArchiveEntry} from './entry.ts';
import {namesIn} from './names.ts';

type Kind = ArchiveEntry['kind'];

/** What an archive puts where. No two entries come to the same place, also where capitals make no difference. */
export interface Places {
  /** Takes the place of an entry; gives its path in normal form, '' for the archive's own folder. */
  readonly take: (path: string, kind: Kind) => string;
  /** What has taken that place, written in just that way. */
  readonly at: (path: string) => Kind | undefined;
}

export function createPlaces(): Places {
  const taken = new Map<string, {readonly path: string; readonly kind: Kind}>();

  function put(path: string, kind: Kind, asked: string): void {
    const key = path.normalize('NFC').toLowerCase();
    const there = taken.get(key);
    if (there === undefined) taken.set(key, {path, kind});
    else if (there.path !== path) refuse(asked, `comes to the same place as "${there.path}"`);
    else if (kind === 'folder' && there.kind !== 'folder')
      refuse(asked, 'leads through what is not a folder');
    else if (kind !== 'folder') refuse(asked, 'is there twice');
  }

  return {
    take(path, kind) {
      const names = namesIn(path);
      for (let depth = 1; depth < names.length; depth++) put(names.slice(0, depth).join('/'), 'folder', path);
      const whole = names.join('/');
      if (whole !== '') put(whole, kind, path);
      else if (kind !== 'folder') refuse(path, 'has no name');
      return whole;
    },
    at(path) {
      const there = taken.get(path.normalize('NFC').toLowerCase());
      return there?.path === path ? there.kind : undefined;
    },
  };
}
