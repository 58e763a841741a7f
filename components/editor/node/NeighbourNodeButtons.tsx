import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import { findNeighbourId } from '@/components/graph/walk';
import { canvasDefinition, useDraft } from '../draft/draft';

const NEIGHBOUR_BUTTONS = [
  { arrow: 'left', code: 'Comma', label: 'Previous node (Alt ,)', icon: IconArrowLeft },
  { arrow: 'right', code: 'Period', label: 'Next node (Alt .)', icon: IconArrowRight },
] as const;

/** Opens the previous or next node without closing the dialog. The shortcuts also work in text fields. */
export function NeighbourNodeButtons({ nodeId, onGo }: { nodeId: string; onGo(nodeId: string): void }) {
  const definition = useDraft(canvasDefinition);
  const target = (arrow: 'left' | 'right') => findNeighbourId(definition, nodeId, arrow);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const step = event.altKey ? NEIGHBOUR_BUTTONS.find(({ code }) => code === event.code) : undefined;
    const to = step && target(step.arrow);
    if (to === undefined) return;
    event.preventDefault();
    onGo(to);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    addEventListener('keydown', listener, { capture: true });
    return () => removeEventListener('keydown', listener, { capture: true });
  }, []);
  return (
    <Group gap={2} wrap="nowrap">
      {NEIGHBOUR_BUTTONS.map(({ arrow, label, icon: Icon }) => {
        const to = target(arrow);
        return (
          <Tooltip key={arrow} label={label}>
            <ActionIcon aria-label={label} disabled={to === undefined} onClick={() => to !== undefined && onGo(to)}>
              <Icon size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        );
      })}
    </Group>
  );
}
