import {shownPath} from '../../src/text/format.ts';

/** A change as shown by its diff: the displayed path, and the lines. */
export interface ShownChange {
  readonly path: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Lines of a unified diff that contain no change; modes other than that of a regular file are changes. */
const PLAIN =
  /^(?:=*|@@ -[\d,]+ \+[\d,]+ @@|\\ No newline at end of file|index [\da-f]+\.\.[\da-f]+(?: 100644)?|(?:new|create) file mode 100644|--- (?:a)?\/dev\/null)$/;
const HEAD = /^(?:Index:|---|\+\+\+) (.+)$/;
const GIT_HEAD = /^diff --git (a\/.+) (b\/.+)$/;

/** True if a unified diff contains exactly this change. */
export function isPatchOf(patch: string, {path, removed, added}: ShownChange, cwd: string): boolean {
  const isHead = (line: string) => {
    const [, ...names] = HEAD.exec(line) ?? GIT_HEAD.exec(line) ?? [];
    return (
      names.length > 0 && names.every((name) => namesOf(name).some((one) => shownPath(one, cwd) === path))
    );
  };
  const lines = patch.split(/␍?\n/).filter((line) => !PLAIN.test(line) && !isHead(line.trimEnd()));
  const those = (sign: string) => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
  return (
    lines.every((line) => /^[-+ ]/.test(line)) && isEqual(those('+'), added) && isEqual(those('-'), removed)
  );
}

/** Returns the paths that a name in a patch may mean: git prepends `a/` or `b/`, some agents `a` to an absolute path. */
function namesOf(name: string): readonly string[] {
  return /^[ab]\//.test(name) ? [name, name.slice(1), name.slice(2)] : [name];
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}
