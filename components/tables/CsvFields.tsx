import { NumberInput, Select, SimpleGrid } from '@mantine/core';
import { TEXT_ENCODINGS } from '@/contract/workflows/conversions';
import type { CsvFormatChoices } from './csv-sample';

const DELIMITER_OPTIONS = [
  { value: 'auto', label: 'Find it' },
  { value: ',', label: 'Comma  ,' },
  { value: ';', label: 'Semicolon  ;' },
  { value: 'tab', label: 'Tab' },
  { value: '|', label: 'Vertical bar  |' },
];

const DETECT_ENCODING = 'find';
const ENCODING_OPTIONS = [
  { value: DETECT_ENCODING, label: 'Find it (UTF-8, UTF-16)' },
  ...TEXT_ENCODINGS.map((name) => ({
    value: name,
    label: name === 'windows-1252' ? `${name} (Western Europe)` : name,
  })),
];

/** How a CSV file is written: what the service cannot find by itself, a person can say. */
export function CsvFields({
  choices,
  onChange,
}: {
  choices: CsvFormatChoices;
  onChange(choices: CsvFormatChoices): void;
}) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <Select
        label="Delimiter"
        data={DELIMITER_OPTIONS}
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
        data={ENCODING_OPTIONS}
        value={choices.encoding ?? DETECT_ENCODING}
        allowDeselect={false}
        onChange={(encoding) => onChange({ ...choices, encoding: TEXT_ENCODINGS.find((name) => name === encoding) })}
      />
    </SimpleGrid>
  );
}
