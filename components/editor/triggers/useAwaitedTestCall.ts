import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { WebhookTestCall } from '@/contract/triggers/webhook';
import { useTRPC } from '@/components/client/trpc';
import { useListener } from '@/components/triggers/listening/useListener';
import { useDraft, useDraftStore } from '../draft/draft';
import type { PinningControls } from '../pins/useOutputPinning';
import { findStartNode } from '../run/sample-input';

const showWaitNotice = (message: string): void => void notifications.show({ color: 'weld', message });

/** The page stops waiting slightly before the service does, so that it can say that the time is over. */
const GIVE_UP_EARLY_MS = 1500;

/**
 * Receives the test call that is waited for: pins its input at the start node as sample data, and shows its run if that
 * runs what is on the canvas.
 */
export function useAwaitedTestCall(onRun: (executionId: string) => void, { write }: PinningControls) {
  const store = useDraftStore();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const workflowId = useDraft((draft) => draft.saved.id);
  const { listener, endsAt = 0, stop, refresh } = useListener(workflowId);
  const [received, setReceived] = useState<WebhookTestCall>();
  /** The start node at which its input was pinned. */
  const [startNodeId, setStartNodeId] = useState<string>();
  const call = listener?.call ?? undefined;
  const waiting = call ? undefined : listener;

  const keep = useEffectEvent(() => {
    if (!call) return;
    stop();
    setReceived(call);
    void queryClient.invalidateQueries({ queryKey: trpc.webhooks.list.queryKey() });
    const { saved, definition } = store.get();
    const start = findStartNode(definition, listener?.startNodeId);
    setStartNodeId(start?.id);
    if (start && call.inputState === 'shown') write(start.id, call.input);
    if (call.executionId !== null && saved.version === saved.liveVersion) onRun(call.executionId);
  });
  const callId = call?.id;
  useEffect(() => {
    if (callId !== undefined) keep();
  }, [callId]);

  const giveUpLater = useEffectEvent(() => {
    setReceived(undefined);
    return setTimeout(
      () => {
        stop();
        showWaitNotice('No call arrived in five minutes.');
      },
      endsAt - Date.now() - GIVE_UP_EARLY_MS,
    );
  });
  const waitingSince = waiting?.since;
  useEffect(() => {
    if (waitingSince === undefined) return;
    const timer = giveUpLater();
    return () => clearTimeout(timer);
  }, [waitingSince]);

  return { waiting, endsAt, received, startNodeId, stop, refresh, dismiss: () => setReceived(undefined) };
}
