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

type Place = Partial<Pick<Workflow, 'tags' | 'folderId'>>;

function Form({ workflow, onClose }: { workflow: Workflow; onClose(): void }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const isReadOnly = useCan()('workflow:update') === 'none';
  const [changes, setChanges] = useState<Partial<WorkflowSettings>>({});
  const [place, setPlace] = useState<Place>({});
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
  const fields: Fields = {
    workflow,
    values: { ...workflow.settings, ...changes },
    errorAt: (field) => at.get(`settings.${field}`),
    onChange: (more) => {
      update.reset();
      setChanges({ ...changes, ...more });
    },
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    update.mutate({ params: { id: workflow.id }, body: { ...place, settings: changes } });
  };
  return (
    <form onSubmit={submit}>
      <fieldset disabled={isReadOnly} style={{ border: 0, padding: 0, margin: 0 }}>
        <Stack>
          <ErrorNote>{elsewhere}</ErrorNote>
          <Text size="sm" c="dimmed">
            They apply to all versions, and to runs that start after a change.
          </Text>
          <PlaceFields workflow={workflow} place={place} errors={at} onChange={setPlace} />
          <RunFields {...fields} />
          <DataFields {...fields} />
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

interface PlaceProps {
  workflow: Workflow;
  /** What is changed. */
  place: Place;
  errors: ReadonlyMap<string, string>;
  onChange(place: Place): void;
}

/** Tags and folder. */
function PlaceFields({ workflow, place, errors, onChange }: PlaceProps) {
  const { folders, tags } = useFolders();
  return (
    <>
      <TagsInput
        label="Tags"
        data={tags}
        maxTags={20}
        maxLength={50}
        value={place.tags ?? workflow.tags}
        error={[...errors].find(([field]) => field.startsWith('tags'))?.[1]}
        onChange={(next) => onChange({ ...place, tags: next })}
      />
      <Select
        label="Folder"
        placeholder="No folder"
        clearable
        clearButtonProps={{ 'aria-label': 'No folder' }}
        data={folders.map(({ id, path }) => ({ value: id, label: path }))}
        value={place.folderId === undefined ? workflow.folderId : place.folderId}
        error={errors.get('folderId')}
        onChange={(folderId) => onChange({ ...place, folderId })}
      />
    </>
  );
}

interface Fields {
  workflow: Workflow;
  values: WorkflowSettings;
  errorAt(field: keyof WorkflowSettings): string | undefined;
  onChange(changes: Partial<WorkflowSettings>): void;
}

/** How runs start, how long they may take, and what follows a failure. */
const RunFields = ({ workflow, values, errorAt, onChange }: Fields) => (
  <>
    <WorkflowSelect
      label="Error workflow"
      description="Each failed run starts it. Without one, the error workflow of the workspace starts."
      placeholder="Workspace default"
      except={workflow.id}
      value={values.errorWorkflowId}
      error={errorAt('errorWorkflowId')}
      onChange={(errorWorkflowId) => onChange({ errorWorkflowId })}
    />
    <ZoneSelect
      label="Time zone"
      description="The default for its schedules and for date functions."
      placeholder="UTC"
      clearable
      value={values.timeZone}
      error={errorAt('timeZone')}
      onChange={(timeZone) => onChange({ timeZone })}
    />
    <DurationInput
      label="Timeout"
      description="A run that takes longer fails. Waiting time counts."
      placeholder="No limit"
      min={1}
      max={366 * 86_400_000}
      isClearable
      value={values.timeoutMs}
      error={errorAt('timeoutMs')}
      onChange={(timeoutMs) => onChange({ timeoutMs })}
    />
    <CountInput
      label="Concurrent runs"
      description="Further runs wait in the queue."
      value={values.concurrency}
      error={errorAt('concurrency')}
      onChange={(concurrency) => onChange({ concurrency })}
    />
  </>
);

/** What is kept of runs, what a version needs to be published, and who may call it. */
const DataFields = ({ values, errorAt, onChange }: Fields) => (
  <>
    <CountInput
      label="Keep finished runs (days)"
      description="At most the retention of the workspace."
      value={values.retentionDays}
      error={errorAt('retentionDays')}
      onChange={(retentionDays) => onChange({ retentionDays })}
    />
    <Select
      label="Keep the data"
      description="Input, output, results of nodes, and log. Other data is removed five seconds after the run."
      allowDeselect={false}
      data={SAVE_DATA.map((value) => ({ value, label: SAVED[value] }))}
      value={values.saveData}
      onChange={(next) => onChange({ saveData: SAVE_DATA.find((value) => value === next) ?? values.saveData })}
    />
    <Switch
      label="Publish only if all tests pass"
      description="A version is published, and the workflow activated, after every test has passed on that version."
      checked={values.requireTests}
      onChange={(event) => onChange({ requireTests: event.currentTarget.checked })}
    />
    <Switch
      label="Offer as a tool (MCP)"
      description="While it is active, programs and agents with an API key can call it, by its name, description and input schema."
      checked={values.isTool}
      onChange={(event) => onChange({ isTool: event.currentTarget.checked })}
    />
  </>
);

interface CountProps {
  label: string;
  description: string;
  /** Null: no limit. */
  value: number | null;
  error: string | undefined;
  onChange(value: number | null): void;
}

const CountInput = ({ value, onChange, ...rest }: CountProps) => (
  <NumberInput
    placeholder="No limit"
    min={1}
    allowDecimal={false}
    value={value ?? ''}
    onChange={(next) => onChange(next === '' ? null : Number(next))}
    {...rest}
  />
);
