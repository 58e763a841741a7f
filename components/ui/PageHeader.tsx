import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export function PageHeader({ title, summary, children }: { title: string; summary?: string; children?: ReactNode }) {
  return (
    <Group component="header" justify="space-between" align="flex-end" gap="md" mb="lg">
      <div>
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
