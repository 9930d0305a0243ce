import {useLayoutEffect} from 'react';
import {activeSession} from '../../src/app/sessions.ts';
import {agentName} from '../../src/app/status/status-line.ts';
import {rowsOfPlaced} from '../chunks/chunk-rows.ts';
import type {PlacedChunk} from '../chunks/chunks.ts';
import type {Theme} from '../theme/theme.tsx';
import {useWindow, type WindowProps} from '../use-window.ts';
import {type LinearFrame, linearFrame} from './linear-frame.ts';

/** The window as it is spoken: everything is printed once, below what was printed before. `report` gets all frames: Ink draws none. */
export function LinearWindow({
  report,
  ...props
}: WindowProps & {readonly report: (frame: LinearFrame) => void}): null {
  const rowsOf = (placed: PlacedChunk, theme: Theme) => {
    const rows = rowsOfPlaced(placed, theme);
    if (!isBeginning(placed)) return rows;
    const above = Number(placed.gap);
    const speaker = `${agentName(activeSession(props.store.getSnapshot()))}:`;
    return [...rows.slice(0, above), speaker, ...rows.slice(above)];
  };
  const {state, parts, theme} = useWindow(props, rowsOf);
  useLayoutEffect(() => report(linearFrame(state, parts, theme)));
  return null;
}

/** True for the first part of a message of the agent. */
function isBeginning({chunk: {kind, id}}: PlacedChunk): boolean {
  return (kind === 'block' || kind === 'attachment') && id.endsWith('/0');
}
