import type {Piece, PlacedPiece} from './pieces.ts';
import {createProjector, type Limits, type Projection, type Projector} from './projector.ts';

/** The projectors of all sessions that were on the screen, which print into one scrollback. */
export interface Projectors {
  /** That of the session on the screen; where it follows another one, its title is printed first, and its last screenful again. */
  of(shown: {readonly key: string; readonly title: string}): Projector;
}

interface Known {
  readonly projector: Projector;
  /** The last pieces that were printed. */
  printed: readonly PlacedPiece[];
}

/** So many pieces fill a screen. */
const MOST_KEPT = 100;
const DIVIDER_ROWS = 2;

export function createProjectors(): Projectors {
  const known = new Map<string, Known>();
  let last: string | undefined;
  let switches = 0;
  return {
    of({key, title}) {
      const isSwitched = last !== undefined && last !== key;
      last = key;
      const session = known.get(key) ?? {projector: createProjector(), printed: []};
      known.set(key, session);
      const divider = isSwitched ? [dividerOf(++switches, title)] : [];
      return {
        update(state, limits) {
          const again = isSwitched ? lastScreenful(session.printed, limits) : [];
          const projection = session.projector.update(state, limits);
          session.printed = [...session.printed, ...projection.committed].slice(-MOST_KEPT);
          return behind([...divider, ...again], projection);
        },
        finish: (state) => behind(divider, session.projector.finish(state)),
      };
    },
  };
}

/** What was printed last, as much as fits on the screen below the divider. */
function lastScreenful(printed: readonly PlacedPiece[], {pageRows, heightOf}: Limits): PlacedPiece[] {
  const shown: PlacedPiece[] = [];
  let room = pageRows - DIVIDER_ROWS;
  for (const placed of printed.toReversed()) {
    const height = heightOf(placed.piece);
    if (room > 0) shown.unshift(height > room ? {...placed, gap: false, lastRows: room} : placed);
    room -= height + (placed.gap ? 1 : 0);
  }
  return shown;
}

function behind(pieces: readonly PlacedPiece[], projection: Projection): Projection {
  if (pieces.length === 0) return projection;
  return {...projection, committed: [...pieces, ...projection.committed]};
}

function dividerOf(number: number, title: string): PlacedPiece {
  const id = `switch-${number}`;
  const text = `Session: ${title}`;
  const entry = {type: 'notice', level: 'info', text, source: 'client', id, turn: undefined, at: 0} as const;
  const piece: Piece = {kind: 'entry', id, entry, endedAt: undefined};
  return {piece, gap: true};
}
