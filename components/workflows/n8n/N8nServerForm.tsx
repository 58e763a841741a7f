import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { splitFieldErrors } from '@/components/client/field-errors';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';

/** The address of a running n8n, and the key of its API. They are in the page alone. */
export interface N8nServerAccess {
  url: string;
  key: string;
}

interface Props {
  error: unknown;
  isBusy: boolean;
  onList(server: N8nServerAccess): void;
}

const fieldSentence = (subject: string, message: string | undefined) =>
  message === undefined ? undefined : `${subject} ${message}.`.replace(/\.\.$/, '.');

/** Asks where n8n runs. */
export function N8nServerForm({ error, isBusy, onList }: Props) {
  const [url, setUrl] = useState('');
  const [key, setKey] = useState('');
  const { at, elsewhere } = splitFieldErrors(error, (field) => field === 'url' || field === 'key');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onList({ url: url.trim(), key: key.trim() });
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={560}>
        <FormErrorAlert>{elsewhere}</FormErrorAlert>
        <TextInput
          label="Address of n8n"
          placeholder="https://n8n.example.com"
          required
          maxLength={2000}
          value={url}
          error={fieldSentence('The address', at.get('url'))}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <PasswordInput
          label="Key of its API"
          description="In n8n: Settings → n8n API. It is sent to n8n only, and is not stored."
          required
          maxLength={5000}
          autoComplete="off"
          value={key}
          error={fieldSentence('The key', at.get('key'))}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={isBusy} disabled={url.trim() === '' || key.trim() === ''}>
            List workflows
          </Button>
        </Group>
        <Text size="xs" c="dimmed">
          Weft reads workflows, tags and the last runs. It changes nothing in n8n. An n8n in a private network is read
          by the command line: weft import n8n.
        </Text>
      </Stack>
    </form>
  );
}
