'use client';

import { Button, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { WorkspaceResponse } from '@/contract/workspace';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { usePermissions } from '@/components/client/usePermissions';
import { CopyableField } from '@/components/ui/values/CopyableField';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { PageSection } from '@/components/ui/page/PageSection';
import { DangerZone } from './DangerZone';
import { LanguageChoice } from '@/components/ui/LanguageChoice';
import { SettingsForm } from '../SettingsForm';
import { useSettingsDraft } from '../useSettingsDraft';
import { WithWorkspace } from '../WithWorkspace';

export function GeneralSettings() {
  return (
    <WithWorkspace>
      {(workspace) => (
        <Stack gap="lg">
          <WorkspaceNameForm key={workspace.id} workspace={workspace} />
          <ExpressionSettings key={`${workspace.id} expressions`} workspace={workspace} />
          <DangerZone workspace={workspace} />
        </Stack>
      )}
    </WithWorkspace>
  );
}

function ExpressionSettings({ workspace }: { workspace: WorkspaceResponse }) {
  const draft = useSettingsDraft(workspace);
  return (
    <SettingsForm draft={draft}>
      <PageSection
        title="Expressions"
        summary="The editor, Build with AI, templates and imports write this language in new workflows. Existing workflows keep theirs."
      >
        <LanguageChoice
          value={draft.values.expressionLanguage}
          onChange={(expressionLanguage) => draft.set({ expressionLanguage })}
        />
      </PageSection>
    </SettingsForm>
  );
}

function WorkspaceNameForm({ workspace }: { workspace: WorkspaceResponse }) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const isReadOnly = usePermissions()('workspace:update') === 'none';
  const [name, setName] = useState(workspace.name);
  const update = useMutation(
    trpc.workspaces.update.mutationOptions({
      onSuccess: () => {
        refresh();
        notifications.show({ message: 'Saved', color: 'verdigris' });
      },
    }),
  );
  const { at, elsewhere } = splitFieldErrors(update.error, (field) => field === 'name');
  const wanted = name.trim();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    update.mutate({ params: { id: workspace.id }, body: { name: wanted } });
  };
  return (
    <PageSection title="General">
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormErrorAlert>{elsewhere}</FormErrorAlert>
          <TextInput
            label="Name"
            withAsterisk
            maxLength={200}
            disabled={isReadOnly}
            value={name}
            error={wanted === '' ? 'A workspace needs a name.' : at.get('name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <CopyableField
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
    </PageSection>
  );
}
