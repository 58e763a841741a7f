import { Button, Group, SimpleGrid, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { workspaceHeader } from '@/components/client/chosen-workspace';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { JsonView } from '@/components/ui/values/JsonView';
import { formatDuration } from '@/components/ui/values/time-format';
import { buildRequestUrl, exampleValue, type ReferenceDocument, type ApiDocumentEntry } from './document';

const JSON_BODY_TYPE = 'application/json';
/** The page sets these headers itself. */
const PRESET_HEADERS = ['x-workspace-id'];

interface ReceivedResponse {
  status: number;
  ms: number;
  /** The JSON value, or the text. */
  body: unknown;
}

async function sendApiRequest(path: string, method: string, headers: Record<string, string>, body: string | undefined) {
  const start = performance.now();
  const answer = await fetch(path, {
    method: method.toUpperCase(),
    headers: { ...workspaceHeader(), ...headers },
    body,
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  const received: ReceivedResponse = {
    status: answer.status,
    ms: performance.now() - start,
    body: isJson ? (JSON.parse(text) as unknown) : text,
  };
  return received;
}

/** Whether a text is JSON. */
function canParseJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Calls an operation as the signed-in user, in the selected workspace. */
export function TryApiOperation({ document, entry }: { document: ReferenceDocument; entry: ApiDocumentEntry }) {
  const { method, path, operation } = entry;
  const parameters = (operation.parameters ?? []).filter(({ name }) => !PRESET_HEADERS.includes(name.toLowerCase()));
  const content = operation.requestBody?.content;
  const json = content?.[JSON_BODY_TYPE];
  const [values, setValues] = useState<Record<string, string>>({});
  const [body, setBody] = useState(() =>
    json ? JSON.stringify(json.example ?? exampleValue(document, json.schema ?? {}), null, 2) : '',
  );
  const call = useMutation({
    mutationFn: () => {
      const headers = Object.fromEntries(
        parameters
          .filter((one) => one.in === 'header')
          .map((one): [string, string] => [one.name, values[`header ${one.name}`] ?? ''])
          .filter(([, value]) => value !== ''),
      );
      const isSent = json !== undefined && body.trim() !== '';
      const type = isSent ? { 'content-type': JSON_BODY_TYPE } : undefined;
      return sendApiRequest(
        buildRequestUrl(path, parameters, values),
        method,
        { ...headers, ...type },
        isSent ? body : undefined,
      );
    },
  });
  if (content && !json)
    return (
      <Text size="sm" c="dimmed">
        The body is not JSON, so this operation can’t be called from here.
      </Text>
    );
  const isInvalid = json !== undefined && body.trim() !== '' && !canParseJson(body);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isInvalid) call.mutate();
  };
  return (
    <form onSubmit={submit} aria-label={`Try ${entry.id}`}>
      <Stack gap="sm">
        <Title order={3} fz="sm" fw={600}>
          Try it
        </Title>
        {parameters.length > 0 && (
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
            {parameters.map(({ name, in: place, required }) => (
              <TextInput
                key={`${place} ${name}`}
                label={name}
                required={required}
                value={values[`${place} ${name}`] ?? ''}
                onChange={({ currentTarget: { value } }) => setValues({ ...values, [`${place} ${name}`]: value })}
              />
            ))}
          </SimpleGrid>
        )}
        {json && (
          <Textarea
            label="Body"
            autosize
            minRows={3}
            maxRows={16}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            error={isInvalid && 'Must be JSON'}
            value={body}
            onChange={(event) => setBody(event.currentTarget.value)}
          />
        )}
        <Group gap="sm">
          <Button type="submit" color={method === 'delete' ? 'madder' : undefined} loading={call.isPending}>
            Send {method.toUpperCase()}
          </Button>
          {call.data && (
            <Text size="sm" role="status">
              Status {call.data.status} after {formatDuration(call.data.ms)}
            </Text>
          )}
        </Group>
        <FormErrorAlert>{call.error && 'The service could not be reached.'}</FormErrorAlert>
        {call.data && <JsonView label="Answer" value={call.data.body} />}
      </Stack>
    </form>
  );
}
