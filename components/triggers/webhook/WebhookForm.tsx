import { Anchor, Button, Group, MultiSelect, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import type { WebhookInputMode, WebhookMethod } from '@/contract/triggers/webhook';
import { WEBHOOK_METHODS } from '@/contract/triggers/webhook-constants';
import { splitFieldErrors } from '@/components/client/field-errors';
import { StartNodeField } from '@/components/ui/start-nodes/StartNodeField';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { ResponseField } from './ResponseField';
import { VerificationFields } from './VerificationFields';
import { VERIFICATION_CHOICES, webhookFormField, type WebhookDraft } from './webhook-draft';

interface Props {
  label: string;
  action: string;
  draft: WebhookDraft;
  isNew: boolean;
  isBusy: boolean;
  error: unknown;
  onChange(draft: WebhookDraft): void;
  onSubmit(): void;
  onCancel?(): void;
}

const FURTHER_FIELD_NAMES = ['methods', 'input', 'allowedIps', 'cors.origins', 'cors.headers'];
const RUN_INPUT_OPTIONS: { value: WebhookInputMode; label: string }[] = [
  { value: 'body', label: 'The body' },
  { value: 'request', label: 'The request: method, query, headers, body, address' },
];

/** The settings of a new or existing webhook. */
export function WebhookForm({ label, action, draft, isNew, isBusy, error, onChange, onSubmit, onCancel }: Props) {
  const [isOpen, setOpen] = useState(!isNew);
  const shown = [
    'path',
    'kind',
    'provider',
    'startNodeId',
    ...FURTHER_FIELD_NAMES,
    ...(VERIFICATION_CHOICES[draft.choice]?.fields ?? []).map(({ name }) => name),
  ];
  const { at, elsewhere } = splitFieldErrors(error, (field) => shown.includes(webhookFormField(field)));
  const errorOf = (name: string) => [...at].find(([field]) => webhookFormField(field) === name)?.[1];
  const hasErrorInside = FURTHER_FIELD_NAMES.some((name) => errorOf(name) !== undefined);
  const isPathMade = draft.choice === 'none';
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit} aria-label={label}>
      <Stack gap="sm">
        {elsewhere && <FormErrorAlert>{elsewhere}</FormErrorAlert>}
        <TextInput
          label="Path"
          withAsterisk={!isPathMade}
          data-autofocus={isNew || undefined}
          placeholder={isPathMade ? 'Random, if it is empty' : 'orders/new'}
          maxLength={100}
          value={draft.path}
          error={errorOf('path')}
          onChange={(event) => onChange({ ...draft, path: event.currentTarget.value })}
        />
        <StartNodeField
          value={draft.startNodeId}
          error={errorOf('startNodeId')}
          onChange={(startNodeId) => onChange({ ...draft, startNodeId })}
        />
        <VerificationFields draft={draft} keepsSecrets={!isNew} errorOf={errorOf} onChange={onChange} />
        <ResponseField value={draft.response} onChange={(response) => onChange({ ...draft, response })} />
        <Anchor
          component="button"
          type="button"
          size="sm"
          w="fit-content"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          Methods, input, addresses and web pages
        </Anchor>
        {(isOpen || hasErrorInside) && <FurtherFields draft={draft} errorOf={errorOf} onChange={onChange} />}
        <Group justify="flex-end" gap="xs">
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button
            type="submit"
            variant={isNew ? 'default' : 'filled'}
            loading={isBusy}
            disabled={draft.path.trim() === '' && !isPathMade}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface FurtherFieldsProps {
  draft: WebhookDraft;
  errorOf(field: string): string | undefined;
  onChange(draft: WebhookDraft): void;
}

function FurtherFields({ draft, errorOf, onChange }: FurtherFieldsProps) {
  return (
    <>
      <MultiSelect
        label="Methods"
        data={[...WEBHOOK_METHODS]}
        value={draft.methods}
        error={errorOf('methods')}
        onChange={(methods) => onChange({ ...draft, methods: methods as WebhookMethod[] })}
      />
      <Select
        label="Input of the run"
        data={RUN_INPUT_OPTIONS}
        value={draft.input}
        allowDeselect={false}
        error={errorOf('input')}
        onChange={(input) => input && onChange({ ...draft, input: input as WebhookInputMode })}
      />
      <TagsInput
        label="Allowed addresses"
        description="IP addresses and CIDR blocks. Empty: any address can call."
        placeholder="198.51.100.0/24"
        value={draft.allowedIps}
        splitChars={[',', ' ']}
        error={errorOf('allowedIps')}
        onChange={(allowedIps) => onChange({ ...draft, allowedIps })}
      />
      <TagsInput
        label="Web pages that may call it"
        description="Origins of pages whose scripts call this URL (CORS), or * for any. Empty: none."
        placeholder="https://www.example.com"
        value={draft.corsOrigins}
        splitChars={[',', ' ']}
        error={errorOf('cors.origins')}
        onChange={(corsOrigins) => onChange({ ...draft, corsOrigins })}
      />
      {draft.corsOrigins.length > 0 && (
        <TagsInput
          label="Headers that these pages may set"
          description="Besides Content-Type and those of the verification."
          placeholder="x-my-header"
          value={draft.corsHeaders}
          splitChars={[',', ' ']}
          error={errorOf('cors.headers')}
          onChange={(corsHeaders) => onChange({ ...draft, corsHeaders })}
        />
      )}
    </>
  );
}
