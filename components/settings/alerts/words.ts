import type { Alert, AlertEvent } from '@/contract/alert';

/** Labels of the events. */
export const EVENT_WORDS: Record<AlertEvent, string> = {
  run_failed: 'A run failed',
  first_failure: 'Runs begin to fail',
  run_recovered: 'Runs succeed again',
  schedule_missed: 'A scheduled run did not start, or a poll failed',
  credential_expired: 'A credential expired',
};

/** Where an alert is sent. */
export const targetText = ({ to }: Pick<Alert, 'to'>): string => ('emails' in to ? to.emails.join(', ') : to.webhook);
