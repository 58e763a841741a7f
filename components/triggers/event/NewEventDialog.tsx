import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { useInitialStart } from '@/components/ui/start-nodes/start-choices';
import type { TriggerDialogProps } from '../kinds/kind';
import {
  createEventDraft,
  eventPollBody,
  subscriptionBody,
  type EventPreset,
  type SubmittedEvent,
} from './event-draft';
import { EventForm } from './EventForm';

/** A new trigger by an event: a webhook that the service makes at the provider, or a poll. */
export function NewEventDialog({
  workflow: { id, status },
  preset,
  onGoLive,
  onClose,
}: Omit<TriggerDialogProps, 'preset'> & { preset: EventPreset }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const isNarrow = useMediaQuery('(max-width: 40em)') ?? false;
  const startNodeId = useInitialStart();
  const webhook = useMutation(trpc.webhooks.create.mutationOptions());
  const poll = useMutation(trpc.polls.create.mutationOptions());

  const create = async ({ draft, operation, service }: SubmittedEvent): Promise<void> => {
    const params = { id };
    if (operation) await poll.mutateAsync({ params, body: eventPollBody(draft, operation, service) });
    else {
      const subscription = subscriptionBody(draft, draft.credentialId ?? null);
      await webhook.mutateAsync({ params, body: { subscription, startNodeId: draft.startNodeId } });
    }
    void queryClient.invalidateQueries({ queryKey: trpc[operation ? 'polls' : 'webhooks'].list.queryKey() });
  };
  const add = useMutation({ mutationFn: create });
  /** A refusal is shown by the form. The trigger exists once, so the dialog is closed before the workflow goes live. */
  const submit = (submitted: SubmittedEvent, onAdded?: () => void) =>
    add.mutate(submitted, {
      onSuccess: () => {
        onClose();
        onAdded?.();
      },
    });
  return (
    <Modal opened onClose={onClose} title="New trigger" size="lg" fullScreen={isNarrow} closeOnClickOutside={false}>
      <EventForm
        workflowId={id}
        initial={createEventDraft(preset, startNodeId)}
        isNew
        mayChooseLater={status !== 'active'}
        action="Add trigger"
        isBusy={add.isPending}
        error={add.error}
        onSubmit={(submitted) => submit(submitted)}
        onGoLive={status === 'active' || !onGoLive ? undefined : (submitted) => submit(submitted, onGoLive)}
        onCancel={onClose}
      />
    </Modal>
  );
}
