import type {ContentBlock, PromptCapabilities} from '@agentclientprotocol/sdk/unstable';
import {attempt} from '../attempt.ts';
import {NO_SESSION, skipCheck, yesOrNo, mayPrompt, type Probe} from '../examination.ts';
import {NO_CONSENT} from './turn.ts';

type Kind = Exclude<keyof PromptCapabilities, '_meta'>;

/** An image of one white pixel, and a hundredth of a second of silence. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC';
const SOUND = silence();

const BLOCKS: Readonly<Record<Kind, ContentBlock>> = {
  image: {type: 'image', mimeType: 'image/png', data: PICTURE},
  audio: {type: 'audio', mimeType: 'audio/wav', data: SOUND},
  embeddedContext: {
    type: 'resource',
    resource: {uri: 'file:///doctor/note.txt', mimeType: 'text/plain', text: 'A note.'},
  },
};
const KINDS = Object.keys(BLOCKS) as Kind[];
const PROMPT =
  'Please answer with one short sentence. Do not use any tools. The rest of this prompt is only a test.';

/** "Content": one prompt with every content type that the agent advertises. */
export const promptContent: Probe = async (examination) => {
  const {run, session, initialized, isStuck} = examination.found;
  if (!initialized) return [];
  const {promptCapabilities} = initialized.agentCapabilities ?? {};
  const kinds = KINDS.filter((kind) => promptCapabilities?.[kind]);
  const subject = {
    id: 'prompt-content',
    name: 'prompts with more than text',
    advertised: yesOrNo(kinds.length > 0),
  } as const;
  const names = kinds.join(', ');
  if (kinds.length === 0) return [skipCheck(subject, '')];
  if (!run || !session) return [skipCheck(subject, `${names}; ${NO_SESSION}`)];
  if (!(await mayPrompt(examination))) return [skipCheck(subject, `${names}; ${NO_CONSENT}`)];
  if (isStuck) return [skipCheck(subject, `${names}; the previous prompt was not answered`)];
  const {sessionId} = session;
  const {check} = await attempt(examination, {
    ...subject,
    method: 'session/prompt',
    work: () =>
      run.connection.prompt(sessionId, [{type: 'text', text: PROMPT}, ...kinds.map((kind) => BLOCKS[kind])]),
    judge: ({stopReason}) =>
      stopReason === 'end_turn' ? {note: names} : {wrong: `${names}: it stopped with ${stopReason}`},
  });
  if (check.result === 'timeout') {
    examination.found.isStuck = true;
    run.connection.cancel(sessionId);
  }
  return [check];
};

/** A WAV file: 8000 samples per second, 8 bits each. */
function silence(): string {
  const samples = Buffer.alloc(80, 0x80);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]).toString('base64');
}
