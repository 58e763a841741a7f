import { Autocomplete, SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Mock, Mocks } from '@/contract/workflows/workflow-test';
import { FAULTS } from '@/components/executions/fault';
import { JsonField } from '@/components/forms/JsonField';
import { NotPlain } from '@/components/forms/rules/NotPlain';
import { TwoWays } from '@/components/forms/rules/TwoWays';
import { outputPorts } from '@/components/graph/flow';
import { AddNode } from './AddNode';
import { errorFor, NO_ERRORS, type PartProps } from './errors';
import { defined, readMocks } from './model/parts';
import { renamed, testNodeAt, testNodes, without } from './model/test-nodes';
import { NodeCard } from './NodeCard';
import { useTested } from './tested';
import classes from './Tests.module.css';

/** The mocks of a test: one card for each node, or JSON. */
export function MocksField({ value, errors, onChange }: PartProps) {
  const { definition, catalogue, resultOf } = useTested();
  const [way, setWay] = useState<boolean>();
  const read = readMocks(value);
  const isJson = way ?? 'reason' in read;
  const mocks = 'part' in read ? read.part : {};
  const add = (path: string) => {
    const result = resultOf(path);
    const mock: Mock =
      result?.status === 'completed'
        ? defined({ output: result.output ?? null, port: result.port === 'output' ? undefined : result.port })
        : { output: {} };
    onChange({ ...mocks, [path]: mock });
  };
  return (
    <TwoWays
      label="Mocks"
      description="Outputs that nodes return instead of running. Nodes that call other services, such as HTTP requests, fail without a mock."
      error={isJson ? undefined : errorFor(errors, 'mocks', Object.keys(mocks))}
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
          errors={new Map([['mocks', errorFor(errors, 'mocks', []) ?? '']])}
          isLabelHidden
          onChange={(next) => onChange(next ?? {})}
        />
      ) : 'reason' in read ? (
        <NotPlain source="JSON" what="a form" reason={read.reason} onReset={() => onChange({})} />
      ) : (
        <Stack gap={8}>
          {Object.entries(mocks).map(([path, mock]) => (
            <NodeCard
              key={path}
              path={path}
              what="mock"
              hasEvery
              error={errorFor(errors, `mocks.${path}`, [])}
              isTaken={(next) => Object.hasOwn(mocks, next)}
              onMove={(next) => onChange(renamed(mocks, path, next))}
              onRemove={() => onChange(without(mocks, path))}
            >
              <MockFields path={path} mock={mock} onChange={(next) => onChange({ ...mocks, [path]: next })} />
            </NodeCard>
          ))}
          <AddNode
            label="Add a mock"
            isByNeed
            nodes={testNodes(definition, catalogue, '[]').filter(({ path }) => !Object.hasOwn(mocks, path))}
            onAdd={add}
          />
        </Stack>
      )}
    </TwoWays>
  );
}

interface FieldsProps {
  path: string;
  mock: Mocks[string];
  onChange(mock: Mock): void;
}

const CODES = Object.keys(FAULTS).filter((code) => code !== 'NOT_MOCKED');

/** The output or the error of a node. The other one is kept while the form is open. */
function MockFields({ path, mock, onChange }: FieldsProps) {
  const { definition, catalogue } = useTested();
  const [other, setOther] = useState<Mock>(mock.error ? { output: {} } : { error: { code: '', message: '' } });
  const node = testNodeAt(definition, path);
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
            data={CODES}
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
            errors={NO_ERRORS}
            onChange={(next) => onChange(defined({ output: next, port }))}
          />
          {(ports.length > 1 || port !== undefined) && (
            <Select
              label="Port"
              placeholder="The usual one"
              data={choices}
              value={port ?? null}
              clearable
              maw={240}
              onChange={(next) => onChange(defined({ output, port: next ?? undefined }))}
            />
          )}
        </>
      )}
    </>
  );
}
