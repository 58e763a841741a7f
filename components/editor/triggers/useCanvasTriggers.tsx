import { IconDots } from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import type { CanvasTrigger } from '@/components/canvas/triggers/canvas-trigger';
import { triggerKind } from '@/components/triggers/kinds';
import type { Trigger, TriggeredWorkflow } from '@/components/triggers/kinds/kind';
import { STATE_LOOK } from '@/components/triggers/kinds/state';
import { useListener } from '@/components/triggers/listening/useListener';
import { useTriggers } from '@/components/triggers/useTriggers';
import { ListenAction } from './ListenAction';
import { OpenAction } from './OpenAction';

/** The most triggers that are drawn one by one. */
const MOST = 8;

interface Handlers {
  /** Opens the settings of a trigger. Absent: they may not be changed. */
  onOpen?(kind: string, id: string): void;
  onShowAll?(): void;
}

/** The triggers of the workflow as cards before its start node. Undefined while they are loading. */
export function useCanvasTriggers(
  workflow: TriggeredWorkflow,
  { onOpen, onShowAll }: Handlers = {},
): CanvasTrigger[] | undefined {
  const triggers = useTriggers(workflow);
  const { listener, mayListen, start, stop } = useListener(workflow.id);
  const listenedId = listener?.call ? undefined : listener?.webhookId;
  const router = useRouter();
  const cardOf = (trigger: Trigger): CanvasTrigger => {
    const kind = triggerKind(trigger.kind);
    const { href, page } = trigger;
    const isLive = trigger.id === listenedId;
    return {
      id: `${trigger.kind} ${trigger.id}`,
      icon: kind && <kind.icon size={19} aria-hidden />,
      label: kind?.label ?? trigger.kind,
      text: trigger.text,
      words: trigger.words,
      state: STATE_LOOK[trigger.state],
      note: isLive ? 'Waiting for a call …' : trigger.note,
      isLive,
      onOpen: href === undefined ? onOpen && (() => onOpen(trigger.kind, trigger.id)) : () => router.push(href),
      action: page ? (
        <OpenAction {...page} />
      ) : (
        onOpen &&
        trigger.canListen &&
        mayListen && (
          <ListenAction
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
  return all && (all.length > MOST ? [...all.slice(0, MOST - 1), rest(all.length - MOST + 1, onShowAll)] : all);
}

const rest = (count: number, onOpen: (() => void) | undefined): CanvasTrigger => ({
  id: 'rest',
  icon: <IconDots size={19} aria-hidden />,
  label: 'More triggers',
  text: `${count} more`,
  state: { label: 'List', tone: 'idle' },
  note: 'Webhooks, schedules, forms, chats, polls and workflows',
  onOpen,
});
