/** A line of linear output, which is spoken when it is new. */
export type SpokenLine = string | SpokenPart;

/** A line that is new, too, if the same words stood there as a part of something else. */
interface SpokenPart {
  readonly text: string;
  readonly of: string;
}

export function spokenText(line: SpokenLine): string {
  return typeof line === 'string' ? line : line.text;
}

/** Returns lines as parts of something. */
export function spokenOf(what: string, lines: readonly SpokenLine[]): readonly SpokenPart[] {
  return lines.map((line) =>
    typeof line === 'string' ? {text: line, of: what} : {...line, of: `${what} ${line.of}`},
  );
}
