import {expect, test} from 'vitest';
import {linkParts, linkWarnings} from '../../../../src/session/forms/form-request.ts';

const warned = (href: string, unicodeHost?: string) =>
  linkWarnings({href, host: new URL(href).host, ...(unicodeHost !== undefined && {unicodeHost})});

test.each([
  'https://example.com/',
  'https://192.0.2.1/',
  'http://localhost:3000/',
  'http://127.0.0.1/',
  'http://[::1]:80/',
  'http://app.localhost/',
])('%s causes no warning', (href) => {
  expect(warned(href)).toEqual([]);
});

test.each([
  ['http://example.com/', undefined, 'Not https'],
  ['http://127.0.0.1.example.com/', undefined, 'Not https'],
  ['https://xn--pple-43d.com/', 'аpple.com', 'reads аpple.com'],
  ['https://github.com@evil.example/', undefined, 'before an @'],
])('%s causes a warning', (href, unicodeHost, words) => {
  expect(warned(href, unicodeHost).join()).toContain(words);
});

test.each([
  ['https://example.com:8080/a/example.com?b#c', ['https://', 'example.com:8080', '/a/example.com?b#c']],
  ['https://github.com@evil.example/x', ['https://github.com@', 'evil.example', '/x']],
  ['http://[::1]:80/', ['http://', '[::1]', '/']],
  ['https://a.example?q=https://b.example/', ['https://', 'a.example', '/?q=https://b.example/']],
])('the host of %s is highlighted', (address, parts) => {
  const {href, host} = new URL(address);
  expect(linkParts({href, host})).toEqual(parts);
});
