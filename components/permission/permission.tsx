import {useApp} from 'ink';
import {useEffect} from 'react';
import {Lines} from '../lines.tsx';
import type {PermissionDrawing} from './permission-lines.ts';

export interface DrawnRequest {
  readonly id: string;
  readonly totalRows: number;
  readonly visibleRows: number;
  readonly scroll: number;
  readonly endShown: boolean;
}

interface PermissionProps {
  readonly id: string;
  readonly drawing: PermissionDrawing;
  /** Told what was drawn, once it stands on the screen: no key that was pressed before may answer it. */
  readonly onDrawn: (drawn: DrawnRequest) => void;
}

/** A permission request on the screen. */
export function Permission({id, drawing, onDrawn}: PermissionProps) {
  const {waitUntilRenderFlush} = useApp();
  const {totalRows, visibleRows, scroll, endShown} = drawing;
  useEffect(() => {
    let isCurrent = true;
    void waitUntilRenderFlush().then(() => {
      if (isCurrent) onDrawn({id, totalRows, visibleRows, scroll, endShown});
    });
    return () => {
      isCurrent = false;
    };
  }, [id, totalRows, visibleRows, scroll, endShown, onDrawn, waitUntilRenderFlush]);
  return <Lines lines={drawing.lines} />;
}
