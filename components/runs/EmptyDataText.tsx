import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Placeholder for data that is not there yet. */
export function EmptyDataText({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}
