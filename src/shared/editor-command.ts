import {basename} from 'node:path';

/** What is used where neither VISUAL nor EDITOR is set. */
const defaultEditor = process.platform === 'win32' ? 'notepad' : 'vi';

/** Returns the command line of the user's editor, which a shell takes apart. */
export function editorCommand(env: NodeJS.ProcessEnv): string {
  return env['VISUAL'] || env['EDITOR'] || defaultEditor;
}

/** An absolute file path and the cursor position, from 1. */
export interface EditorTarget {
  readonly file: string;
  readonly line?: number | undefined;
}

/** What starts an editor. */
interface EditorLaunch {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Returns how an editor is started on a file, at a line where it is known to take one. Elsewhere than on Windows `sh` takes the
 * command line apart and makes way for the editor, so that a signal reaches it.
 */
export function editorLaunch(
  editor: string,
  target: EditorTarget,
  platform: NodeJS.Platform = process.platform,
): EditorLaunch {
  const args = editorArguments(editor, target);
  if (platform === 'win32') {
    const [command = defaultEditor, ...given] = wordsOf(editor);
    return {command, args: [...given, ...args]};
  }
  const program = /^\w+=/.test(editor) ? `env ${editor}` : editor;
  return {command: '/bin/sh', args: ['-c', `exec ${program} "$@"`, editor, ...args]};
}

type Form = (target: Required<EditorTarget>, editor: string) => readonly string[];

const plus: Form = ({file, line}) => [`+${line}`, file];
const colon: Form = ({file, line}) => [`${file}:${line}`];
const goto: Form = (target, editor) => [
  ...(/\s(?:-g|--goto)\b/.test(editor) ? [] : ['-g']),
  ...colon(target, editor),
];

/** How each editor takes a line. */
const FORMS: readonly (readonly [RegExp, Form])[] = [
  [/^(?:g?vi|[gmn]?vim|view|nano|pico|emacs|emacsclient|mg|jed|joe|kak|ne|micro)$/, plus],
  [/^(?:code|code-insiders|codium|vscodium|cursor|windsurf)$/, goto],
  [/^(?:hx|helix|subl|zed|zeditor)$/, colon],
];

function editorArguments(editor: string, {file, line}: EditorTarget): readonly string[] {
  if (line === undefined) return [file];
  const form = FORMS.find(([name]) => name.test(programName(editor)))?.[1];
  return form ? form({file, line}, editor) : [file];
}

/** The name of the program in a command line, behind variables that are set for it. */
function programName(editor: string): string {
  const program = wordsOf(editor).find((word) => word !== 'env' && !/^\w+=/.test(word)) ?? '';
  return basename(program.replaceAll('\\', '/')).replace(/\.(?:exe|cmd)$/i, '');
}

function wordsOf(line: string): readonly string[] {
  return Array.from(line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g), ([, ...found]) => found.find(Boolean) ?? '');
}
