import {codex} from './codex.ts';
import {copilot} from './copilot.ts';
import {gemini} from './gemini.ts';
import {opencode} from './opencode.ts';
import {qwen} from './qwen.ts';
import type {Quirks} from './quirks.ts';

/** By the name that the agent tells in `initialize` (agentInfo.name). */
const QUIRKS: Readonly<Record<string, Quirks>> = {
  '@agentclientprotocol/codex-acp': codex,
  Copilot: copilot,
  OpenCode: opencode,
  'gemini-cli': gemini,
  'qwen-code': qwen,
};

/** The quirks of an agent; none for one that is not known or told no name. */
export function quirksOf(agentName: string | undefined): Quirks {
  return agentName !== undefined && Object.hasOwn(QUIRKS, agentName) ? (QUIRKS[agentName] ?? {}) : {};
}
