import {decodeHTMLStrict} from 'entities/decode';
import {sanitize} from '../sanitize.ts';

/** Text with its character references decoded, and sanitized again: `&#27;` is as hostile as an escape character. */
export function decodeEntities(text: string): string {
  return sanitize(text.includes('&') ? decodeHTMLStrict(text) : text);
}
