import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@/components/ui/tokens.css';
import { ColorSchemeScript, mantineHtmlProps } from '@mantine/core';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { Providers } from '@/components/ui/Providers';

export const metadata: Metadata = {
  title: { default: 'Weft', template: '%s · Weft' },
  description: 'Workflows that run to their end',
  icons: { icon: '/favicon.svg' },
};

export default async function Layout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    <html lang="en" {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript nonce={nonce} defaultColorScheme="auto" />
      </head>
      <body>
        <Providers nonce={nonce}>{children}</Providers>
      </body>
    </html>
  );
}
