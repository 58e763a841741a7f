import type { AlertResponse, AlertEvent } from '@/contract/alert';

/** Labels of the events. */
export const ALERT_EVENT_LABELS: Record<AlertEvent, string> = {
  run_failed: 'A run failed',
  first_failure: 'Runs begin to fail',
  run_recovered: 'Runs succeed again',
  schedule_missed: 'A scheduled run did not start, or a poll failed',
  credential_expired: 'A credential expired',
};

/** Where an alert is sent. */
export const alertTargetText = ({ to }: Pick<AlertResponse, 'to'>): string =>
  'emails' in to ? to.emails.join(', ') : to.webhook;
