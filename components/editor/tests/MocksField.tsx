import { Autocomplete, SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FAILURE_RECORDS } from '@/contract/failures/failures';
import type { NodeMock, NodeMocks } from '@/contract/workflows/workflow-test';
import { JsonField } from '@/components/forms/JsonField';
import { NotShowableNote } from '@/components/forms/rules/NotShowableNote';
import { TwoModesField } from '@/components/forms/rules/TwoModesField';
import { outputPorts } from '@/components/graph/cards-and-edges';
import { TestNodeSelect } from './TestNodeSelect';
import { findTestError, EMPTY_TEST_ERRORS, type TestPartProps } from './test-errors';
import { omitUndefinedFields, parseMocks } from './model/test-parts';
import { renameRecordKey, findTestNode, listTestableNodes, omitRecordKey } from './model/test-nodes';
import { TestNodeCard } from './TestNodeCard';
import { useTestedWorkflow } from './useTestedWorkflow';
import classes from './Tests.module.css';

/** The mocks of a test: one card for each node, or JSON. */
export function MocksField({ value, errors, onChange }: TestPartProps) {
  const { definition, catalogue, resultOf } = useTestedWorkflow();
  const [way, setWay] = useState<boolean>();
  const read = parseMocks(value);
  const isJson = way ?? 'reason' in read;
  const mocks = 'part' in read ? read.part : {};
  const add = (path: string) => {
    const result = resultOf(path);
    const mock: NodeMock =
      result?.status === 'completed'
        ? omitUndefinedFields({
            output: result.output ?? null,
            port: result.port === 'output' ? undefined : result.port,
          })
        : { output: {} };
    onChange({ ...mocks, [path]: mock });
  };
  return (
    <TwoModesField
      label="Mocks"
      description="Outputs that nodes return instead of running. Nodes that call other services, such as HTTP requests, fail without a mock."
      error={isJson ? undefined : findTestError(errors, 'mocks', Object.keys(mocks))}
      isRequired={false}
      plain="Form"
      written="JSON"
      isExpression={isJson}
      onWay={setWay}
    >
      {isJson ? (
        <JsonField
          name="mocks"
          schema={{}}
          value={value}
          isRequired={false}
          path="mocks"
          errors={new Map([['mocks', findTestError(errors, 'mocks', []) ?? '']])}
          isLabelHidden
          onChange={(next) => onChange(next ?? {})}
        />
      ) : 'reason' in read ? (
        <NotShowableNote source="JSON" what="a form" reason={read.reason} onReset={() => onChange({})} />
      ) : (
        <Stack gap={8}>
          {Object.entries(mocks).map(([path, mock]) => (
            <TestNodeCard
              key={path}
              path={path}
              what="mock"
              hasEvery
              error={findTestError(errors, `mocks.${path}`, [])}
              isTaken={(next) => Object.hasOwn(mocks, next)}
              onMove={(next) => onChange(renameRecordKey(mocks, path, next))}
              onRemove={() => onChange(omitRecordKey(mocks, path))}
            >
              <NodeMockFields path={path} mock={mock} onChange={(next) => onChange({ ...mocks, [path]: next })} />
            </TestNodeCard>
          ))}
          <TestNodeSelect
            label="Add a mock"
            isByNeed
            nodes={listTestableNodes(definition, catalogue, '[]').filter(({ path }) => !Object.hasOwn(mocks, path))}
            onAdd={add}
          />
        </Stack>
      )}
    </TwoModesField>
  );
}

interface MockFieldsProps {
  path: string;
  mock: NodeMocks[string];
  onChange(mock: NodeMock): void;
}

const MOCK_ERROR_CODES = Object.keys(FAILURE_RECORDS).filter((code) => code !== 'NOT_MOCKED');

/** The output or the error of a node. The other one is kept while the form is open. */
function NodeMockFields({ path, mock, onChange }: MockFieldsProps) {
  const { definition, catalogue } = useTestedWorkflow();
  const [other, setOther] = useState<NodeMock>(mock.error ? { output: {} } : { error: { code: '', message: '' } });
  const node = findTestNode(definition, path);
  const ports = node ? outputPorts(node, catalogue.get(node.type), definition.connections) : [];
  const { output, port, error } = mock;
  const choices = [...new Set([...ports, ...(port === undefined ? [] : [port])])];
  return (
    <>
      <SegmentedControl
        size="xs"
        className={classes.kind}
        aria-label="What the node gives"
        data={['Output', 'Error']}
        value={error ? 'Error' : 'Output'}
        onChange={(next) => {
          if ((next === 'Error') === (error !== undefined)) return;
          setOther(mock);
          onChange(other);
        }}
      />
      {error ? (
        <div className={classes.pair}>
          <Autocomplete
            label="Code"
            data={MOCK_ERROR_CODES}
            limit={8}
            placeholder="TIMEOUT"
            required
            maxLength={100}
            value={error.code}
            onChange={(code) => onChange({ error: { ...error, code } })}
          />
          <TextInput
            label="Message"
            maxLength={2000}
            value={error.message ?? ''}
            onChange={(event) => onChange({ error: { ...error, message: event.currentTarget.value } })}
          />
        </div>
      ) : (
        <>
          <JsonField
            name="output"
            schema={{ title: 'Output', description: 'JSON' }}
            value={output}
            isRequired={false}
            path={path}
            errors={EMPTY_TEST_ERRORS}
            onChange={(next) => onChange(omitUndefinedFields({ output: next, port }))}
          />
          {(ports.length > 1 || port !== undefined) && (
            <Select
              label="Port"
              placeholder="The usual one"
              data={choices}
              value={port ?? null}
              clearable
              maw={240}
              onChange={(next) => onChange(omitUndefinedFields({ output, port: next ?? undefined }))}
            />
          )}
        </>
      )}
    </>
  );
}
