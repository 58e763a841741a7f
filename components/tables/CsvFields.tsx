import { NumberInput, Select, SimpleGrid } from '@mantine/core';
import { ENCODINGS } from '@/contract/workflows/conversions';
import type { CsvChoices } from './csv-sample';

const DELIMITERS = [
  { value: 'auto', label: 'Find it' },
  { value: ',', label: 'Comma  ,' },
  { value: ';', label: 'Semicolon  ;' },
  { value: 'tab', label: 'Tab' },
  { value: '|', label: 'Vertical bar  |' },
];

const FIND = 'find';
const ENCODING_CHOICES = [
  { value: FIND, label: 'Find it (UTF-8, UTF-16)' },
  ...ENCODINGS.map((name) => ({ value: name, label: name === 'windows-1252' ? `${name} (Western Europe)` : name })),
];

/** How a CSV file is written: what the service cannot find by itself, a person can say. */
export function CsvFields({ choices, onChange }: { choices: CsvChoices; onChange(choices: CsvChoices): void }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <Select
        label="Delimiter"
        data={DELIMITERS}
        value={choices.delimiter ?? 'auto'}
        allowDeselect={false}
        onChange={(delimiter) => onChange({ ...choices, delimiter: delimiter ?? 'auto' })}
      />
      <NumberInput
        label="Header row"
        placeholder="First not empty"
        min={1}
        max={1_000_000}
        allowDecimal={false}
        value={choices.headerRow ?? ''}
        onChange={(row) => onChange({ ...choices, headerRow: typeof row === 'number' ? row : undefined })}
      />
      <Select
        label="Encoding"
        data={ENCODING_CHOICES}
        value={choices.encoding ?? FIND}
        allowDeselect={false}
        onChange={(encoding) => onChange({ ...choices, encoding: ENCODINGS.find((name) => name === encoding) })}
      />
    </SimpleGrid>
  );
}
