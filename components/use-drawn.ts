import {useApp} from 'ink';
import {useEffect, useEffectEvent} from 'react';
import type {Scroll} from '../src/app/state.ts';

/**
 * Tells what of something was drawn, once it stands on the screen, and again when that changes. `subject` names what was
 * drawn; undefined while it is nothing.
 */
export function useDrawn(subject: string | undefined, drawn: Scroll, tell: (drawn: Scroll) => void): void {
  const {waitUntilRenderFlush} = useApp();
  const report = useEffectEvent(tell);
  const {firstRow, visibleRows, totalRows} = drawn;
  useEffect(() => {
    if (subject === undefined) return;
    let isCurrent = true;
    void waitUntilRenderFlush().then(() => {
      if (isCurrent) report({firstRow, visibleRows, totalRows});
    });
    return () => {
      isCurrent = false;
    };
  }, [subject, firstRow, visibleRows, totalRows, waitUntilRenderFlush]);
}
