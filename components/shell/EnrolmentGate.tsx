import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { later } from '../client/later';
import { useTRPC } from '../client/trpc';
import { Page } from '../ui/Page';
import { PageHeader } from '../ui/PageHeader';
import { Section } from '../ui/Section';

// Few meet it.
const Enrolment = later(() => import('../settings/Enrolment').then((part) => part.Enrolment));
const ProveFactor = later(() => import('../settings/ProveFactor').then((part) => part.ProveFactor));

/**
 * Where a workspace requires a second factor, nothing else works before it is set up, or shown after a sign-in that didn't
 * ask for it: so that stands in its place.
 */
export function EnrolmentGate({ children }: { children: ReactNode }) {
  const trpc = useTRPC();
  const { data, refetch } = useQuery(trpc.mfa.get.queryOptions(undefined, { staleTime: 60_000 }));
  if (!data?.pending) return children;
  if (data.pending === 'prove') {
    return (
      <Page>
        <PageHeader title="One thing first" summary="This sign-in has not asked for your second factor yet." />
        <Section title="Show your second factor">
          <ProveFactor onDone={() => void refetch()} />
        </Section>
      </Page>
    );
  }
  return (
    <Page>
      <PageHeader title="One thing first" summary="Your workspace asks everybody for a second factor." />
      <Section title="Set up an authenticator app">
        <Text size="sm" c="dimmed" mb="md">
          Any app that shows six-digit codes will do.
        </Text>
        <Enrolment onDone={() => void refetch()} />
      </Section>
    </Page>
  );
}
