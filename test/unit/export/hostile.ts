import * as fc from 'fast-check';

/** What would be active in a browser if unescaped. */
const PIECES = [
  '<script>alert(1)</script>',
  '</script>',
  '</style><script>',
  '</title>',
  '</pre>',
  '</details>',
  '<img src=x onerror=alert(1)>',
  '<iframe src="https://evil.example">',
  '<svg/onload=alert(1)>',
  '<!--',
  '-->',
  '<![CDATA[',
  '" onmouseover="alert(1)',
  "' style='position:fixed",
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '&#106;avascript:alert(1)',
  'java&Tab;script:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  '[x](javascript:alert(1))',
  '![x](https://evil.example/pixel.png)',
  '<javascript:alert(1)>',
  '[a]: javascript:alert(1) "t"\n\n[a]',
  'https://example.com/?a="><script>',
  '<a href="javascript:alert(1)">',
  '```html\n<b>',
  '~~~"><script>\n',
  '| a | b |\n|---|---|\n| <b> | `<i>` |',
  '&lt;script&gt;',
  '&amp;lt;b&amp;gt;',
  '\u0000',
  '\u001b[31m',
  '\u202e',
  '\n\n',
  '> ',
  '- [ ] ',
  '# ',
  '<b>',
  '*',
  '`',
  '\\',
  'image/svg+xml',
];

/** Fragments of that, in any order, within any text. */
export const hostileText = fc
  .array(
    fc.oneof({weight: 4, arbitrary: fc.constantFrom(...PIECES)}, fc.string({unit: 'binary', maxLength: 6})),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((parts) => parts.join(''));
