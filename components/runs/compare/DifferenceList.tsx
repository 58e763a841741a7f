import { Accordion, Badge, Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { OmittedData } from '../data/OmittedData';
import { useLoadedResults, mergeLoadedResults } from '../data/loaded';
import type { LiveRun } from '../live';
import { NodeResultView } from '../NodeResultView';
import { resultNodeTitle } from '../timeline/rounds';
import { compareRunResults, type ResultDifference, type ResultPart } from './differences';
import { ValueChanges } from './ValueChanges';

interface Props {
  /** The run that the page shows. */
  current: LiveRun;
  other: LiveRun;
  definition: WorkflowDefinition;
  catalogue: NodeTypesByName;
}

const MAX_COMPARED_NODES = 200;
const COMPARED_RUN_NAMES = ['Other run', 'This run'] as const;
const RESULT_PART_LABELS: Record<ResultPart, string> = {
  status: 'Status',
  output: 'Output',
  error: 'Error',
  input: 'Input',
};

/** Differences of two runs by node and field. */
export function DifferenceList({ current, other, definition, catalogue }: Props) {
  const [isAll, setAll] = useState(false);
  const [after, before] = [
    mergeLoadedResults(current, useLoadedResults(current.id)),
    mergeLoadedResults(other, useLoadedResults(other.id)),
  ];
  const all = useMemo(() => compareRunResults(before, after), [before, after]);
  const differing = all.filter(({ changedParts: of }) => of.length > 0);
  const shown = (isAll ? all : differing).slice(0, MAX_COMPARED_NODES);
  return (
    <>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {differing.length} of {all.length} nodes differ.
        </Text>
        <Switch label="Show equal nodes" checked={isAll} onChange={(event) => setAll(event.currentTarget.checked)} />
      </Group>
      <Accordion
        key={other.id}
        variant="separated"
        multiple
        defaultValue={differing[0] ? [differing[0].nodeId] : []}
        keepMounted={false}
      >
        {shown.map((difference) => (
          <Accordion.Item key={difference.nodeId} value={difference.nodeId}>
            <Accordion.Control>
              <Group gap="xs">
                <Text size="sm" fw={550}>
                  {resultNodeTitle(definition, catalogue, difference.nodeId)}
                </Text>
                {difference.changedParts.map((part) => (
                  <Badge key={part} size="sm" variant="light" color="weld" tt="none">
                    {part}
                  </Badge>
                ))}
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <NodeDifferenceView difference={difference} runs={[before, after]} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </>
  );
}

function NodeDifferenceView({
  difference,
  runs,
}: {
  difference: ResultDifference;
  runs: readonly [before: LiveRun, after: LiveRun];
}) {
  const [isWhole, setWhole] = useState(false);
  const [hasInput, setInput] = useState(false);
  const { before, after, changedParts: of } = difference;
  // The input is the output of the nodes before, which have their own entries.
  const isInputFolded = of.length > 1 && of.includes('input') && !hasInput;
  return (
    <Stack gap="md">
      {(isInputFolded ? of.filter((part) => part !== 'input') : of).map((part) => (
        <section key={part} aria-label={RESULT_PART_LABELS[part]}>
          <Text size="xs" fw={600} c="dimmed" mb={4}>
            {RESULT_PART_LABELS[part]}
          </Text>
          <ResultPartChanges difference={difference} part={part} runs={runs} />
        </section>
      ))}
      <Group gap="xs">
        {isInputFolded && (
          <Button variant="subtle" size="compact-sm" onClick={() => setInput(true)}>
            Show differences of the input
          </Button>
        )}
        <Button variant="subtle" size="compact-sm" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Hide the whole results' : 'Show the whole results'}
        </Button>
      </Group>
      {isWhole && (
        <Group grow align="flex-start" preventGrowOverflow={false} gap="lg">
          {([before, after] as const).map((result, at) => (
            <section key={COMPARED_RUN_NAMES[at]} aria-label={COMPARED_RUN_NAMES[at]} style={{ minWidth: 260 }}>
              <Text size="xs" fw={600} c="dimmed" mb={6}>
                {COMPARED_RUN_NAMES[at]}
              </Text>
              {result ? (
                <NodeResultView executionId={runs[at]?.id ?? ''} result={result} />
              ) : (
                <Text size="sm">This run did not reach the node.</Text>
              )}
            </section>
          ))}
        </Group>
      )}
    </Stack>
  );
}

interface PartChangesProps {
  difference: ResultDifference;
  part: ResultPart;
  runs: readonly [before: LiveRun, after: LiveRun];
}

function ResultPartChanges({ difference: { nodeId, before, after }, part, runs }: PartChangesProps) {
  const results = [before, after] as const;
  if (part === 'status')
    return (
      <Text size="sm">
        {results.map((result) => (result ? RUN_STATUS_STYLE[result.status].label : 'Not reached')).join(' → ')}
      </Text>
    );
  const omitted = results.flatMap((result, at) =>
    part !== 'error' && result?.omitted?.includes(part)
      ? [{ run: runs[at], name: COMPARED_RUN_NAMES[at], result }]
      : [],
  );
  if (omitted.length > 0)
    return (
      <Stack gap={4}>
        {omitted.map(({ run, name = '', result }) => (
          <OmittedData
            key={name}
            label={`${part} of ${name.toLowerCase()}`}
            executionId={run?.id ?? ''}
            nodeId={nodeId}
            bytes={part === 'error' ? undefined : result.omittedBytes?.[part]}
          />
        ))}
      </Stack>
    );
  return <ValueChanges label={part} names={COMPARED_RUN_NAMES} before={before?.[part]} after={after?.[part]} />;
}
