import {useCursor, type DOMElement} from 'ink';
import {caretIn, type CaretPlace} from '../prompt/use-caret.ts';

/** Puts the terminal's cursor into the panel. Must be placed after the prompt: the last component in the tree that sets the cursor wins. */
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
