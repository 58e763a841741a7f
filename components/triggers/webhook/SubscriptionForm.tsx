import { Button, Group, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { SubscriptionRequest } from '@/contract/triggers/subscription';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { CredentialPicker } from '@/components/credentials/CredentialPicker';
import { ChoiceTargetContext } from '@/components/forms/choices/choice-target';
import type { FieldSchema } from '@/components/forms/model/field-schema';
import { SchemaForm } from '@/components/forms/SchemaForm';
import { StartNodeField } from '@/components/ui/start-nodes/StartNodeField';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { JsonView } from '@/components/ui/values/JsonView';

/** What a person has chosen; the account may be missing. */
export type SubscriptionDraft = Omit<SubscriptionRequest, 'credentialId'> & {
  credentialId: string | undefined;
  startNodeId: string | null;
};

interface Props {
  initial: SubscriptionDraft;
  action: string;
  isBusy: boolean;
  error: unknown;
  onSubmit(body: { subscription: SubscriptionRequest; startNodeId: string | null }): void;
  onCancel?(): void;
}

const PARAMETER_ERROR_PREFIX = 'subscription.parameters.';
const SUBSCRIPTION_FIELDS = ['subscription.event', 'subscription.credentialId', 'startNodeId'];

/** The settings of a webhook that the service makes at a provider: event, account, and what the event asks for. */
export function SubscriptionForm({ initial, action, isBusy, error, onSubmit, onCancel }: Props) {
  const trpc = useTRPC();
  const [draft, setDraft] = useState(initial);
  const [isExampleShown, setExampleShown] = useState(false);
  const connector = useQuery(trpc.connectors.get.queryOptions({ params: { id: draft.connectorId } }));
  const { at, elsewhere } = splitFieldErrors(
    error,
    (field) => SUBSCRIPTION_FIELDS.includes(field) || field.startsWith(PARAMETER_ERROR_PREFIX),
  );
  if (connector.error)
    return (
      <RequestErrorAlert
        title="The events can’t be shown"
        error={connector.error}
        onRetry={() => void connector.refetch()}
      />
    );
  if (!connector.data) return <Skeleton h={200} />;
  const { name, events } = connector.data;
  const offered = events.filter(({ mode }) => mode === 'subscription');
  const event = offered.find(({ id }) => id === draft.event);
  const schema = event?.parameters as FieldSchema | undefined;
  const { credentialId } = draft;
  const parameterErrors = [...at].flatMap(([field, message]) =>
    field.startsWith(PARAMETER_ERROR_PREFIX) ? [[field.slice(PARAMETER_ERROR_PREFIX.length), message] as const] : [],
  );
  const submit = (submitted: SubmitEvent) => {
    submitted.preventDefault();
    const { startNodeId, ...subscription } = draft;
    if (credentialId !== undefined) onSubmit({ subscription: { ...subscription, credentialId }, startNodeId });
  };
  return (
    <form onSubmit={submit} aria-label={`Event of ${name}`}>
      <Stack gap="sm">
        {elsewhere && <FormErrorAlert>{elsewhere}</FormErrorAlert>}
        <Select
          label="Event"
          data={offered.map(({ id, title }) => ({ value: id, label: title }))}
          value={draft.event}
          allowDeselect={false}
          searchable
          nothingFoundMessage="No event found"
          error={at.get('subscription.event')}
          onChange={(id) => id !== null && setDraft({ ...draft, event: id })}
        />
        <CredentialPicker
          need={{
            label: `Account at ${name}`,
            help: `The webhook is made with it at ${name}, and removed when the workflow is paused.`,
            types: ['oauth2', 'token'],
            connectorId: draft.connectorId,
          }}
          isRequired
          value={credentialId}
          error={at.get('subscription.credentialId')}
          onChange={(id) => setDraft({ ...draft, credentialId: id })}
        />
        {schema && Object.keys(schema.properties ?? {}).length > 0 && (
          <ChoiceTargetContext value={{ nodeType: 'connector', connectorId: draft.connectorId, credentialId }}>
            <SchemaForm
              schema={schema}
              value={draft.parameters}
              errors={new Map(parameterErrors)}
              onChange={(parameters) =>
                setDraft({ ...draft, parameters: parameters as SubscriptionRequest['parameters'] })
              }
            />
          </ChoiceTargetContext>
        )}
        <StartNodeField
          value={draft.startNodeId}
          error={at.get('startNodeId')}
          onChange={(startNodeId) => setDraft({ ...draft, startNodeId })}
        />
        {event?.example !== undefined && (
          <div>
            <Button
              variant="subtle"
              size="compact-sm"
              aria-expanded={isExampleShown}
              onClick={() => setExampleShown(!isExampleShown)}
            >
              {isExampleShown ? 'Hide the example' : 'Show an example of what arrives'}
            </Button>
            {isExampleShown && <JsonView label="Example" value={event.example} />}
          </div>
        )}
        <Group justify="flex-end" gap="xs" align="center">
          {credentialId === undefined && (
            <Text size="xs" c="dimmed">
              Choose an account first.
            </Text>
          )}
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={isBusy} disabled={credentialId === undefined}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
