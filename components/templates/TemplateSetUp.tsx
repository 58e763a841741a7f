import { Button, Divider, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState, type SubmitEvent } from 'react';
import type { Template } from '@/contract/workflows/template';
import { useTRPC } from '@/components/client/trpc';
import { ErrorNote } from '@/components/ui/states/ErrorNote';
import { FailureNote } from '@/components/ui/states/FailureNote';
import { CopyField } from '@/components/ui/values/CopyField';
import { CredentialNeed } from '@/components/credentials/CredentialNeed';
import { SecretNeed, TableNeed, ValueNeed } from './Needs';
import { emptyForm, problemsOf, type SetUpForm } from './set-up-form';
import { Services } from './Services';
import { TemplatePicture } from './TemplatePicture';
import classes from './TemplateSetUp.module.css';
import { triggerWords } from './trigger-words';
import { useCreation, type Created } from './useCreation';

/** A template with its picture, and what its workflow needs: credentials, values, a table. */
export function TemplateSetUp({ id, onBack }: { id: string; onBack(): void }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.templates.get.queryOptions({ params: { id } }, { staleTime: Number.POSITIVE_INFINITY }),
  );
  const router = useRouter();
  const [created, setCreated] = useState<Created>();
  const open = (workflowId: string) => router.push(`/workflows/${workflowId}`);
  if (error) return <FailureNote title="The template can’t be shown" error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={420} aria-busy="true" aria-label="Loading" />;
  if (created) return <Secrets created={created} onOpen={() => open(created.workflowId)} />;
  const finish = (result: Created) => (result.secrets.length > 0 ? setCreated(result) : open(result.workflowId));
  return <Form template={data} onBack={onBack} onCreated={finish} />;
}

interface FormProps {
  template: Template;
  onBack(): void;
  onCreated(created: Created): void;
}

function Form({ template, onBack, onCreated }: FormProps) {
  const [form, setForm] = useState<SetUpForm>(() => emptyForm(template));
  const [isTried, setIsTried] = useState(false);
  const { create, isBusy, error, nameError } = useCreation(template);
  const { definition, credentials, values, table, services, triggers } = template;
  const problems = isTried ? problemsOf(template, form) : {};
  const isComplete = Object.keys(problemsOf(template, form)).length === 0;
  const isNarrow = useMediaQuery('(max-width: 48em)');
  const change = (part: Partial<SetUpForm>) => setForm((before) => ({ ...before, ...part }));
  const start = async (given: SetUpForm) => {
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
        <Services services={services} />
      </Group>
      <div className={classes.picture}>
        <TemplatePicture outline={outlineOf(definition)} hasNames={!isNarrow} />
      </div>
      <div>
        <Title order={3}>{template.name}</Title>
        <Text size="sm" c="dimmed">
          {template.description}
        </Text>
        <Text size="sm" mt={6}>
          {triggers.length === 0 ? 'You start it yourself.' : `Starts ${triggers.map(triggerWords).join(', ')}.`}
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
            <CredentialNeed
              key={need.id}
              need={need}
              value={form.credentials[need.id]}
              error={problems[`credentials.${need.id}`]}
              onChange={(chosen) => change({ credentials: { ...form.credentials, [need.id]: chosen } })}
            />
          ))}
          {values.map((need) => (
            <ValueNeed
              key={need.id}
              need={need}
              value={form.values[need.id] ?? ''}
              error={problems[`values.${need.id}`]}
              onChange={(text) => change({ values: { ...form.values, [need.id]: text } })}
            />
          ))}
          {table && (
            <TableNeed
              table={table}
              value={form.tableId}
              error={problems.tableId}
              onChange={(tableId) => change({ tableId })}
            />
          )}
          <SecretNeed template={template} value={form.secret} onChange={(secret) => change({ secret })} />
          {error !== undefined && <ErrorNote>{error}</ErrorNote>}
          <Group justify="flex-end" gap="xs">
            {!isComplete && (
              <Button variant="default" disabled={isBusy} onClick={() => void start(skipped(template, form))}>
                Skip for now
              </Button>
            )}
            <Button type="submit" loading={isBusy}>
              Create workflow
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}

/** What was filled in stays; what does not fit is left out. */
function skipped(template: Template, form: SetUpForm): SetUpForm {
  const problems = problemsOf(template, form);
  const values = Object.entries(form.values).filter(([id]) => !problems[`values.${id}`]);
  return { ...form, name: form.name.trim() || template.name, values: Object.fromEntries(values) };
}

const outlineOf = ({ nodes, connections }: Template['definition']) => ({
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
const Secrets = ({ created, onOpen }: { created: Created; onOpen(): void }) => (
  <Stack gap="md">
    <Text>
      The workflow was created. Callers sign their requests with this secret: copy it now, it is shown only once.
    </Text>
    {created.secrets.map(({ url, secret }) => (
      <Stack key={url} gap="xs">
        <CopyField label="Address of the webhook" value={url} />
        <CopyField label="Secret" value={secret} />
      </Stack>
    ))}
    <Group justify="flex-end">
      <Button onClick={onOpen} data-autofocus>
        Open the workflow
      </Button>
    </Group>
  </Stack>
);
