import {isUtf8} from 'node:buffer';
import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {beforeSignal} from '../../shared/processes/before-signal.ts';
import {editorCommand, editorLaunch, type EditorTarget} from '../../shared/editor-command.ts';
import {PRIVATE_FILE} from '../../shared/files/safe-files.ts';
import type {EditorOutcome} from '../../app/events.ts';
import {errorMessage} from '../../shared/failure.ts';

export interface ExternalEditor {
  /** Opens a prompt, or the text of a file if its name is given, in the user's editor, which uses the terminal. It is in a private temporary file meanwhile. Never throws. */
  readonly edit: (text: string, path?: string) => Promise<EditorOutcome>;
  /** Ends an open editor; its `edit` then fails. */
  readonly end: () => void;
}

/** How long an editor may take to exit when asked to, in milliseconds. */
const TIMEOUT_MS = 1000;

/** The shell's codes for a command that cannot be run, or is not there. */
const NOT_STARTED = new Set([126, 127]);

type Exit = [code: number | null, signal: NodeJS.Signals | null];

export function createExternalEditor(env: NodeJS.ProcessEnv = process.env): ExternalEditor {
  let running: ChildProcess | undefined;
  const command = editorCommand(env);

  async function run(file: string): Promise<string | undefined> {
    const editor = startEditor(command, {file});
    running = editor;
    return problemOf(editor, command).finally(() => (running = undefined));
  }

  return {
    async edit(text, path) {
      const folder = await mkdtemp(join(tmpdir(), 'acp-tui-'));
      const kept = path === undefined ? 'The draft is unchanged.' : 'The request still waits.';
      const file = join(folder, path === undefined ? 'prompt.md' : proposedName(path));
      try {
        // Editors end the last line with a line feed, which is not part of a prompt.
        await writeFile(file, path === undefined ? `${text}\n` : text, {mode: PRIVATE_FILE});
        const problem = await run(file);
        if (problem !== undefined) return {kind: 'kept', why: `${problem} ${kept}`};
        const saved = await readFile(file);
        if (!isUtf8(saved)) return {kind: 'kept', why: `What was saved is not UTF-8 text. ${kept}`};
        const edited = saved.toString();
        return {kind: 'edited', text: path === undefined ? edited.replace(/\r?\n$/, '') : edited};
      } catch (error) {
        const why = errorMessage(error);
        return {kind: 'kept', why: `The editor could not be used (${why}). ${kept}`};
      } finally {
        await rm(folder, {recursive: true, force: true});
      }
    },
    end() {
      if (running) endEditor(running);
    },
  };
}

/** With the file's ending, by which editors know its language. */
function proposedName(path: string): string {
  return `proposed-${basename(path)
    .replaceAll(/[^\w.-]/g, '_')
    .slice(-80)}`;
}

/** Opens a file in an editor; resolves to an error message if that failed. A signal that ends acp-tui ends the editor first. */
export async function editFile(
  target: EditorTarget,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  const command = editorCommand(env);
  // First, since the editor may be on the screen before this process continues.
  const stop = beforeSignal(
    async () => {
      endEditor(editor);
      await closed;
    },
    // These keys are the editor's.
    ['SIGINT', 'SIGQUIT'],
  );
  const editor = startEditor(command, target);
  const closed = once(editor, 'close').catch(() => {});
  return problemOf(editor, command).finally(stop);
}

/** Stops an editor, with SIGKILL if necessary. */
function endEditor(editor: ChildProcess): void {
  editor.kill('SIGTERM');
  const timer = setTimeout(() => editor.kill('SIGKILL'), TIMEOUT_MS);
  editor.once('close', () => clearTimeout(timer));
}

/** Waits until an editor exits. */
async function problemOf(editor: ChildProcess, command: string): Promise<string | undefined> {
  const [code, signal] = (await once(editor, 'close')) as Exit;
  if (code === 0) return undefined;
  return code !== null && NOT_STARTED.has(code)
    ? `Cannot start the editor: ${command}. Set VISUAL or EDITOR.`
    : `The editor failed (${signal ?? `exit code ${code}`}).`;
}

/** Starts the editor in acp-tui's terminal. */
function startEditor(editor: string, target: EditorTarget): ChildProcess {
  if (process.platform === 'win32')
    return spawn(`${editor} "${target.file}"`, {stdio: 'inherit', shell: true});
  const {command, args} = editorLaunch(editor, target);
  return spawn(command, args, {stdio: 'inherit'});
}
