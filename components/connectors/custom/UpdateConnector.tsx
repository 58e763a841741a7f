import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { ChangedOperation, ConnectorComparison, ConnectorDetails } from '@/contract/connectors/custom-connector';
import { fieldErrorsOf } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';
import { ErrorNote } from '@/components/ui/states/ErrorNote';
import { messageAt, tooMany } from './AddConnector';
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
  const { at, elsewhere } = fieldErrorsOf(compare.error, (field) => field === 'openapi');
  if (compare.data) {
    return (
      <ChangesStep
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
          <ErrorNote>{elsewhere}</ErrorNote>
          <SourceField value={text} error={messageAt(at, 'openapi', 'The document')} onChange={setText} />
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

interface ChangesProps extends Props {
  comparison: ConnectorComparison;
  openapi: string;
  /** Undefined: as stored. */
  chosen: ReadonlySet<string> | undefined;
  onChoose(chosen: ReadonlySet<string>): void;
  onBack(): void;
}

function ChangesStep({ connector, comparison, openapi, chosen, onChoose, onBack, onClose }: ChangesProps) {
  const trpc = useTRPC();
  const refresh = useRefresh();
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
  const { at, elsewhere } = fieldErrorsOf(update.error, (field) => field === 'operations');
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
          <ErrorNote>{elsewhere}</ErrorNote>
          {comparison.losesSecrets && (
            <Alert color="madder" title="Credentials must be entered again">
              {comparison.serverBefore === preview.server
                ? 'Servers or authentication change'
                : `The server changes from ${comparison.serverBefore} to ${preview.server}`}
              , so the secrets of this connector’s credentials are removed.
            </Alert>
          )}
          <Changes comparison={comparison} />
          {isChoosing ? (
            <OperationChoice
              operations={preview.operations}
              chosen={shown}
              error={tooMany(shown) ?? at.get('operations')}
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
            isDisabled={shown.size === 0 || tooMany(shown) !== undefined}
            onBack={onBack}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}

function Changes({ comparison: { added, changed, removed } }: { comparison: ConnectorComparison }) {
  if (added.length + changed.length + removed.length === 0)
    return <Text size="sm">The operations are the same as before.</Text>;
  return (
    <Stack gap="md">
      <ChangeList title="Added" operations={added} />
      <ChangeList title="Changed" operations={changed} />
      <ChangeList
        title="Removed"
        operations={removed}
        note="Those that a workflow uses are kept and marked as removed."
      />
    </Stack>
  );
}

const MAX_ROWS = 50;

function ChangeList({ title, operations, note }: { title: string; operations: ChangedOperation[]; note?: string }) {
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
        {operations.slice(0, MAX_ROWS).map((operation) => (
          <List.Item key={operation.id}>
            {operation.title}{' '}
            <Text span size="xs" c="dimmed">
              <OperationAddress method={operation.method} path={operation.path} />
            </Text>
            <UsedBy operation={operation} />
          </List.Item>
        ))}
      </List>
      {operations.length > MAX_ROWS && (
        <Text size="xs" c="dimmed">
          and {operations.length - MAX_ROWS} more
        </Text>
      )}
    </section>
  );
}

function UsedBy({ operation: { usedBy, otherUses } }: { operation: ChangedOperation }) {
  if (usedBy.length + otherUses === 0) return null;
  const names = usedBy.slice(0, 5).map(({ name }) => name);
  const rest = usedBy.length + otherUses - names.length;
  return <Text size="xs">Used by {[...names, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')}</Text>;
}
