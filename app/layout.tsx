import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@/components/ui/tokens.css';
import { ColorSchemeScript, mantineHtmlProps } from '@mantine/core';
import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { AppProviders } from '@/components/ui/AppProviders';

export const metadata: Metadata = {
  title: { default: 'Weft', template: '%s · Weft' },
  description: 'Build workflows in the browser, run them durably and watch each run live.',
  icons: { icon: '/favicon.svg' },
};

/** Sent before any style sheet loads, so that a dark page does not flash white. */
export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f4f1ec' },
    { media: '(prefers-color-scheme: dark)', color: '#1c1a19' },
  ],
};

export default async function Layout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    <html lang="en" {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript nonce={nonce} defaultColorScheme="auto" />
      </head>
      <body>
        <AppProviders nonce={nonce}>{children}</AppProviders>
      </body>
    </html>
  );
}
