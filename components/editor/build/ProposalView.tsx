import { Alert, Button, Checkbox, Group, List, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconListDetails, IconMessage } from '@tabler/icons-react';
import { useEffect, useMemo, useRef } from 'react';
import type { FieldError } from '@/contract/error';
import type { Definition } from '@/contract/workflows/workflow';
import { compare, type Comparison } from '@/components/graph/compare';
import type { Catalogue } from '@/components/graph/flow';
import { UntrustedMarkdown } from '@/components/ui/values/UntrustedMarkdown';
import { issueSentence } from '../checks/locate';
import { Changes } from '../versions/Changes';
import { ComparedCanvas } from '../versions/ComparedCanvas';
import { isBare } from './arrange';
import classes from './Build.module.css';
import type { Result } from './useProposal';

interface Props {
  result: Result;
  catalogue: Catalogue;
  onArrange(isWhole: boolean): void;
  onApply(definition: Definition): void;
  onDiscard(): void;
}

/** What a model proposes: the workflow with its changes marked, what the model says, and what is left to do. */
export function ProposalView({ result, catalogue, onArrange, onApply, onDiscard }: Props) {
  const { before, drawn, isWhole, instruction, summary, problems } = result;
  const place = useRef<HTMLDivElement>(null);
  // Its beginning is read first: the focus must not scroll to the buttons.
  useEffect(() => place.current?.focus({ preventScroll: true }), []);
  const comparison = useMemo(() => drawn && compare(before, drawn), [before, drawn]);
  // Nodes that are arranged anew would lie below removed ones.
  const marked = comparison && isWhole ? withoutRemoved(comparison) : comparison;
  return (
    <Stack component="section" ref={place} tabIndex={-1} aria-label="Proposal" gap="md" className={classes.proposal}>
      <Text size="sm" c="dimmed" className={classes.instruction}>
        {instruction}
      </Text>
      {drawn && marked && (
        <ComparedCanvas key={String(isWhole)} definition={drawn} comparison={marked} catalogue={catalogue} />
      )}
      {drawn && !isBare(before) && (
        <Checkbox
          label="Arrange all nodes anew"
          checked={isWhole}
          onChange={({ currentTarget: { checked } }) => onArrange(checked)}
        />
      )}
      {summary !== '' && (
        <Alert
          color="woad"
          variant="light"
          icon={<IconMessage size={18} aria-hidden />}
          title={drawn ? undefined : 'Answer'}
        >
          <div className={classes.words}>
            <UntrustedMarkdown text={summary} />
          </div>
        </Alert>
      )}
      {!drawn && (problems.length > 0 || summary === '') && (
        <Alert color="madder" title="The model found no valid workflow" role="alert">
          Say it in other words, ask for less at once, or choose a larger model.
        </Alert>
      )}
      {drawn && comparison && (
        <SimpleGrid cols={{ base: 1, sm: problems.length > 0 ? 2 : 1 }} spacing="md">
          {problems.length > 0 && <ToDo problems={problems} definition={drawn} catalogue={catalogue} />}
          <Changes title="Changes" comparison={comparison} catalogue={catalogue} />
        </SimpleGrid>
      )}
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          {usageText(result)}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onDiscard}>
            Discard
          </Button>
          {drawn && <Button onClick={() => onApply(drawn)}>Apply</Button>}
        </Group>
      </Group>
    </Stack>
  );
}

const withoutRemoved = (comparison: Comparison): Comparison => ({
  ...comparison,
  nodes: comparison.nodes.filter(({ change }) => change !== 'removed'),
});

interface ToDoProps {
  problems: FieldError[];
  definition: Definition;
  catalogue: Catalogue;
}

/** What a person has to fill in. */
function ToDo({ problems, definition, catalogue }: ToDoProps) {
  return (
    <Paper withBorder p="sm" component="section" aria-label="Left to do">
      <Group gap={6} mb={6}>
        <IconListDetails size={16} aria-hidden />
        <Text size="sm" fw={600}>
          Left to do
        </Text>
      </Group>
      <List size="sm" spacing={4}>
        {problems.map((problem) => (
          <List.Item key={`${problem.field} ${problem.message}`}>
            {issueSentence(definition, [problem], catalogue) ?? problem.message}
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}

function usageText({ usage: { inputTokens, outputTokens, costUsd } }: Result): string {
  const tokens = `${(inputTokens + outputTokens).toLocaleString()} tokens`;
  return costUsd === undefined ? tokens : `${tokens}, about $${costUsd.toFixed(costUsd < 0.1 ? 4 : 2)}`;
}
