import { Button, Group, Select, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { CredentialPicker } from '@/components/credentials/CredentialPicker';
import { ChoiceTargetContext, replaceLabel } from '@/components/forms/choices/choice-target';
import { SchemaForm } from '@/components/forms/SchemaForm';
import { StartNodeField } from '@/components/ui/start-nodes/StartNodeField';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { DurationInput } from '@/components/ui/values/DurationInput';
import { MIN_POLL_SECONDS } from '../poll/PollTimeFields';
import {
  eventParameterSchema,
  eventServiceName,
  findEventOperation,
  findOpenParameter,
  listSiblingEvents,
  type EventDraft,
  type SubmittedEvent,
} from './event-draft';
import { EventTest } from './EventTest';

interface Props {
  workflowId: string;
  initial: EventDraft;
  /** Absent: the trigger exists, and its kind stays. */
  isNew?: boolean;
  /** The workflow is not live: a webhook may be saved before its account is chosen. */
  mayChooseLater?: boolean;
  action: string;
  isBusy: boolean;
  error: unknown;
  onSubmit(submitted: SubmittedEvent): void;
  /** Saves it, and lets the workflow go live. */
  onGoLive?(submitted: SubmittedEvent): void;
  onCancel?(): void;
}

const PARAMETER_ERROR = /^(?:subscription|node\.config)\.parameters\./;
const FORM_FIELDS = new Map([
  ['subscription.event', 'event'],
  ['node.config.operation', 'event'],
  ['subscription.credentialId', 'credentialId'],
  ['node.credentialId', 'credentialId'],
  ['startNodeId', 'startNodeId'],
  ['intervalMs', 'intervalMs'],
]);

/** Errors of either kind of trigger by the fields of this form. */
function readFormErrors(error: unknown) {
  const { at, elsewhere } = splitFieldErrors(error, (field) => FORM_FIELDS.has(field) || PARAMETER_ERROR.test(field));
  const fields = new Map([...at].map(([field, message]) => [FORM_FIELDS.get(field) ?? field, message]));
  const parameters = new Map(
    [...at].flatMap(([field, message]) =>
      PARAMETER_ERROR.test(field) ? [[field.replace(PARAMETER_ERROR, ''), message] as const] : [],
    ),
  );
  return { fields, parameters, elsewhere };
}

const eventKey = ({ mode, id }: { mode: string; id: string }) => `${mode} ${id}`;

function accountHelp(service: string, mode: EventDraft['mode'], isNeeded: boolean): string {
  if (mode === 'poll') return `${service} is asked for new items with it.`;
  const later = isNeeded ? '' : ' It may be chosen later, before the workflow goes live.';
  return `The webhook is made with it at ${service}, and removed when the workflow is paused.${later}`;
}

/** A trigger by an event of a service: which one, the account, and what the event asks for. */
export function EventForm({ workflowId, initial, isNew = false, action, isBusy, onSubmit, onGoLive, ...rest }: Props) {
  const trpc = useTRPC();
  const [draft, setDraft] = useState(initial);
  const [tested, setTested] = useState<{ error: unknown }>();
  const { fields, parameters: parameterErrors, elsewhere } = readFormErrors(tested ? tested.error : rest.error);
  const connector = useQuery(trpc.connectors.get.queryOptions({ params: { id: draft.connectorId } }));
  if (connector.error)
    return (
      <RequestErrorAlert
        title="The events can’t be shown"
        error={connector.error}
        onRetry={() => void connector.refetch()}
      />
    );
  if (!connector.data) return <Skeleton h={200} />;
  const service = eventServiceName(connector.data, draft);
  const offered = listSiblingEvents(connector.data, draft).filter(({ mode }) => isNew || mode === draft.mode);
  const event = offered.find(({ id, mode }) => id === draft.event && mode === draft.mode);
  const operation = findEventOperation(connector.data, draft);
  const schema = event && eventParameterSchema(event, operation);
  const { credentialId, connectorId, labels, mode } = draft;
  // A picked value and what it is called arrive one after the other.
  const set = (part: Partial<EventDraft>) => setDraft((before) => ({ ...before, ...part }));
  const setLabel = (path: string, label: string | undefined) =>
    setDraft((before) => ({ ...before, labels: replaceLabel(before.labels, path, label) }));
  const submitted = { draft, operation, service };
  // What is shown is what the last test or submission said.
  const send = (to: (submission: SubmittedEvent) => void) => {
    setTested(undefined);
    to(submitted);
  };
  const isReady = credentialId !== undefined && event !== undefined;
  const isAccountNeeded = mode === 'poll' || !rest.mayChooseLater;
  const isSavable = isReady || (event !== undefined && !isAccountNeeded);
  const submit = (submission: SubmitEvent) => {
    submission.preventDefault();
    if (isSavable) send(onSubmit);
  };
  return (
    <form onSubmit={submit} noValidate aria-label={`Event of ${service}`}>
      <Stack gap="sm">
        {elsewhere && <FormErrorAlert>{elsewhere}</FormErrorAlert>}
        <Select
          label="Event"
          data={offered.map((one) => ({ value: eventKey(one), label: one.title }))}
          value={eventKey({ mode, id: draft.event })}
          allowDeselect={false}
          searchable
          nothingFoundMessage="No event found"
          error={fields.get('event')}
          onChange={(key) => {
            const picked = offered.find((one) => eventKey(one) === key);
            if (picked) set({ event: picked.id, mode: picked.mode, parameters: {}, labels: undefined });
          }}
        />
        <CredentialPicker
          need={{
            label: `${connector.data.name} account`,
            help: accountHelp(service, mode, isAccountNeeded),
            types: ['oauth2', 'token'],
            connectorId,
          }}
          isRequired={isAccountNeeded}
          choosesOnly={initial.credentialId === undefined}
          autoFocus={!isNew && initial.credentialId === undefined}
          value={credentialId}
          error={fields.get('credentialId')}
          onChange={(id) => set({ credentialId: id })}
        />
        {schema && Object.keys(schema.properties ?? {}).length > 0 && (
          <ChoiceTargetContext
            value={{
              nodeType: 'connector',
              connectorId,
              credentialId,
              labels,
              openPath: isNew ? findOpenParameter(schema, draft.parameters) : undefined,
              onLabel: setLabel,
            }}
          >
            <SchemaForm
              schema={schema}
              value={draft.parameters}
              errors={parameterErrors}
              onChange={(parameters) => set({ parameters })}
            />
          </ChoiceTargetContext>
        )}
        {mode === 'poll' && (
          <DurationInput
            label={`Ask ${service} every`}
            min={MIN_POLL_SECONDS * 1000}
            value={draft.intervalMs}
            error={fields.get('intervalMs')}
            onChange={(ms) => set({ intervalMs: ms ?? 0 })}
          />
        )}
        <StartNodeField
          value={draft.startNodeId}
          error={fields.get('startNodeId')}
          onChange={(startNodeId) => set({ startNodeId })}
        />
        {event && (
          // What was found with other settings says nothing.
          <EventTest
            key={JSON.stringify([draft.event, draft.mode, credentialId, draft.parameters])}
            {...{ workflowId, event, submitted }}
            isReady={isReady}
            onError={(error) => setTested({ error })}
          />
        )}
        <Group justify="flex-end" gap="xs">
          {rest.onCancel && (
            <Button variant="default" onClick={rest.onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" variant={onGoLive ? 'default' : 'filled'} loading={isBusy} disabled={!isSavable}>
            {action}
          </Button>
          {onGoLive && (
            <Button loading={isBusy} disabled={!isReady} onClick={() => send(onGoLive)}>
              Add and go live
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
