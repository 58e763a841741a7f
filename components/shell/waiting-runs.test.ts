import { expect, it } from 'vitest';
import { describeWaitingRuns } from './waiting-runs';

it('leads to the only run that waits, or to the list of those that do', () => {
  expect(describeWaitingRuns(1, 'exec_1')).toEqual({
    label: '1 run waits for a decision',
    badge: '1',
    href: '/executions/exec_1',
  });
  expect(describeWaitingRuns(120, 'exec_1')).toEqual({
    label: '120 runs wait for a decision',
    badge: '99+',
    href: '/executions?status=paused',
  });
});
