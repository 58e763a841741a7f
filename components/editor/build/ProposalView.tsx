import { Alert, Button, Checkbox, Group, List, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconListDetails, IconMessage } from '@tabler/icons-react';
import { useEffect, useMemo, useRef } from 'react';
import type { FieldIssue } from '@/contract/error-response';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { compareDefinitions, type DefinitionComparison } from '@/components/graph/compare';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { useConnectors } from '@/components/client/queries/useConnectors';
import { usePermissions } from '@/components/client/usePermissions';
import { UntrustedMarkdown } from '@/components/ui/values/UntrustedMarkdown';
import { firstIssueSentence } from '../checks/locate-issue';
import { DefinitionChanges } from '../versions/DefinitionChanges';
import { ComparedCanvas } from '../versions/ComparedCanvas';
import { isAlmostEmpty } from './arrange';
import { ProposedTriggers } from './ProposedTriggers';
import classes from './Build.module.css';
import type { ProposalResult } from './useProposal';

interface Props {
  result: ProposalResult;
  catalogue: NodeTypesByName;
  onArrange(isWhole: boolean): void;
  isApplying: boolean;
  onApply(definition: WorkflowDefinition): void;
  onDiscard(): void;
}

/**
 * Shows a proposal: the workflow with its changes marked, the summary of the model, and the steps that are left to do.
 */
export function ProposalView({ result, catalogue, isApplying, onArrange, onApply, onDiscard }: Props) {
  const { before, drawn, isWhole, instruction, summary, problems, triggers } = result;
  const can = usePermissions();
  const connectors = useConnectors().data?.data ?? [];
  const place = useRef<HTMLDivElement>(null);
  // Its beginning is read first: the focus must not scroll to the buttons.
  useEffect(() => place.current?.focus({ preventScroll: true }), []);
  const comparison = useMemo(() => drawn && compareDefinitions(before, drawn), [before, drawn]);
  // Nodes that are arranged anew would lie below removed ones.
  const marked = comparison && isWhole ? dropRemovedNodes(comparison) : comparison;
  return (
    <Stack component="section" ref={place} tabIndex={-1} aria-label="Proposal" gap="md" className={classes.proposal}>
      <Text size="sm" c="dimmed" className={classes.instruction}>
        {instruction}
      </Text>
      {drawn && marked && (
        <ComparedCanvas key={String(isWhole)} definition={drawn} comparison={marked} catalogue={catalogue} />
      )}
      {drawn && !isAlmostEmpty(before) && (
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
      {drawn && (
        <ProposedTriggers
          triggers={triggers}
          connectors={connectors}
          mayCreate={(kind) => can(`${kind}:create`) !== 'none'}
        />
      )}
      {drawn && comparison && (
        <SimpleGrid cols={{ base: 1, sm: problems.length > 0 ? 2 : 1 }} spacing="md">
          {problems.length > 0 && <RemainingSteps problems={problems} definition={drawn} catalogue={catalogue} />}
          <DefinitionChanges title="Changes" comparison={comparison} catalogue={catalogue} />
        </SimpleGrid>
      )}
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          {modelUsageText(result)}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onDiscard}>
            Discard
          </Button>
          {drawn && (
            <Button loading={isApplying} onClick={() => onApply(drawn)}>
              Apply
            </Button>
          )}
        </Group>
      </Group>
    </Stack>
  );
}

const dropRemovedNodes = (comparison: DefinitionComparison): DefinitionComparison => ({
  ...comparison,
  nodes: comparison.nodes.filter(({ change }) => change !== 'removed'),
});

interface RemainingStepsProps {
  problems: FieldIssue[];
  definition: WorkflowDefinition;
  catalogue: NodeTypesByName;
}

/** Lists what a person has to fill in. */
function RemainingSteps({ problems, definition, catalogue }: RemainingStepsProps) {
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
            {firstIssueSentence(definition, [problem], catalogue) ?? problem.message}
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}

function modelUsageText({ usage: { inputTokens, outputTokens, costUsd } }: ProposalResult): string {
  const tokens = `${(inputTokens + outputTokens).toLocaleString()} tokens`;
  return costUsd === undefined ? tokens : `${tokens}, about $${costUsd.toFixed(costUsd < 0.1 ? 4 : 2)}`;
}
