import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  summary?: string;
  /** The places above this one. */
  above?: ReactNode;
  children?: ReactNode;
}

export function PageHeader({ title, summary, above, children }: Props) {
  return (
    <Group component="header" justify="space-between" align="flex-end" gap="md" mb="lg">
      {/* The actions stand opposite, also of a long summary, until there is no room for both. */}
      <div style={{ flex: '1 1 320px', minWidth: 0 }}>
        {above}
        <Title order={1} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {summary && (
          <Text c="dimmed" fz={15} mt={4}>
            {summary}
          </Text>
        )}
      </div>
      {children && <Group gap="xs">{children}</Group>}
    </Group>
  );
}
