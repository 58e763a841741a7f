import { Badge, Button, Checkbox, Group, ScrollArea, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { OfferedOperation } from '@/contract/connectors/custom-connector';
import { SearchInput } from '@/components/ui/SearchInput';

/** The largest number of operations of a connector. */
export const MAX_CHOSEN_OPERATIONS = 1000;
/** Rows that are drawn; a search finds the others. */
const MAX_OFFERED_ROWS = 200;

interface Props {
  operations: readonly OfferedOperation[];
  chosen: ReadonlySet<string>;
  error: string | undefined;
  onChange(chosen: ReadonlySet<string>): void;
}

const isOperationFound = ({ id, title, description, path, method, group }: OfferedOperation, search: string) =>
  [id, title, description, path, method, group ?? ''].some((text) => text.toLowerCase().includes(search));

/** A choice of operations by check boxes, with a search. */
export function OperationChoice({ operations, chosen, error, onChange }: Props) {
  const [search, setSearch] = useState('');
  const found = operations.filter((operation) => isOperationFound(operation, search.trim().toLowerCase()));
  const isAll = found.length > 0 && found.every(({ id }) => chosen.has(id));
  const set = (ids: readonly string[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const id of ids) {
      if (isChosen) next.add(id);
      else next.delete(id);
    }
    onChange(next);
  };
  return (
    <Stack gap="xs" component="fieldset" p={0} m={0} bd={0} miw={0}>
      <Group justify="space-between" gap="xs">
        <Text component="legend" size="sm" fw={570} p={0}>
          Operations
        </Text>
        <Text size="sm" c="dimmed" role="status">
          {chosen.size} of {operations.length} chosen
        </Text>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <SearchInput
          label="Search operations"
          placeholder="Search by name or path"
          flex={1}
          value={search}
          onChange={setSearch}
        />
        <Button
          variant="default"
          disabled={found.length === 0}
          onClick={() =>
            set(
              found.map(({ id }) => id),
              !isAll,
            )
          }
        >
          {isAll ? 'Choose none' : 'Choose all'}
        </Button>
      </Group>
      {error && (
        <Text size="sm" c="var(--weft-failed)" role="alert">
          {error}
        </Text>
      )}
      <ScrollArea.Autosize
        mah={300}
        type="auto"
        offsetScrollbars
        viewportProps={{ tabIndex: 0, 'aria-label': 'Operations' }}
      >
        <Stack gap={10} p={2}>
          {found.slice(0, MAX_OFFERED_ROWS).map((operation) => (
            <OperationCheckbox
              key={operation.id}
              operation={operation}
              isChosen={chosen.has(operation.id)}
              onChange={(isChosen) => set([operation.id], isChosen)}
            />
          ))}
        </Stack>
      </ScrollArea.Autosize>
      {found.length === 0 && (
        <Text size="sm" c="dimmed">
          No operation matches this search.
        </Text>
      )}
      {found.length > MAX_OFFERED_ROWS && (
        <Text size="sm" c="dimmed">
          The first {MAX_OFFERED_ROWS} of {found.length} are shown. Search to find others.
        </Text>
      )}
    </Stack>
  );
}

function OperationCheckbox({
  operation: { title, method, path, isDeprecated },
  isChosen,
  onChange,
}: {
  operation: OfferedOperation;
  isChosen: boolean;
  onChange(isChosen: boolean): void;
}) {
  return (
    <Checkbox
      checked={isChosen}
      onChange={(event) => onChange(event.currentTarget.checked)}
      label={
        <>
          {title}{' '}
          {isDeprecated && (
            <Badge size="xs" variant="default" component="span" tt="none">
              Deprecated
            </Badge>
          )}
        </>
      }
      description={<OperationAddress method={method} path={path} />}
    />
  );
}

/** Method and path of an operation. */
export function OperationAddress({ method, path }: { method: string; path: string }) {
  return (
    <span style={{ fontFamily: 'var(--mantine-font-family-monospace)', overflowWrap: 'anywhere' }}>
      {method} {path}
    </span>
  );
}
