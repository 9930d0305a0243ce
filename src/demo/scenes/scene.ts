import type {Stage} from '../stage.ts';

/** One thing that the demo agent can show, started by its slash command. */
export interface Scene {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
  play(stage: Stage, prompt: string): Promise<void>;
}

/** What stands behind the command's name in a prompt. */
export function argumentOf(prompt: string): string {
  return /^\/\S+\s+([\s\S]*)$/.exec(prompt.trim())?.[1]?.trim() ?? '';
}
