'use client';

import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { Notices } from './states/Notices';
import { theme } from './theme';

/** Theme and notifications. `nonce` allows inline styles under the content security policy. */
export function Providers({ nonce, children }: { nonce?: string; children: ReactNode }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce ?? ''}>
      <Notices />
      {children}
    </MantineProvider>
  );
}
