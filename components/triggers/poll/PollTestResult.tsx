import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { PollTrigger } from '@/contract/triggers/poll';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';

/** Asks the source of a saved poll, and shows what is new, without starting runs. */
export function PollTestResult({ poll: { id: pollId, workflowId: id }, note }: { poll: PollTrigger; note: string }) {
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
      {error && <FormErrorAlert>{apiErrorSentence(error)}</FormErrorAlert>}
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
