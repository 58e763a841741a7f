import { Button, Divider, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useMemo, useState, type SubmitEvent } from 'react';
import type { WorkflowTemplate } from '@/contract/workflows/template';
import { useTRPC } from '@/components/client/trpc';
import { usePermissions } from '@/components/client/usePermissions';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { CopyableField } from '@/components/ui/values/CopyableField';
import { CredentialPicker } from '@/components/credentials/CredentialPicker';
import { TemplateSecretField, TemplateTableField, TemplateValueField } from './Needs';
import { TemplatePickedField } from './TemplatePickedField';
import { findTemplateValueUse } from './value-use';
import { emptySetUpDraft, setUpProblems, type SetUpDraft } from './set-up-form';
import { TemplateServices } from './TemplateServices';
import { TemplatePicture } from './TemplatePicture';
import classes from './TemplateSetUp.module.css';
import { describeTrigger } from './trigger-words';
import { useCreateFromTemplate, type CreatedWorkflow } from './useCreateFromTemplate';

/** A template with its picture, and what its workflow needs: credentials, values, a table. */
export function TemplateSetUp({ id, onBack }: { id: string; onBack(): void }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.templates.get.queryOptions({ params: { id } }, { staleTime: Number.POSITIVE_INFINITY }),
  );
  const router = useRouter();
  const [created, setCreated] = useState<CreatedWorkflow>();
  const open = (workflowId: string) => router.push(`/workflows/${workflowId}`);
  if (error)
    return <RequestErrorAlert title="The template can’t be shown" error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={420} aria-busy="true" aria-label="Loading" />;
  if (created) return <CreatedSecrets created={created} onOpen={() => open(created.workflowId)} />;
  const finish = (result: CreatedWorkflow) =>
    result.secrets.length > 0 ? setCreated(result) : open(result.workflowId);
  return <TemplateSetUpForm template={data} onBack={onBack} onCreated={finish} />;
}

interface TemplateSetUpFormProps {
  template: WorkflowTemplate;
  onBack(): void;
  onCreated(created: CreatedWorkflow): void;
}

function TemplateSetUpForm({ template, onBack, onCreated }: TemplateSetUpFormProps) {
  const [form, setForm] = useState<SetUpDraft>(() => emptySetUpDraft(template));
  const [isTried, setIsTried] = useState(false);
  const isAllowed = usePermissions()('workflow:create') !== 'none';
  const { create, isBusy, error, nameError } = useCreateFromTemplate(template);
  const { credentials, values, table, services, triggers } = template;
  const problems = isTried ? setUpProblems(template, form) : {};
  const isComplete = Object.keys(setUpProblems(template, form)).length === 0;
  const isNarrow = useMediaQuery('(max-width: 48em)');
  const change = (part: Partial<SetUpDraft>) => setForm((before) => ({ ...before, ...part }));
  const start = async (given: SetUpDraft) => {
    const created = await create(given);
    if (created) onCreated(created);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (isComplete) void start(form);
  };
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="xs">
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconArrowLeft size={15} aria-hidden />}
          onClick={onBack}
        >
          All templates
        </Button>
        <TemplateServices services={services} />
      </Group>
      <div className={classes.picture}>
        <TemplatePicture outline={templateOutline(template)} hasNames={!isNarrow} />
      </div>
      <div>
        <Title order={3}>{template.name}</Title>
        <Text size="sm" c="dimmed">
          {template.description}
        </Text>
        <Text size="sm" mt={6}>
          {triggers.length === 0 ? 'You start it yourself.' : `Starts ${triggers.map(describeTrigger).join(', ')}.`}
        </Text>
      </div>
      <Divider />
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label="Name of the workflow"
            required
            maxLength={200}
            value={form.name}
            error={problems.name ?? nameError}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          {credentials.map((need) => (
            <CredentialPicker
              key={need.id}
              need={need}
              choosesOnly={need.connectorId !== null}
              value={form.credentials[need.id]}
              error={problems[`credentials.${need.id}`]}
              onChange={(chosen) => change({ credentials: { ...form.credentials, [need.id]: chosen } })}
            />
          ))}
          {values.map((need) => (
            <TemplateNeedField
              key={need.id}
              template={template}
              need={need}
              form={form}
              error={problems[`values.${need.id}`]}
              onChange={setForm}
            />
          ))}
          {table && (
            <TemplateTableField
              table={table}
              value={form.tableId}
              error={problems.tableId}
              onChange={(tableId) => change({ tableId })}
            />
          )}
          <TemplateSecretField template={template} value={form.secret} onChange={(secret) => change({ secret })} />
          {error !== undefined && <FormErrorAlert>{error}</FormErrorAlert>}
          <Group justify="flex-end" gap="xs">
            {!isComplete && isAllowed && (
              <Button variant="default" disabled={isBusy} onClick={() => void start(withoutProblems(template, form))}>
                Skip for now
              </Button>
            )}
            <PermittedButton to="workflow:create">
              <Button type="submit" loading={isBusy}>
                Create workflow
              </Button>
            </PermittedButton>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}

