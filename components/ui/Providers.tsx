'use client';

import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { Notices } from './Notices';
import { theme } from './theme';

/** Theme and notifications. `nonce` marks the inline styles that the page's content policy lets through. */
export function Providers({ nonce, children }: { nonce?: string; children: ReactNode }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce ?? ''}>
      <Notices />
      {children}
    </MantineProvider>
  );
}
