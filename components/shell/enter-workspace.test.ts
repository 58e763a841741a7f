import { expect, test } from 'vitest';
import { pathInOtherWorkspace } from './enter-workspace';

test.each([
  ['/workflows', '/workflows'],
  ['/workflows/wf_1', '/workflows'],
  ['/executions/exec_1', '/executions'],
  ['/credentials/cred_1', '/credentials'],
  ['/settings/audit', '/settings/audit'],
  ['/', '/workflows'],
])('%s leads to %s', (from, to) => expect(pathInOtherWorkspace(from)).toBe(to));
