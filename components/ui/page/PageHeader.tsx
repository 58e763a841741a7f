import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export function PageHeader({ title, summary, children }: { title: string; summary?: string; children?: ReactNode }) {
  return (
    <Group component="header" justify="space-between" align="flex-end" gap="md" mb="lg">
      {/* The actions stand opposite, also of a long summary, until there is no room for both. */}
      <div style={{ flex: '1 1 320px', minWidth: 0 }}>
        <Title order={1}>{title}</Title>
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
