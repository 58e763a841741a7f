import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { useTRPC } from '@/components/client/trpc';
import { Page } from '@/components/ui/Page';
import { PageHeader } from '@/components/ui/PageHeader';
import { Section } from '@/components/ui/Section';

// Loaded on demand: rarely shown.
const Enrolment = lazyWithPreload(() => import('@/components/auth/Enrolment').then((module) => module.Enrolment));
const LeaveInstead = lazyWithPreload(() => import('./LeaveInstead').then((module) => module.LeaveInstead));
const VerifySecondFactor = lazyWithPreload(() =>
  import('@/components/auth/VerifySecondFactor').then((module) => module.VerifySecondFactor),
);

/**
 * If a workspace requires a second factor, the page is replaced until it is set up, or verified after a sign-in without
 * it.
 */
export function EnrolmentGate({ children }: { children: ReactNode }) {
  const trpc = useTRPC();
  const { data, refetch } = useQuery(trpc.mfa.get.queryOptions(undefined, { staleTime: 60_000 }));
  if (!data?.pending) return children;
  if (data.pending === 'prove') {
    return (
      <Page>
        <PageHeader
          title="Second factor required"
          summary="This session is not verified with your second factor yet."
        />
        <Section title="Verify your second factor">
          <VerifySecondFactor onDone={() => void refetch()} />
        </Section>
      </Page>
    );
  }
  return (
    <Page>
      <PageHeader title="Second factor required" summary="Your workspace requires a second factor." />
      <Stack gap="lg">
        <Section title="Set up an authenticator app">
          <Text size="sm" c="dimmed" mb="md">
            You can use any app that shows six-digit codes.
          </Text>
          <Enrolment onDone={() => void refetch()} />
        </Section>
        <LeaveInstead />
      </Stack>
    </Page>
  );
}
