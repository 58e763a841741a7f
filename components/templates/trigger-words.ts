import type { TemplateTrigger } from '@/contract/workflows/template';

const MINUTE = 60_000;

/** How a trigger starts the workflow: the end of a sentence that begins with “Starts”. */
export function triggerWords(trigger: TemplateTrigger): string {
  switch (trigger.kind) {
    case 'form':
      return `by the form “${trigger.settings.title}”`;
    case 'chat':
      return `by messages to the chat “${trigger.settings.title}”`;
    case 'schedule':
      return `by a schedule (${trigger.settings.cron})`;
    case 'poll':
      return trigger.settings.intervalMs
        ? `by a poll every ${trigger.settings.intervalMs / MINUTE} minutes`
        : `by a poll (${trigger.settings.cron ?? ''})`;
    case 'webhook':
      return 'by a call of its webhook';
  }
}
