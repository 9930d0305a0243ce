import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** A private folder that goes with this process, for what has to be a file although nothing is to be kept. */
export function createTempDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'acp-tui-'));
  process.once('exit', () => rmSync(folder, {recursive: true, force: true}));
  return folder;
}
