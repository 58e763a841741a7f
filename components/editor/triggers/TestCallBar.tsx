import { Button, CloseButton, Group, Loader, Paper, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { WebhookTestCall } from '@/contract/triggers/webhook';
import { useTRPC } from '@/components/client/trpc';
import { TRIGGER_LIST_QUERY } from '@/components/triggers/kinds/state';
import { Countdown } from '@/components/triggers/listening/Countdown';
import { CopyIconButton } from '@/components/ui/values/CopyIconButton';
import { useDraft } from '../draft/draft';
import { isNonArrayObject } from '../run/sample-input';
import classes from './TestCallBar.module.css';
import type { useAwaitedTestCall } from './useAwaitedTestCall';

interface Props {
  testCall: ReturnType<typeof useAwaitedTestCall>;
  onShowSample(): void;
  onRun(input: Record<string, unknown>): void;
}

/** A bar over the canvas that shows the remaining time to wait for a test call, or the call that has arrived. */
export function TestCallBar({ testCall, onShowSample, onRun }: Props) {
  const trpc = useTRPC();
  const id = useDraft((draft) => draft.saved.id);
  const { waiting, endsAt, received, stop, dismiss } = testCall;
  const webhookId = waiting?.webhookId ?? received?.webhookId;
  const { data } = useQuery(
    trpc.webhooks.list.queryOptions(
      { params: { id }, query: TRIGGER_LIST_QUERY },
      { enabled: webhookId !== undefined },
    ),
  );
  const webhook = data?.data.find((one) => one.id === webhookId);
  const path = webhook ? `/${webhook.path}` : 'the webhook';
  return (
    <section aria-label="Test call">
      {/* The countdown is outside of the live region, or it would be read each second. */}
      <VisuallyHidden role="status">
        {received && !waiting ? `${TEST_CALL_HEADLINES[received.verdict]} ${path}` : `Waiting for a call of ${path}`}
      </VisuallyHidden>
      {waiting && (
        <Paper withBorder shadow="md" className={classes.bar}>
          <Group gap="sm">
            <Loader size={16} aria-hidden />
            <Text size="sm" className={classes.text}>
              Waiting for a call of <b>{path}</b> · <Countdown endsAt={endsAt} />
            </Text>
            {webhook && <CopyIconButton label="Copy the URL" value={webhook.url} />}
            <Button size="compact-sm" variant="default" onClick={stop}>
              Cancel
            </Button>
          </Group>
          {waiting.refusal && (
            <Text size="xs" mt={4} c="var(--weft-failed)">
              A call was refused: {waiting.refusal.reason}
            </Text>
          )}
        </Paper>
      )}
      {received && !waiting && (
        <ReceivedTestCall call={received} path={path} onShowSample={onShowSample} onRun={onRun} onClose={dismiss} />
      )}
    </section>
  );
}

const TEST_CALL_HEADLINES = {
  accepted: 'A call arrived at',
  duplicate: 'A repeated call arrived at',
  captured: 'A call arrived at',
  refused: 'A call was refused at',
};

const MISSING_INPUT_TEXTS = {
  shown: '',
  hidden: 'Your role may not read the input of runs.',
  too_large: 'Its input is larger than 256 KiB: open its run to see it.',
  gone: 'Its run is no longer stored.',
};

interface ReceivedCallProps extends Omit<Props, 'testCall'> {
  call: WebhookTestCall;
  path: string;
  onClose(): void;
}

function ReceivedTestCall({ call, path, onShowSample, onRun, onClose }: ReceivedCallProps) {
  const { verdict, reason, inputState, input } = call;
  return (
    <Paper withBorder shadow="md" className={classes.bar}>
      <Group gap="sm" wrap="nowrap" justify="space-between">
        <Text size="sm" className={classes.text}>
          {TEST_CALL_HEADLINES[verdict]} <b>{path}</b>
        </Text>
        <CloseButton size="sm" aria-label="Close the test call" onClick={onClose} />
      </Group>
      {verdict !== 'accepted' && reason && (
        <Text size="xs" c={verdict === 'refused' ? 'var(--weft-failed)' : 'dimmed'}>
          {reason}
        </Text>
      )}
      {inputState === 'shown' ? (
        <>
          <code className={classes.input}>{JSON.stringify(input).slice(0, 300)}</code>
          <Text size="xs" c="dimmed">
            Its input is pinned at the start node: sample data for expressions and manual runs.
          </Text>
          <Group gap="xs" mt={6}>
            <Button size="compact-sm" variant="light" onClick={onShowSample}>
              Show the sample
            </Button>
            {isNonArrayObject(input) && (
              <Button size="compact-sm" variant="default" onClick={() => onRun(input)}>
                Run with it
              </Button>
            )}
          </Group>
        </>
      ) : (
        <Text size="xs" c="dimmed">
          {MISSING_INPUT_TEXTS[inputState]}
        </Text>
      )}
    </Paper>
  );
}
