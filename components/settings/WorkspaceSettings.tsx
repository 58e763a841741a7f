'use client';

import { Button, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { Workspace } from '@/contract/workspace';
import { fieldErrorsOf } from '../client/field-errors';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { useCan } from '../shell/useCan';
import { CopyField } from '../ui/CopyField';
import { ErrorNote } from '../ui/ErrorNote';
import { Section } from '../ui/Section';
import { DangerZone } from './DangerZone';
import { UsageSection } from './UsageSection';
import { WithWorkspace } from './WithWorkspace';

export function WorkspaceSettings() {
  return (
    <WithWorkspace>
      {(workspace) => (
        <Stack gap="lg">
          <General key={workspace.id} workspace={workspace} />
          <UsageSection workspaceId={workspace.id} />
          <DangerZone workspace={workspace} />
        </Stack>
      )}
    </WithWorkspace>
  );
}

function General({ workspace }: { workspace: Workspace }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const isReadOnly = useCan()('workspace:update') === 'none';
  const [name, setName] = useState(workspace.name);
  const update = useMutation(
    trpc.workspaces.update.mutationOptions({
      onSuccess: () => {
        refresh();
        notifications.show({ message: 'Saved', color: 'verdigris' });
      },
    }),
  );
  const { at, elsewhere } = fieldErrorsOf(update.error, (field) => field === 'name');
  const wanted = name.trim();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    update.mutate({ params: { id: workspace.id }, body: { name: wanted } });
  };
  return (
    <Section title="General">
      <form onSubmit={submit} noValidate>
        <Stack>
          <ErrorNote>{elsewhere}</ErrorNote>
          <TextInput
            label="Name"
            maxLength={200}
            disabled={isReadOnly}
            value={name}
            error={wanted === '' ? 'A workspace needs a name.' : at.get('name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <CopyField label="Id" value={workspace.id} description="For the X-Workspace-Id header of scripts." />
          {wanted !== '' && wanted !== workspace.name && (
            <Button type="submit" w="fit-content" loading={update.isPending}>
              Save
            </Button>
          )}
        </Stack>
      </form>
    </Section>
  );
}
