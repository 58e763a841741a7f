import { List, Paper, Text } from '@mantine/core';
import {
  compareNodeLabels,
  hasNoDifferences,
  type ComparedLabel,
  type ComparedNode,
  type DefinitionChangeType,
  type DefinitionComparison,
} from '@/components/graph/compare';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { labelledFieldName, nodeTitle } from '@/components/graph/summary';
import { schemaLabel } from '@/components/forms/model/field-schema';

const CHANGE_LABELS: Record<DefinitionChangeType, string> = {
  added: 'added',
  removed: 'removed',
  changed: 'changed',
  moved: 'moved',
};

interface Props {
  title: string;
  comparison: DefinitionComparison;
  catalogue: NodeTypesByName;
  /** The new name, if the workflow was renamed. */
  rename?: string;
}

/** The differences between two definitions as a list. */
export function DefinitionChanges({ title, comparison, catalogue, rename }: Props) {
  const { nodes, annotations, connectionsAdded, connectionsRemoved } = comparison;
  return (
    <Paper withBorder p="sm" component="section" aria-label={title}>
      <Text size="sm" fw={600} mb={6}>
        {title}
      </Text>
      {hasNoDifferences(comparison) && rename === undefined && (
        <Text size="sm" c="dimmed">
          No changes.
        </Text>
      )}
      <List size="sm" spacing={4}>
        {rename !== undefined && <List.Item>Renamed to “{rename}”</List.Item>}
        {nodes.map(({ id, change, before, after, fields }) => {
          const node = after ?? before;
          return (
            <List.Item key={id}>
              {node ? nodeTitle(node, catalogue.get(node.type)) : id}{' '}
              <Text span size="sm" c="dimmed">
                {CHANGE_LABELS[change]}
                {change === 'changed' && `: ${changedFieldsText({ before, after, fields })}`}
              </Text>
            </List.Item>
          );
        })}
        {annotations.map(({ id, kind, title: called, change }) => (
          <List.Item key={id}>
            {kind === 'note' ? 'Note' : 'Group'} “{called}”{' '}
            <Text span size="sm" c="dimmed">
              {CHANGE_LABELS[change]}
            </Text>
          </List.Item>
        ))}
        {connectionsAdded > 0 && <List.Item>{connectionCountText(connectionsAdded)} added</List.Item>}
        {connectionsRemoved > 0 && <List.Item>{connectionCountText(connectionsRemoved)} removed</List.Item>}
      </List>
    </Paper>
  );
}

/** The changed fields, and what picked values are called in place of their ids. */
function changedFieldsText({ before, after, fields }: Pick<ComparedNode, 'before' | 'after' | 'fields'>): string {
  const names = fields.filter((field) => field !== 'labels').map((field) => field.replace(/^config\./, ''));
  const labels = before && after ? compareNodeLabels(before, after) : [];
  return [...names, ...labels.map(comparedLabelText)].join(', ');
}

function comparedLabelText({ path, before, after }: ComparedLabel): string {
  const field = schemaLabel(labelledFieldName(path), {});
  if (after === undefined) return `${field} no longer “${before}”`;
  return before === undefined ? `${field} “${after}”` : `${field} “${before}” → “${after}”`;
}

const connectionCountText = (connections: number) =>
  connections === 1 ? 'one connection' : `${connections} connections`;
