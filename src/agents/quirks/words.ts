import type {Quirks} from './quirks.ts';

const WORDS: Readonly<Record<Exclude<keyof Quirks, 'notes'>, string>> = {
  emptyFileWhenMissing:
    'It creates a file only when reading it before succeeds: acp-tui tells it that a missing file is empty.',
  commandAsTitle:
    'A request to run a command tells the command by its title alone: acp-tui reads it there, also for your rules.',
  modeAsMessage: 'It tells a change of its mode as a message: acp-tui shows the mode, and no message.',
  noticesAsMessages: 'It tells notices as messages: acp-tui shows notices, which are no part of an answer.',
  usageAddsUp: 'It counts tokens over the whole session: acp-tui shows what each turn added.',
  variables:
    'It signs in with what is in its environment: acp-tui asks for that and starts it again with it.',
};

/** The quirks of an agent, and what acp-tui does about them, in sentences. */
export function quirkWords({notes = [], ...quirks}: Quirks): readonly string[] {
  const names = Object.keys(WORDS) as (keyof typeof WORDS)[];
  return [...names.filter((name) => quirks[name] !== undefined).map((name) => WORDS[name]), ...notes];
}
