import {execFile} from 'node:child_process';
import {ownEnvironment} from '../../shared/processes/executable.ts';

/** Runs a program and returns its output; undefined if it is missing, or it fails, hangs or prints too much. */
export type RunTool = (file: string, args: readonly string[]) => Promise<Buffer | 'missing' | undefined>;

const MAX_BYTES = 64 * 1024 * 1024;
/** Time limit in milliseconds: the owner of a selection may no longer respond. */
const MAX_MS = 5000;

export function runTool(env: NodeJS.ProcessEnv, maxMs = MAX_MS): RunTool {
  return (file, args) =>
    new Promise((resolve) => {
      const limits = {maxBuffer: MAX_BYTES, timeout: maxMs, killSignal: 'SIGKILL'} as const;
      const options = {env: ownEnvironment(env), encoding: 'buffer', windowsHide: true, ...limits} as const;
      execFile(file, [...args], options, (error, stdout) => {
        if (!error) resolve(stdout);
        else resolve(error.code === 'ENOENT' ? 'missing' : undefined);
      });
    });
}

/** Content of the clipboard: the first of image, files and text. */
export type ClipboardContent =
  | {readonly kind: 'image'; readonly bytes: Buffer; readonly mimeType: string}
  /** Paths or `file:` URLs. */
  | {readonly kind: 'files'; readonly paths: readonly string[]}
  | {readonly kind: 'text'; readonly text: string}
  | {readonly kind: 'nothing'}
  /** It cannot be read here; `why` is a sentence with what to do instead. */
  | {readonly kind: 'unavailable'; readonly why: string};
