import {runInNewContext} from 'node:vm';
import type {Field, FormContent} from '../../session/forms/form-schema.ts';

/** How long all patterns of a form may take together, in milliseconds: an agent's expression may never come to an end. */
const TIMEOUT_MS = 1000;

/**
 * The texts of a form that their agent's patterns do not fit, as problems by field id. A pattern that is none, or that takes too
 * long, is left to the agent, which has to check what it gets anyway.
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

/** Undefined if undecidable. JSON Schema uses JavaScript's regular expressions, so they run here, but can be stopped. */
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

/** It comes from another context, with its own classes. */
function isSyntaxError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'SyntaxError';
}
