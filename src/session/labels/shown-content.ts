import type * as acp from '@agentclientprotocol/sdk/unstable';
import {jsonOf} from '../../text/json.ts';
import {memoize} from '../memoize.ts';
import type {SessionState, TerminalState} from '../state.ts';
import {commandIn} from './command-label.ts';
import {withoutFence} from './result-text.ts';
import {plainResult} from './result-rows.ts';

interface CallContent {
  readonly content: readonly acp.ToolCallContent[];
  readonly rawInput?: unknown;
}

/** A text of a tool call's content. */
type TextPart = acp.Content & {readonly type: 'content'; readonly content: acp.TextContent};

export function isText(part: acp.ToolCallContent): part is TextPart {
  return part.type === 'content' && part.content.type === 'text';
}

/** Returns the content of a call without texts that only repeat its input, or what a terminal of it shows. */
export function shownContent(
  entry: CallContent,
  terminals: SessionState['terminals'],
): readonly acp.ToolCallContent[] {
  const shown = entry.content.flatMap((part) =>
    part.type === 'terminal' ? (terminals.get(part.terminalId) ?? []) : [],
  );
  return entry.content.filter(
    (part) => !isText(part) || !(repeatsInput(part, entry) || repeatsTerminal(part, entry, shown)),
  );
}

/** Some agents send the input of their own tools as content, too. */
function repeatsInput({content}: TextPart, {rawInput}: CallContent): boolean {
  if (rawInput === undefined) return false;
  const text = withoutFence(content.text.trim());
  return /^[{[]/.test(text) && JSON.stringify(jsonOf(text)) === JSON.stringify(rawInput);
}

/** Some agents send a command and its output as texts beside the terminal that shows both. */
function repeatsTerminal(
  {content: {text}}: TextPart,
  {rawInput}: CallContent,
  terminals: readonly TerminalState[],
): boolean {
  const isCommand = (command: string | undefined) => text.trim() === `$ ${command}`;
  const lines = plainResult(text.trim()).split('\n');
  return terminals.some((terminal) => {
    if (isCommand(terminal.command) || isCommand(commandIn(rawInput))) return true;
    const output = outputLines(terminal);
    return lines.every((line) => output.has(line.trim()));
  });
}

const outputLines = memoize(({screen, output}: TerminalState): ReadonlySet<string> => {
  const rows = screen?.rows.map((row) => row.map((run) => run.text).join(''));
  return new Set((rows ?? output.split('\n')).map((line) => line.trim()));
});
