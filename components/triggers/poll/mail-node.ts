import type { PollSourceNode } from '@/contract/triggers/poll';

/** The node type of polls that read a mailbox. */
export const MAIL_NODE_TYPE = 'read_email';
export const isMailNode = ({ type }: Pick<PollSourceNode, 'type'>): boolean => type === MAIL_NODE_TYPE;
