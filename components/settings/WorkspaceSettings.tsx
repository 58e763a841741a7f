'use client';

import { Button, Radio, Skeleton, Stack, Switch, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { MfaPolicy, type Workspace } from '@/contract/workspace';
import { fieldErrorsOf } from '../client/field-errors';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { useMe } from '../shell/useMe';
import { CopyField } from '../ui/CopyField';
import { ErrorNote } from '../ui/ErrorNote';
import { FailureNote } from '../ui/FailureNote';
import { Section } from '../ui/Section';
import { LeaveWorkspace } from './LeaveWorkspace';

export function WorkspaceSettings() {
  const trpc = useTRPC();
  const { workspace } = useMe();
  const id = workspace?.id ?? '';
  const { data, error, refetch } = useQuery(
    trpc.workspaces.get.queryOptions({ params: { id } }, { enabled: workspace !== undefined }),
  );
  if (error) return <FailureNote title="The workspace can’t be shown" error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={320} />;
  return (
    <Stack gap="lg">
      <Form key={data.id} workspace={data} />
      <LeaveWorkspace workspace={data} />
    </Stack>
  );
}

const POLICIES: Record<MfaPolicy, { label: string; description: string }> = {
  off: { label: 'Not offered', description: 'Those who have set one up are still asked for it.' },
  optional: { label: 'Offered', description: 'Everybody may set one up.' },
  required: { label: 'Required', description: 'Nobody gets any further before they have set one up.' },
};

function Form({ workspace }: { workspace: Workspace }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [name, setName] = useState(workspace.name);
  const [settings, setSettings] = useState(workspace.settings);
  const update = useMutation(
    trpc.workspaces.update.mutationOptions({
      onSuccess: () => {
        refresh();
        notifications.show({ message: 'Saved', color: 'verdigris' });
      },
    }),
  );
  const { at, elsewhere } = fieldErrorsOf(update.error, (field) => field === 'name');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    update.mutate({ params: { id: workspace.id }, body: { name: name.trim(), settings } });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <ErrorNote>{elsewhere}</ErrorNote>
        <Section title="General">
          <Stack>
            <TextInput
              label="Name"
              required
              maxLength={200}
              value={name}
              error={at.get('name')}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <CopyField label="Id" value={workspace.id} description="For the X-Workspace-Id header of scripts." />
          </Stack>
        </Section>
        <Section title="Signing in" summary="What this workspace asks of its members.">
          <Stack gap="lg">
            <Radio.Group
              label="Second factor"
              value={settings.mfaPolicy}
              onChange={(value) => setSettings({ ...settings, mfaPolicy: MfaPolicy.parse(value) })}
            >
              <Stack gap="xs" mt="xs">
                {MfaPolicy.options.map((policy) => (
                  <Radio key={policy} value={policy} {...POLICIES[policy]} />
                ))}
              </Stack>
            </Radio.Group>
            <Switch
              label="Require single sign-on"
              description="Passwords open this workspace for owners only. Set up a provider first."
              checked={settings.ssoRequired}
              onChange={(event) => setSettings({ ...settings, ssoRequired: event.currentTarget.checked })}
            />
          </Stack>
        </Section>
        <Button type="submit" w="fit-content" loading={update.isPending} disabled={name.trim() === ''}>
          Save
        </Button>
      </Stack>
    </form>
  );
}
