import {bracketed} from './paste-collector.ts';

/** A burst this long was probably cut by a read buffer, so that even a lone line end behind it still belongs to it. */
const LONG_BURST = 1000;

/** Tells typed text and Enter from text that was pasted without brackets; see `createInputFilter` for the rules. */
export interface Burst {
  /** Takes text without other control characters than tabs and line ends. Returns what is certain already. */
  add(text: string, end: 'may_go_on' | 'ended'): readonly string[];
  /** Returns what was held back: nothing more belongs to it. */
  take(): readonly string[];
  isOpen(): boolean;
  isLong(): boolean;
}

export function createBurst(): Burst {
  let held = '';

  function take(): readonly string[] {
    const text = held;
    held = '';
    if (text === '') return [];
    // A key that is held down, read late: a paste is hardly ever nothing but carriage returns, or nothing but tabs.
    if (/^(?:\r+|\t+)$/.test(text)) return text.split('');
    return [/^(?:\r\n|[\n\t])$/.test(text) ? text.charAt(0) : bracketed(text)];
  }

  function start(text: string): readonly string[] {
    const [, typed, end = ''] = /^([^\r\n\t]*)(\r\n|[\r\n\t])?$/.exec(text) ?? [];
    if (typed === undefined) {
      held = text;
      return [];
    }
    held = end;
    const isKeyAlone = typed === '' || end === '\t';
    return [...(typed === '' ? [] : [typed]), ...(isKeyAlone ? take() : [])];
  }

  function goOn(text: string): readonly string[] {
    held += text;
    return [];
  }

  return {
    add(text, end) {
      const certain = held === '' ? start(text) : goOn(text);
      return end === 'ended' ? [...certain, ...take()] : certain;
    },
    take,
    isOpen: () => held !== '',
    isLong: () => held.length >= LONG_BURST,
  };
}
