import { Group, MultiSelect, PasswordInput, Select, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { WebhookSenderIcon } from '@/components/ui/brands/WebhookSenderIcon';
import {
  VERIFICATION_CHOICE_GROUPS,
  VERIFICATION_CHOICES,
  verificationPresets,
  type VerificationField,
  type WebhookDraft,
} from './webhook-draft';

interface Props {
  draft: WebhookDraft;
  /** An existing webhook keeps a secret that is left empty. */
  keepsSecrets: boolean;
  errorOf(field: string): string | undefined;
  onChange(draft: WebhookDraft): void;
}

/** How the sender of a webhook is verified: the choice, and the fields that belong to it. */
export function VerificationFields({ draft, keepsSecrets, errorOf, onChange }: Props) {
  const chosen = VERIFICATION_CHOICES[draft.choice];
  const setValue = (name: string, value: string) => onChange({ ...draft, values: { ...draft.values, [name]: value } });
  return (
    <>
      <Select
        label="Verification"
        description={chosen?.hint}
        data={VERIFICATION_CHOICE_GROUPS}
        value={draft.choice}
        searchable
        allowDeselect={false}
        leftSection={chosen?.base.provider && <WebhookSenderIcon service={chosen.base.provider} />}
        renderOption={({ option }) => <VerificationOption choice={option.value} label={option.label} />}
        nothingFoundMessage="No results"
        error={errorOf('kind') ?? errorOf('provider')}
        onChange={(choice) => choice && onChange({ ...draft, choice, values: verificationPresets(choice) })}
      />
      {chosen?.fields.map((field) => (
        <VerificationInput
          key={field.name}
          field={field}
          value={draft.values[field.name] ?? ''}
          isKept={keepsSecrets && field.isSecret === true}
          error={errorOf(field.name)}
          onChange={(value) => setValue(field.name, value)}
        />
      ))}
      {chosen?.base.provider && (
        <Text size="xs" c="dimmed">
          Repeated deliveries and requests with an old signature start no run. Verification requests of the provider are
          answered.
        </Text>
      )}
    </>
  );
}

/** A choice; one of a provider has its icon. */
function VerificationOption({ choice, label }: { choice: string; label: string }) {
  const provider = VERIFICATION_CHOICES[choice]?.base.provider;
  if (!provider) return label;
  return (
    <Group gap={8} wrap="nowrap">
      <WebhookSenderIcon service={provider} size={18} />
      {label}
    </Group>
  );
}

interface VerificationInputProps {
  field: VerificationField;
  value: string;
  /** A stored secret stays if nothing is entered. */
  isKept: boolean;
  error: string | undefined;
  onChange(value: string): void;
}

function VerificationInput({ field, value, isKept, error, onChange }: VerificationInputProps) {
  const { label, hint, choices, isMultiple, isSecret, isLong, isSwitch } = field;
  const common = { label, description: isKept ? 'Leave it empty to keep the stored one.' : hint, error };
  if (choices && isMultiple) {
    const selected = value === '' ? [] : value.split(',');
    return <MultiSelect {...common} data={[...choices]} value={selected} onChange={(all) => onChange(all.join(','))} />;
  }
  if (choices) {
    return (
      <Select
        {...common}
        data={[...choices]}
        value={value}
        allowDeselect={false}
        onChange={(one) => one && onChange(one)}
      />
    );
  }
  if (isSwitch) {
    return (
      <Switch
        {...common}
        checked={value === 'true'}
        onChange={(event) => onChange(String(event.currentTarget.checked))}
      />
    );
  }
  const text = { ...common, value, placeholder: isKept ? '••••••••' : undefined, spellCheck: false };
  if (isLong) {
    return (
      <Textarea {...text} autosize minRows={2} maxRows={6} onChange={(event) => onChange(event.currentTarget.value)} />
    );
  }
  return isSecret ? (
    <PasswordInput {...text} autoComplete="new-password" onChange={(event) => onChange(event.currentTarget.value)} />
  ) : (
    <TextInput {...text} onChange={(event) => onChange(event.currentTarget.value)} />
  );
}
