import { IconDots } from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import type { CanvasTrigger } from '@/components/canvas/triggers/canvas-trigger';
import { findTriggerKind } from '@/components/triggers/kinds';
import type { TriggerCardData, TriggeredWorkflow } from '@/components/triggers/kinds/kind';
import { TRIGGER_STATE_STYLE } from '@/components/triggers/kinds/state';
import { useListener } from '@/components/triggers/listening/useListener';
import { useWorkflowTriggers } from '@/components/triggers/useWorkflowTriggers';
import { ListenForCallButton } from './ListenForCallButton';
import { TriggerPageLink } from './TriggerPageLink';

/** The most triggers that are drawn one by one. */
const MAX_TRIGGER_CARDS = 8;

interface TriggerCardHandlers {
  /** Opens the settings of a trigger. Absent: they may not be changed. */
  onOpen?(kind: string, id: string): void;
  onShowAll?(): void;
}

/** The triggers of the workflow as cards before its start node. Undefined while they are loading. */
export function useTriggerCards(
  workflow: TriggeredWorkflow,
  { onOpen, onShowAll }: TriggerCardHandlers = {},
): CanvasTrigger[] | undefined {
  const triggers = useWorkflowTriggers(workflow);
  const { listener, mayListen, start, stop } = useListener(workflow.id);
  const listenedId = listener?.call ? undefined : listener?.webhookId;
  const router = useRouter();
  const cardOf = (trigger: TriggerCardData): CanvasTrigger => {
    const kind = findTriggerKind(trigger.kind);
    const { href, page } = trigger;
    const isLive = trigger.id === listenedId;
    return {
      id: `${trigger.kind} ${trigger.id}`,
      icon: kind && <kind.icon size={19} aria-hidden />,
      label: kind?.label ?? trigger.kind,
      startNodeId: trigger.startNodeId,
      heading: trigger.heading,
      text: trigger.text,
      words: trigger.words,
      state: TRIGGER_STATE_STYLE[trigger.state],
      note: isLive ? 'Waiting for a call …' : trigger.note,
      isLive,
      onOpen: href === undefined ? onOpen && (() => onOpen(trigger.kind, trigger.id)) : () => router.push(href),
      action: page ? (
        <TriggerPageLink {...page} />
      ) : (
        onOpen &&
        trigger.canListen &&
        mayListen && (
          <ListenForCallButton
            text={trigger.text}
            isListening={isLive}
            onStart={() => void start(trigger.id).catch(() => undefined)}
            onStop={stop}
          />
        )
      ),
    };
  };
  const all = triggers?.map(cardOf);
  return (
    all &&
    (all.length > MAX_TRIGGER_CARDS
      ? [...all.slice(0, MAX_TRIGGER_CARDS - 1), remainingTriggersCard(all.length - MAX_TRIGGER_CARDS + 1, onShowAll)]
      : all)
  );
}

const remainingTriggersCard = (count: number, onOpen: (() => void) | undefined): CanvasTrigger => ({
  id: 'rest',
  startNodeId: null,
  icon: <IconDots size={19} aria-hidden />,
  label: 'More triggers',
  text: `${count} more`,
  state: { label: 'List', tone: 'idle' },
  note: 'Webhooks, schedules, forms, chats, polls and workflows',
  onOpen,
});
