import {isWithin} from '../shared/files/folders.ts';

/** A mount, as a line of /proc/<pid>/mountinfo says it (proc(5)). */
export interface Mount {
  readonly id: string;
  readonly parent: string;
  /** What is mounted: a file system, and a path in it. */
  readonly device: string;
  readonly source: string;
  /** Where. */
  readonly path: string;
  readonly isWritable: boolean;
  readonly type: string;
}

/** A mount that was asked for; a later one covers an earlier one. */
export interface PlannedMount {
  readonly path: string;
  /** What is mounted there, as a path outside; undefined for an empty folder. */
  readonly from?: string;
  readonly isWritable: boolean;
  /** True for a folder of the system in which whatever is mounted outside may be writable: every command covers it. */
  readonly isSystem?: true;
}

export function parseMounts(text: string): readonly Mount[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [own = '', other = ''] = line.split(' - ', 2);
      const [id = '', parent = '', device = '', source = '', path = '', flags = ''] = own.split(' ');
      const [type = ''] = other.split(' ');
      const isWritable = !flags.split(',').includes('ro');
      return {id, parent, device, source: unescaped(source), path: unescaped(path), isWritable, type};
    });
}

/** Spaces and others are bytes, as octal numbers. */
function unescaped(path: string): string {
  return path.replaceAll(/(?:\\[0-7]{3})+/g, (codes) =>
    Buffer.from(codes.match(/[0-7]{3}/g)?.map((code) => Number.parseInt(code, 8)) ?? []).toString(),
  );
}

type FindMount = (path: string) => Mount | undefined;

/** Finds the mount that a path leads to: one at the same place covers the one below it, and all that is mounted in that. */
function mountFinder(mounts: readonly Mount[]): FindMount {
  const inside = Map.groupBy(mounts, ({parent}) => parent);
  const ids = new Set(mounts.map(({id}) => id));
  const root = mounts.find(({parent, id}) => parent === id || !ids.has(parent));
  const nearest = (from: Mount, path: string) =>
    (inside.get(from.id) ?? [])
      .filter((each) => each !== from && isWithin(path, each.path))
      .reduce<Mount | undefined>(
        (best, each) => (best === undefined || each.path.length < best.path.length ? each : best),
        undefined,
      );
  return (path) => {
    let found = root;
    for (let next = root; next; next = nearest(next, path)) found = next;
    return found;
  };
}

/** True if what a path leads to is the file or folder `from` of the system outside. */
function isFrom(from: string, mount: Mount, inSystem: FindMount): boolean {
  const system = inSystem(from);
  if (!system) return false;
  const join = (folder: string, rest: string) => (folder === '/' ? '' : folder) + rest;
  const source = join(system.source, system.path === '/' ? from : from.slice(system.path.length));
  return (
    mount.device === system.device && (mount.source === source || (source === '' && mount.source === '/'))
  );
}

/** True if a planned mount is what its path leads to. */
export function isMounted(
  planned: PlannedMount,
  mounted: readonly Mount[],
  outside: readonly Mount[],
): boolean {
  return isFound(planned, mountFinder(mounted), mountFinder(outside));
}

function isFound({path, from}: PlannedMount, find: FindMount, inSystem: FindMount): boolean {
  const mount = find(path);
  if (mount?.path !== path) return false;
  return from === undefined ? mount.type === 'tmpfs' : isFrom(from, mount, inSystem);
}

/**
 * Compares what is mounted in a sandbox with what was planned: returns what differs, or undefined. A folder that was replaced by a link meanwhile leads a mount
 * elsewhere. Mounts of the system outside are there, too, but cannot be written.
 */
export function mountProblem(
  planned: readonly PlannedMount[],
  mounted: readonly Mount[],
  outside: readonly Mount[],
): string | undefined {
  const [find, inSystem] = [mountFinder(mounted), mountFinder(outside)];
  const visible = planned.filter(
    ({path}, index) => !planned.some((other, later) => later > index && isWithin(path, other.path)),
  );
  for (const each of visible) {
    if (!isFound(each, find, inSystem)) return `${each.path} was replaced while the sandbox was set up`;
    const {isWritable} = find(each.path) ?? each;
    if (isWritable !== each.isWritable && !each.isSystem) return `${each.path} is mounted with other rights`;
  }
  const paths = new Set(visible.map(({path}) => path));
  const other = mounted.find((mount) => {
    if (paths.has(mount.path) || find(mount.path) !== mount) return false;
    const over = visible
      .filter(({path}) => isWithin(mount.path, path))
      .toSorted((one, two) => two.path.length - one.path.length)[0];
    const mayWrite = over?.isWritable === true || over?.isSystem === true;
    return !isFrom(mount.path, mount, inSystem) || (mount.isWritable && !mayWrite);
  });
  return other && `${other.path} was mounted without having been planned`;
}
