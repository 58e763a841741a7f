import { Badge, Group, Progress, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { WorkspaceUsage } from '@/contract/workspace';
import { useTRPC } from '../client/trpc';
import { FailureNote } from '../ui/FailureNote';
import { Section } from '../ui/Section';

const REFRESH_MS = 10_000;
const number = (value: number) => value.toLocaleString('en');

/** The tier, how much of it is in use right now, and what there is in the workspace. */
export function UsageSection({ workspaceId: id }: { workspaceId: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.workspaces.usage.queryOptions({ params: { id } }, { refetchInterval: REFRESH_MS }),
  );
  return (
    <Section
      title="Tier and use"
      summary="The tier is changed by whoever operates this service."
      aside={
        data && (
          <Badge variant="light" size="lg" tt="capitalize">
            {data.tier}
          </Badge>
        )
      }
    >
      {error && !data && <FailureNote title="It can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={120} />}
      {data && <Use usage={data} />}
    </Section>
  );
}

function Use({ usage }: { usage: WorkspaceUsage }) {
  const { tier, requestsPerMinute, burst, requests, webhooks } = usage;
  const counts = [
    { label: 'Runs under way', value: usage.runsUnderWay },
    { label: 'Runs in 24 hours', value: usage.runsToday },
    { label: 'Workflows', value: usage.workflows },
    { label: 'Credentials', value: usage.credentials },
    { label: 'Members', value: usage.members },
    { label: 'Days runs are kept', value: usage.executionRetentionDays.effective },
  ];
  return (
    <Stack gap="lg">
      {tier === 'unlimited' ? (
        <Text size="sm">Requests and webhook deliveries are not limited.</Text>
      ) : (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="lg">
          <Meter label="Requests" remaining={requests.remaining} burst={burst} perMinute={requestsPerMinute} />
          <Meter
            label="Webhook deliveries"
            remaining={webhooks.remaining}
            burst={burst}
            perMinute={requestsPerMinute}
          />
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

interface MeterProps {
  label: string;
  remaining: number;
  burst: number;
  perMinute: number;
}

function Meter({ label, remaining, burst, perMinute }: MeterProps) {
  const used = Math.min(100, Math.max(0, (1 - remaining / burst) * 100));
  return (
    <div>
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={550}>
          {label}
        </Text>
        <Text size="xs" c="dimmed">
          {number(remaining)} of {number(burst)} left
        </Text>
      </Group>
      <Progress value={used} color={used > 90 ? 'madder' : 'woad'} aria-label={`${label} used`} />
      <Text size="xs" c="dimmed" mt={6}>
        Grows back by {number(perMinute)} a minute.
      </Text>
    </div>
  );
}
