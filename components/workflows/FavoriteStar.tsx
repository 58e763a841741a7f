import { ActionIcon } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { WorkflowListItem } from '@/contract/workflows/workflow';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';

/** Makes a workflow one of the person's favorites, or not any more. */
export function FavoriteStar({ workflow: { id, name, isFavorite } }: { workflow: WorkflowListItem }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const options = {
    onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.workflows.list.queryKey() }),
    onError: (error: unknown) =>
      notifications.show({ color: 'madder', title: `${name} was not changed`, message: apiErrorSentence(error) }),
  };
  const add = useMutation(trpc.workflows.addFavorite.mutationOptions(options));
  const remove = useMutation(trpc.workflows.removeFavorite.mutationOptions(options));
  const isShown = add.isPending || (isFavorite && !remove.isPending);
  const Icon = isShown ? IconStarFilled : IconStar;
  return (
    <ActionIcon
      aria-label={`${name} is a favorite`}
      aria-pressed={isShown}
      c={isShown ? 'var(--weft-waiting)' : 'dimmed'}
      onClick={() => (isFavorite ? remove : add).mutate({ params: { id } })}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
}
