import {hidesText} from '../../src/session/hidden-text.ts';
import type {PendingRequest} from '../../src/session/state.ts';
import type {Draw} from '../draw/draw.ts';
import {hanging} from '../draw/lines.ts';

const NOTE = 'Contains hidden or control characters, shown as ⟨U+200B⟩ or ␛.';

/** A line of ours before what a request shows, where that has characters that would not be seen. */
export function drawHiddenNote(request: PendingRequest, draw: Draw): string[] {
  if (!hidesText(request)) return [];
  return hanging(draw.signs.warning, NOTE, draw).map((line) => draw.paint.warning(line));
}
