export interface Definitions {
  /** Takes a line that is a link definition. */
  add(line: string): void;
  /** The definitions that a source refers to, as markdown. */
  usedIn(source: string): string;
}

/**
 * What marked takes for a whole definition: a line that has more behind its address is text, and would be shown again before
 * each block that refers to it.
 */
const WHOLE =
  /^ {0,3}\[(?:\\.|[^[\]\\])+\]:[ \t]*(?:<[^<>]*>|[^<\s]\S*)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/;

/** Bounds what an endless list of definitions can cost. */
const MAX_DEFINITIONS = 2000;

/** Link definitions of a message, kept so that the blocks after them can use them. The first of a label counts. */
export function createDefinitions(): Definitions {
  const lines = new Map<string, string>();
  return {
    add(line) {
      if (!WHOLE.test(line)) return;
      const key = normalise(line.slice(line.indexOf('[') + 1, line.indexOf(']:')));
      if (!lines.has(key) && lines.size < MAX_DEFINITIONS) lines.set(key, `${line}\n`);
    },
    usedIn(source) {
      if (lines.size === 0) return '';
      const used = new Set<string>();
      for (const [, label = ''] of source.matchAll(/\[((?:\\.|[^[\]\\])+)\]/g)) {
        const line = lines.get(normalise(label));
        if (line !== undefined) used.add(line);
      }
      // The blank line keeps the source from being read as a title.
      return used.size === 0 ? '' : `${[...used].join('')}\n`;
    },
  };
}

function normalise(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase();
}
