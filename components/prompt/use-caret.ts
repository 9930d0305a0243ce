import {measureElement, type DOMElement} from 'ink';
import {createContext, useContext, useInsertionEffect, useState, type RefCallback} from 'react';
import type {CursorPosition, GatedOutput} from '../terminal/output.ts';

/** A cell of a box, both from 0. */
export interface CaretPlace {
  readonly row: number;
  readonly column: number;
}

/** Its value puts the terminal's cursor into a cell of the window. */
export const CaretContext = createContext<GatedOutput['setCaret']>(() => undefined);

/**
 * Puts the terminal's cursor into the box of the returned ref, so that input methods compose there; undefined hides it. The position is computed when the frame
 * is written, after layout: if something above the box grows, the cursor moves in the same frame, without rerendering the prompt.
 */
export function useCaret(caret: CaretPlace | undefined): RefCallback<DOMElement> {
  // State, since Ink draws the first frame before React sets the ref: then it rerenders.
  const [box, setBox] = useState<DOMElement | null>(null);
  useCursor(box && caret ? caretIn(box, caret) : undefined);
  return setBox;
}

/** Returns the position on the screen, computed on each call. */
export function caretIn(box: DOMElement, caret: CaretPlace): CursorPosition {
  return {
    get x() {
      return measureElement(box).x + caret.column;
    },
    get y() {
      return measureElement(box).y + caret.row;
    },
  };
}

/** Puts the terminal's cursor at a place of the window; undefined hides it. Must be placed after the prompt: the last component in the tree that sets the cursor wins. */
export function Caret({position}: {readonly position: CursorPosition | undefined}): null {
  useCursor(position);
  return null;
}

function useCursor(position: CursorPosition | undefined): void {
  const setCaret = useContext(CaretContext);
  // Before Ink writes the frame, which is before the other effects.
  useInsertionEffect(() => {
    setCaret(position);
    return () => setCaret(undefined);
  });
}
