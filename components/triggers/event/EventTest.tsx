import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConnectorEvent } from '@/contract/connectors/connector';
import { useTRPC } from '@/components/client/trpc';
import { JsonView } from '@/components/ui/values/JsonView';
import { eventPollBody, exampleItem, type SubmittedEvent } from './event-draft';

interface Props {
  workflowId: string;
  event: ConnectorEvent;
  submitted: SubmittedEvent;
  isReady: boolean;
  /** Undefined: the test has worked. */
  onError(error: unknown): void;
}

/** Shows what arrives: an item that a service lists, or an example. Starts no run. */
export function EventTest({ workflowId, event, submitted: { draft, operation, service }, isReady, onError }: Props) {
  const trpc = useTRPC();
  const [isShown, setShown] = useState(false);
  const asked = useMutation(trpc.polls.preview.mutationOptions({ onSuccess: () => onError(undefined), onError }));
  const test = () => {
    setShown(true);
    if (!operation) return;
    const { node, items, key, cursor, language } = eventPollBody(draft, operation, service);
    asked.mutate({ params: { id: workflowId }, body: { node, items, key, cursor, language } });
  };
  const [real] = asked.data?.items ?? [];
  const example = operation ? exampleItem(operation) : event.example;
  return (
    <Stack gap="xs">
      <Group gap="xs" wrap="nowrap">
        <Button
          variant="default"
          style={{ flexShrink: 0 }}
          loading={asked.isPending}
          disabled={!isReady}
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          onClick={test}
        >
          Test
        </Button>
        <Text size="xs" c="dimmed">
          {isReady ? 'Shows what starts a run. It starts none.' : 'Choose an account first.'}
        </Text>
      </Group>
      {isShown && !asked.isPending && !asked.error && (
        <div role="status">
          <Text size="sm" mb={4}>
            {real === undefined
              ? exampleSentence(service, asked.data?.total, example !== undefined)
              : foundSentence(service, asked.data?.total ?? 1)}
          </Text>
          {(real ?? example) !== undefined && (
            <Box style={{ '--json-height': '200px' }}>
              <JsonView label={real === undefined ? 'Example' : 'Event'} value={real ?? example} />
            </Box>
          )}
        </div>
      )}
    </Stack>
  );
}

const foundSentence = (service: string, total: number): string =>
  total === 1 ? `${service} has one item there:` : `${service} has ${total} items there. One of them:`;

/** `total`: how many items the service has; undefined: it was not asked. */
function exampleSentence(service: string, total: number | undefined, hasExample: boolean): string {
  if (total === undefined) return `An example. ${service} sends its own events once the workflow is live.`;
  const found =
    total === 0
      ? `It works. ${service} has nothing there yet`
      : `It works. ${service} has ${total === 1 ? 'an item' : `${total} items`} there, too large to be shown here`;
  return hasExample ? `${found}, so this is an example.` : `${found}.`;
}
