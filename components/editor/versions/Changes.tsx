import { List, Paper, Text } from '@mantine/core';
import { isUnchanged, type Change, type Comparison } from '@/components/graph/compare';
import type { Catalogue } from '@/components/graph/flow';
import { nodeTitle } from '@/components/graph/summary';

const WORDS: Record<Change, string> = { added: 'added', removed: 'removed', changed: 'changed', moved: 'moved' };

interface Props {
  title: string;
  comparison: Comparison;
  catalogue: Catalogue;
  /** The new name, if the workflow was renamed. */
  rename?: string;
}

/** The differences between two definitions as a list. */
export function Changes({ title, comparison, catalogue, rename }: Props) {
  const { nodes, annotations, connectionsAdded, connectionsRemoved } = comparison;
  return (
    <Paper withBorder p="sm" component="section" aria-label={title}>
      <Text size="sm" fw={600} mb={6}>
        {title}
      </Text>
      {isUnchanged(comparison) && rename === undefined && (
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
                {WORDS[change]}
                {change === 'changed' && `: ${fields.map((field) => field.replace(/^config\./, '')).join(', ')}`}
              </Text>
            </List.Item>
          );
        })}
        {annotations.map(({ id, kind, title: called, change }) => (
          <List.Item key={id}>
            {kind === 'note' ? 'Note' : 'Group'} “{called}”{' '}
            <Text span size="sm" c="dimmed">
              {WORDS[change]}
            </Text>
          </List.Item>
        ))}
        {connectionsAdded > 0 && <List.Item>{count(connectionsAdded)} added</List.Item>}
        {connectionsRemoved > 0 && <List.Item>{count(connectionsRemoved)} removed</List.Item>}
      </List>
    </Paper>
  );
}

const count = (connections: number) => (connections === 1 ? 'one connection' : `${connections} connections`);
