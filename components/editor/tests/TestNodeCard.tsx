import { ActionIcon, Group, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { NodeIcon } from '@/components/canvas/NodeIcon';
import { drawnNodeType } from '@/components/graph/summary';
import { findTestNode, titleWithRound } from './model/test-nodes';
import { LoopRoundInputs } from './LoopRoundInputs';
import { useTestedWorkflow } from './useTestedWorkflow';
import classes from './Tests.module.css';

interface Props {
  /** Key of the node in the test. */
  path: string;
  /** The kind of the card, such as “mock”. */
  what: string;
  hasEvery: boolean;
  error: string | undefined;
  aside?: ReactNode;
  isTaken(path: string): boolean;
  onMove(path: string): void;
  onRemove(): void;
  children: ReactNode;
}

/** The mock or the expectation of a test for one node. */
export function TestNodeCard({ path, what, hasEvery, error, aside, isTaken, onMove, onRemove, children }: Props) {
  const { definition, catalogue } = useTestedWorkflow();
  const node = findTestNode(definition, path);
  const title = titleWithRound(definition, catalogue, path);
  return (
    <div className={classes.card} role="group" aria-label={title}>
      <Group gap="xs" wrap="nowrap" justify="space-between" align="flex-start">
        <Group gap="xs" miw={0} flex={1}>
          {node && <NodeIcon kind={drawnNodeType(node, catalogue.get(node.type))} size={24} />}
          <Text size="sm" fw={600} title={path} className={classes.name}>
            {title}
          </Text>
          <LoopRoundInputs path={path} title={title} hasEvery={hasEvery} isTaken={isTaken} onChange={onMove} />
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
