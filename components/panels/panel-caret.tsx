import {useCursor, type DOMElement} from 'ink';
import {caretIn, type CaretPlace} from '../prompt/use-caret.ts';

/**
 * Puts the terminal's own cursor into the panel. It has to stand behind the prompt: of all that place the cursor, the last in the
 * tree does.
 */
export function PanelCaret({
  box,
  caret,
}: {
  readonly box: DOMElement | null;
  readonly caret: CaretPlace;
}): null {
  const {setCursorPosition} = useCursor();
  setCursorPosition(box === null ? undefined : caretIn(box, caret));
  return null;
}
