import type {Piece, PlacedPiece} from './pieces.ts';
import {createProjector, type Projection, type Projector} from './projector.ts';

/** The projectors of all sessions that were on the screen, which print into one scrollback. */
export interface Projectors {
  /** That of the session on the screen; where it follows another one, its title is printed first. */
  of(shown: {readonly key: string; readonly title: string}): Projector;
}

export function createProjectors(): Projectors {
  const known = new Map<string, Projector>();
  let last: string | undefined;
  let switches = 0;
  return {
    of({key, title}) {
      const isSwitched = last !== undefined && last !== key;
      last = key;
      const projector = known.get(key) ?? createProjector();
      known.set(key, projector);
      if (!isSwitched) return projector;
      const divider = dividerOf(++switches, title);
      return {
        update: (session, limits) => behind(divider, projector.update(session, limits)),
        finish: (session) => behind(divider, projector.finish(session)),
      };
    },
  };
}

function behind(divider: PlacedPiece, {committed, ...rest}: Projection): Projection {
  return {committed: [divider, ...committed], ...rest};
}

function dividerOf(number: number, title: string): PlacedPiece {
  const id = `switch-${number}`;
  const text = `Session: ${title}`;
  const entry = {type: 'notice', level: 'info', text, source: 'client', id, turn: undefined, at: 0} as const;
  const piece: Piece = {kind: 'entry', id, entry, endedAt: undefined};
  return {piece, gap: true};
}
