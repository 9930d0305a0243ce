import {randomUUID} from 'node:crypto';
import type {ElicitationAnswer} from '../../session/actions.ts';
import type {
  AnsweredQuestion,
  ElicitationQuestion,
  ElicitationOutcome,
} from '../../session/forms/form-request.ts';
import {isFreeAnswer, mayStoreAnswer, type FormContent} from '../../session/forms/form-schema.ts';
import {formatAnswer} from '../../session/forms/form-validation.ts';
import {type Interrupts, whenAborted} from '../interrupts.ts';
import type {ElicitationListener} from '../services.ts';

/** The result of an elicitation; `content` if it was accepted. */
export interface ElicitationResult {
  readonly outcome: ElicitationOutcome;
  readonly content: FormContent;
}

/** Elicitations that wait for an answer, and opened URLs that wait for their completion. */
export interface PendingElicitations {
  /** `elicitationId` identifies a URL for `complete`. */
  ask(
    asked: ElicitationQuestion,
    how: Interrupts & {readonly elicitationId?: string},
  ): Promise<ElicitationResult>;
  /** False if the id is not pending. */
  answer(id: string, answer: ElicitationAnswer): boolean;
  /** "Completion Notifications": unknown and completed ids are ignored. */
  complete(elicitationId: string): void;
  /** Discards opened URLs: their completion is no longer awaited. */
  forgetOpened(): void;
}

export function createPendingElicitations(listener: ElicitationListener): PendingElicitations {
  const waiting = new Map<string, (answer: ElicitationAnswer) => void>();
  /** Opened URLs: acp-tui's ids by the agent's, which may be the same for several. */
  const opened = new Map<string, string | undefined>();

  function complete(id: string): void {
    if (opened.delete(id)) listener.completed(id);
  }

  function settledBy(
    question: ElicitationQuestion,
    answer: ElicitationAnswer,
  ): ElicitationResult | undefined {
    switch (answer.kind) {
      case 'accepted':
        return {outcome: 'accepted', content: question.mode === 'form' ? answer.content : {}};
      case 'declined':
      case 'cancelled':
        return {outcome: answer.kind, content: {}};
      case 'done':
        return undefined;
    }
  }

  function ask(
    asked: ElicitationQuestion,
    {withdrawn, cancelled, elicitationId}: Interrupts & {readonly elicitationId?: string},
  ): Promise<ElicitationResult> {
    const id = randomUUID();
    const {promise, resolve} = Promise.withResolvers<ElicitationResult>();
    const over = new AbortController();
    // Settled synchronously, so that a second key press finds nothing to answer.
    const settle = (settled: ElicitationResult | undefined) => {
      if (!settled) return;
      over.abort();
      waiting.delete(id);
      const isAccepted = settled.outcome === 'accepted';
      if (isAccepted && asked.mode === 'url') opened.set(id, elicitationId);
      listener.resolved(id, settled.outcome, isAccepted ? answersOf(asked, settled.content) : []);
      resolve(settled);
    };
    listener.requested(id, asked);
    waiting.set(id, (answer) => settle(settledBy(asked, answer)));
    whenAborted(withdrawn, over.signal, () => settle({outcome: 'withdrawn', content: {}}));
    whenAborted(cancelled, over.signal, () => settle({outcome: 'cancelled', content: {}}));
    return promise;
  }

  return {
    ask,
    answer(id, answer) {
      const isOver = answer.kind === 'done' || answer.kind === 'cancelled';
      const answered = waiting.get(id);
      if (isOver && opened.has(id)) complete(id);
      else if (!answered) return false;
      else answered(answer);
      return true;
    },
    complete(elicitationId) {
      for (const [id, of] of opened) if (of === elicitationId) complete(id);
    },
    forgetOpened() {
      for (const id of opened.keys()) complete(id);
    },
  };
}

/** Returns the answers for the transcript: labels and values without secrets. */
export function answersOf(question: ElicitationQuestion, content: FormContent): readonly AnsweredQuestion[] {
  if (question.mode === 'url') return [];
  return question.fields.flatMap((field, index) => {
    const {description = '', id} = field;
    if (field.type === 'unknown') return [];
    const label = description.endsWith('?') ? description : field.label;
    const value = Object.hasOwn(content, id) ? content[id] : undefined;
    if (value === undefined) return isFreeAnswer(question.fields, index) ? [] : [{label}];
    return [
      mayStoreAnswer(field) ? {label, answer: formatAnswer(field, value)} : {label, isSecret: true as const},
    ];
  });
}
