import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';

/** Characters of a document that are shown: a text area with more is slow. */
const MAX_EDITABLE_CHARACTERS = 20_000;

interface Props {
  value: string;
  error: string | undefined;
  onChange(value: string): void;
}

/** The URL or the text of a document; a file can be chosen or dropped. */
export function SourceField({ value, error, onChange }: Props) {
  const [file, setFile] = useState<string>();
  const take = async (chosen: File | null | undefined) => {
    if (!chosen) return;
    const text = await chosen.text();
    setFile(chosen.name);
    onChange(text);
  };
  const write = (text: string) => {
    setFile(undefined);
    onChange(text);
  };
  const isLarge = value.length > MAX_EDITABLE_CHARACTERS;
  return (
    <Stack
      gap="xs"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        const [dropped] = event.dataTransfer.files;
        if (!dropped) return;
        event.preventDefault();
        void take(dropped);
      }}
    >
      <Textarea
        label="URL or document"
        description="OpenAPI 3.0, OpenAPI 3.1 or Swagger 2.0, as JSON or YAML. You can also drop a file here."
        placeholder="https://api.example.com/openapi.json"
        minRows={4}
        maxRows={10}
        autosize
        spellCheck={false}
        data-autofocus
        error={error}
        value={isLarge ? `${value.slice(0, MAX_EDITABLE_CHARACTERS)}\n…` : value}
        readOnly={isLarge}
        onChange={(event) => write(event.currentTarget.value)}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      />
      <Group gap="xs">
        <FileButton
          accept=".json,.yaml,.yml,application/json,application/yaml"
          onChange={(chosen) => void take(chosen)}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              size="compact-sm"
              leftSection={<IconFileImport size={15} aria-hidden />}
            >
              Choose a file
            </Button>
          )}
        </FileButton>
        {value !== '' && (
          <Button variant="subtle" size="compact-sm" onClick={() => write('')}>
            Clear
          </Button>
        )}
        {file && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {file}
          </Text>
        )}
      </Group>
    </Stack>
  );
}
