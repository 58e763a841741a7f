import { IconInbox } from '@tabler/icons-react';
import type { PollSourceNode } from '@/contract/triggers/poll';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import type { TriggerKind } from './kind';

/** The node type of polls that read a mailbox. */
export const MAIL_NODE_TYPE = 'read_email';
export const isMailNode = ({ type }: Pick<PollSourceNode, 'type'>): boolean => type === MAIL_NODE_TYPE;

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
