import type { ExecutionSummary, Trigger } from '@/contract/execution';

/** Labels of the triggers. */
export const TRIGGER_WORDS: Record<Trigger, string> = {
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

export type Triggered = Pick<ExecutionSummary, 'trigger' | 'originalTrigger' | 'rerunOf'>;

/** What started a run, or the run that it repeats. */
export const triggerWord = ({ trigger, originalTrigger }: Triggered): string =>
  TRIGGER_WORDS[originalTrigger ?? trigger];
