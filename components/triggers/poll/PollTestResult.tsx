import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { Poll } from '@/contract/triggers/poll';
import { sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { ErrorNote } from '@/components/ui/states/ErrorNote';

/** Asks the source of a saved poll, and shows what is new, without starting runs. */
export function PollTestResult({ poll: { id: pollId, workflowId: id }, note }: { poll: Poll; note: string }) {
  const trpc = useTRPC();
  const { mutate, data, error, isPending } = useMutation(trpc.polls.test.mutationOptions());
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button
          variant="default"
          loading={isPending}
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          onClick={() => mutate({ params: { id, pollId } })}
        >
          Test
        </Button>
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      </Group>
      {error && <ErrorNote>{sentence(error)}</ErrorNote>}
      {data && (
        <div role="status">
          <Text size="sm">
            {data.total} {data.total === 1 ? 'item' : 'items'}, {data.newItems} new
            {typeof data.cursor !== 'object' && `, next cursor ${JSON.stringify(data.cursor)}`}
          </Text>
          {data.items.length > 0 && (
            <Code block mah={240} tabIndex={0} aria-label="New items" style={{ overflow: 'auto' }}>
              {JSON.stringify(data.items, null, 2)}
            </Code>
          )}
        </div>
      )}
    </Stack>
  );
}
