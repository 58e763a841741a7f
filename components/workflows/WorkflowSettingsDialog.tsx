import { Button, Group, Modal, NumberInput, Select, Stack, Switch, TagsInput, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { SAVE_DATA_MODES } from '@/contract/states';
import { definitionLanguage, type ExpressionLanguage } from '@/contract/workflows/expression-language';
import { EXPRESSION_LANGUAGE_LABELS } from '@/components/ui/values/expression-language';
import type { WorkflowResponse, WorkflowSettings } from '@/contract/workflows/workflow';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { usePermissions } from '@/components/client/usePermissions';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { PanelSkeleton } from '@/components/ui/states/PanelSkeleton';
import { DurationInput } from '@/components/ui/values/DurationInput';
import { WorkflowSelect } from '@/components/ui/WorkflowSelect';
import { StartNodeField } from '@/components/ui/start-nodes/StartNodeField';
import { TimeZoneSelect } from '@/components/ui/zones/TimeZoneSelect';
import { FolderSelect } from './folders/FolderSelect';
import { useWorkflowTags } from './useWorkflowTags';

const SAVE_DATA_LABELS: Record<WorkflowSettings['saveData'], string> = {
  all: 'Of all runs',
  failed: 'Of failed runs only',
  none: 'Of no run',
};

interface LanguageFieldProps {
  /** The language of the definition that is edited; absent: that of the stored one. */
  language?: ExpressionLanguage;
  /** Opens the conversion; absent: the language is only shown. */
  onChangeLanguage?(): void;
}

interface WorkflowSettingsDialogProps extends LanguageFieldProps {
  id: string;
  onClose(): void;
}

/** The settings of a workflow that hold for all its versions. */
export function WorkflowSettingsDialog({ id, onClose, ...language }: WorkflowSettingsDialogProps) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.workflows.get.queryOptions({ params: { id } }, { staleTime: 0 }));
  return (
    <Modal opened onClose={onClose} title="Workflow settings" size="lg">
      {error && <RequestErrorAlert title="The settings can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <PanelSkeleton />}
      {data && <WorkflowSettingsForm workflow={data} language={language} onClose={onClose} />}
    </Modal>
  );
}

type WorkflowPlacement = Partial<Pick<WorkflowResponse, 'tags' | 'folderId'>>;

interface WorkflowSettingsFormProps {
  workflow: WorkflowResponse;
  language: LanguageFieldProps;
  onClose(): void;
}

function WorkflowSettingsForm({ workflow, language, onClose }: WorkflowSettingsFormProps) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const isReadOnly = usePermissions()('workflow:update') === 'none';
  const [changes, setChanges] = useState<Partial<WorkflowSettings>>({});
  const [place, setPlace] = useState<WorkflowPlacement>({});
  const update = useMutation(
    trpc.workflows.update.mutationOptions({
      onSuccess: () => {
        refresh();
        notifications.show({ message: 'Settings saved', color: 'verdigris' });
        onClose();
      },
    }),
  );
  const { at, elsewhere } = splitFieldErrors(update.error, (field) => /^(settings\.|tags|folderId)/.test(field));
  const fields: SettingsFieldsProps = {
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
          <FormErrorAlert>{elsewhere}</FormErrorAlert>
          <Text size="sm" c="dimmed">
            They apply to all versions, and to runs that start after a change.
          </Text>
          <PlacementFields workflow={workflow} place={place} errors={at} onChange={setPlace} />
          <LanguageField language={definitionLanguage(workflow.definition)} {...language} />
          <RunSettingsFields {...fields} />
          <DataSettingsFields {...fields} />
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

/** The language of the expressions. It changes through a conversion only. */
const LanguageField = ({ language = 'jsonata', onChangeLanguage }: LanguageFieldProps) => (
  <Group justify="space-between" wrap="nowrap">
    <div>
      <Text size="sm" fw={550}>
        Language of expressions
      </Text>
      <Text size="xs" c="dimmed">
        {EXPRESSION_LANGUAGE_LABELS[language]}
        {onChangeLanguage ? '' : '. Open the workflow to change it.'}
      </Text>
    </div>
    {onChangeLanguage && (
      <Button variant="default" size="compact-sm" onClick={onChangeLanguage}>
        Change…
      </Button>
    )}
  </Group>
);

interface PlacementFieldsProps {
  workflow: WorkflowResponse;
  /** The changes of tags and folder. */
  place: WorkflowPlacement;
  errors: ReadonlyMap<string, string>;
  onChange(place: WorkflowPlacement): void;
}

/** Tags and folder. */
function PlacementFields({ workflow, place, errors, onChange }: PlacementFieldsProps) {
  const tags = useWorkflowTags();
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
      <FolderSelect
        label="Folder"
        value={place.folderId === undefined ? workflow.folderId : place.folderId}
        error={errors.get('folderId')}
        onChange={(folderId) => onChange({ ...place, folderId })}
      />
    </>
  );
}

interface SettingsFieldsProps {
  workflow: WorkflowResponse;
  values: WorkflowSettings;
  errorAt(field: keyof WorkflowSettings): string | undefined;
  onChange(changes: Partial<WorkflowSettings>): void;
}

/** How runs start, how long they may take, and what follows a failure. */
const RunSettingsFields = ({ workflow, values, errorAt, onChange }: SettingsFieldsProps) => (
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
    <StartNodeField
      description="Where calls over MCP begin, and runs that follow the failure of another workflow."
      value={values.startNodeId}
      error={errorAt('startNodeId')}
      onChange={(startNodeId) => onChange({ startNodeId })}
    />
    <TimeZoneSelect
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
    <OptionalCountInput
      label="Concurrent runs"
      description="Further runs wait in the queue."
      value={values.concurrency}
      error={errorAt('concurrency')}
      onChange={(concurrency) => onChange({ concurrency })}
    />
  </>
);

/** What is kept of runs, what a version needs to be published, and who may call it. */
const DataSettingsFields = ({ values, errorAt, onChange }: SettingsFieldsProps) => (
  <>
    <OptionalCountInput
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
      data={SAVE_DATA_MODES.map((value) => ({ value, label: SAVE_DATA_LABELS[value] }))}
      value={values.saveData}
      onChange={(next) => onChange({ saveData: SAVE_DATA_MODES.find((value) => value === next) ?? values.saveData })}
    />
    <Switch
      label="Publish only if all tests pass"
      description="A version is published, and the workflow goes live, after every test has passed on that version."
      checked={values.requireTests}
      onChange={(event) => onChange({ requireTests: event.currentTarget.checked })}
    />
    <Switch
      label="Offer as a tool (MCP)"
      description="While it is live, programs and agents with an API key can call it, by its name, description and input schema."
      checked={values.isTool}
      onChange={(event) => onChange({ isTool: event.currentTarget.checked })}
    />
  </>
);

interface OptionalCountProps {
  label: string;
  description: string;
  /** Null: no limit. */
  value: number | null;
  error: string | undefined;
  onChange(value: number | null): void;
}

const OptionalCountInput = ({ value, onChange, ...rest }: OptionalCountProps) => (
  <NumberInput
    placeholder="No limit"
    min={1}
    allowDecimal={false}
    value={value ?? ''}
    onChange={(next) => onChange(next === '' ? null : Number(next))}
    {...rest}
  />
);
