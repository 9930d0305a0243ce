import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** A private temporary folder of this process, for files needed with `--no-save`. */
export function createTempDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'acp-tui-'));
  process.once('exit', () => rmSync(folder, {recursive: true, force: true}));
  return folder;
}
