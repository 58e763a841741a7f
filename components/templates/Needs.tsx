import { PasswordInput, TextInput } from '@mantine/core';
import type { WorkflowTemplate, TemplateParameter } from '@/contract/workflows/template';
import { TableReferenceSelect } from '@/components/forms/TableReferenceSelect';
import { WorkflowSelect } from '@/components/ui/WorkflowSelect';
import { NEW_TABLE_OPTION } from './set-up-form';
import { hasProviderWebhook } from './set-up';

interface ValueNeedProps {
  need: TemplateParameter;
  value: string;
  error: string | undefined;
  onChange(value: string): void;
}

/** A text that the nodes of a template need. */
export function TemplateValueField({ need: { kind, label, help, example }, value, error, onChange }: ValueNeedProps) {
  if (kind === 'workflow') {
    return (
      <WorkflowSelect
        label={label}
        description={help}
        placeholder="Choose a workflow"
        value={value || null}
        error={error}
        onChange={(id) => onChange(id ?? '')}
      />
    );
  }
  return (
    <TextInput
      label={label}
      description={help}
      placeholder={example}
      type={kind}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface TableNeedProps {
  table: NonNullable<WorkflowTemplate['table']>;
  value: string | null;
  error: string | undefined;
  onChange(id: string | null): void;
}

/** The table of a template: a new one, or one that is there. */
export const TemplateTableField = ({ table, value, error, onChange }: TableNeedProps) => (
  <TableReferenceSelect
    label="Table"
    description={`With the columns ${table.columns.map(({ name }) => name).join(', ')}.`}
    first={{ value: NEW_TABLE_OPTION, label: `New table “${table.name}”` }}
    value={value}
    error={error}
    clearable
    onChange={onChange}
  />
);

interface SecretNeedProps {
  template: WorkflowTemplate;
  value: string;
  onChange(secret: string): void;
}

/** The signing secret of a provider, if one calls the webhook. It can be entered later. */
export function TemplateSecretField({ template, value, onChange }: SecretNeedProps) {
  if (!hasProviderWebhook(template)) return null;
  return (
    <PasswordInput
      label="Signing secret"
      description="Of the sender, which signs its calls with it. Empty: enter it in the webhook later; until then calls are refused."
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
