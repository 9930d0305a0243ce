import {expect} from 'vitest';
import type * as z from 'zod/mini';

/** Parses JSON and checks that it contains no field unknown to the schema. */
export function exactly<T>(schema: z.ZodMiniType<T>, json: string): T {
  const value: unknown = JSON.parse(json);
  const parsed = schema.parse(value);
  expect(parsed).toEqual(value);
  return parsed;
}
