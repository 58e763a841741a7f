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
import { boundOf, hasOptions, hasPattern, type FieldKind, type FormField } from '@/contract/triggers/form-fields';
import { numberOrText } from '../model/schema';
import { kindsFor, optionLines, optionsFrom, withKind, withLabel } from './field-rows';

interface Props {
  field: FormField;
  index: number;
  count: number;
  /** Of this field among the fields of the form around it. */
  path?: string;
  takesFiles: boolean;
  errorOf(part: keyof FormField): string | undefined;
  onChange(field: FormField): void;
  onMove(to: number): void;
  onRemove(): void;
}

const MONOSPACE = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } };
const MORE = ['help', 'min', 'max', 'pattern'] as const;

/** One field of a form that is being edited. */
export function FieldRow({ field, index, count, path, takesFiles, errorOf, onChange, onMove, onRemove }: Props) {
  const [isOpen, setOpen] = useState(MORE.some((part) => field[part] !== undefined));
  const title = field.label || `field ${index + 1}`;
  const set = (part: Partial<FormField>) => onChange({ ...field, ...part });
  const isShown = isOpen || MORE.some((part) => errorOf(part) !== undefined);
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
            onChange={(event) => onChange(withLabel(field, event.currentTarget.value))}
          />
          <Select
            label="Kind"
            data={kindsFor(takesFiles)}
            value={field.kind}
            allowDeselect={false}
            error={errorOf('kind')}
            onChange={(kind) => kind && onChange(withKind(field, kind as FieldKind))}
          />
          <TextInput
            label="Name in the data"
            styles={MONOSPACE}
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
        {hasOptions(field) && <Options field={field} error={errorOf('options')} onChange={set} />}
        {isShown && <More field={field} errorOf={errorOf} onChange={set} />}
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

interface PartProps {
  field: FormField;
  onChange(part: Partial<FormField>): void;
}

/** Keeps the text while it is edited: an empty line is no option yet. */
function Options({ field, error, onChange }: PartProps & { error: string | undefined }) {
  const [text, setText] = useState('');
  const isCurrent = JSON.stringify(optionsFrom(text)) === JSON.stringify(field.options ?? []);
  return (
    <Textarea
      label="Options"
      description="One per line: value, or value = label."
      autosize
      minRows={2}
      maxRows={8}
      value={isCurrent ? text : optionLines(field)}
      error={error}
      onChange={(event) => {
        setText(event.currentTarget.value);
        onChange({ options: optionsFrom(event.currentTarget.value) });
      }}
    />
  );
}

const BOUNDS = {
  number: ['Minimum', 'Maximum'],
  date: ['Earliest date', 'Latest date'],
  count: ['Minimum length', 'Maximum length'],
} as const;

function More({ field, errorOf, onChange }: PartProps & Pick<Props, 'errorOf'>) {
  const type = boundOf(field);
  const [least, greatest] =
    field.kind === 'multiselect' ? ['Minimum choices', 'Maximum choices'] : type ? BOUNDS[type] : [];
  const bound = (part: 'min' | 'max', label: string) => (
    <TextInput
      label={label}
      type={type === 'date' ? (field.kind === 'date' ? 'date' : 'datetime-local') : 'text'}
      inputMode={type === 'date' ? undefined : 'decimal'}
      value={field[part] ?? ''}
      error={errorOf(part)}
      onChange={(event) => {
        const text = event.currentTarget.value;
        onChange({ [part]: type === 'date' ? text || undefined : numberOrText(text) });
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
      {hasPattern(field) && (
        <TextInput
          label="Pattern"
          description="A regular expression that the whole text matches."
          styles={MONOSPACE}
          value={field.pattern ?? ''}
          error={errorOf('pattern')}
          onChange={(event) => onChange({ pattern: event.currentTarget.value || undefined })}
        />
      )}
    </Stack>
  );
}