interface TemplateNeedFieldProps {
  template: WorkflowTemplate;
  need: WorkflowTemplate['values'][number];
  form: SetUpDraft;
  error: string | undefined;
  /** A picked value and what it is called arrive one after the other. */
  onChange(change: (before: SetUpDraft) => SetUpDraft): void;
}

/** A value of a template: picked, where the field that it fills in has a list, else written. */
function TemplateNeedField({ template, need, form, error, onChange }: TemplateNeedFieldProps) {
  const use = useMemo(() => findTemplateValueUse(template, need.id), [template, need.id]);
  const field = {
    need,
    error,
    value: form.values[need.id] ?? '',
    onChange: (text: string) => onChange((before) => ({ ...before, values: { ...before.values, [need.id]: text } })),
  };
  if (!use) return <TemplateValueField {...field} />;
  return (
    <TemplatePickedField
      {...field}
      use={use}
      credentialId={use.credentialNeedId === undefined ? undefined : form.credentials[use.credentialNeedId]}
      values={form.values}
      label={form.labels[need.id]}
      onLabel={(label) => onChange((before) => ({ ...before, labels: { ...before.labels, [need.id]: label } }))}
    />
  );
}

/** Keeps what was filled in, and leaves out what does not fit. */
function withoutProblems(template: WorkflowTemplate, form: SetUpDraft): SetUpDraft {
  const problems = setUpProblems(template, form);
  const values = Object.entries(form.values).filter(([id]) => !problems[`values.${id}`]);
  return { ...form, name: form.name.trim() || template.name, values: Object.fromEntries(values) };
}

const templateOutline = ({ definition: { nodes, connections }, triggers }: WorkflowTemplate) => ({
  triggers: triggers.map(({ kind }) => kind),
  nodes: nodes.map(({ id, type, name, position, config: { connectorId } }) => ({
    id,
    type,
    name,
    position,
    connectorId: typeof connectorId === 'string' ? connectorId : undefined,
  })),
  connections,
});

/** The secrets of webhooks that the service has made. */
const CreatedSecrets = ({ created, onOpen }: { created: CreatedWorkflow; onOpen(): void }) => (
  <Stack gap="md">
    <Text>
      The workflow was created. Callers sign their requests with this secret: copy it now, it is shown only once.
    </Text>
    {created.secrets.map(({ url, secret }) => (
      <Stack key={url} gap="xs">
        <CopyableField label="Address of the webhook" value={url} />
        <CopyableField label="Secret" value={secret} />
      </Stack>
    ))}
    <Group justify="flex-end">
      <Button onClick={onOpen} data-autofocus>
        Open the workflow
      </Button>
    </Group>
  </Stack>
);
