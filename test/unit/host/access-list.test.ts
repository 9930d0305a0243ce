import {expect, test} from 'vitest';
import {marksAccessList} from '../../../src/host/files/write-file.ts';

test('an access list is detected by the plus after the mode', () => {
  expect(marksAccessList('-rw-rw-r--+ 1 root root 3 Nov 21 12:47 f\n')).toBe(true);
  expect(marksAccessList('-rw-rw-r-- 1 root root 3 Nov 21 12:47 f+\n')).toBe(false);
  expect(marksAccessList('-rw-rw-r--. 1 root root 3 Nov 21 12:47 f\n')).toBe(false);
  expect(marksAccessList('')).toBe(false);
});
