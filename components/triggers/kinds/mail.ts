import { IconInbox } from '@tabler/icons-react';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import type { TriggerKind } from './kind';

/** New messages of a mailbox. Such a trigger is a poll. */
export const mailTriggerKind: TriggerKind = {
  kind: 'mail',
  label: 'New email',
  icon: IconInbox,
  offer: {
    description: 'Starts the workflow for new messages of a mailbox.',
    synonyms: [
      'mail trigger',
      'email trigger',
      'imap',
      'imap trigger',
      'inbox',
      'mailbox',
      'incoming email',
      'receive email',
      'gmail trigger',
      'outlook trigger',
      'attachment',
      'trigger',
    ],
  },
  Dialog: lazyWithPreload(() => import('../poll/MailTriggerDialog').then((module) => module.MailTriggerDialog)),
};
