import { ActionIcon, Tooltip } from '@mantine/core';
import { IconMathFunction } from '@tabler/icons-react';

/** Turns a control that can't hold an expression into one that can, and back. */
export function ExpressionSwitch({
  label,
  isOn,
  onChange,
}: {
  label: string;
  isOn: boolean;
  onChange(value: unknown): void;
}) {
  return (
    <Tooltip label={isOn ? 'Back to a fixed value' : 'Use an expression'}>
      <ActionIcon
        size={22}
        pos="absolute"
        top={0}
        right={0}
        // It may lie on the frame of a group.
        bg={isOn ? undefined : 'var(--weft-surface)'}
        style={{ zIndex: 1 }}
        variant={isOn ? 'light' : 'subtle'}
        color={isOn ? 'woad' : 'gray'}
        aria-pressed={isOn}
        aria-label={`${label}: ${isOn ? 'fixed value' : 'by formula'}`}
        onClick={() => onChange(isOn ? undefined : '{{ input }}')}
      >
        <IconMathFunction size={15} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
