'use client';

import { Anchor, Group, Radio, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { Workspace } from '@/contract/workspace';
import { useTRPC } from '../client/trpc';
import { Section } from '../ui/Section';
import { Choice } from './Choice';
import { CountInput } from './CountInput';
import { SettingsForm } from './SettingsForm';
import { useSettings } from './useSettings';
import { WithWorkspace } from './WithWorkspace';

/** How runs are kept and limited, and what holds for all webhooks. */
export function RunSettings() {
  return <WithWorkspace>{(workspace) => <Form key={workspace.id} workspace={workspace} />}</WithWorkspace>;
}

function Form({ workspace }: { workspace: Workspace }) {
  const trpc = useTRPC();
  const usage = useQuery(trpc.workspaces.usage.queryOptions({ params: { id: workspace.id } }));
  const draft = useSettings(workspace);
  const { values, set, errorAt } = draft;
  const most = usage.data?.executionRetentionDays.service;
  const { concurrency } = values;
  return (
    <SettingsForm draft={draft}>
      <Section title="Keeping runs" summary="Finished runs are removed daily, with their data, logs and deliveries.">
        <Choice
          label="Keep finished runs"
          description={most === undefined ? 'In days.' : `This service keeps none longer than ${most} days.`}
          none={most === undefined ? 'as the service' : `${most} days, as the service`}
          units={{ days: 1 }}
          start={Math.min(14, most ?? 14)}
          value={values.executionRetentionDays}
          error={errorAt('executionRetentionDays')}
          onChange={(executionRetentionDays) => set({ executionRetentionDays })}
        />
      </Section>
      <Section title="Runs at a time" summary="Of all workflows together. A workflow can have a limit of its own.">
        <Stack gap="md">
          <Choice
            label="Most runs under way"
            description="Runs that wait for an approval or a delay count, too."
            none="no limit"
            units={{ runs: 1 }}
            start={50}
            value={concurrency?.limit ?? null}
            error={errorAt('concurrency')}
            onChange={(limit) =>
              set({
                concurrency: limit === null ? null : { limit, overflow: concurrency?.overflow ?? 'queue' },
              })
            }
          />
          {concurrency && (
            <Radio.Group
              label="What is over"
              value={concurrency.overflow}
              onChange={(value) =>
                set({ concurrency: { ...concurrency, overflow: value === 'refuse' ? 'refuse' : 'queue' } })
              }
            >
              <Group mt={6}>
                <Radio value="queue" label="waits its turn" />
                <Radio value="refuse" label="is refused (409)" />
              </Group>
            </Radio.Group>
          )}
        </Stack>
      </Section>
      <Section title="Webhook signatures" summary="Deliveries without a right signature never start a run.">
        <Stack gap="sm">
          <CountInput
            label="After a secret is replaced, the old one stays good for"
            description="0 to 168 hours, so that senders can change over. 0 if it has leaked."
            unit="hours"
            value={values.webhookGraceHours}
            error={errorAt('webhookGraceHours')}
            onChange={(webhookGraceHours) => set({ webhookGraceHours })}
          />
          <Text size="xs" c="dimmed">
            Secrets are replaced at each webhook, in its workflow. App registrations of connectors are under{' '}
            <Anchor component={Link} href="/connectors" fz="xs" underline="always">
              Connectors
            </Anchor>
            .
          </Text>
        </Stack>
      </Section>
    </SettingsForm>
  );
}
