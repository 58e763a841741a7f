import type { Trigger } from '@/contract/execution';

/** Labels of the triggers. */
export const TRIGGER_WORDS: Record<Trigger, string> = {
  manual: 'Manual',
  webhook: 'Webhook',
  schedule: 'Schedule',
  poll: 'Poll',
  form: 'Form',
  sub_workflow: 'Sub-workflow',
  rerun: 'Rerun',
  error: 'Failed run',
  test: 'Test',
};
