import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import type { TriggerCardData } from '@/components/triggers/kinds/kind';
import { useWorkflowTriggers } from '@/components/triggers/useWorkflowTriggers';
import type { StartChoice } from '@/components/ui/start-nodes/start-choices';
import { notifications } from '@mantine/notifications';
import { useDraft } from '../draft/draft';

/**
 * A trigger without a start node begins at every one. When a second one is added, the triggers keep the start node that
 * they had: its id is stored with them.
 */
export function useKeepTriggerStarts(starts: readonly StartChoice[]): void {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const saved = useDraft((draft) => draft.saved);
  const triggers = useWorkflowTriggers(saved);
  const webhook = useMutation(trpc.webhooks.update.mutationOptions());
  const form = useMutation(trpc.forms.update.mutationOptions());
  const chat = useMutation(trpc.chats.update.mutationOptions());
  const schedule = useMutation(trpc.schedules.update.mutationOptions());
  const poll = useMutation(trpc.polls.update.mutationOptions());

  const store = ({ kind, id: ofKind }: TriggerCardData, startNodeId: string): Promise<unknown> | undefined => {
    const { id } = saved;
    const body = { startNodeId };
    if (kind === 'webhook') return webhook.mutateAsync({ params: { id, webhookId: ofKind }, body });
    if (kind === 'form') return form.mutateAsync({ params: { id, formId: ofKind }, body });
    if (kind === 'chat') return chat.mutateAsync({ params: { id, chatId: ofKind }, body });
    if (kind === 'schedule') return schedule.mutateAsync({ params: { id, scheduleId: ofKind }, body });
    if (kind === 'poll' || kind === 'mail') return poll.mutateAsync({ params: { id, pollId: ofKind }, body });
    return undefined;
  };
  const keep = useEffectEvent(async (startNodeId: string) => {
    const open = (triggers ?? []).filter((trigger) => trigger.startNodeId === null);
    const stored = await Promise.allSettled(open.flatMap((trigger) => store(trigger, startNodeId) ?? []));
    if (stored.length > 0) refresh();
    const refused = stored.find((one) => one.status === 'rejected');
    if (refused)
      notifications.show({
        color: 'madder',
        title: 'Triggers begin at both start nodes',
        message: `Choose where they start: ${apiErrorSentence(refused.reason)}`,
      });
  });

  const only = useRef<string>(undefined);
  const isChoice = starts.length > 1;
  const first = starts[0]?.id;
  useEffect(() => {
    if (isChoice && only.current !== undefined) void keep(only.current);
    only.current = isChoice ? undefined : first;
  }, [isChoice, first]);
}
