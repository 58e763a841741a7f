import type { ExecutionSummary, TriggerType } from '@/contract/execution';

/** Labels of the triggers. */
export const TRIGGER_LABELS: Record<TriggerType, string> = {
  manual: 'Manual',
  webhook: 'Webhook',
  schedule: 'Schedule',
  poll: 'Poll',
  form: 'Form',
  chat: 'Chat',
  sub_workflow: 'Sub-workflow',
  rerun: 'Repeated run',
  error: 'Failed run',
  test: 'Test',
};

export type TriggeredRun = Pick<ExecutionSummary, 'trigger' | 'originalTrigger' | 'rerunOf'>;

/** What started a run, or the run that it repeats. */
export const runTriggerLabel = ({ trigger, originalTrigger }: TriggeredRun): string =>
  TRIGGER_LABELS[originalTrigger ?? trigger];
