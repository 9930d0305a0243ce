import type * as acp from '@agentclientprotocol/sdk/unstable';
import {holdsCommand} from '../session/requests/command-fields.ts';
import {type Question, readQuestions} from '../session/requests/user-questions.ts';
import {isJsonObject, type JsonObject} from '../text/json.ts';
import {textOfPart} from '../session/transcript/content.ts';

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
  readonly content?: readonly acp.ToolCallContent[] | null;
  readonly locations?: readonly unknown[] | null;
  readonly rawInput?: unknown;
  readonly title?: string | null;
}

/**
 * Returns the questions of a permission request that only asks questions, and whose form shows all that it says; undefined for any other request, whatever it
 * claims to be. `known` is the state of its tool call before the request.
 */
export function userQuestions(
  request: acp.RequestPermissionRequest,
  known?: ShownCall,
): UserQuestions | undefined {
  const questions = listedQuestions(request, known) ?? choice(request, known);
  const {toolCall} = request;
  const shown = textsIn(questions?.form).join('\n');
  // A word names no file or address: `source: "remember"` among the metadata.
  const isShown = (text: string) => /^[\w -]*$/.test(text) || shown.includes(text);
  const said = [toolCall.content ?? known?.content, toolCall.rawInput ?? known?.rawInput];
  return textsIn(said).every(isShown) ? questions : undefined;
}

/** Returns all texts in a value, also the names of its fields. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.entries(value).flat().flatMap(textsIn) : [];
}

const ANSWER = 'answer';

/** A question whose answers are the options: several of them allow once, which would all be the same permission (Nanocoder). */
function choice(
  {sessionId, toolCall, options}: acp.RequestPermissionRequest,
  known: ShownCall | undefined,
): UserQuestions | undefined {
  const answers = options.filter(({kind}) => kind === 'allow_once');
  const reject = options.find(({kind}) => kind === 'reject_once');
  const isChoice = answers.length > 1 && options.every(({kind}) => kind.endsWith('_once'));
  if (!isChoice || !onlyAsks(toolCall) || (known && !onlyAsks(known))) return undefined;
  const input = toolCall.rawInput ?? known?.rawInput;
  const asked = isJsonObject(input) ? input['question'] : undefined;
  const message = [
    ...new Set([
      toolCall.title ?? known?.title,
      asked,
      ...(toolCall.content ?? known?.content ?? []).map(textOfPart),
    ]),
  ]
    .filter((text) => typeof text === 'string' && text.trim() !== '')
    .join('\n\n');
  const oneOf = answers.map(({optionId, name}) => ({const: optionId, title: name}));
  return {
    form: {
      mode: 'form',
      sessionId,
      toolCallId: toolCall.toolCallId,
      message,
      requestedSchema: {
        type: 'object',
        properties: {[ANSWER]: {type: 'string', title: 'Answer', oneOf}},
        required: [ANSWER],
      },
    },
    respond(given) {
      if (given?.action !== 'accept') return rejected(given, reject);
      const optionId = isJsonObject(given['content']) ? given['content'][ANSWER] : undefined;
      return typeof optionId === 'string'
        ? {outcome: {outcome: 'selected', optionId}}
        : {outcome: {outcome: 'cancelled'}};
    },
  };
}

/** The response to questions that were not answered; undefined if there is no user. */
function rejected(
  answer: acp.CreateElicitationResponse | undefined,
  reject: acp.PermissionOption | undefined,
): AnsweredQuestions {
  const isCancelled = answer !== undefined && answer.action !== 'decline';
  return reject && !isCancelled
    ? {outcome: {outcome: 'selected', optionId: reject.optionId}}
    : {outcome: {outcome: 'cancelled'}};
}

/** Questions in a list of their own (Qwen Code: `_meta.qwenInteractionKind`, fixtures/wire/qwen-ask.ndjson). */
function listedQuestions(
  {sessionId, toolCall, options}: acp.RequestPermissionRequest,
  known: ShownCall | undefined,
): UserQuestions | undefined {
  const questions = questionsIn(toolCall._meta);
  const submit = options.find(({kind}) => kind === 'allow_once');
  if (!questions || !submit || !onlyAsks(toolCall) || (known && !onlyAsks(known))) return undefined;
  const reject = options.find(({kind}) => kind === 'reject_once');
  const [first] = questions;
  const isSingle = questions.length === 1;
  const properties = Object.fromEntries(
    questions.flatMap((question, index) => Object.entries(propertiesOf(question, {index, isSingle}))),
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
          answers: answersOf(questions, isJsonObject(answer['content']) ? answer['content'] : {}),
        };
      return rejected(answer, reject);
    },
  };
}

const ASKING: ReadonlySet<unknown> = new Set(['think', 'other', undefined, null]);
const ASKING_INPUT: ReadonlySet<string> = new Set(['question', 'questions', 'options', 'metadata']);

/** True if allowing it reads, writes or runs nothing. */
function onlyAsks({kind, content, locations, rawInput}: ShownCall): boolean {
  const input = rawInput === undefined || rawInput === null ? {} : rawInput;
  return (
    ASKING.has(kind) &&
    (content ?? []).every(({type}) => type === 'content') &&
    (locations ?? []).length === 0 &&
    isJsonObject(input) &&
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

function answersOf(questions: readonly Question[], content: JsonObject): Readonly<Record<string, string>> {
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
