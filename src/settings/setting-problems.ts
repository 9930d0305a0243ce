import type {Failure} from '../shared/failure.ts';
import {readFileIfAny} from '../shared/files/safe-files.ts';

/** The path of a setting, with positions in lists. */
export type ProblemPath = readonly (string | number)[];

/** Whose settings a file has: the user's own, or those of a project. */
export type SettingsOwner = 'user' | 'project';

/** A mistake in settings. */
export interface SettingProblem {
  /** The file with the mistake; undefined for a variable of the environment. */
  readonly file?: string;
  /** The setting it is in; undefined for the whole file. */
  readonly path?: ProblemPath;
  /** From 1, if it is known. */
  readonly line?: number | undefined;
  /** What is wrong there, such as `must be on or off, not "x"`; without a file, a sentence without its end. */
  readonly wrong: string;
  /** A sentence that helps. */
  readonly hint?: string | undefined;
  /** True if it may be about what protects the user: no agent starts. */
  readonly protects: boolean;
}

/** Reports that the setting at a path cannot be used as it is. */
export type ReportProblem = (path: ProblemPath, wrong: string, hint?: string) => void;

/** Returns each problem as a sentence, with what follows from it. */
export function problemTexts(problems: readonly SettingProblem[], consequence?: string): readonly string[] {
  return problems.map((problem) => problemText(problem, consequence));
}

function problemText(
  {file, path, line, wrong, hint, protects}: SettingProblem,
  consequence = protects ? 'no agent starts until it is corrected' : 'it is ignored',
): string {
  const name = path && `"${path.map(segmentText).join('')}" in`;
  const place = file !== undefined && line !== undefined ? `${file}, line ${line},` : file;
  const sentence = [name, place, `${wrong}; ${consequence}.`, hint];
  return sentence.filter((part) => part !== undefined).join(' ');
}

function segmentText(segment: string | number, index: number): string {
  if (typeof segment === 'number') return `[${segment}]`;
  return index === 0 ? segment : `.${segment}`;
}

/** Returns the problem of a settings file that cannot be read; a parser's reason names the line. */
export function unreadableFile(file: string, why: string): SettingProblem {
  const [, line] = /\(line (\d+)/.exec(why) ?? [];
  return {
    file,
    line: line === undefined ? undefined : Number(line),
    wrong: `cannot be read (${why})`,
    protects: true,
  };
}

/** Returns why no agent may start, with the line of the first such problem; undefined if there is none. */
export function faultFailure(problems: readonly SettingProblem[]): Failure | undefined {
  const faults = problems.filter(({protects}) => protects).map(withLine);
  const [first] = faults;
  if (!first) return undefined;
  const {file, line} = first;
  return {
    kind: 'invalid_setting',
    problem: problemTexts(faults).join(' '),
    ...(file !== undefined && {at: {file, line}}),
  };
}

/** Adds the line in which the last name of the path stands, each name after the one before. */
function withLine(problem: SettingProblem): SettingProblem {
  const {file, path = []} = problem;
  const names = path.filter((segment) => typeof segment === 'string');
  if (file === undefined || names.length === 0) return problem;
  const text = readFileIfAny(file, Infinity) ?? '';
  let index = 0;
  for (const name of names) {
    index = text.indexOf(JSON.stringify(name), index);
    if (index === -1) return problem;
  }
  return {...problem, line: text.slice(0, index).split('\n').length};
}
