import { Alert, Anchor, Autocomplete, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, type SubmitEvent } from 'react';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { ConnectorPreview } from '@/contract/connectors/custom-connector';
import type { DirectoryService } from '@/contract/connectors/directory';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { MAX_CHOSEN_OPERATIONS, OperationChoice } from './OperationChoice';
import { PreviewFacts } from './PreviewFacts';
import { SourceField } from './SourceField';
import { StepActions } from './StepActions';

interface Props {
  /** A service of the directory, whose document is read at once. Absent if the user gives the document. */
  service?: DirectoryService;
  onAdded(connector: ConnectorResponse): void;
  onClose(): void;
}

/** Makes a connector from a document: the document, then a choice of its operations. */
export function AddConnector({ service, onAdded, onClose }: Props) {
  const trpc = useTRPC();
  const [source, setSource] = useState(service?.url ?? '');
  const [server, setServer] = useState(service?.server ?? '');
  const look = useMutation(trpc.connectors.preview.mutationOptions());
  const { at, elsewhere } = splitFieldErrors(look.error, (field) => field === 'openapi' || field === 'server');
  const needsServer = at.has('server') || server !== '';
  const read = () => look.mutate({ body: { openapi: source, ...(server.trim() ? { server: server.trim() } : {}) } });
  const readService = useEffectEvent(() => {
    if (service) read();
  });
  useEffect(() => readService(), []);
  if (look.data) {
    return (
      <OperationStep
        preview={look.data}
        title={service?.name ?? look.data.title}
        source={source}
        isServerGiven={server.trim() !== ''}
        onBack={() => look.reset()}
        onAdded={onAdded}
        onClose={onClose}
      />
    );
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    read();
  };
  return (
    <Modal opened onClose={onClose} size="lg" title={service ? `Add ${service.name}` : 'Add a connector from OpenAPI'}>
      <form onSubmit={submit}>
        <Stack>
          <FormErrorAlert>{elsewhere}</FormErrorAlert>
          {service && look.isError && <UnreadableDocument service={service} />}
          <SourceField value={source} error={connectorFieldError(at, 'openapi', 'The document')} onChange={setSource} />
          {needsServer && (
            <TextInput
              label="Server"
              required
              description="The base address of the API."
              placeholder="https://api.example.com/v1"
              value={server}
              error={connectorFieldError(at, 'server', 'The server')}
              onChange={(event) => setServer(event.currentTarget.value)}
            />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={look.isPending} disabled={source.trim() === ''}>
              Read document
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** What to do if the document of a service cannot be read. */
const UnreadableDocument = ({ service: { name, url } }: { service: DirectoryService }) => (
  <Alert color="weld" title={`The document of ${name} can’t be read`}>
    Weft has no access to its address, or the document has moved. Open{' '}
    <Anchor href={url} target="_blank" rel="noreferrer" inherit>
      the address
    </Anchor>{' '}
    in your browser and paste the document below, or look for its new address in the documentation of {name}.
  </Alert>
);

/** An error as a sentence of its own. */
export function connectorFieldError(
  at: ReadonlyMap<string, string>,
  field: string,
  subject: string,
): string | undefined {
  const message = at.get(field);
  return message === undefined ? undefined : `${subject} ${message}.`.replace(/\.\.$/, '.');
}

interface OperationStepProps extends Omit<Props, 'service'> {
  preview: ConnectorPreview;
  /** The initial name of the connector. */
  title: string;
  source: string;
  /** The document alone names no server that can be called. */
  isServerGiven: boolean;
  onBack(): void;
}

function OperationStep({ preview, title, source, isServerGiven, onBack, onAdded, onClose }: OperationStepProps) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const { operations, servers } = preview;
  const [name, setName] = useState(title);
  const [server, setServer] = useState(preview.server);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(operations.length <= MAX_CHOSEN_OPERATIONS ? operations.map(({ id }) => id) : []),
  );
  const create = useMutation(
    trpc.connectors.create.mutationOptions({
      onSuccess: (connector) => {
        refresh();
        onAdded(connector);
      },
    }),
  );
  const { at, elsewhere } = splitFieldErrors(create.error, (field) => ['name', 'server', 'operations'].includes(field));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const isAll = operations.every(({ id }) => chosen.has(id));
    create.mutate({
      body: {
        openapi: source,
        name: name.trim(),
        // A server that is not chosen follows the document.
        ...(isServerGiven || server.trim() !== preview.server ? { server: server.trim() } : {}),
        ...(isAll ? {} : { operations: operations.flatMap(({ id }) => (chosen.has(id) ? [id] : [])) }),
      },
    });
  };
  return (
    <Modal opened onClose={onClose} size="lg" title="Choose operations">
      <form onSubmit={submit}>
        <Stack>
          <FormErrorAlert>{elsewhere}</FormErrorAlert>
          <TextInput
            label="Name"
            required
            maxLength={200}
            autoComplete="off"
            data-autofocus
            value={name}
            error={at.get('name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Autocomplete
            label="Server"
            description="The base address of the API. Credentials of this connector are sent there only."
            required
            data={servers}
            // The menu shows all servers, because the field already holds one of them.
            filter={({ options }) => options}
            value={server}
            error={connectorFieldError(at, 'server', 'The server')}
            onChange={setServer}
          />
          <PreviewFacts preview={preview} />
          <OperationChoice
            operations={operations}
            chosen={chosen}
            error={selectionSizeError(chosen) ?? at.get('operations')}
            onChange={setChosen}
          />
          <StepActions
            action="Add connector"
            isBusy={create.isPending}
            isDisabled={
              name.trim() === '' ||
              server.trim() === '' ||
              chosen.size === 0 ||
              selectionSizeError(chosen) !== undefined
            }
            onBack={onBack}
            onClose={onClose}
          />
        </Stack>
      </form>
      {operations.length > MAX_CHOSEN_OPERATIONS && chosen.size === 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          A connector has at most {MAX_CHOSEN_OPERATIONS.toLocaleString('en')} operations. Choose those that you need.
        </Text>
      )}
    </Modal>
  );
}

export const selectionSizeError = (chosen: ReadonlySet<string>): string | undefined =>
  chosen.size > MAX_CHOSEN_OPERATIONS
    ? `Choose at most ${MAX_CHOSEN_OPERATIONS.toLocaleString('en')} operations.`
    : undefined;
