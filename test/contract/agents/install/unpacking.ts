import {mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {unpack} from '../../../../src/agents/install/unpack/unpack.ts';
import type {UnpackLimits} from '../../../../src/agents/install/unpack/archive-entry.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

export interface Sandbox {
  readonly root: string;
  /** In the sandbox; everything beside it must stay unchanged. */
  readonly target: string;
}

export function createSandbox(): Sandbox {
  const root = temporaryFolder();
  const target = join(root, 'deep', 'target');
  mkdirSync(target, {recursive: true});
  return {root, target};
}

/** Everything below a folder; Node's own recursive option follows links, even cyclic ones. */
export function below(folder: string): readonly string[] {
  const found: string[] = [];
  for (const entry of readdirSync(folder, {withFileTypes: true})) {
    const path = join(folder, entry.name);
    found.push(path);
    if (entry.isDirectory()) found.push(...below(path));
  }
  return found;
}

/** Everything in the sandbox that is not below the target. */
export function outside({root, target}: Sandbox): readonly string[] {
  return below(root)
    .filter((path) => !`${path}/`.startsWith(`${target}/`))
    .map((path) => relative(root, path))
    .sort();
}

/** Unpacks these bytes into the target of a sandbox. */
export async function unpackBytes(
  bytes: Uint8Array,
  {root, target}: Sandbox,
  {limits, program}: {readonly limits?: UnpackLimits; readonly program?: string} = {},
) {
  const archive = join(root, 'archive');
  writeFileSync(archive, bytes);
  return unpack({archive, folder: target, program, ...(limits && {limits})});
}
