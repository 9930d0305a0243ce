import {join} from 'node:path';
import type {SessionEffect} from '../app/effects.ts';
import type {SessionKey} from '../app/state.ts';
import type {Result} from '../shared/failure.ts';
import type {Performer} from './window/performer.ts';

type AttachEffect = Extract<
  SessionEffect,
  {kind: 'look_at' | 'attach_paths' | 'read_clipboard' | 'add_directory'}
> & {
  readonly key: SessionKey;
};

/** Finds files for the draft, and what they are, and adds folders to find them in. */
export async function performAttaching(
  effect: AttachEffect,
  {store, stateFolder, clientOf}: Pick<Performer, 'store' | 'stateFolder' | 'clientOf'>,
): Promise<Result<unknown> | undefined> {
  const open = store.current().sessions[effect.key];
  if (!open) return undefined;
  const {key} = effect;
  const {cwd, agent} = open.session;
  const {attachPaths, readFileInfos, takeClipboard} = await import('../attachments/attach.ts');
  switch (effect.kind) {
    case 'add_directory':
      return clientOf(key).actions.addDirectory(effect.path);
    case 'look_at': {
      const seen = await readFileInfos(effect.files);
      if (seen.ok) store.dispatch({type: 'files_seen', key, files: seen.value});
      return seen;
    }
    case 'attach_paths': {
      // Text that only looks like paths stays what it is.
      const found = await attachPaths(effect.paths, cwd);
      if (found.ok) {
        const {pasted} = effect;
        store.dispatch({type: 'files_attached', key, files: found.value, pasted, at: performance.now()});
      }
      return undefined;
    }
    case 'read_clipboard': {
      const {readClipboard} = await import('../attachments/clipboard.ts');
      const content = await readClipboard({platform: process.platform, env: process.env});
      const takesImages = !agent || agent.capabilities.promptCapabilities?.image === true;
      const taken = await takeClipboard(content, {cwd, takesImages, folder: join(stateFolder, 'clipboard')});
      if (!taken.ok) return taken;
      const at = performance.now();
      store.dispatch(
        taken.value.kind === 'files'
          ? {type: 'files_attached', key, files: taken.value.files, at}
          : {type: 'text_pasted', key, text: taken.value.text, at},
      );
      return undefined;
    }
  }
}
