import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {ForegroundProgram} from '../../../../src/agents/foreground.ts';
import type {ConversationOptions, Foreground} from '../../../../src/conversation/options.ts';
import type {ProcessExit, Result} from '../../../../src/shared/failure.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {makeConversation, type OpenedConversation} from '../open-conversation.ts';

const exit = (code: number): Result<ProcessExit> => ({ok: true, value: {code, signal: null}});

export interface SignInConversation extends OpenedConversation {
  /** The user is signed in while this file exists. */
  readonly file: string;
  readonly programs: readonly ForegroundProgram[];
  readonly count: (method: string) => number;
  /** Signs in with a method that runs a program, and confirms it. */
  readonly signInWith: (methodId: string) => Promise<Result<void>>;
  /** Answers acp-tui's next question and returns its text. */
  readonly answers: (answer: 'yes' | 'no' | 'cancel') => Promise<string>;
}

/** A client of an agent that requires a sign-in; `ends` are the exits of programs that get the terminal. */
export async function openSignIn(
  ends: (file: string) => Promise<Result<ProcessExit>> | Result<ProcessExit> = () => exit(0),
  options: Partial<ConversationOptions> = {},
): Promise<SignInConversation> {
  const file = join(temporaryFolder(), 'signed-in');
  const programs: ForegroundProgram[] = [];
  const foreground: Foreground = async (program) => {
    programs.push(program);
    return ends(file);
  };
  const made = makeConversation(['sign-in', file], {foreground, ...options});
  const answers: SignInConversation['answers'] = async (answer) => {
    const {pending} = await made.until(({pending}) => pending.length > 0, 'a question of ours');
    const [request] = pending;
    if (request?.kind !== 'permission' || request.asker !== 'acp-tui') throw new Error('it is not ours');
    const {title, content} = request.call;
    const index = answer === 'yes' ? 0 : 1;
    void made.conversation.answer(
      request.id,
      answer === 'cancel' ? {kind: 'cancelled'} : {kind: 'option', index},
    );
    const texts = content.map((part) =>
      part.type === 'content' && part.content.type === 'text' ? part.content.text : '',
    );
    return [title, ...texts].join('\n');
  };
  const opening = made.conversation.open();
  if (options.authMethod !== undefined) await answers('yes');
  await opening;
  const count = (method: string) => made.sent().filter((message) => message.method === method).length;
  const signInWith = async (methodId: string) => {
    const signedIn = made.conversation.authenticate(methodId);
    await answers('yes');
    return signedIn;
  };
  return {...made, file, programs, count, signInWith, answers};
}

/** A sign-in program. */
export const signInProgram = (file: string): Result<ProcessExit> => {
  writeFileSync(file, '');
  return exit(0);
};

export const needsSignIn = ({connection}: SessionState): boolean =>
  connection.kind === 'authentication_required';
