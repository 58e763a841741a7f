import { Accordion, Badge, Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Definition } from '@/contract/workflows/workflow';
import type { Catalogue } from '@/components/graph/flow';
import { RUN_LOOK } from '@/components/ui/states/status';
import { OmittedData } from '../data/OmittedData';
import { useLoaded, withLoaded } from '../data/loaded';
import type { Run } from '../live';
import { NodeResultView } from '../NodeResultView';
import { titleAt } from '../timeline/rounds';
import { differences, type Difference, type Part } from './differences';
import { ValueChanges } from './ValueChanges';

interface Props {
  /** The run that is looked at. */
  current: Run;
  other: Run;
  definition: Definition;
  catalogue: Catalogue;
}

const MOST = 200;
const NAMES = ['Other run', 'This run'] as const;
const PARTS: Record<Part, string> = { status: 'Status', output: 'Output', error: 'Error', input: 'Input' };

/** Differences of two runs by node and field. */
export function DifferenceList({ current, other, definition, catalogue }: Props) {
  const [isAll, setAll] = useState(false);
  const [after, before] = [withLoaded(current, useLoaded(current.id)), withLoaded(other, useLoaded(other.id))];
  const all = useMemo(() => differences(before, after), [before, after]);
  const differing = all.filter(({ of }) => of.length > 0);
  const shown = (isAll ? all : differing).slice(0, MOST);
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
                  {titleAt(definition, catalogue, difference.nodeId)}
                </Text>
                {difference.of.map((part) => (
                  <Badge key={part} size="sm" variant="light" color="weld" tt="none">
                    {part}
                  </Badge>
                ))}
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <OneNode difference={difference} runs={[before, after]} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </>
  );
}

function OneNode({ difference, runs }: { difference: Difference; runs: readonly [before: Run, after: Run] }) {
  const [isWhole, setWhole] = useState(false);
  const [hasInput, setInput] = useState(false);
  const { before, after, of } = difference;
  // The input is the output of the nodes before, which have their own entries.
  const isInputFolded = of.length > 1 && of.includes('input') && !hasInput;
  return (
    <Stack gap="md">
      {(isInputFolded ? of.filter((part) => part !== 'input') : of).map((part) => (
        <section key={part} aria-label={PARTS[part]}>
          <Text size="xs" fw={600} c="dimmed" mb={4}>
            {PARTS[part]}
          </Text>
          <PartChanges difference={difference} part={part} runs={runs} />
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
            <section key={NAMES[at]} aria-label={NAMES[at]} style={{ minWidth: 260 }}>
              <Text size="xs" fw={600} c="dimmed" mb={6}>
                {NAMES[at]}
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

interface PartProps {
  difference: Difference;
  part: Part;
  runs: readonly [before: Run, after: Run];
}

function PartChanges({ difference: { nodeId, before, after }, part, runs }: PartProps) {
  const results = [before, after] as const;
  if (part === 'status')
    return (
      <Text size="sm">
        {results.map((result) => (result ? RUN_LOOK[result.status].label : 'Not reached')).join(' → ')}
      </Text>
    );
  const omitted = results.flatMap((result, at) =>
    part !== 'error' && result?.omitted?.includes(part) ? [{ run: runs[at], name: NAMES[at], result }] : [],
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
  return <ValueChanges label={part} names={NAMES} before={before?.[part]} after={after?.[part]} />;
}
