import { UnstyledButton } from '@mantine/core';
import { IconAntenna, IconPlayerStop } from '@tabler/icons-react';
import { LightTooltip } from '@/components/ui/LightTooltip';
import classes from './ListenForCallButton.module.css';

interface Props {
  /** The address of the webhook. */
  text: string;
  isListening: boolean;
  onStart(): void;
  onStop(): void;
}

/** The button on the card of a webhook that waits for a test call, or ends the wait. */
export function ListenForCallButton({ text, isListening, onStart, onStop }: Props) {
  const label = isListening ? 'Stop listening' : 'Listen for a test call';
  const Icon = isListening ? IconPlayerStop : IconAntenna;
  return (
    <LightTooltip label={label}>
      <UnstyledButton
        className={`nodrag ${classes.target}`}
        aria-label={`${label}: ${text}`}
        onClick={isListening ? onStop : onStart}
      >
        <span className={classes.face} data-listening={isListening || undefined}>
          <Icon size={16} aria-hidden />
        </span>
      </UnstyledButton>
    </LightTooltip>
  );
}
