'use client';

import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { NotificationArea } from './states/NotificationArea';
import { mantineTheme } from './mantine-theme';

/** Theme and notifications. `nonce` allows inline styles under the content security policy. */
export function AppProviders({ nonce, children }: { nonce?: string; children: ReactNode }) {
  return (
    <MantineProvider theme={mantineTheme} defaultColorScheme="auto" getStyleNonce={() => nonce ?? ''}>
      <NotificationArea />
      {children}
    </MantineProvider>
  );
}
