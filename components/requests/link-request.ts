import type {Hint} from '../../src/app/keymap/hints.ts';
import {isDeceptive, pageKeys, unlockSentence} from '../../src/app/requests/request-guard.ts';
import {isUnlocked} from '../../src/app/requests/request-phase.ts';
import {linkParts, linkWarnings, type Link} from '../../src/session/forms/form-request.ts';
import {linkChoices, type LinkChoice} from '../../src/session/selectors.ts';
import type {PendingUrl} from '../../src/session/state.ts';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import {wrap, wrapHard} from '../../src/text/wrap.ts';
import type {Theme} from '../theme/theme.tsx';
import {rowsOfWarning} from '../layout/lines.ts';
import {fittingLine} from '../layout/hints.ts';
import {edgeRoomInside, insideBox} from '../layout/box.ts';
import type {ShownRequest} from '../../src/app/requests/shown-request.ts';
import {rowsOfHints, questionPanel, type RequestPanel} from './question.ts';
import {rowsOfAsked} from './form-request.ts';
import {headingOf} from '../../src/app/requests/request-texts.ts';
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
export function linkPanel(shownRequest: ShownRequest<PendingUrl>, theme: Theme): RequestPanel {
  const {request, view, entry, isFocused, rows} = shownRequest;
  const choices = linkChoices(request).map((choice) => ({label: CHOICES[choice]}));
  const inner = insideBox(theme);
  const question = request.isOpened ? 'Finished in the browser?' : 'Open a URL for the agent?';
  return questionPanel(
    {
      ...headingOf(shownRequest, question),
      content: rowsOfLinkRequest(request, entry, inner),
      choices,
      notes: isFocused ? rowsOfHints(view, [noteRow(shownRequest, inner)], inner) : [],
      isFocused,
      view,
      rows,
    },
    theme,
  );
}

/** Returns the rows of the question, the whole URL and the warnings. */
export function rowsOfLinkRequest(
  request: PendingUrl,
  entry: ToolCallEntry | undefined,
  theme: Theme,
): string[] {
  const {link} = request;
  return [
    ...rowsOfAsked(request, theme, entry),
    ...rowsOfAddress(link, theme),
    ...wrap(`Host: ${link.host}`, theme.columns).map((line) => theme.paint.bold(line)),
    ...linkWarnings(link).flatMap((text) => rowsOfWarning(text, theme)),
  ];
}

/** Returns the rows of the whole URL, hard-wrapped, with its host highlighted. It is ASCII and not a terminal link, so only the answer opens it. */
function rowsOfAddress(link: Link, {paint, columns}: Theme): string[] {
  const [before, host, after] = linkParts(link);
  return wrapHard(paint.dim(before) + paint.accent(paint.bold(host)) + paint.dim(after), columns);
}

/** Returns the key hints, or what is still to be read. */
function noteRow({request, view, keymap, reading}: ShownRequest<PendingUrl>, theme: Theme): string {
  const {keyOf} = theme;
  const keys: readonly Hint[] = [
    [keyOf('confirm'), 'or number select'],
    [keyOf('copy_text'), 'copy URL'],
    [keyOf('cancel_or_back'), 'back to prompt'],
  ];
  const hints =
    reading.left > 0
      ? [`Read it all to open it (${pageKeys(keymap)})`, `${pluralize(reading.left, 'line')} left`]
      : isDeceptive(request) && !isUnlocked(view.phase)
        ? [unlockSentence(keymap)]
        : keys;
  return fittingLine(hints, edgeRoomInside(theme), theme);
}
