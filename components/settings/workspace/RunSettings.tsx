'use client';

import { Anchor, Group, Radio, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { AppLink } from '@/components/ui/AppLink';
import type { WorkspaceResponse } from '@/contract/workspace';
import { useTRPC } from '@/components/client/trpc';
import { PageSection } from '@/components/ui/page/PageSection';
import { WorkflowSelect } from '@/components/ui/WorkflowSelect';
import { LimitInput } from '../LimitInput';
import { CountInput } from '../CountInput';
import { SettingsForm } from '../SettingsForm';
import { useSettingsDraft } from '../useSettingsDraft';
import { WithWorkspace } from '../WithWorkspace';

/** Retention and concurrency of runs, and settings of all webhooks. */
export function RunSettings() {
  return <WithWorkspace>{(workspace) => <RunSettingsForm key={workspace.id} workspace={workspace} />}</WithWorkspace>;
}

function RunSettingsForm({ workspace }: { workspace: WorkspaceResponse }) {
  const trpc = useTRPC();
  const usage = useQuery(trpc.workspaces.usage.queryOptions({ params: { id: workspace.id } }));
  const draft = useSettingsDraft(workspace);
  const { values, set, errorAt } = draft;
  const most = usage.data?.executionRetentionDays.service;
  const { concurrency } = values;
  return (
    <SettingsForm draft={draft}>
      <PageSection
        title="Retention"
        summary="Finished runs are deleted daily with their data, logs and deliveries. A shorter retention applies at once."
      >
        <LimitInput
          label="Keep finished runs"
          description={most === undefined ? 'In days.' : `This service keeps runs for at most ${most} days.`}
          none={most === undefined ? 'Service default' : `Service default (${most} days)`}
          units={{ days: 1 }}
          start={Math.min(14, most ?? 14)}
          value={values.executionRetentionDays}
          error={errorAt('executionRetentionDays')}
          onChange={(executionRetentionDays) => set({ executionRetentionDays })}
        />
      </PageSection>
      <PageSection
        title="Concurrency"
        summary="Limit for all workflows of this workspace together. A workflow can have its own limit."
      >
        <Stack gap="md">
          <LimitInput
            label="Concurrent runs"
            description="Runs that wait for an approval or a delay count. A run that waits for a sub-workflow does not count, but the sub-workflow does."
            none="No limit"
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
              label="Runs over the limit"
              value={concurrency.overflow}
              onChange={(value) =>
                set({ concurrency: { ...concurrency, overflow: value === 'refuse' ? 'refuse' : 'queue' } })
              }
            >
              <Group mt={6}>
                <Radio value="queue" label="Wait in the queue" />
                <Radio value="refuse" label="Are refused (409)" />
              </Group>
            </Radio.Group>
          )}
        </Stack>
      </PageSection>
      <PageSection title="Errors" summary="What happens when a run fails. A workflow can have its own error workflow.">
        <WorkflowSelect
          label="Error workflow"
          description="Each failed run starts it with the error and the input of the run. Its own failures start nothing."
          placeholder="None"
          value={values.errorWorkflowId}
          error={errorAt('errorWorkflowId')}
          onChange={(errorWorkflowId) => set({ errorWorkflowId })}
        />
      </PageSection>
      <PageSection title="Webhook signatures" summary="Deliveries without a valid signature never start a run.">
        <Stack gap="sm">
          <CountInput
            label="Grace period of a replaced secret"
            description="The old secret stays valid for 0 to 168 hours, so that senders can switch. Use 0 if it leaked."
            unit="hours"
            value={values.webhookGraceHours}
            error={errorAt('webhookGraceHours')}
            onChange={(webhookGraceHours) => set({ webhookGraceHours })}
          />
          <Text size="xs" c="dimmed">
            Replace a secret at the webhook in its workflow. For app registrations see{' '}
            <Anchor component={AppLink} href="/connectors" fz="xs" underline="always">
              Connectors
            </Anchor>
            .
          </Text>
        </Stack>
      </PageSection>
    </SettingsForm>
  );
}
