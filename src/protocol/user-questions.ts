import type * as acp from '@agentclientprotocol/sdk/unstable';
import {holdsCommand} from '../session/requests/command-fields.ts';
import {type Question, readQuestions} from '../session/requests/user-questions.ts';
import {isFields, type Fields} from '../text/json.ts';

/** Questions sent as a permission request: the form that asks them, and the response in the agent's format. */
interface UserQuestions {
  readonly form: acp.CreateElicitationRequest;
  /** Undefined if there is no user. */
  respond(answer: acp.CreateElicitationResponse | undefined): AnsweredQuestions;
}

/** Qwen Code reads `answers`: the answers as text, by the index of the question from "0". */
type AnsweredQuestions = acp.RequestPermissionResponse & {
  readonly answers?: Readonly<Record<string, string>>;
};

/** Fields of a tool call that show that it does more than ask. */
interface ShownCall {
  readonly kind?: acp.ToolKind | null;
  readonly content?: readonly Pick<acp.ToolCallContent, 'type'>[] | null;
  readonly locations?: readonly unknown[] | null;
  readonly rawInput?: unknown;
}

/**
 * Returns the questions of a permission request that only asks questions (Qwen Code: `_meta.qwenInteractionKind`, fixtures/wire/qwen-ask.ndjson); undefined
 * for any other request, whatever it claims to be. `known` is the state of its tool call before the request.
 */
export function userQuestions(
  {sessionId, toolCall, options}: acp.RequestPermissionRequest,
  known?: ShownCall,
): UserQuestions | undefined {
  const questions = questionsIn(toolCall._meta);
  const submit = options.find(({kind}) => kind === 'allow_once');
  if (!questions || !submit || !onlyAsks(toolCall) || (known && !onlyAsks(known))) return undefined;
  const reject = options.find(({kind}) => kind === 'reject_once');
  const [first] = questions;
  const isSingle = questions.length === 1;
  const properties = Object.assign(
    {},
    ...questions.map((question, index) => propertiesOf(question, {index, isSingle})),
  );
  return {
    form: {
      mode: 'form',
      sessionId,
      toolCallId: toolCall.toolCallId,
      message: isSingle && first ? first.question : (toolCall.title ?? ''),
      requestedSchema: {type: 'object', properties},
    },
    respond(answer) {
      if (answer?.action === 'accept')
        return {
          outcome: {outcome: 'selected', optionId: submit.optionId},
          answers: answersOf(questions, isFields(answer['content']) ? answer['content'] : {}),
        };
      const isCancelled = answer !== undefined && answer.action !== 'decline';
      return reject && !isCancelled
        ? {outcome: {outcome: 'selected', optionId: reject.optionId}}
        : {outcome: {outcome: 'cancelled'}};
    },
  };
}

const ASKING: ReadonlySet<unknown> = new Set(['think', 'other', undefined, null]);
const ASKING_INPUT: ReadonlySet<string> = new Set(['questions', 'metadata']);

/** True if allowing it reads, writes or runs nothing. */
function onlyAsks({kind, content, locations, rawInput}: ShownCall): boolean {
  const input = rawInput === undefined || rawInput === null ? {} : rawInput;
  return (
    ASKING.has(kind) &&
    (content ?? []).every(({type}) => type === 'content') &&
    (locations ?? []).length === 0 &&
    isFields(input) &&
    Object.keys(input).every((field) => ASKING_INPUT.has(field)) &&
    !holdsCommand({rawInput})
  );
}

function questionsIn(meta: acp.ToolCallUpdate['_meta']): readonly Question[] | undefined {
  if (meta?.['qwenInteractionKind'] !== 'user_question') return undefined;
  return readQuestions(meta['qwenQuestions']);
}

/** The choice, and a text field beside it, since another answer is always possible. */
function propertiesOf(
  {question, header, options, isMultiple}: Question,
  {index, isSingle}: {readonly index: number; readonly isSingle: boolean},
): Readonly<Record<string, unknown>> {
  const title = header ?? question;
  const described = isSingle || header === undefined ? {title} : {title, description: question};
  const choices = options.map(({label, description}) => ({const: label, title: label, description}));
  const choice = isMultiple
    ? {...described, type: 'array', items: {anyOf: choices}}
    : {...described, type: 'string', oneOf: choices};
  const other = {
    type: 'string',
    title: 'Other',
    description: `Your own answer, ${isMultiple ? 'in addition to what is selected' : 'or more about what is selected'}`,
  };
  return {...(options.length > 0 && {[choiceKey(index)]: choice}), [otherKey(index)]: other};
}

function answersOf(questions: readonly Question[], content: Fields): Readonly<Record<string, string>> {
  const answers = questions.map((_, index) =>
    [content[choiceKey(index)], content[otherKey(index)]]
      .flat()
      .filter((part) => typeof part === 'string' && part.trim() !== '')
      .join(', '),
  );
  return Object.fromEntries(
    answers.flatMap((answer, index) => (answer === '' ? [] : [[String(index), answer]])),
  );
}

function choiceKey(index: number): string {
  return `question_${index}`;
}

function otherKey(index: number): string {
  return `question_${index}_other`;
}
