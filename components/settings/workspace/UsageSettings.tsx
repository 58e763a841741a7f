'use client';

import { Badge, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { WorkspaceUsage } from '@/contract/workspace';
import { useTRPC } from '@/components/client/trpc';
import { useMe } from '@/components/client/useMe';
import { FailureNote } from '@/components/ui/states/FailureNote';
import { Section } from '@/components/ui/page/Section';
import { Meter } from './Meter';
import { QuotaMeters } from './QuotaMeters';

const REFRESH_MS = 10_000;
const number = (value: number) => value.toLocaleString('en');

/** The tier of the workspace with its quotas and usage. */
export function UsageSettings() {
  const trpc = useTRPC();
  const { workspace } = useMe();
  const { data, error, refetch } = useQuery(
    trpc.workspaces.usage.queryOptions(
      { params: { id: workspace?.id ?? '' } },
      { enabled: workspace !== undefined, refetchInterval: REFRESH_MS },
    ),
  );
  if (error && !data) {
    return <FailureNote title="The usage can’t be shown" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <Skeleton h={320} />;
  return (
    <Stack gap="lg">
      <Section
        title="Quotas"
        summary="At a limit nothing is deleted, but new items are refused. The operator of this service can change the tier."
        aside={
          <Badge variant="light" size="lg" tt="capitalize">
            {data.tier}
          </Badge>
        }
      >
        <QuotaMeters quotas={data.quotas} />
      </Section>
      <Section title="Current usage" summary="Rate limits and counts of this workspace.">
        <Now usage={data} />
      </Section>
    </Stack>
  );
}

function Now({ usage }: { usage: WorkspaceUsage }) {
  const { tier, requestsPerMinute, burst, requests, webhooks } = usage;
  const counts = [
    { label: 'Active runs', value: usage.runsUnderWay },
    { label: 'Runs in the last 24 hours', value: usage.runsToday },
    { label: 'Credentials', value: usage.credentials },
    { label: 'Members', value: usage.members },
    { label: 'Retention of runs (days)', value: usage.executionRetentionDays.effective },
  ];
  const refill = `Refills by ${number(requestsPerMinute)} per minute.`;
  return (
    <Stack gap="lg">
      {tier === 'unlimited' ? (
        <Text size="sm">Requests and webhook deliveries are not limited.</Text>
      ) : (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="lg">
          <Meter label="API requests and sub-workflows" used={burst - requests.remaining} limit={burst}>
            {refill} At the limit API requests are refused (429), and sub-workflows wait.
          </Meter>
          <Meter label="Webhook deliveries" used={burst - webhooks.remaining} limit={burst}>
            {refill} At the limit deliveries are refused (429).
          </Meter>
        </SimpleGrid>
      )}
      <SimpleGrid component="dl" cols={{ base: 2, xs: 3 }} spacing="md" m={0}>
        {counts.map(({ label, value }) => (
          <div key={label}>
            <Text component="dt" size="xs" c="dimmed">
              {label}
            </Text>
            <Text component="dd" m={0} fz={20} fw={620} style={{ fontVariantNumeric: 'tabular-nums' }}>
              {number(value)}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Stack>
  );
}
