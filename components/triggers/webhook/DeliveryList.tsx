import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { AppLink } from '@/components/ui/AppLink';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { TimeAgo } from '@/components/ui/values/TimeAgo';

const DELIVERIES_REFRESH_MS = 5000;
const VERDICT_LABELS = { accepted: 'Accepted', duplicate: 'Duplicate', captured: 'Captured', refused: 'Refused' };

/** The latest deliveries of a webhook with their results. Each can be replayed. */
export function DeliveryList({ workflowId, webhookId }: { workflowId: string; webhookId: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(
    trpc.deliveries.list.queryOptions(
      { params: { id: workflowId, webhookId }, query: { limit: '20' } },
      { refetchInterval: DELIVERIES_REFRESH_MS },
    ),
  );
  const replay = useMutation(
    trpc.deliveries.replay.mutationOptions({
      onSettled: () => {
        void queryClient.invalidateQueries({ queryKey: trpc.deliveries.list.queryKey() });
        void queryClient.invalidateQueries({ queryKey: trpc.webhooks.list.queryKey() });
      },
      onError: (failure) =>
        notifications.show({ color: 'madder', title: 'Not replayed', message: apiErrorSentence(failure) }),
    }),
  );
  if (error)
    return <RequestErrorAlert title="The deliveries can’t be shown" error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={60} mt="sm" />;
  return (
    <Stack gap={6} mt="sm">
      {data.data.length === 0 && (
        <Text size="sm" c="dimmed">
          No deliveries yet.
        </Text>
      )}
      {data.data.map(({ id, verdict, reason, receivedAt, executionId, canReplay, replayOf }) => (
        <Group key={id} justify="space-between" wrap="nowrap" gap="xs">
          <div style={{ minWidth: 0 }}>
            <Text size="sm">
              {executionId ? (
                <Anchor component={AppLink} href={`/executions/${executionId}`} size="sm">
                  {VERDICT_LABELS[verdict]}
                </Anchor>
              ) : (
                VERDICT_LABELS[verdict]
              )}
              {replayOf && ' (replayed)'}
            </Text>
            <Text size="xs" c="dimmed">
              <TimeAgo at={receivedAt} />
              {reason && ` · ${reason}`}
            </Text>
          </div>
          {canReplay && (
            <Button
              size="compact-xs"
              variant="default"
              loading={replay.isPending && replay.variables.params.deliveryId === id}
              onClick={() => replay.mutate({ params: { id: workflowId, webhookId, deliveryId: id } })}
            >
              Replay
            </Button>
          )}
        </Group>
      ))}
    </Stack>
  );
}
