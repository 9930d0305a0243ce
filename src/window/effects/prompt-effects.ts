import {join} from 'node:path';
import {customCommandText} from '../../app/commands/parse-command.ts';
import {draftText} from '../../app/editor/draft.ts';
import {replaceText} from '../../app/editor/insert.ts';
import {notify, type EffectHandlers} from './effect-context.ts';

export const promptEffects = {
  async edit_unsent({key, id}, {store, tab, client}) {
    const {prompts, interruptedPrompt} = tab.session.queue;
    const place = prompts.findIndex((queued) => queued.id === id);
    const prompt = prompts[place] ?? interruptedPrompt;
    const taken = await client.changeQueue({kind: 'edit', id});
    if (!prompt || !taken.ok) return taken;
    const at = performance.now();
    store.dispatch({type: 'prompt_returned', key, prompt, ...(place !== -1 && {place}), at}, 'urgent');
    return undefined;
  },
  async expand_command({key, call, typed}, {store, client}) {
    const expanded = await client.expandCommand(call);
    if (!expanded.ok) return expanded;
    const draft = store.latest().sessions[key]?.draft;
    if (draft?.text !== typed) return undefined;
    // What begins like a command is text all the same.
    const after = expanded.value.replace(/^(?=[!/])/, ' ');
    const whole = replaceText(draft, {before: draftText(draft), after});
    store.dispatch({type: 'draft_changed', key, draft: whole, at: performance.now()});
    return undefined;
  },
  async save_command({name, prompt}, context) {
    const saved = await context.client.saveCommand(name, prompt);
    if (!saved.ok) return saved;
    return notify(context, `${customCommandText({name})} is saved in ${saved.value}.`);
  },
  // Looks up type and size of a draft's attached files.
  async check_files({key, files}, {store}) {
    const {readFileInfos} = await import('../../attachments/attach.ts');
    const seen = await readFileInfos(files);
    if (seen.ok) store.dispatch({type: 'files_checked', key, files: seen.value});
    return seen;
  },
  // Text that only looks like paths stays text.
  async attach_paths({key, readings, pasted}, {store, tab}) {
    const attach = await import('../../attachments/attach.ts');
    for (const paths of readings) {
      const found = await attach.attachPaths(paths, tab.session.cwd);
      if (!found.ok) continue;
      store.dispatch({type: 'files_attached', key, files: found.value, pasted, at: performance.now()});
      return;
    }
  },
  async read_clipboard({key}, {store, tab, stateFolder}) {
    const {cwd, agent} = tab.session;
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
  },
} satisfies Partial<EffectHandlers>;
