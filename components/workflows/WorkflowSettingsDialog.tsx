import { Button, Group, Modal, NumberInput, Select, Stack, Switch, TagsInput, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { SAVE_DATA } from '@/contract/states';
import type { Workflow, WorkflowSettings } from '@/contract/workflows/workflow';
import { fieldErrorsOf } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useCan } from '@/components/client/useCan';
import { useRefresh } from '@/components/client/useRefresh';
import { ErrorNote } from '@/components/ui/states/ErrorNote';
import { FailureNote } from '@/components/ui/states/FailureNote';
import { PanelSkeleton } from '@/components/ui/states/PanelSkeleton';
import { DurationInput } from '@/components/ui/values/DurationInput';
import { WorkflowSelect } from '@/components/ui/WorkflowSelect';
import { ZoneSelect } from '@/components/ui/zones/ZoneSelect';
import { useFolders } from './folders/useFolders';

const SAVED: Record<WorkflowSettings['saveData'], string> = {
  all: 'Of all runs',
  failed: 'Of failed runs only',
  none: 'Of no run',
};

/** The settings of a workflow that hold for all its versions. */
export function WorkflowSettingsDialog({ id, onClose }: { id: string; onClose(): void }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.workflows.get.queryOptions({ params: { id } }, { staleTime: 0 }));
  return (
    <Modal opened onClose={onClose} title="Workflow settings" size="lg">
      {error && <FailureNote title="The settings can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <PanelSkeleton />}
      {data && <Form workflow={data} onClose={onClose} />}
    </Modal>
  );
}

function Form({ workflow, onClose }: { workflow: Workflow; onClose(): void }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const isReadOnly = useCan()('workflow:update') === 'none';
  const [changes, setChanges] = useState<Partial<WorkflowSettings>>({});
  const [place, setPlace] = useState<Partial<Pick<Workflow, 'tags' | 'folderId'>>>({});
  const { folders, tags } = useFolders();
  const update = useMutation(
    trpc.workflows.update.mutationOptions({
      onSuccess: () => {
        refresh();
        notifications.show({ message: 'Settings saved', color: 'verdigris' });
        onClose();
      },
    }),
  );
  const { at, elsewhere } = fieldErrorsOf(update.error, (field) => /^(settings\.|tags|folderId)/.test(field));
  const values = { ...workflow.settings, ...changes };
  const set = (more: Partial<WorkflowSettings>) => {
    update.reset();
    setChanges({ ...changes, ...more });
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    update.mutate({ params: { id: workflow.id }, body: { ...place, settings: changes } });
  };
  const count = (name: 'concurrency' | 'retentionDays', label: string, description: string) => (
    <NumberInput
      label={label}
      description={description}
      placeholder="No limit"
      min={1}
      allowDecimal={false}
      value={values[name] ?? ''}
      error={at.get(`settings.${name}`)}
      onChange={(next) => set({ [name]: next === '' ? null : Number(next) })}
    />
  );
  return (
    <form onSubmit={submit}>
      <fieldset disabled={isReadOnly} style={{ border: 0, padding: 0, margin: 0 }}>
        <Stack>
          <ErrorNote>{elsewhere}</ErrorNote>
          <Text size="sm" c="dimmed">
            They apply to all versions, and to runs that start after a change.
          </Text>
          <TagsInput
            label="Tags"
            data={tags}
            maxTags={20}
            maxLength={50}
            value={place.tags ?? workflow.tags}
            error={[...at].find(([field]) => field.startsWith('tags'))?.[1]}
            onChange={(next) => setPlace({ ...place, tags: next })}
          />
          <Select
            label="Folder"
            placeholder="No folder"
            clearable
            clearButtonProps={{ 'aria-label': 'No folder' }}
            data={folders.map(({ id, path }) => ({ value: id, label: path }))}
            value={place.folderId === undefined ? workflow.folderId : place.folderId}
            error={at.get('folderId')}
            onChange={(folderId) => setPlace({ ...place, folderId })}
          />
          <WorkflowSelect
            label="Error workflow"
            description="Each failed run starts it. Without one, the error workflow of the workspace starts."
            placeholder="Workspace default"
            except={workflow.id}
            value={values.errorWorkflowId}
            error={at.get('settings.errorWorkflowId')}
            onChange={(errorWorkflowId) => set({ errorWorkflowId })}
          />
          <ZoneSelect
            label="Time zone"
            description="The default for its schedules and for date functions."
            placeholder="UTC"
            clearable
            value={values.timeZone}
            error={at.get('settings.timeZone')}
            onChange={(timeZone) => set({ timeZone })}
          />
          <DurationInput
            label="Timeout"
            description="A run that takes longer fails. Waiting time counts."
            placeholder="No limit"
            min={1}
            max={366 * 86_400_000}
            isClearable
            value={values.timeoutMs}
            error={at.get('settings.timeoutMs')}
            onChange={(timeoutMs) => set({ timeoutMs })}
          />
          {count('concurrency', 'Concurrent runs', 'Further runs wait in the queue.')}
          {count('retentionDays', 'Keep finished runs (days)', 'At most the retention of the workspace.')}
          <Select
            label="Keep the data"
            description="Input, output, results of nodes, and log. Other data is removed five seconds after the run."
            allowDeselect={false}
            data={SAVE_DATA.map((value) => ({ value, label: SAVED[value] }))}
            value={values.saveData}
            onChange={(next) => set({ saveData: SAVE_DATA.find((value) => value === next) ?? values.saveData })}
          />
          <Switch
            label="Publish only if all tests pass"
            description="A version is published, and the workflow activated, after every test has passed on that version."
            checked={values.requireTests}
            onChange={(event) => set({ requireTests: event.currentTarget.checked })}
          />
          <Switch
            label="Offer as a tool (MCP)"
            description="While it is active, programs and agents with an API key can call it, by its name, description and input schema."
            checked={values.isTool}
            onChange={(event) => set({ isTool: event.currentTarget.checked })}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={update.isPending}
              disabled={Object.keys({ ...changes, ...place }).length === 0}
            >
              Save
            </Button>
          </Group>
        </Stack>
      </fieldset>
    </form>
  );
}
