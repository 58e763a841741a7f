import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { ChangedOperation, ConnectorComparison, ConnectorDetails } from '@/contract/connectors/custom-connector';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { connectorFieldError, selectionSizeError } from './AddConnector';
import { OperationAddress, OperationChoice } from './OperationChoice';
import { SourceField } from './SourceField';
import { StepActions } from './StepActions';

interface Props {
  connector: ConnectorDetails;
  onClose(): void;
}

/** Updates a connector from its document: the document, then what it changes. */
export function UpdateConnector({ connector, onClose }: Props) {
  const trpc = useTRPC();
  const { id, source, selection } = connector;
  const [text, setText] = useState(source?.url ?? '');
  const compare = useMutation(trpc.connectors.compare.mutationOptions());
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const { at, elsewhere } = splitFieldErrors(compare.error, (field) => field === 'openapi');
  if (compare.data) {
    return (
      <ConnectorChangesStep
        connector={connector}
        comparison={compare.data}
        openapi={text}
        chosen={chosen}
        onChoose={setChosen}
        onBack={() => compare.reset()}
        onClose={onClose}
      />
    );
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    compare.mutate({ params: { id }, body: { openapi: text } });
  };
  return (
    <Modal opened onClose={onClose} size="lg" title={`Update ${connector.name}`}>
      <form onSubmit={submit}>
        <Stack>
          <FormErrorAlert>{elsewhere}</FormErrorAlert>
          <SourceField value={text} error={connectorFieldError(at, 'openapi', 'The document')} onChange={setText} />
          {selection && (
            <Text size="sm" c="dimmed">
              {selection.length} operations are chosen. You can change the choice in the next step.
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={compare.isPending} disabled={text.trim() === ''}>
              Compare
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface ConnectorChangesProps extends Props {
  comparison: ConnectorComparison;
  openapi: string;
  /** The chosen operations. Undefined while the stored choice is kept. */
  chosen: ReadonlySet<string> | undefined;
  onChoose(chosen: ReadonlySet<string>): void;
  onBack(): void;
}

function ConnectorChangesStep({
  connector,
  comparison,
  openapi,
  chosen,
  onChoose,
  onBack,
  onClose,
}: ConnectorChangesProps) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const { id, source, selection } = connector;
  const { preview } = comparison;
  const [isChoosing, setChoosing] = useState(false);
  const update = useMutation(
    trpc.connectors.update.mutationOptions({
      onSuccess: () => {
        refresh();
        onClose();
      },
    }),
  );
  const { at, elsewhere } = splitFieldErrors(update.error, (field) => field === 'operations');
  const stored = new Set(selection ?? preview.operations.map((one) => one.id));
  const shown = chosen ?? stored;
  const operations = chosen && preview.operations.flatMap((one) => (chosen.has(one.id) ? [one.id] : []));
  const isAll = operations?.length === preview.operations.length;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const choice = operations === undefined ? {} : { operations: isAll ? null : operations };
    update.mutate({ params: { id }, body: { openapi, ...choice, version: source?.version } });
  };
  return (
    <Modal opened onClose={onClose} size="lg" title={`Update ${connector.name}`}>
      <form onSubmit={submit}>
        <Stack>
          <FormErrorAlert>{elsewhere}</FormErrorAlert>
          {comparison.losesSecrets && (
            <Alert color="madder" title="Credentials must be entered again">
              {comparison.serverBefore === preview.server
                ? 'Servers or authentication change'
                : `The server changes from ${comparison.serverBefore} to ${preview.server}`}
              , so the secrets of this connector’s credentials are removed.
            </Alert>
          )}
          <OperationChanges comparison={comparison} />
          {isChoosing ? (
            <OperationChoice
              operations={preview.operations}
              chosen={shown}
              error={selectionSizeError(shown) ?? at.get('operations')}
              onChange={onChoose}
            />
          ) : (
            <Button variant="default" w="fit-content" onClick={() => setChoosing(true)}>
              Choose operations
            </Button>
          )}
          <StepActions
            action="Update connector"
            isBusy={update.isPending}
            isDisabled={shown.size === 0 || selectionSizeError(shown) !== undefined}
            onBack={onBack}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}

function OperationChanges({ comparison: { added, changed, removed } }: { comparison: ConnectorComparison }) {
  if (added.length + changed.length + removed.length === 0)
    return <Text size="sm">The operations are the same as before.</Text>;
  return (
    <Stack gap="md">
      <OperationChangeList title="Added" operations={added} />
      <OperationChangeList title="Changed" operations={changed} />
      <OperationChangeList
        title="Removed"
        operations={removed}
        note="Those that a workflow uses are kept and marked as removed."
      />
    </Stack>
  );
}

const MAX_CHANGED_OPERATIONS = 50;

function OperationChangeList({
  title,
  operations,
  note,
}: {
  title: string;
  operations: ChangedOperation[];
  note?: string;
}) {
  if (operations.length === 0) return null;
  return (
    <section aria-label={title}>
      <Text size="sm" fw={570}>
        {title} ({operations.length})
      </Text>
      {note && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
      <List size="sm" listStyleType="none" spacing={6} mt={4}>
        {operations.slice(0, MAX_CHANGED_OPERATIONS).map((operation) => (
          <List.Item key={operation.id}>
            {operation.title}{' '}
            <Text span size="xs" c="dimmed">
              <OperationAddress method={operation.method} path={operation.path} />
            </Text>
            <OperationUses operation={operation} />
          </List.Item>
        ))}
      </List>
      {operations.length > MAX_CHANGED_OPERATIONS && (
        <Text size="xs" c="dimmed">
          and {operations.length - MAX_CHANGED_OPERATIONS} more
        </Text>
      )}
    </section>
  );
}

function OperationUses({ operation: { usedBy, otherUses } }: { operation: ChangedOperation }) {
  if (usedBy.length + otherUses === 0) return null;
  const names = usedBy.slice(0, 5).map(({ name }) => name);
  const rest = usedBy.length + otherUses - names.length;
  return <Text size="xs">Used by {[...names, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')}</Text>;
}
