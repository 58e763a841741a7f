'use client';

import { Button, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { Workspace } from '@/contract/workspace';
import { fieldErrorsOf } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';
import { useCan } from '@/components/client/useCan';
import { CopyField } from '@/components/ui/values/CopyField';
import { ErrorNote } from '@/components/ui/states/ErrorNote';
import { Section } from '@/components/ui/page/Section';
import { DangerZone } from './DangerZone';
import { WithWorkspace } from '../WithWorkspace';

export function WorkspaceSettings() {
  return (
    <WithWorkspace>
      {(workspace) => (
        <Stack gap="lg">
          <General key={workspace.id} workspace={workspace} />
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
          <CopyField
            label="Workspace ID"
            value={workspace.id}
            description="For the X-Workspace-Id header of API requests."
          />
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
