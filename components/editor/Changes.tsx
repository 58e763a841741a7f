import { List, Paper, Text } from '@mantine/core';
import { isUnchanged, type Change, type Comparison } from '../canvas/compare';
import type { Catalogue } from '../canvas/flow';
import { nodeTitle } from '../canvas/summary';

const WORDS: Record<Change, string> = { added: 'added', removed: 'removed', changed: 'changed', moved: 'moved' };

interface Props {
  title: string;
  comparison: Comparison;
  catalogue: Catalogue;
  /** The name that the workflow was given, if it was. */
  rename?: string;
}

/** How a definition became another, in words. */
export function Changes({ title, comparison, catalogue, rename }: Props) {
  const { nodes, annotations, wiresAdded, wiresRemoved } = comparison;
  return (
    <Paper withBorder p="sm" component="section" aria-label={title}>
      <Text size="sm" fw={600} mb={6}>
        {title}
      </Text>
      {isUnchanged(comparison) && rename === undefined && (
        <Text size="sm" c="dimmed">
          Nothing.
        </Text>
      )}
      <List size="sm" spacing={4}>
        {rename !== undefined && <List.Item>Called it “{rename}”</List.Item>}
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
        {wiresAdded > 0 && <List.Item>{count(wiresAdded)} added</List.Item>}
        {wiresRemoved > 0 && <List.Item>{count(wiresRemoved)} removed</List.Item>}
      </List>
    </Paper>
  );
}

const count = (wires: number) => (wires === 1 ? 'one connection' : `${wires} connections`);
