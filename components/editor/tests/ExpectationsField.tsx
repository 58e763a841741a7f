import { Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Expectations, NodeExpectation } from '@/contract/workflows/workflow-test';
import { JsonField } from '@/components/forms/JsonField';
import { NotPlain } from '@/components/forms/rules/NotPlain';
import { TwoWays } from '@/components/forms/rules/TwoWays';
import { outputPorts } from '@/components/graph/flow';
import { AddNode } from './AddNode';
import { errorFor, type PartProps } from './errors';
import { defined, readExpectations } from './model/parts';
import { renamed, testNodeAt, testNodes, testNodeTitle, without } from './model/test-nodes';
import { NodeCard } from './NodeCard';
import { OutputFields } from './OutputFields';
import { useTested } from './tested';
import classes from './Tests.module.css';

/** The expectations of a test: of the run and of single nodes, or JSON. */
export function ExpectationsField({ value, errors, onChange }: PartProps) {
  const [way, setWay] = useState<boolean>();
  const read = readExpectations(value);
  const isJson = way ?? 'reason' in read;
  const shown = 'part' in read ? Object.keys(read.part.nodes).map((path) => `nodes.${path}`) : [];
  return (
    <TwoWays
      label="Expectations"
      description="How the run ends, and what its output and the outputs of nodes contain. Values that are not listed may be anything."
      error={isJson ? undefined : errorFor(errors, 'expectations', shown)}
      isRequired={false}
      plain="Form"
      written="JSON"
      isExpression={isJson}
      onWay={setWay}
    >
      {isJson ? (
        <JsonField
          name="expectations"
          schema={{}}
          value={value}
          isRequired={false}
          path="expectations"
          errors={new Map([['expectations', errorFor(errors, 'expectations', []) ?? '']])}
          isLabelHidden
          onChange={(next) => onChange(next ?? {})}
        />
      ) : 'reason' in read ? (
        <NotPlain source="JSON" what="a form" reason={read.reason} onReset={() => onChange({})} />
      ) : (
        <Rows expectations={read.part} errors={errors} onChange={onChange} />
      )}
    </TwoWays>
  );
}

const ENDS: { value: Expectations['status']; label: string }[] = [
  { value: 'completed', label: 'The run completes' },
  { value: 'failed', label: 'The run fails' },
];

interface RowsProps extends Pick<PartProps, 'errors'> {
  expectations: Expectations;
  onChange(expectations: Expectations): void;
}

function Rows({ expectations, errors, onChange }: RowsProps) {
  const { definition, catalogue, run } = useTested();
  const { nodes } = expectations;
  const put = (next: Expectations['nodes']) => onChange({ ...expectations, nodes: next });
  return (
    <Stack gap={8}>
      <div className={classes.card} role="group" aria-label="The run">
        <Select
          aria-label="How the run ends"
          data={ENDS}
          value={expectations.status}
          allowDeselect={false}
          maw={240}
          onChange={(status) => status && onChange({ ...expectations, status })}
        />
        <Text size="xs" c="dimmed">
          Output of the run
        </Text>
        <OutputFields
          of="the run"
          value={expectations.output}
          recorded={run?.output}
          onChange={(output) => onChange(defined({ ...expectations, output }))}
        />
      </div>
      {Object.entries(nodes).map(([path, expectation]) => (
        <NodeCard
          key={path}
          path={path}
          what="expectation"
          hasEvery={false}
          error={errorFor(errors, `expectations.nodes.${path}`, [])}
          isTaken={(next) => Object.hasOwn(nodes, next)}
          onMove={(next) => put(renamed(nodes, path, next))}
          onRemove={() => put(without(nodes, path))}
        >
          <NodeFields path={path} expectation={expectation} onChange={(next) => put({ ...nodes, [path]: next })} />
        </NodeCard>
      ))}
      <AddNode
        label="Add an expectation"
        nodes={testNodes(definition, catalogue, '[0]').filter(({ path }) => !Object.hasOwn(nodes, path))}
        onAdd={(path) => put({ ...nodes, [path]: { status: 'completed' } })}
      />
    </Stack>
  );
}

const STATUSES: { value: NonNullable<NodeExpectation['status']>; label: string }[] = [
  { value: 'completed', label: 'Completes' },
  { value: 'failed', label: 'Fails' },
  { value: 'not_run', label: 'Does not run' },
];

interface FieldsProps {
  path: string;
  expectation: NodeExpectation;
  onChange(expectation: NodeExpectation): void;
}

function NodeFields({ path, expectation, onChange }: FieldsProps) {
  const { definition, catalogue, resultOf } = useTested();
  const { status, port, output } = expectation;
  const node = testNodeAt(definition, path);
  const title = testNodeTitle(definition, catalogue, path);
  const ports = node ? [...outputPorts(node, catalogue.get(node.type), definition.connections), 'error'] : [];
  const choices = [...new Set([...ports, ...(port === undefined ? [] : [port])])];
  // The other parts of an expectation keep their place: the form changes nothing that it does not show.
  const change = (part: NodeExpectation) => onChange(defined({ ...expectation, ...part }));
  return (
    <>
      <div className={classes.pair}>
        <Select
          aria-label={`How ${title} ends`}
          placeholder="Ends in any way"
          data={STATUSES}
          value={status ?? null}
          clearable
          onChange={(next) => change({ status: next ?? undefined })}
        />
        {status !== 'not_run' && (
          <Select
            aria-label={`Port of ${title}`}
            placeholder="By any port"
            data={choices}
            value={port ?? null}
            clearable
            onChange={(next) => change({ port: next ?? undefined })}
          />
        )}
      </div>
      {(status !== 'not_run' || output !== undefined) && (
        <OutputFields
          of={title}
          value={output}
          recorded={resultOf(path)?.output}
          onChange={(next) => change({ output: next })}
        />
      )}
    </>
  );
}
