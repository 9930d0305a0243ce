import type {EffectOf} from '../../app/effects.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {shownPath} from '../../text/format.ts';
import {notify, type EffectContext, type SessionContext} from './effect-context.ts';

/** Exports the session to a file and reports its path. */
export async function performExport(
  effect: EffectOf<'export_session'>,
  context: Pick<SessionContext, 'store' | 'secrets' | 'wireLines' | 'tab'>,
): Promise<void> {
  const {secrets, wireLines, tab: open} = context;
  const {format, withSecrets} = effect;
  const {exportOpenSession, exportRecording} = await import('../export-session.ts');
  const written =
    format === 'recording'
      ? await exportRecording(open, effect, {lines: wireLines(), secrets})
      : await exportOpenSession(open, {...effect, format}, secrets);
  if (!written.ok) return notify(context, failureSentence(written.failure));
  const {value} = written;
  const {path, isWhole} = typeof value === 'string' ? {path: value, isWhole: true} : value;
  const how = withSecrets ? 'with credentials' : 'credentials masked';
  const rest = isWhole ? '' : ' The beginning is missing; --record keeps everything.';
  notify(context, `Exported to ${shownPath(path, open.session.cwd)}; ${how}.${rest}`);
}

/** Copies text to the system's clipboard, after the screen has sent it to the terminal if it can; reports the result. */
export async function copyToClipboard(
  {text, what, terminal}: EffectOf<'copy'>,
  context: Pick<EffectContext, 'store'>,
): Promise<void> {
  const {copyWithTools} = await import('../desktop.ts');
  const isCopied = await copyWithTools(text, {env: process.env, platform: process.platform});
  const why =
    terminal === 'too_long' ? `${what} is too long for the terminal` : 'no clipboard program works here';
  if (isCopied) notify(context, `Copied ${what}.`);
  else if (terminal === 'sent')
    notify(
      context,
      `Sent ${what} to the terminal's clipboard. If it does not arrive, the terminal blocks it.`,
    );
  else notify(context, `Not copied: ${why}. /export writes the session to a file.`);
}
