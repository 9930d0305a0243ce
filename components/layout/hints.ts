import type {Theme} from '../theme/theme.tsx';

/** A key as keymap/key-names.ts writes it. Digits are counts, and capitals words. */
const KEY =
  /^(?:(?:Ctrl|Alt|Shift)\+\S+|Esc|Enter|Tab|Space|PgUp|PgDn|Home|End|Backspace|Delete|F\d{1,2}|[^\s\d\p{Lu}])$/u;

/** Returns key hints, such as `Enter select · Esc close`: the keys bright, the words dim. */
export function styledHint(text: string, {paint}: Pick<Theme, 'paint'>): string {
  const parts = text.split(' · ').map((part) => {
    // "Ask anything… / commands"
    const [, lead = '', hint = part] = /^(.*… )(.+)$/su.exec(part) ?? [];
    const words = hint.split(' ');
    const keys = words.findIndex((word) => !KEY.test(word));
    if (keys <= 0) return paint.dim(part);
    const before = lead === '' ? '' : paint.dim(lead);
    return `${before}${words.slice(0, keys).join(' ')}${paint.dim(` ${words.slice(keys).join(' ')}`)}`;
  });
  return parts.join(paint.dim(' · '));
}
