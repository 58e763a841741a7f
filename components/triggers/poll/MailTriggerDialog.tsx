import { useNodeTypes } from '@/components/client/queries/useNodeTypes';
import type { TriggerDialogProps } from '../kinds/kind';
import { MAIL_NODE_TYPE } from './mail-node';
import { pollSourcePreset } from './poll-draft';
import { PollTriggerDialog } from './PollTriggerDialog';

/** The poll of a mailbox by its id, or a new one. */
export function MailTriggerDialog(props: TriggerDialogProps) {
  const kind = useNodeTypes().data?.find(({ type }) => type === MAIL_NODE_TYPE);
  if (!kind) return null;
  return <PollTriggerDialog {...props} preset={{ poll: { ...pollSourcePreset(kind), name: 'Inbox' } }} />;
}
