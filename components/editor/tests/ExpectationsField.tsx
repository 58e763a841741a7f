import { Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { TestExpectations, NodeExpectation } from '@/contract/workflows/workflow-test';
import { JsonField } from '@/components/forms/JsonField';
import { NotShowableNote } from '@/components/forms/rules/NotShowableNote';
import { TwoModesField } from '@/components/forms/rules/TwoModesField';
import { outputPorts } from '@/components/graph/cards-and-edges';
import { TestNodeSelect } from './TestNodeSelect';
import { findTestError, type TestPartProps } from './test-errors';
import { omitUndefinedFields, parseExpectations } from './model/test-parts';
import { renameRecordKey, findTestNode, listTestableNodes, titleWithRound, omitRecordKey } from './model/test-nodes';
import { TestNodeCard } from './TestNodeCard';
import { ExpectedOutputFields } from './ExpectedOutputFields';
import { useTestedWorkflow } from './useTestedWorkflow';
import classes from './Tests.module.css';

/** The expectations of a test: of the run and of single nodes, or JSON. */
export function ExpectationsField({ value, errors, onChange }: TestPartProps) {
  const [way, setWay] = useState<boolean>();
  const read = parseExpectations(value);
  const isJson = way ?? 'reason' in read;
  const shown = 'part' in read ? Object.keys(read.part.nodes).map((path) => `nodes.${path}`) : [];
  return (
    <TwoModesField
      label="Expectations"
      description="How the run ends, and what its output and the outputs of nodes contain. Values that are not listed may be anything."
      error={isJson ? undefined : findTestError(errors, 'expectations', shown)}
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
          errors={new Map([['expectations', findTestError(errors, 'expectations', []) ?? '']])}
          isLabelHidden
          onChange={(next) => onChange(next ?? {})}
        />
      ) : 'reason' in read ? (
        <NotShowableNote source="JSON" what="a form" reason={read.reason} onReset={() => onChange({})} />
      ) : (
        <ExpectationCards expectations={read.part} errors={errors} onChange={onChange} />
      )}
    </TwoModesField>
  );
}

const RUN_STATUS_OPTIONS: { value: TestExpectations['status']; label: string }[] = [
  { value: 'completed', label: 'The run completes' },
  { value: 'failed', label: 'The run fails' },
];

interface ExpectationCardsProps extends Pick<TestPartProps, 'errors'> {
  expectations: TestExpectations;
  onChange(expectations: TestExpectations): void;
}

function ExpectationCards({ expectations, errors, onChange }: ExpectationCardsProps) {
  const { definition, catalogue, run } = useTestedWorkflow();
  const { nodes } = expectations;
  const put = (next: TestExpectations['nodes']) => onChange({ ...expectations, nodes: next });
  return (
    <Stack gap={8}>
      <div className={classes.card} role="group" aria-label="The run">
        <Select
          aria-label="How the run ends"
          data={RUN_STATUS_OPTIONS}
          value={expectations.status}
          allowDeselect={false}
          maw={240}
          onChange={(status) => status && onChange({ ...expectations, status })}
        />
        <Text size="xs" c="dimmed">
          Output of the run
        </Text>
        <ExpectedOutputFields
          of="the run"
          value={expectations.output}
          recorded={run?.output}
          onChange={(output) => onChange(omitUndefinedFields({ ...expectations, output }))}
        />
      </div>
      {Object.entries(nodes).map(([path, expectation]) => (
        <TestNodeCard
          key={path}
          path={path}
          what="expectation"
          hasEvery={false}
          error={findTestError(errors, `expectations.nodes.${path}`, [])}
          isTaken={(next) => Object.hasOwn(nodes, next)}
          onMove={(next) => put(renameRecordKey(nodes, path, next))}
          onRemove={() => put(omitRecordKey(nodes, path))}
        >
          <NodeExpectationFields
            path={path}
            expectation={expectation}
            onChange={(next) => put({ ...nodes, [path]: next })}
          />
        </TestNodeCard>
      ))}
      <TestNodeSelect
        label="Add an expectation"
        nodes={listTestableNodes(definition, catalogue, '[0]').filter(({ path }) => !Object.hasOwn(nodes, path))}
        onAdd={(path) => put({ ...nodes, [path]: { status: 'completed' } })}
      />
    </Stack>
  );
}

const NODE_STATUS_OPTIONS: { value: NonNullable<NodeExpectation['status']>; label: string }[] = [
  { value: 'completed', label: 'Completes' },
  { value: 'failed', label: 'Fails' },
  { value: 'not_run', label: 'Does not run' },
];

interface NodeExpectationProps {
  path: string;
  expectation: NodeExpectation;
  onChange(expectation: NodeExpectation): void;
}

function NodeExpectationFields({ path, expectation, onChange }: NodeExpectationProps) {
  const { definition, catalogue, resultOf } = useTestedWorkflow();
  const { status, port, output } = expectation;
  const node = findTestNode(definition, path);
  const title = titleWithRound(definition, catalogue, path);
  const ports = node ? [...outputPorts(node, catalogue.get(node.type), definition.connections), 'error'] : [];
  const choices = [...new Set([...ports, ...(port === undefined ? [] : [port])])];
  // The other parts of an expectation keep their place: the form changes nothing that it does not show.
  const change = (part: NodeExpectation) => onChange(omitUndefinedFields({ ...expectation, ...part }));
  return (
    <>
      <div className={classes.pair}>
        <Select
          aria-label={`How ${title} ends`}
          placeholder="Ends in any way"
          data={NODE_STATUS_OPTIONS}
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
        <ExpectedOutputFields
          of={title}
          value={output}
          recorded={resultOf(path)?.output}
          onChange={(next) => change({ output: next })}
        />
      )}
    </>
  );
}
