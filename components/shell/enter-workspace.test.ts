import { expect, test } from 'vitest';
import { placeLike } from './enter-workspace';

test.each([
  ['/workflows', '/workflows'],
  ['/workflows/wf_1', '/workflows'],
  ['/executions/exec_1', '/executions'],
  ['/credentials/cred_1', '/credentials'],
  ['/settings/audit', '/settings/audit'],
  ['/', '/workflows'],
])('%s leads to %s', (from, to) => expect(placeLike(from)).toBe(to));
