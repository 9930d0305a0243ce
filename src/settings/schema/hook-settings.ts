import * as z from 'zod/mini';
import {HOOK_EVENTS, type Hook, type HookEvent} from '../../session/settings/hooks.ts';
import {parts, words} from './setting-fields.ts';

/** How long a hook may run without a `timeout`, in seconds. */
const SECONDS = 60;

const command = z.object({
  type: z.literal('command'),
  command: words,
  /** In seconds. */
  timeout: z.optional(z.number().check(z.positive(), z.maximum(600))),
});
const groups = z.array(
  z.object({
    matcher: z.optional(z.string().check(z.refine(isPattern))),
    hooks: z.array(command),
  }),
);
const allowed =
  'a list such as [{"matcher": "Edit|Write", "hooks": [{"type": "command", "command": "make format", "timeout": 60}]}]';

/** The setting `hooks`, with the shape that it has in Claude Code. */
export const hookSettings = parts(
  Object.fromEntries(
    Object.entries(HOOK_EVENTS).map(([event, description]) => [
      event,
      {schema: groups, allowed, description},
    ]),
  ) as Record<HookEvent, {schema: typeof groups; allowed: string; description: string}>,
);

/** The events that come closest to those of Claude Code and Gemini CLI with other names. */
export const HOOK_EVENTS_ELSEWHERE: Readonly<Record<string, HookEvent>> = {
  PreToolUse: 'PermissionRequest',
  BeforeTool: 'PermissionRequest',
  AfterTool: 'PostToolUse',
  PostToolUseFailure: 'PostToolUse',
  BeforeAgent: 'UserPromptSubmit',
  AfterAgent: 'Stop',
};

/** Returns the hooks of a settings file, in its order. */
export function readHooks(
  settings: z.infer<typeof hookSettings.schema> | undefined,
  source: Hook['source'],
): readonly Hook[] {
  return Object.entries(settings ?? {}).flatMap(([event, list = []]) =>
    list.flatMap(({matcher, hooks}) =>
      hooks.map(({command, timeout = SECONDS}) => ({
        event: event as HookEvent,
        matcher,
        command,
        seconds: timeout,
        source,
      })),
    ),
  );
}

function isPattern(text: string): boolean {
  try {
    return Boolean(RegExp(text));
  } catch {
    return text === '*';
  }
}
