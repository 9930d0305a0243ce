import {expect} from 'vitest';
import type * as z from 'zod/mini';

/** Parses JSON and makes sure that it holds no field that the schema does not know. */
export function exactly<T>(schema: z.ZodMiniType<T>, json: string): T {
  const value: unknown = JSON.parse(json);
  const parsed = schema.parse(value);
  expect(parsed).toEqual(value);
  return parsed;
}
