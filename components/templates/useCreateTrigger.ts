import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { TemplateTrigger } from '@/contract/workflows/template';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';

/** Creates a trigger. The workflow is useful without it, so a refusal is only reported. */
export function useCreateTrigger() {
  const trpc = useTRPC();
  const webhook = useMutation(trpc.webhooks.create.mutationOptions());
  const form = useMutation(trpc.forms.create.mutationOptions());
  const chat = useMutation(trpc.chats.create.mutationOptions());
  const schedule = useMutation(trpc.schedules.create.mutationOptions());
  const poll = useMutation(trpc.polls.create.mutationOptions());

  const perform = async (id: string, trigger: TemplateTrigger) => {
    const params = { id };
    if (trigger.kind === 'form') await form.mutateAsync({ params, body: trigger.settings });
    if (trigger.kind === 'chat') await chat.mutateAsync({ params, body: trigger.settings });
    if (trigger.kind === 'schedule') await schedule.mutateAsync({ params, body: trigger.settings });
    if (trigger.kind === 'poll') await poll.mutateAsync({ params, body: trigger.settings });
    if (trigger.kind !== 'webhook') return undefined;
    const { url, secret } = await webhook.mutateAsync({ params, body: trigger.settings });
    return secret === undefined ? undefined : { url, secret };
  };

  return async (id: string, trigger: TemplateTrigger): Promise<{ url: string; secret: string } | undefined> => {
    try {
      return await perform(id, trigger);
    } catch (error) {
      notifications.show({
        color: 'madder',
        title: `The ${trigger.kind} was not created`,
        message: apiErrorSentence(error),
      });
      return undefined;
    }
  };
}
