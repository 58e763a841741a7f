import { Code, Group, Text } from '@mantine/core';
import { CopyIconButton } from './CopyIconButton';

/** A text with a copy button. */
export function CopyableText({ label, text }: { label: string; text: string }) {
  return (
    <section aria-label={label}>
      <Group justify="space-between">
        <Text size="xs" fw={600}>
          {label}
        </Text>
        <CopyIconButton label={`Copy ${label}`} value={text} isSmall />
      </Group>
      <Code block tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Code>
    </section>
  );
}
