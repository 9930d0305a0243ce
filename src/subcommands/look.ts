import {Chalk, supportsColor} from 'chalk';
import {plainStyle, type MarkdownStyle} from '../text/markdown/style.ts';
import type {Look} from './page.ts';

/** The terminal's own colours, or none. */
export function createLook({isTerminal}: {readonly isTerminal: boolean}): Look {
  const chalk = new Chalk({level: isTerminal && supportsColor !== false ? supportsColor.level : 0});
  return {
    dim: chalk.dim,
    bold: chalk.bold,
    found: chalk.bold.yellow,
    heading: chalk.bold.cyan,
  };
}

/** Markdown in that look. */
export function markdownStyle({bold, dim, heading}: Look): MarkdownStyle {
  return {
    ...plainStyle,
    heading,
    strong: bold,
    quote: dim,
    quoteBar: dim,
    link: bold,
    hr: dim,
    tableBorder: dim,
    bullet: dim,
  };
}
