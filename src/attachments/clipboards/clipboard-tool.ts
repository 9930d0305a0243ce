import {execFile} from 'node:child_process';

/** Runs a program and returns its output; undefined if it is missing, or it fails, hangs or prints too much. */
export type RunTool = (file: string, args: readonly string[]) => Promise<Buffer | 'missing' | undefined>;

const MAX_BYTES = 64 * 1024 * 1024;
/** Time limit in milliseconds: the owner of a selection may no longer respond. */
const MAX_MS = 5000;

export function runTool(env: NodeJS.ProcessEnv): RunTool {
  return (file, args) =>
    new Promise((resolve) => {
      const options = {env, encoding: 'buffer', maxBuffer: MAX_BYTES, timeout: MAX_MS, windowsHide: true};
      execFile(file, [...args], options as {encoding: 'buffer'}, (error, stdout) => {
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
