import type * as acp from '@agentclientprotocol/sdk/unstable';

/** Where a diff stands in its file, looked up when it came: agents tell parts of files without saying which. */
export interface DiffPlace {
  /** The number of its first line, from 1; null where nobody knows. */
  readonly line: number | null;
  /** True where there is no such file any more. */
  readonly isGone?: boolean;
}

const KEY = 'acp-tui';

/** The place that was found for a diff; undefined for one that tells the whole file. */
export function placeOf({_meta}: acp.Diff): DiffPlace | undefined {
  const place = _meta?.[KEY];
  return typeof place === 'object' && place !== null && 'line' in place ? (place as DiffPlace) : undefined;
}

/** The diff with its place beside it. */
export function placed<Diff extends acp.Diff>(diff: Diff, place: DiffPlace | undefined): Diff {
  const {[KEY]: _, ...rest} = diff._meta ?? {};
  if (place === undefined && diff._meta?.[KEY] === undefined) return diff;
  return {...diff, _meta: place === undefined ? rest : {...rest, [KEY]: place}};
}

/** New content, in which a diff that was told before keeps the place that was found for it then. */
export function keepPlaces(
  content: readonly acp.ToolCallContent[],
  before: readonly acp.ToolCallContent[],
): readonly acp.ToolCallContent[] {
  return content.map((part) => {
    if (part.type !== 'diff' || placeOf(part)?.line !== null) return part;
    const known = before.find((other) => other.type === 'diff' && isSame(other, part));
    const place = known?.type === 'diff' ? placeOf(known) : undefined;
    return place === undefined || place.line === null ? part : placed(part, {...placeOf(part), ...place});
  });
}

function isSame(one: acp.Diff, other: acp.Diff): boolean {
  return one.path === other.path && one.oldText === other.oldText && one.newText === other.newText;
}
