import { Accordion, Badge, Group, SimpleGrid, Switch, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { NodeResult } from '@/contract/execution';
import type { Definition } from '@/contract/workflows/workflow';
import type { Catalogue } from '@/components/graph/flow';
import { NodeResultView } from '../NodeResultView';
import { differences } from './differences';
import type { Run } from '../live';
import { titleAt } from '../timeline/rounds';

interface Props {
  left: Run;
  right: Run;
  definition: Definition;
  catalogue: Catalogue;
}

const MOST = 200;

/** Differences of two runs by node, expandable to a side-by-side view. */
export function DifferenceList({ left, right, definition, catalogue }: Props) {
  const [isAll, setAll] = useState(false);
  const all = useMemo(() => differences(left, right), [left, right]);
  const shown = (isAll ? all : all.filter(({ of }) => of.length > 0)).slice(0, MOST);
  return (
    <>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {all.filter(({ of }) => of.length > 0).length} of {all.length} nodes differ.
        </Text>
        <Switch label="Show equal nodes" checked={isAll} onChange={(event) => setAll(event.currentTarget.checked)} />
      </Group>
      <Accordion variant="separated" multiple>
        {shown.map(({ nodeId, of, ...sides }) => (
          <Accordion.Item key={nodeId} value={nodeId}>
            <Accordion.Control>
              <Group gap="xs">
                <Text size="sm" fw={550}>
                  {titleAt(definition, catalogue, nodeId)}
                </Text>
                {of.map((part) => (
                  <Badge key={part} size="sm" variant="light" color="weld" tt="none">
                    {part}
                  </Badge>
                ))}
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
                <Side title="This run" executionId={left.id} result={sides.left} />
                <Side title="Other run" executionId={right.id} result={sides.right} />
              </SimpleGrid>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </>
  );
}

interface SideProps {
  title: string;
  executionId: string;
  result: NodeResult | undefined;
}

function Side({ title, executionId, result }: SideProps) {
  return (
    <section aria-label={title}>
      <Text size="xs" fw={600} c="dimmed" mb={6}>
        {title}
      </Text>
      {result ? (
        <NodeResultView executionId={executionId} result={result} />
      ) : (
        <Text size="sm">This run did not reach the node.</Text>
      )}
    </section>
  );
}
