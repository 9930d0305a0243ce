import type {UndoneFile} from '../session/changes.ts';
import {shownPath} from '../text/format.ts';
import type {ClientContext} from './context.ts';

/** Takes back what a turn wrote through us, and says so in the transcript. */
export async function undoTurn({host, link, options}: ClientContext, turn: number): Promise<void> {
  const files = (await host.changes?.undo(turn)) ?? [];
  const isWhole = files.every(({refused}) => refused === undefined);
  link.emit({
    type: 'notice',
    level: isWhole ? 'info' : 'warning',
    text: inWords(turn, files, options.cwd),
    at: Date.now(),
  });
}

function inWords(turn: number, files: readonly UndoneFile[], cwd: string): string {
  const list = (chosen: readonly UndoneFile[]) => chosen.map(({path}) => shownPath(path, cwd)).join(', ');
  const done = files.filter(({refused}) => refused === undefined);
  const restored = done.filter(({does}) => does === 'restore');
  const deleted = done.filter(({does}) => does === 'delete');
  const parts = [
    ...(restored.length > 0 ? [`restored ${list(restored)}`] : []),
    ...(deleted.length > 0 ? [`deleted ${list(deleted)}`] : []),
  ];
  const left = files.flatMap(({path, refused}) =>
    refused === undefined ? [] : [`${shownPath(path, cwd)} stays as it is: ${refused}.`],
  );
  const sentences = [
    parts.length > 0
      ? `Took back turn ${turn}: ${parts.join('; ')}.`
      : `Nothing of turn ${turn} was taken back.`,
    ...left,
    ...(parts.length > 0 ? ['The agent does not know it.'] : []),
  ];
  return sentences.join(' ');
}
