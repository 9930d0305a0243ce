import {measureElement, useCursor, type DOMElement} from 'ink';
import {useState, type RefCallback} from 'react';

/** A cell of a box, both from 0. */
export interface CaretPlace {
  readonly row: number;
  readonly column: number;
}

/**
 * Puts the terminal's own cursor into the box that the returned ref is given to, so that input methods compose there;
 * undefined hides it. The position is worked out when Ink draws, after layout: what grows above the box moves the
 * cursor in the same frame, without drawing the prompt again.
 */
export function useCaret(caret: CaretPlace | undefined): RefCallback<DOMElement> {
  // State, since Ink draws the first frame before React hands the box out: then it is drawn once more.
  const [box, setBox] = useState<DOMElement | null>(null);
  const {setCursorPosition} = useCursor();
  setCursorPosition(box && caret ? caretIn(box, caret) : undefined);
  return setBox;
}

/** The position on the screen, worked out when it is asked for. */
export function caretIn(box: DOMElement, caret: CaretPlace): {readonly x: number; readonly y: number} {
  return {
    get x() {
      return measureElement(box).x + caret.column;
    },
    get y() {
      return measureElement(box).y + caret.row;
    },
  };
}
