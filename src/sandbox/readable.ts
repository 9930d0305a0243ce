import {isWithin} from '../shared/files/folders.ts';
import {findHidden, type Workspace} from './mounts.ts';
import {parentsOf, type SandboxPolicy} from './policy.ts';

/** Each command has its own of these. */
const OWN = ['/proc', '/dev', '/tmp', '/var/tmp'];

/**
 * Returns what tells whether programs inside can read what is at a real path. acp-tui reads nothing else for them: a link that one of them made may lead there.
 */
export function createReadableCheck(policy: SandboxPolicy, workspace: Workspace): (real: string) => boolean {
  const {writable, places} = workspace;
  const isNamedHidden = (path: string) =>
    places.roots.some(
      (root, index) => isWithin(path, root) && policy.isHiddenInRoot(path.slice(root.length), index === 0),
    );
  return (real) => {
    const isIn = (folders: readonly string[]) => folders.some((folder) => isWithin(real, folder));
    if (isIn(OWN) && !isIn([...writable, ...policy.visible]) && !isWithin(real, policy.home)) return false;
    const {folders, files, within, visible} = findHidden(policy, workspace);
    if (isIn([...folders, ...files]) && !isIn([...within, ...visible])) return false;
    return ![real, ...parentsOf(real)].some(isNamedHidden);
  };
}
