import { ActionIcon, Tooltip } from '@mantine/core';
import { IconMathFunction } from '@tabler/icons-react';

/** Switches a field between a fixed value and an expression. */
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
    <Tooltip label={isOn ? 'Use a fixed value' : 'Use an expression'}>
      <ActionIcon
        size={24}
        pos="absolute"
        top={-2}
        right={0}
        // Covers the border of a fieldset.
        bg={isOn ? undefined : 'var(--weft-surface)'}
        style={{ zIndex: 1 }}
        variant={isOn ? 'light' : 'subtle'}
        color={isOn ? 'woad' : 'gray'}
        aria-pressed={isOn}
        aria-label={`${label}: ${isOn ? 'use a fixed value' : 'use an expression'}`}
        onClick={() => onChange(isOn ? undefined : '{{ input }}')}
      >
        <IconMathFunction size={15} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
