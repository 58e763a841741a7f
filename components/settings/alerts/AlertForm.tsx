import { Alert as Notice, NumberInput, SegmentedControl, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AlertResponse, AlertEvent } from '@/contract/alert';
import { ALERT_EVENTS } from '@/contract/states';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { CopyableField } from '@/components/ui/values/CopyableField';
import { WorkflowSelect } from '@/components/ui/WorkflowSelect';
import { CreateDialog } from '../CreateDialog';
import { ALERT_EVENT_LABELS } from './words';

interface Props {
  /** Undefined: a new alert. */
  alert: AlertResponse | undefined;
  onClose(): void;
}

/** Where messages go, as it is edited: both ways keep their values while the user switches between them. */
interface AlertTargetDraft {
  kind: 'emails' | 'webhook';
  emails: string[];
  webhook: string;
}

const alertTargetDraft = (to: AlertResponse['to'] | undefined): AlertTargetDraft => ({
  kind: to && 'webhook' in to ? 'webhook' : 'emails',
  emails: to && 'emails' in to ? to.emails : [],
  webhook: to && 'webhook' in to ? to.webhook : '',
});

/** Creates or changes an alert; the secret of a new webhook is shown once. */
export function AlertForm({ alert, onClose }: Props) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const [event, setEvent] = useState<AlertEvent>(alert?.event ?? 'run_failed');
  const [workflowId, setWorkflowId] = useState(alert?.workflowId ?? null);
  const [tag, setTag] = useState(alert?.tag ?? '');
  const [target, setTarget] = useState(() => alertTargetDraft(alert?.to));
  const [throttleMinutes, setThrottleMinutes] = useState(alert?.throttleMinutes ?? 5);
  const done = ({ secret }: { secret?: string }) => {
    refresh();
    if (secret === undefined) onClose();
  };
  const create = useMutation(trpc.alerts.create.mutationOptions({ onSuccess: done }));
  const update = useMutation(trpc.alerts.update.mutationOptions({ onSuccess: done }));
  const { at, elsewhere } = splitFieldErrors(create.error ?? update.error, (field) =>
    /^(workflowId|tag|throttleMinutes|to\b)/.test(field),
  );
  const secret = (create.data ?? update.data)?.secret;
  const isOfCredential = event === 'credential_expired';
  const submit = () => {
    const body = {
      event,
      workflowId: isOfCredential ? null : workflowId,
      tag: isOfCredential || workflowId !== null ? null : tag.trim() || null,
      to: target.kind === 'emails' ? { emails: target.emails } : { webhook: target.webhook.trim() },
      throttleMinutes,
    };
    if (alert) update.mutate({ params: { id: alert.id }, body });
    else create.mutate({ body });
  };
  return (
    <CreateDialog
      isOpen
      title={alert ? 'Change alert' : 'New alert'}
      action={alert ? 'Save' : 'Create'}
      isBusy={create.isPending || update.isPending}
      isComplete={target.kind === 'emails' ? target.emails.length > 0 : target.webhook.trim() !== ''}
      problem={elsewhere}
      outcome={secret && <NewWebhookSecret secret={secret} />}
      onSubmit={submit}
      onClose={onClose}
    >
      <Select
        label="When"
        allowDeselect={false}
        data={ALERT_EVENTS.map((value) => ({ value, label: ALERT_EVENT_LABELS[value] }))}
        value={event}
        onChange={(next) => setEvent(ALERT_EVENTS.find((value) => value === next) ?? event)}
      />
      {!isOfCredential && (
        <WorkflowSelect
          label="Workflow"
          placeholder="All workflows"
          value={workflowId}
          error={at.get('workflowId')}
          onChange={setWorkflowId}
        />
      )}
      {!isOfCredential && workflowId === null && (
        <TextInput
          label="Tag"
          description="Only workflows with this tag."
          placeholder="Any"
          maxLength={50}
          value={tag}
          error={at.get('tag')}
          onChange={(change) => setTag(change.currentTarget.value)}
        />
      )}
      <AlertTargetFields
        target={target}
        error={[...at].find(([field]) => field.startsWith('to'))?.[1]}
        onChange={(change) => setTarget((current) => ({ ...current, ...change }))}
      />
      <NumberInput
        label="Quiet time (minutes)"
        description="No further alert about the same workflow or credential in this time. 0: every alert is sent."
        min={0}
        max={10_080}
        allowDecimal={false}
        value={throttleMinutes}
        error={at.get('throttleMinutes')}
        onChange={(next) => setThrottleMinutes(Number(next))}
      />
    </CreateDialog>
  );
}

function NewWebhookSecret({ secret }: { secret: string }) {
  return (
    <Stack gap="sm">
      <Notice color="weld" title="Copy the secret now. It is shown only once.">
        Requests are signed according to Standard Webhooks.
      </Notice>
      <CopyableField label="Secret" value={secret} />
    </Stack>
  );
}

interface TargetFieldsProps {
  target: AlertTargetDraft;
  error: string | undefined;
  onChange(change: Partial<AlertTargetDraft>): void;
}

function AlertTargetFields({ target: { kind, emails, webhook }, error, onChange }: TargetFieldsProps) {
  return (
    <>
      <SegmentedControl
        aria-label="Send to"
        data={[
          { value: 'emails', label: 'Email' },
          { value: 'webhook', label: 'Webhook' },
        ]}
        value={kind}
        onChange={(next) => onChange({ kind: next === 'webhook' ? next : 'emails' })}
      />
      {kind === 'emails' ? (
        <TagsInput
          label="Email addresses"
          withAsterisk
          description="Press Enter after each address."
          acceptValueOnBlur
          value={emails}
          maxTags={20}
          error={error}
          onChange={(next) => onChange({ emails: next })}
        />
      ) : (
        <TextInput
          label="Address"
          required
          placeholder="https://example.com/alerts"
          value={webhook}
          error={error}
          onChange={(change) => onChange({ webhook: change.currentTarget.value })}
        />
      )}
    </>
  );
}
