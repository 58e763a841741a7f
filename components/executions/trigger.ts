import type { Trigger } from '@/contract/execution';

/** What started a run, in words. */
export const TRIGGER_WORDS: Record<Trigger, string> = {
  manual: 'By hand',
  webhook: 'Webhook',
  schedule: 'Schedule',
  sub_workflow: 'Another workflow',
  rerun: 'Run again',
};
