import {decodeHTMLStrict} from 'entities/decode';
import {sanitize} from '../sanitize.ts';

/** Decodes character references and sanitizes the result: `&#27;` is as dangerous as an escape character. */
export function decodeEntities(text: string): string {
  return sanitize(text.includes('&') ? decodeHTMLStrict(text) : text);
}
