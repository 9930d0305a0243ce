import {markdownToHtml} from '../text/markdown/html.ts';
import {searchFile} from '../storage/sessions/search-file.ts';
import {highlightCode} from '../text/markdown/highlight.ts';
import {markdownStyle, type MarkdownLook} from '../text/markdown/look.ts';
import {renderBlock} from '../text/markdown/render.ts';
import type {Block, RenderOptions} from '../text/markdown/style.ts';

/** A block to draw; `look` is its style as data, which a thread can be given. */
interface RenderInput extends Omit<RenderOptions, 'style'> {
  readonly block: Block;
  readonly look: MarkdownLook;
}

/**
 * What is done in a thread, since it may take any time for some texts of an agent, or many sessions. Input and output are data. A new task is a row here; a task that throws
 * has no result.
 */
const TASKS = {
  render: ({block, look, ...options}: RenderInput) =>
    renderBlock(block, {...options, style: markdownStyle(look)}),
  highlight: highlightCode,
  html: markdownToHtml,
  search: searchFile,
};

export type TaskName = keyof typeof TASKS;
export type TaskInput<Name extends TaskName> = Parameters<(typeof TASKS)[Name]>[0];
export type TaskOutput<Name extends TaskName> = ReturnType<(typeof TASKS)[Name]>;

/** Runs a task; returns its output, null if it failed. */
export function runTask(name: TaskName, input: unknown): unknown {
  try {
    return (TASKS[name] as (input: unknown) => unknown)(input);
  } catch {
    return null;
  }
}
