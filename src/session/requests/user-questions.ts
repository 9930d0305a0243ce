import {isJsonObject, jsonOf, type JsonObject} from '../../text/json.ts';
import type {ToolCallEntry} from '../entries.ts';
import {withoutFence} from '../labels/result-text.ts';
import {toolEnding} from '../labels/tool-labels.ts';
import {memoize} from '../memoize.ts';
import {textOfPart} from '../transcript/content.ts';

/** A question of a tool that asks the user, such as AskUserQuestion. */
export interface Question {
  readonly question: string;
  readonly header: string | undefined;
  readonly options: readonly {readonly label: string; readonly description: string | undefined}[];
  readonly isMultiple: boolean;
}

/** Fields of an input that only asks: what is asked, and what became of it. */
const ASKING: ReadonlySet<string> = new Set(['questions', 'metadata', 'answers', 'annotations']);
/** Those of an input that is one question. */
const OF_QUESTION: ReadonlySet<string> = new Set(['question', 'header', 'options', 'multiSelect']);

/** Returns the questions of a call whose input holds nothing else; empty for any other call. */
export const questionsOf = memoize((entry: ToolCallEntry): readonly Question[] => {
  const input = inputOf(entry);
  if (!isJsonObject(input)) return [];
  const hasOnly = (names: ReadonlySet<string>) => Object.keys(input).every((name) => names.has(name));
  if (hasOnly(OF_QUESTION)) return readQuestions([input]) ?? [];
  return (hasOnly(ASKING) && readQuestions(input['questions'])) || [];
});

/** True for a call whose questions a form has asked: the entry of its answer has both. */
export function isAskedByForm(entry: ToolCallEntry): boolean {
  return entry.isAsked === true && toolEnding(entry) !== 'failed' && questionsOf(entry).length > 0;
}

/** Some agents send the input as JSON text. */
function inputOf({rawInput, content}: ToolCallEntry): unknown {
  const [part, ...others] = content;
  if (isJsonObject(rawInput) && Object.keys(rawInput).length > 0) return rawInput;
  const text = textOfPart(part);
  return text === undefined || others.length > 0 ? undefined : jsonOf(withoutFence(text.trim()));
}

/** Reads a list of questions; undefined if one of them is not understood. */
export function readQuestions(raw: unknown): readonly Question[] | undefined {
  if (!Array.isArray(raw) || raw.length === 0) return undefined;
  const questions = raw.map(readQuestion);
  return questions.every((question) => question !== undefined) ? questions : undefined;
}

function readQuestion(raw: unknown): Question | undefined {
  if (!isJsonObject(raw) || typeof raw['question'] !== 'string' || !Array.isArray(raw['options']))
    return undefined;
  const {question, header, options, multiSelect} = raw as JsonObject & {question: string; options: unknown[]};
  const read = options.flatMap((option) => {
    if (typeof option === 'string') return {label: option, description: undefined};
    if (!isJsonObject(option)) return [];
    const {label, description} = option;
    return {label: String(label), description: typeof description === 'string' ? description : undefined};
  });
  return {
    question,
    header: typeof header === 'string' ? header : undefined,
    options: read,
    isMultiple: multiSelect === true,
  };
}
