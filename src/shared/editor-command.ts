import {basename} from 'node:path';

/** Used if neither VISUAL nor EDITOR is set. */
const defaultEditor = process.platform === 'win32' ? 'notepad' : 'vi';

/** Returns the command line of the user's editor, to be parsed by a shell. */
export function editorCommand(env: NodeJS.ProcessEnv): string {
  return env['VISUAL'] || env['EDITOR'] || defaultEditor;
}

/** An absolute file path and a cursor position, from 1. */
export interface EditorTarget {
  readonly file: string;
  readonly line?: number | undefined;
}

/**
 * Returns the command that opens a file in the editor, at a line if the editor is known to support one. Except on Windows, `sh` parses the command line and is
 * replaced by the editor (`exec`), so that signals reach it.
 */
export function editorLaunch(
  editor: string,
  target: EditorTarget,
  platform: NodeJS.Platform = process.platform,
): {readonly command: string; readonly args: readonly string[]} {
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

/** The line argument of each editor. */
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

/** Returns the program's name in a command line, skipping variable assignments. */
function programName(editor: string): string {
  const program = wordsOf(editor).find((word) => word !== 'env' && !/^\w+=/.test(word)) ?? '';
  return basename(program.replaceAll('\\', '/')).replace(/\.(?:exe|cmd)$/i, '');
}

function wordsOf(line: string): readonly string[] {
  return Array.from(line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g), ([, ...found]) => found.find(Boolean) ?? '');
}
