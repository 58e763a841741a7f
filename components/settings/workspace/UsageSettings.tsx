'use client';

import { Badge, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { WorkspaceUsage } from '@/contract/workspace';
import { useTRPC } from '@/components/client/trpc';
import { useCurrentUser } from '@/components/client/useCurrentUser';
import { startWithCapital } from '@/components/ui/values/start-with-capital';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { PageSection } from '@/components/ui/page/PageSection';
import { UsageMeter } from './UsageMeter';
import { QuotaMeters } from './QuotaMeters';

const USAGE_REFRESH_MS = 10_000;
const formatCount = (value: number) => value.toLocaleString('en');

/** The tier of the workspace with its quotas and usage. */
export function UsageSettings() {
  const trpc = useTRPC();
  const { workspace } = useCurrentUser();
  const { data, error, refetch } = useQuery(
    trpc.workspaces.usage.queryOptions(
      { params: { id: workspace?.id ?? '' } },
      { enabled: workspace !== undefined, refetchInterval: USAGE_REFRESH_MS },
    ),
  );
  if (error && !data) {
    return <RequestErrorAlert title="The usage can’t be shown" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <Skeleton h={320} />;
  return (
    <Stack gap="lg">
      <PageSection
        title="Quotas"
        summary="At a limit nothing is deleted, but new items are refused. The operator of this service can change the tier."
        aside={
          <Badge variant="light" size="lg" tt="none">
            {startWithCapital(data.tier)}
          </Badge>
        }
      >
        <QuotaMeters quotas={data.quotas} />
      </PageSection>
      <PageSection title="Current usage" summary="Rate limits and counts of this workspace.">
        <CurrentUsage usage={data} />
      </PageSection>
    </Stack>
  );
}

function CurrentUsage({ usage }: { usage: WorkspaceUsage }) {
  const { tier, requestsPerMinute, burst, requests, webhooks } = usage;
  const counts = [
    { label: 'Active runs', value: usage.runsUnderWay },
    { label: 'Runs in the last 24 hours', value: usage.runsToday },
    { label: 'Credentials', value: usage.credentials },
    { label: 'Members', value: usage.members },
    { label: 'Retention of runs (days)', value: usage.executionRetentionDays.effective },
  ];
  const refill = `Refills by ${formatCount(requestsPerMinute)} per minute.`;
  return (
    <Stack gap="lg">
      {tier === 'unlimited' ? (
        <Text size="sm">Requests and webhook deliveries are not limited.</Text>
      ) : (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="lg">
          <UsageMeter label="API requests and sub-workflows" used={burst - requests.remaining} limit={burst}>
            {refill} At the limit API requests are refused (429), and sub-workflows wait.
          </UsageMeter>
          <UsageMeter label="Webhook deliveries" used={burst - webhooks.remaining} limit={burst}>
            {refill} At the limit deliveries are refused (429).
          </UsageMeter>
        </SimpleGrid>
      )}
      <SimpleGrid component="dl" cols={{ base: 2, xs: 3 }} spacing="md" m={0}>
        {counts.map(({ label, value }) => (
          <div key={label}>
            <Text component="dt" size="xs" c="dimmed">
              {label}
            </Text>
            <Text component="dd" m={0} fz={20} fw={620} style={{ fontVariantNumeric: 'tabular-nums' }}>
              {formatCount(value)}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Stack>
  );
}
