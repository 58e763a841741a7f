import { ActionIcon } from '@mantine/core';
import { IconAntenna, IconPlayerStop } from '@tabler/icons-react';
import { Hint } from '@/components/ui/Hint';

interface Props {
  /** The address of the webhook. */
  text: string;
  isListening: boolean;
  onStart(): void;
  onStop(): void;
}

/** The button on the card of a webhook that waits for a test call, or ends the wait. */
export function ListenAction({ text, isListening, onStart, onStop }: Props) {
  const label = isListening ? 'Stop listening' : 'Listen for a test call';
  const Icon = isListening ? IconPlayerStop : IconAntenna;
  return (
    <Hint label={label}>
      <ActionIcon
        size={34}
        variant={isListening ? 'filled' : 'light'}
        color="woad"
        className="nodrag"
        aria-label={`${label}: ${text}`}
        onClick={isListening ? onStop : onStart}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Hint>
  );
}
