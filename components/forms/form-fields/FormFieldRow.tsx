import {
  ActionIcon,
  Anchor,
  Checkbox,
  Group,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import {
  fieldBoundType,
  fieldHasOptions,
  fieldHasPattern,
  type FormFieldType,
  type FormField,
} from '@/contract/triggers/form-fields';
import { parseNumberOrText } from '../model/field-schema';
import {
  listFieldKindOptions,
  writeOptionLines,
  parseOptionLines,
  changeFieldKind,
  changeFieldLabel,
} from './edit-form-field';

interface Props {
  field: FormField;
  index: number;
  count: number;
  /** The path of this field among the fields of the form around it. */
  path?: string;
  takesFiles: boolean;
  errorOf(part: keyof FormField): string | undefined;
  onChange(field: FormField): void;
  onMove(to: number): void;
  onRemove(): void;
}

const MONOSPACE_INPUT_STYLE = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } };
const LIMIT_SETTINGS = ['help', 'min', 'max', 'pattern'] as const;

/** One field of a form that is being edited. */
export function FormFieldRow({ field, index, count, path, takesFiles, errorOf, onChange, onMove, onRemove }: Props) {
  const [isOpen, setOpen] = useState(LIMIT_SETTINGS.some((part) => field[part] !== undefined));
  const title = field.label || `field ${index + 1}`;
  const set = (part: Partial<FormField>) => onChange({ ...field, ...part });
  const isShown = isOpen || LIMIT_SETTINGS.some((part) => errorOf(part) !== undefined);
  return (
    <Paper
      withBorder
      p="sm"
      component="fieldset"
      aria-label={`Field ${index + 1}: ${title}`}
      data-row={index}
      data-field={path}
      m={0}
      miw={0}
    >
      <Stack gap="xs">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing="xs">
          <TextInput
            label="Label"
            value={field.label}
            error={errorOf('label')}
            onChange={(event) => onChange(changeFieldLabel(field, event.currentTarget.value))}
          />
          <Select
            label="Kind"
            data={listFieldKindOptions(takesFiles)}
            value={field.kind}
            allowDeselect={false}
            error={errorOf('kind')}
            onChange={(kind) => kind && onChange(changeFieldKind(field, kind as FormFieldType))}
          />
          <TextInput
            label="Name in the data"
            styles={MONOSPACE_INPUT_STYLE}
            value={field.name}
            error={errorOf('name')}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <Checkbox
            mt={{ base: 0, xs: 30 }}
            label="Required"
            checked={field.required ?? false}
            onChange={(event) => set({ required: event.currentTarget.checked })}
          />
        </SimpleGrid>
        {fieldHasOptions(field) && <FormFieldOptions field={field} error={errorOf('options')} onChange={set} />}
        {isShown && <HelpAndLimits field={field} errorOf={errorOf} onChange={set} />}
        <Group justify="space-between" gap="xs">
          <Anchor component="button" type="button" size="sm" aria-expanded={isShown} onClick={() => setOpen(!isOpen)}>
            Help text and limits
          </Anchor>
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              aria-label={`Move ${title} up`}
              data-move="up"
              disabled={index === 0}
              onClick={() => onMove(index - 1)}
            >
              <IconArrowUp size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              aria-label={`Move ${title} down`}
              data-move="down"
              disabled={index === count - 1}
              onClick={() => onMove(index + 1)}
            >
              <IconArrowDown size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon color="madder" aria-label={`Remove ${title}`} onClick={onRemove}>
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        </Group>
      </Stack>
    </Paper>
  );
}

interface FormFieldPartProps {
  field: FormField;
  onChange(part: Partial<FormField>): void;
}

/** The text is kept while it is edited, because an empty line is no option yet. */
function FormFieldOptions({ field, error, onChange }: FormFieldPartProps & { error: string | undefined }) {
  const [text, setText] = useState('');
  const isCurrent = JSON.stringify(parseOptionLines(text)) === JSON.stringify(field.options ?? []);
  return (
    <Textarea
      label="Options"
      description="One per line: value, or value = label."
      autosize
      minRows={2}
      maxRows={8}
      value={isCurrent ? text : writeOptionLines(field)}
      error={error}
      onChange={(event) => {
        setText(event.currentTarget.value);
        onChange({ options: parseOptionLines(event.currentTarget.value) });
      }}
    />
  );
}

const BOUND_LABELS = {
  number: ['Minimum', 'Maximum'],
  date: ['Earliest date', 'Latest date'],
  count: ['Minimum length', 'Maximum length'],
} as const;

function HelpAndLimits({ field, errorOf, onChange }: FormFieldPartProps & Pick<Props, 'errorOf'>) {
  const type = fieldBoundType(field);
  const [least, greatest] =
    field.kind === 'multiselect' ? ['Minimum choices', 'Maximum choices'] : type ? BOUND_LABELS[type] : [];
  const bound = (part: 'min' | 'max', label: string) => (
    <TextInput
      label={label}
      type={type === 'date' ? (field.kind === 'date' ? 'date' : 'datetime-local') : 'text'}
      inputMode={type === 'date' ? undefined : 'decimal'}
      value={field[part] ?? ''}
      error={errorOf(part)}
      onChange={(event) => {
        const text = event.currentTarget.value;
        onChange({ [part]: type === 'date' ? text || undefined : parseNumberOrText(text) });
      }}
    />
  );
  return (
    <Stack gap="xs">
      <TextInput
        label="Help text"
        value={field.help ?? ''}
        error={errorOf('help')}
        onChange={(event) => onChange({ help: event.currentTarget.value || undefined })}
      />
      {least && greatest && (
        <SimpleGrid cols={2} spacing="xs">
          {bound('min', least)}
          {bound('max', greatest)}
        </SimpleGrid>
      )}
      {fieldHasPattern(field) && (
        <TextInput
          label="Pattern"
          description="A regular expression that the whole text matches."
          styles={MONOSPACE_INPUT_STYLE}
          value={field.pattern ?? ''}
          error={errorOf('pattern')}
          onChange={(event) => onChange({ pattern: event.currentTarget.value || undefined })}
        />
      )}
    </Stack>
  );
}
