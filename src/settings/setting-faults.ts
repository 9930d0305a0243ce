import type {Failure} from '../shared/failure.ts';
import {readFileIfAny} from '../shared/files/safe-files.ts';

/** A problem of what protects, so that no agent may start. */
export interface SettingFault {
  readonly file: string;
  readonly sentence: string;
}

interface Readable {
  readonly problems: readonly string[];
  readonly faults: readonly SettingFault[];
}

/** Says of a fault what follows from it, where the settings are used. */
export function withConsequence({file, sentence}: SettingFault): SettingFault {
  return {file, sentence: sentence.replace('; it is ignored.', '; no agent starts until it is corrected.')};
}

/** Returns the problems that are no faults. */
export function ignoredProblems({problems, faults}: Readable): readonly string[] {
  return problems.filter((problem) => !faults.some(({sentence}) => sentence === problem));
}

/** Returns why no agent may start, with the line of the first fault; undefined if there is no fault. */
export function faultFailure(faults: readonly SettingFault[]): Failure | undefined {
  const [first] = faults;
  if (!first) return undefined;
  const sentences = faults.map((fault) => {
    const line = lineOf(fault);
    const {file, sentence} = fault;
    return line === undefined
      ? sentence
      : sentence.replace(file, `${file}, line ${line},`).replace(`,;`, ';');
  });
  const isNamed = first.sentence.includes(first.file);
  return {
    kind: 'invalid_setting',
    problem: sentences.join(' '),
    ...(isNamed && {at: {file: first.file, line: lineOf(first)}}),
  };
}

/** Returns the line that the sentence is about, from 1: where the parser stopped, or where the last name of the setting's path stands first. */
function lineOf({file, sentence}: SettingFault): number | undefined {
  const text = readFileIfAny(file, Infinity);
  if (text === undefined) return undefined;
  const [, position] = / JSON at position (\d+)/.exec(sentence) ?? [];
  const stopped = sentence.includes('end of JSON') ? text.trimEnd().length : position;
  if (stopped !== undefined) return text.slice(0, Number(stopped)).split('\n').length;
  const [, path] = /"([^"]+)" in /.exec(sentence) ?? [];
  const name = path
    ?.replace(/\[\d+\]$/, '')
    .split('.')
    .at(-1);
  if (name === undefined) return undefined;
  const index = text.split('\n').findIndex((line) => line.includes(JSON.stringify(name)));
  return index < 0 ? undefined : index + 1;
}
