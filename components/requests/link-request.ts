import {isDeceptive, pageKeys, unlockSentence} from '../../src/app/requests/request-guard.ts';
import {isUnlocked} from '../../src/app/requests/request-phase.ts';
import {linkParts, linkWarnings, type Link} from '../../src/session/forms/form-request.ts';
import {linkChoices, type LinkChoice} from '../../src/session/selectors.ts';
import type {PendingUrl} from '../../src/session/state.ts';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import {joinFitting} from '../../src/text/truncate.ts';
import {wrap, wrapHard} from '../../src/text/wrap.ts';
import type {DrawContext} from '../draw/draw.ts';
import {wrapHanging} from '../draw/lines.ts';
import {edgeRoomInside, insideBox} from '../draw/box.ts';
import type {ShownRequest} from './permission-request.ts';
import {drawHints, questionPanel, type RequestPanel} from './question.tsx';
import {drawAsked, headingOf} from './form-request.tsx';
import {pluralize} from '../../src/text/format.ts';

const CHOICES: Readonly<Record<LinkChoice, string>> = {
  open: 'Open in the browser',
  declined: 'Decline',
  cancelled: 'Cancel',
  done: 'Continue: done, or not needed',
  open_again: 'Open again',
  give_up: 'Give up: cancel what it is for',
};

/** Returns a URL request: the whole URL, its host, and warnings. */
export function linkPanel(shownRequest: ShownRequest<PendingUrl>, draw: DrawContext): RequestPanel {
  const {request, view, entry, isFocused, rows} = shownRequest;
  const labels = linkChoices(request).map((choice) => CHOICES[choice]);
  const inner = insideBox(draw);
  const question = request.isOpened ? 'Finished in the browser?' : 'Open a URL for the agent?';
  return questionPanel(
    {
      ...headingOf(shownRequest, question, draw),
      content: drawLinkRequest(request, entry, inner),
      options: {labels, selected: view.selected},
      notes: isFocused ? drawHints(view, [drawNote(shownRequest, inner)], inner) : [],
      isFocused,
      view,
      rows,
    },
    draw,
  );
}

/** Draws the question, the whole URL and the warnings. */
export function drawLinkRequest(
  request: PendingUrl,
  entry: ToolCallEntry | undefined,
  draw: DrawContext,
): string[] {
  const {paint, symbols} = draw;
  const {link} = request;
  const warnings = linkWarnings(link).flatMap((text) => wrapHanging(symbols.warning, text, draw));
  return [
    ...drawAsked(request, entry, draw),
    ...drawAddress(link, draw),
    ...wrap(`Host: ${link.host}`, draw.columns).map((line) => paint.bold(line)),
    ...warnings.map((line) => paint.warning(line)),
  ];
}

/** Draws the whole URL, hard-wrapped, with its host highlighted. It is ASCII and not a terminal link, so only the answer opens it. */
function drawAddress(link: Link, {paint, columns}: DrawContext): string[] {
  const [before, host, after] = linkParts(link);
  return wrapHard(paint.dim(before) + paint.accent(paint.bold(host)) + paint.dim(after), columns);
}

function drawNote(shownRequest: ShownRequest<PendingUrl>, draw: DrawContext): string {
  return draw.paint.dim(joinFitting(noteOf(shownRequest, draw).split(' · '), edgeRoomInside(draw)));
}

function noteOf({request, view, keymap, reading}: ShownRequest<PendingUrl>, {keyOf}: DrawContext): string {
  if (reading.left > 0)
    return `Read it all to open it (${pageKeys(keymap)}) · ${pluralize(reading.left, 'line')} left`;
  if (isDeceptive(request) && !isUnlocked(view.phase)) return unlockSentence(keymap);
  return `${keyOf('confirm')} or number select · ${keyOf('copy_text')} copy URL · ${keyOf('cancel_or_back')} back to prompt`;
}
