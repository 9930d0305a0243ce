import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {ContentKind} from '../../../../src/session/content/content-items.ts';
import {fileName} from '../../../../src/session/content/content-names.ts';
import {hasSignature, viewerOf} from '../../../../src/session/content/content-types.ts';
import {anyText} from '../../../support/session/arbitrary.ts';

const named = (name: string, mimeType?: string, kind: ContentKind = 'blob') =>
  fileName({name, mimeType, kind});

describe('the name of a saved file', () => {
  test.each([
    ['chart.png', 'image/png', 'chart.png'],
    ['photo.JPEG', 'image/jpeg', 'photo.JPEG'],
    ['evil.sh', 'image/png', 'evil.sh.png'],
    ['image', 'image/png', 'image.png'],
    ['image', 'image/svg+xml', 'image.svg'],
    ['logo.svg', 'image/svg+xml; charset=utf-8', 'logo.svg'],
    ['report.xlsx', 'application/vnd.ms-excel', 'report.xlsx'],
    ['data', undefined, 'data.bin'],
    ['../../.ssh/authorized_keys', undefined, 'authorized_keys.bin'],
    ['..\\..\\a.exe', undefined, 'a.exe'],
    ['.bashrc', 'text/plain', 'bashrc'],
    ['-rf', 'text/plain', 'rf'],
    ['con.txt', 'text/plain', '_con.txt'],
    ['a:b|c*d', 'text/plain', 'a_b_c_d'],
    ['a\u202egnp.exe', 'text/plain', 'a_gnp.exe'],
    ['...', 'application/zip', 'blob.bin'],
    ['', undefined, 'blob.bin'],
  ])('%j of type %s is %j', (name, mimeType, file) => {
    expect(named(name, mimeType)).toBe(file);
  });

  test('keeps the extension of a text', () => {
    expect(named('a.ts', undefined, 'text')).toBe('a.ts');
    expect(named('Makefile', undefined, 'text')).toBe('Makefile');
  });

  test('is a short, visible name in one folder, whatever the agent calls it', () => {
    const types = fc.constantFrom(undefined, 'image/png', 'text/plain', 'application/zip', '__proto__');
    const hostile = fc.oneof(
      anyText,
      fc.string({unit: 'binary'}),
      fc.string({unit: fc.constantFrom('.', '/', '\\', '\0', ' ', '-', 'a', '😀', '\u0301', ':', '\n', '~')}),
      fc.constantFrom('NUL', 'com1.txt', 'constructor', '~/.netrc', 'a'.repeat(9000), '/etc/passwd'),
    );
    fc.assert(
      fc.property(hostile, types, (name, mimeType) => {
        const file = named(name, mimeType);
        expect(file).toMatch(/^[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}._ -]*$/u);
        expect(file).not.toMatch(/[. ]$/);
        expect(Buffer.byteLength(file)).toBeLessThan(256);
        expect(file).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
        expect(mimeType !== 'image/png' || /\.png$/i.test(file)).toBe(true);
      }),
    );
  });
});

describe('opening content', () => {
  test.each([
    ['image/png', 'system png'],
    ['IMAGE/PNG; charset=x', 'system png'],
    ['application/pdf', 'system pdf'],
    ['text/x-shellscript', 'editor txt'],
    ['text/html', 'editor txt'],
    ['image/svg+xml', 'editor txt'],
    ['text/markdown', 'editor md'],
    ['application/x-desktop', undefined],
    ['application/x-sh', 'editor txt'],
    ['application/zip', undefined],
    ['application/octet-stream', undefined],
    ['image/x-unknown', undefined],
    ['constructor', undefined],
    [undefined, undefined],
  ])('of type %s: %s', (mimeType, viewer) => {
    const found = viewerOf(mimeType);
    expect(found && `${found.kind} ${found.extension}`).toBe(viewer);
  });

  test.each([
    ['image/png', '\x89PNG\r\n\x1a\n', true],
    ['image/png', '#!/bin/sh\n', false],
    ['image/jpeg', '<html>', false],
    ['image/webp', 'RIFF....WEBP', true],
    ['audio/wav', 'RIFF....WEBP', false],
    ['application/pdf', '%PDF-1.7', true],
    ['application/pdf', '\n%PDF-1.7', false],
  ])('as %s, if it starts with %j: %s', (mimeType, head, fits) => {
    const viewer = viewerOf(mimeType);
    expect(viewer?.kind === 'system' && hasSignature(viewer, Buffer.from(head, 'latin1'))).toBe(fits);
  });
});
