import type { AlertEvent, AlertWebhookPayload } from '@/contract/alert';

const ALERT_EVENT_PHRASES: Record<AlertEvent, string> = {
  run_failed: 'a run failed',
  first_failure: 'runs began to fail',
  run_recovered: 'runs succeed again',
  schedule_missed: 'a scheduled run did not start, or a poll failed',
  credential_expired: 'the credential has expired',
};

/** User text in a subject: one line, not too long. */
const subjectLine = (text: string) => text.replace(/[\p{C}\s]+/gu, ' ').slice(0, 150);

/** The mail of a notice. */
export function alertMailText({ event, workflow, execution, credential, at }: AlertWebhookPayload): {
  subject: string;
  text: string;
} {
  const name = subjectLine(workflow?.name ?? credential?.name ?? 'Workspace');
  const subject = `${name}: ${ALERT_EVENT_PHRASES[event]}`;
  const text = [
    `${subject}.`,
    '',
    `Time: ${at}`,
    ...(execution?.error ? [`Error: ${execution.error.code}: ${execution.error.message}`] : []),
    ...(execution ? [`Run: ${execution.url}`] : []),
    '',
    'You get this mail because an alert of your workspace names your address. Alerts are in the settings of the workspace.',
  ].join('\n');
  return { subject, text };
}
