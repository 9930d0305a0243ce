import {runInNewContext} from 'node:vm';
import type {Field, FormContent} from '../../session/forms/form-schema.ts';

/** Time limit for all patterns of a form, in milliseconds: a regular expression of an agent may never finish. */
const TIMEOUT_MS = 1000;

/**
 * Returns the fields whose text does not match the agent's pattern, as problems by field id. Invalid or slow patterns are ignored: the agent has to validate
 * the answers anyway.
 */
export function patternProblems(fields: readonly Field[], content: FormContent): ReadonlyMap<string, string> {
  const problems = new Map<string, string>();
  const until = performance.now() + TIMEOUT_MS;
  for (const field of fields) {
    const text = Object.hasOwn(content, field.id) ? content[field.id] : undefined;
    if (field.type !== 'text' || field.pattern === undefined || typeof text !== 'string') continue;
    if (fits(field.pattern, text, until) === false)
      problems.set(field.id, 'Does not match the pattern that the agent requires.');
  }
  return problems;
}

/** Undefined if undecidable. JSON Schema uses JavaScript's regular expressions, so they run here, with a time limit. */
function fits(pattern: string, text: string, until: number): boolean | undefined {
  const timeout = Math.floor(until - performance.now());
  if (timeout < 1) return undefined;
  for (const flags of ['u', '']) {
    try {
      const found: unknown = runInNewContext(
        'new RegExp(pattern, flags).test(text)',
        {pattern, flags, text},
        {timeout},
      );
      return found === true;
    } catch (error) {
      if (!isSyntaxError(error)) return undefined;
    }
  }
  return undefined;
}

/** The error comes from another context, which has its own classes. */
function isSyntaxError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'SyntaxError';
}
