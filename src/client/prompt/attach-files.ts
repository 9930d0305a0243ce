import {join} from 'node:path';
import type {EffectOf} from '../../app/effects.ts';
import type {Result} from '../../shared/failure.ts';
import type {EffectContext} from '../window/effect-context.ts';

type Attaching = Pick<EffectContext, 'store' | 'stateFolder'>;

/** Looks up type and size of a draft's attached files. */
export async function lookAtFiles(
  {key, files}: EffectOf<'look_at'>,
  {store}: Attaching,
): Promise<Result<unknown>> {
  const {readFileInfos} = await import('../../attachments/attach.ts');
  const seen = await readFileInfos(files);
  if (seen.ok) store.dispatch({type: 'files_seen', key, files: seen.value});
  return seen;
}

/** Attaches pasted paths to a draft; text that only looks like paths stays text. */
export async function attachPaths(
  {key, paths, pasted}: EffectOf<'attach_paths'>,
  {store}: Attaching,
): Promise<void> {
  const session = store.latest().sessions[key]?.session;
  if (!session) return;
  const attach = await import('../../attachments/attach.ts');
  const found = await attach.attachPaths(paths, session.cwd);
  if (!found.ok) return;
  store.dispatch({type: 'files_attached', key, files: found.value, pasted, at: performance.now()});
}

/** Pastes an image, files or text from the clipboard into a draft. */
export async function readClipboard(
  {key}: EffectOf<'read_clipboard'>,
  {store, stateFolder}: Attaching,
): Promise<Result<unknown> | undefined> {
  const session = store.latest().sessions[key]?.session;
  if (!session) return undefined;
  const {cwd, agent} = session;
  const [clipboard, {takeClipboard}] = await Promise.all([
    import('../../attachments/clipboard.ts'),
    import('../../attachments/attach.ts'),
  ]);
  const content = await clipboard.readClipboard({platform: process.platform, env: process.env});
  const takesImages = !agent || agent.capabilities.promptCapabilities?.image === true;
  const pasted = await takeClipboard(content, {cwd, takesImages, folder: join(stateFolder, 'clipboard')});
  if (!pasted.ok) return pasted;
  const at = performance.now();
  store.dispatch(
    pasted.value.kind === 'files'
      ? {type: 'files_attached', key, files: pasted.value.files, at}
      : {type: 'text_pasted', key, text: pasted.value.text, at},
  );
  return undefined;
}
