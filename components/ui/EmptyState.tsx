import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** What stands where there is nothing yet (or nothing found): a drawing, why, and the way on. */
export function EmptyState({
  art,
  title,
  children,
  action,
}: {
  art: ReactNode;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <Stack align="center" gap={6} py={56} px="md" ta="center">
      {art}
      <Title order={2} mt="md" fz="lg">
        {title}
      </Title>
      <Text c="dimmed" maw={420}>
        {children}
      </Text>
      {action && <div style={{ marginTop: 14 }}>{action}</div>}
    </Stack>
  );
}
