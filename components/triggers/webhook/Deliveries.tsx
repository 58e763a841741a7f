import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@/components/ui/Link';
import { sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { FailureNote } from '@/components/ui/states/FailureNote';
import { TimeAgo } from '@/components/ui/values/TimeAgo';

const LIVE_MS = 5000;
const WORDS = { accepted: 'Accepted', duplicate: 'Duplicate', captured: 'Captured', refused: 'Refused' };

/** The latest deliveries of a webhook with their results. Each can be replayed. */
export function Deliveries({ workflowId, webhookId }: { workflowId: string; webhookId: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(
    trpc.deliveries.list.queryOptions(
      { params: { id: workflowId, webhookId }, query: { limit: '20' } },
      { refetchInterval: LIVE_MS },
    ),
  );
  const replay = useMutation(
    trpc.deliveries.replay.mutationOptions({
      onSettled: () => {
        void queryClient.invalidateQueries({ queryKey: trpc.deliveries.list.queryKey() });
        void queryClient.invalidateQueries({ queryKey: trpc.webhooks.list.queryKey() });
      },
      onError: (failure) => notifications.show({ color: 'madder', title: 'Not replayed', message: sentence(failure) }),
    }),
  );
  if (error) return <FailureNote title="The deliveries can’t be shown" error={error} onRetry={() => void refetch()} />;
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
                <Anchor component={Link} href={`/executions/${executionId}`} size="sm">
                  {WORDS[verdict]}
                </Anchor>
              ) : (
                WORDS[verdict]
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
