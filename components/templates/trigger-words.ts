import type { TemplateTrigger } from '@/contract/workflows/template';
import { MS_PER_MINUTE } from '@/contract/units';

/** How a trigger starts the workflow: the end of a sentence that begins with “Starts”. */
export function describeTrigger(trigger: TemplateTrigger): string {
  switch (trigger.kind) {
    case 'form':
      return `by the form “${trigger.settings.title}”`;
    case 'chat':
      return `by messages to the chat “${trigger.settings.title}”`;
    case 'schedule':
      return `by a schedule (${trigger.settings.cron})`;
    case 'poll':
      return describePollTrigger(trigger.settings);
    case 'webhook':
      return 'by a call of its webhook';
  }
}

function describePollTrigger({ node, intervalMs, cron }: (TemplateTrigger & { kind: 'poll' })['settings']): string {
  if (node.type === 'read_email') return 'by new messages of a mailbox';
  if (!intervalMs) return `by a poll (${cron ?? ''})`;
  const minutes = intervalMs / MS_PER_MINUTE;
  return minutes === 1 ? 'by a poll every minute' : `by a poll every ${minutes} minutes`;
}
