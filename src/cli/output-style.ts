import {Chalk, supportsColor} from 'chalk';

/** The output of a subcommand. */
export interface OutputPage {
  readonly write: (text: string) => void;
  /** The width of the terminal; undefined if there is none, so that nothing is cut. */
  readonly columns: number | undefined;
  readonly style: OutputStyle;
}

/** Text styles; identity functions without colors. */
export interface OutputStyle {
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly found: (text: string) => string;
}

/** The terminal's own colors, or none. */
export function createOutputStyle({isTerminal}: {readonly isTerminal: boolean}): OutputStyle {
  const chalk = new Chalk({level: isTerminal && supportsColor !== false ? supportsColor.level : 0});
  return {
    dim: chalk.dim,
    bold: chalk.bold,
    found: chalk.bold.yellow,
  };
}
