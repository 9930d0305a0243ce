import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {PrintOptions} from '../cli/options.ts';
import type {Failure} from '../shared/failure.ts';
import {contentBlockOf} from '../attachments/content-block.ts';
import {readAttachments, type ReadAttachment} from '../attachments/read.ts';
import type {HeadlessIo} from './io.ts';

/** A prompt, complete but not yet in the agent's terms. */
export interface PreparedPrompt {
  readonly text: string;
  readonly attachments: readonly ReadAttachment[];
}

export type Prepared =
  | {readonly kind: 'prompt'; readonly prompt: PreparedPrompt}
  | {readonly kind: 'wrong'; readonly problem: Failure | string};

/** Reads files and standard input, before anything is sent. Standard input follows the arguments after an empty line. */
export async function preparePrompt(options: PrintOptions, io: HeadlessIo): Promise<Prepared> {
  const attachments = await readAttachments(options.files, process.cwd());
  if (!attachments.ok) return {kind: 'wrong', problem: attachments.failure};
  const input = options.readStdin ? await io.readStdin() : {ok: true as const, value: ''};
  if (!input.ok) return {kind: 'wrong', problem: input.failure};
  const text = [options.prompt, input.value.trimEnd()].filter((part) => part.trim() !== '').join('\n\n');
  if (text === '' && attachments.value.length === 0) {
    return {
      kind: 'wrong',
      problem: 'There is no prompt: standard input is empty; give it text, or a prompt as an argument.',
    };
  }
  return {kind: 'prompt', prompt: {text, attachments: attachments.value}};
}

/** The prompt as content blocks that the agent takes: the text, then the files. */
export function contentOf(
  {text, attachments}: PreparedPrompt,
  capabilities: acp.PromptCapabilities | undefined,
): acp.ContentBlock[] {
  const files = attachments.map((attachment) => contentBlockOf(attachment, capabilities));
  return text === '' ? files : [{type: 'text', text}, ...files];
}
