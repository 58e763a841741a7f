import { ActionIcon, Group, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import { drawnKind } from '@/components/graph/summary';
import { testNodeAt, testNodeTitle } from './model/test-nodes';
import { Rounds } from './Rounds';
import { useTested } from './tested';
import classes from './Tests.module.css';

interface Props {
  /** Key of the node in the test. */
  path: string;
  /** What the card is, such as “mock”. */
  what: string;
  hasEvery: boolean;
  error: string | undefined;
  aside?: ReactNode;
  isTaken(path: string): boolean;
  onMove(path: string): void;
  onRemove(): void;
  children: ReactNode;
}

/** What a test says about one node. */
export function NodeCard({ path, what, hasEvery, error, aside, isTaken, onMove, onRemove, children }: Props) {
  const { definition, catalogue } = useTested();
  const node = testNodeAt(definition, path);
  const title = testNodeTitle(definition, catalogue, path);
  return (
    <div className={classes.card} role="group" aria-label={title}>
      <Group gap="xs" wrap="nowrap" justify="space-between" align="flex-start">
        <Group gap="xs" miw={0} flex={1}>
          {node && <NodeIcon kind={drawnKind(node, catalogue.get(node.type))} size={24} />}
          <Text size="sm" fw={600} title={path} className={classes.name}>
            {title}
          </Text>
          <Rounds path={path} title={title} hasEvery={hasEvery} isTaken={isTaken} onChange={onMove} />
          {aside}
        </Group>
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove the ${what} of ${title}`} onClick={onRemove}>
          <IconX size={15} aria-hidden />
        </ActionIcon>
      </Group>
      {!node && (
        <Text size="xs" c="var(--weft-failed)">
          The workflow has no node with this id.
        </Text>
      )}
      {children}
      {error && (
        <Text size="xs" c="var(--weft-failed)">
          {error}
        </Text>
      )}
    </div>
  );
}
