import {createFileSystem} from '../../../src/host/files/file-system.ts';
import {createRoots} from '../../../src/host/files/roots.ts';

export interface Part {
  readonly line?: number | null;
  readonly limit?: number | null;
}

/** Reads as an agent would; returns the content, or the error code. */
export async function readIn(root: string, path: string, part: Part = {}): Promise<string | number> {
  const files = createFileSystem({roots: createRoots(root, [])});
  const answer = await files.read({sessionId: 's', path, ...part});
  return answer.ok ? answer.value.content : answer.code;
}

/** Writes as an agent would; returns `written`, or the error code. */
export async function writeIn(root: string, path: string, content: string): Promise<string | number> {
  const files = createFileSystem({roots: createRoots(root, [])});
  const answer = await files.write({sessionId: 's', path, content});
  return answer.ok ? 'written' : answer.code;
}
