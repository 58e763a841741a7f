import { ActionIcon, Table, Text } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { usePermissions } from '@/components/client/usePermissions';
import classes from '@/components/ui/lists/Table.module.css';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import type { VariableRow } from './value';

const MAX_VALUE_CHARACTERS = 200;

interface Props {
  variables: VariableRow[];
  onChange(variable: VariableRow): void;
  onRemove(variable: VariableRow): void;
}

export function VariableTable({ variables, onChange, onRemove }: Props) {
  const can = usePermissions();
  return (
    <Table.ScrollContainer minWidth={300} className={classes.frame}>
      <Table className={classes.table} verticalSpacing="sm" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="34%">Name</Table.Th>
            <Table.Th>Value</Table.Th>
            <Table.Th w={130} visibleFrom="sm">
              Changed
            </Table.Th>
            <Table.Th w={84}>
              <span className={classes.hidden}>Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {variables.map((variable) => {
            const { name, value, updatedAt } = variable;
            return (
              <Table.Tr key={name} className={classes.row}>
                <Table.Td className={classes.written}>
                  <Text size="sm" fw={570} ff="monospace">
                    {name}
                  </Text>
                </Table.Td>
                <Table.Td className={classes.written}>
                  <Text size="sm" ff="monospace" lineClamp={3}>
                    {shortenValue(value)}
                  </Text>
                </Table.Td>
                <Table.Td visibleFrom="sm">
                  <TimeAgo at={updatedAt} />
                </Table.Td>
                <Table.Td>
                  <div className={classes.actions}>
                    {can('variable:update') !== 'none' && (
                      <ActionIcon aria-label={`Change ${name}`} onClick={() => onChange(variable)}>
                        <IconPencil size={16} aria-hidden />
                      </ActionIcon>
                    )}
                    {can('variable:delete') !== 'none' && (
                      <ActionIcon aria-label={`Delete ${name}`} onClick={() => onRemove(variable)}>
                        <IconTrash size={16} aria-hidden />
                      </ActionIcon>
                    )}
                  </div>
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The beginning of a value; its JSON unless it is a text. */
function shortenValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS)} …` : text;
}
