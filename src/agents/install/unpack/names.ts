import {escapeHiddenLine} from '../../../text/hidden.ts';
import {refuse} from './entry.ts';

const LONGEST_PATH = 1024;
const LONGEST_NAME = 255;
/** What Windows takes for a device, whatever comes behind the dot. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/**
 * The path of an entry as the names of folders and, last, its own; empty for the archive's own folder. Refuses every path
 * that leads out of it, that means something else on another system, or that does not look like what it is.
 */
export function namesIn(path: string): readonly string[] {
  if (/^[/\\]|^[A-Za-z]:/.test(path)) refuse(path, 'has an absolute path');
  if (path.includes('\\')) refuse(path, 'has a backslash in its path');
  if (escapeHiddenLine(path) !== path || path.includes('\t'))
    refuse(path, 'has characters that cannot be seen in its path');
  if (Buffer.byteLength(path) > LONGEST_PATH) refuse(path, 'has a path that is too long');
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  for (const name of names) {
    if (name === '..') refuse(path, 'leads out of the folder');
    if (Buffer.byteLength(name) > LONGEST_NAME) refuse(path, 'has a name that is too long');
    if (DEVICE.test(name)) refuse(path, 'has a name that Windows keeps for devices');
    if (/[. ]$/.test(name)) refuse(path, 'has a name that ends with a dot or a space');
  }
  return names;
}
