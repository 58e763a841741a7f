import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Stands where data will be. */
export function NothingYet({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}
