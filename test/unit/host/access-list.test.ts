import {expect, test} from 'vitest';
import {marksAccessList} from '../../../src/host/files/write-file.ts';

test('an access list is detected by the plus after the mode, and by its entries', () => {
  expect(marksAccessList('-rw-rw-r--+ 1 root root 3 Nov 21 12:47 f\n')).toBe(true);
  expect(marksAccessList('-rw-rw-r-- 1 root root 3 Nov 21 12:47 f+\n')).toBe(false);
  expect(marksAccessList('-rw-rw-r--. 1 root root 3 Nov 21 12:47 f\n')).toBe(false);
  const onMac = '-rw-r--r--@ 1 me staff 3 Nov 21 12:47 f\n';
  expect(marksAccessList(onMac)).toBe(false);
  expect(marksAccessList(`${onMac} 0: group:everyone allow read\n`)).toBe(true);
  expect(marksAccessList('')).toBe(false);
});
