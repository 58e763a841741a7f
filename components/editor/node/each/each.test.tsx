// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowDraft, WorkflowNode } from '@/contract/workflows/workflow';
import { createObservableStore } from '@/components/client/store';
import { buildExecutionVariables } from '@/components/forms/model/preview-expression';
import type { PreviewData } from '@/components/forms/preview-context';
import { createDraftState, DraftContext } from '../../draft/draft';
import { knownEachList, previewFirstItem } from '../../preview/each-scope';
import { actsForEachItem, proposeEach } from './each-proposal';
import { ForEachSwitch } from './ForEachSwitch';

afterEach(cleanup);

const kindOf = (type: string, category: NodeTypeDescription['category'], more = {}): NodeTypeDescription => ({
  type,
  title: type,
  description: '',
  synonyms: [],
  category,
  icon: '',
  ports: { inputs: ['input'], outputs: ['output', 'error'], dynamicOutputs: null },
  credentialTypes: [],
  takesEach: true,
  configSchema: {},
  ...more,
});
const mail = kindOf('send_email', 'action');
const node: WorkflowNode = { id: 'mail', type: 'send_email', position: { x: 0, y: 0 }, config: {} };
const arrivingWith = (input: unknown, inputFrom = ['Orders'], expected = new Set<string>()): PreviewData => ({
  scope: { input, nodes: { orders: input }, execution: buildExecutionVariables(undefined) },
  inputFrom,
  expected,
  hasData: true,
  isPartial: false,
});
const orders = [{ id: 1 }, { id: 2 }];
const answer = (body: unknown) => ({ status: 200, headers: {}, body });

function Head({
  kind = mail,
  arriving,
  isNew,
}: {
  kind?: NodeTypeDescription;
  arriving: PreviewData;
  isNew?: boolean;
}) {
  const [shown, setShown] = useState(node);
  const [store] = useState(() =>
    createObservableStore({
      ...createDraftState({ name: '', definition: { nodes: [node], connections: [] } } as unknown as WorkflowDraft),
      addedId: isNew ? node.id : undefined,
    }),
  );
  return (
    <MantineProvider env="test">
      <DraftContext value={store}>
        <ForEachSwitch
          node={shown}
          kind={kind}
          arriving={arriving}
          errors={new Map()}
          onChange={(part) => setShown({ ...shown, ...part })}
        />
      </DraftContext>
      <output>{JSON.stringify(shown.each)}</output>
    </MantineProvider>
  );
}
const written = () => screen.getByRole('status').textContent;
const theSwitch = () => screen.getByRole<HTMLInputElement>('switch', { name: 'For each item' });

describe('the switch of a node that gets a list', () => {
  it('is proposed, turned on by one click, and has its options in words', () => {
    render(<Head arriving={arrivingWith(answer({ items: orders, total: 2 }))} />);
    expect(theSwitch().checked).toBe(false);
    expect(screen.getByText(/2 items arrive, and the node runs once for all of them/)).toBeTruthy();
    fireEvent.click(theSwitch());
    expect(written()).toBe('{"items":"input.body.items"}');
    fireEvent.click(screen.getByRole('button', { name: 'Options' }));
    fireEvent.change(screen.getByLabelText('At a time'), { target: { value: '5' } });
    expect(written()).toBe('{"items":"input.body.items","concurrency":5}');
    fireEvent.click(theSwitch());
    expect(written()).toBe('');
  });

  it('is on by itself only where a node that acts was just added', () => {
    render(<Head arriving={arrivingWith(orders)} isNew />);
    expect(written()).toBe('{}');
    cleanup();
    render(<Head arriving={arrivingWith(orders)} />);
    expect(written()).toBe('');
    cleanup();
    render(<Head arriving={arrivingWith(orders)} kind={kindOf('transform', 'data')} isNew />);
    expect(written()).toBe('');
    cleanup();
    // One order with its lines is one thing to act on.
    render(<Head arriving={arrivingWith(answer({ id: 1, lines: orders }))} isNew />);
    expect(written()).toBe('');
    expect(theSwitch().checked).toBe(false);
  });

  it('is not there without a list, and not for nodes that have a list of their own', () => {
    render(<Head arriving={arrivingWith({ id: 1 })} />);
    expect(screen.queryByRole('switch')).toBeNull();
    cleanup();
    const filter = kindOf('filter', 'data', { configSchema: { properties: { items: { 'x-editor': 'list' } } } });
    render(<Head arriving={arrivingWith(orders)} kind={filter} />);
    expect(screen.queryByRole('switch')).toBeNull();
  });
});

it('proposes the lists of several connections together, and knows no number before a run', () => {
  expect(proposeEach(arrivingWith({ a: [1], b: [2, 3] }, ['A', 'B']), 'jsonata')).toEqual({
    each: {},
    count: 3,
    isListAtWire: true,
  });
  expect(proposeEach(arrivingWith({ a: [1], b: 2 }, ['A', 'B']), 'jsonata')).toBeUndefined();
  expect(proposeEach(arrivingWith(orders, ['Filter'], new Set(['input'])), 'jsonata')?.count).toBeUndefined();
});

it('sends, writes and calls for each item, and asks nobody twice', () => {
  expect(
    ['send_email', 'table', 'sub_workflow'].map((type) =>
      actsForEachItem(kindOf(type, type === 'send_email' ? 'action' : 'data')),
    ),
  ).toEqual([true, true, true]);
  expect(actsForEachItem(kindOf('approval', 'human'))).toBe(false);
  expect(actsForEachItem(kindOf('respond', 'action', { takesEach: undefined }))).toBe(false);
});

it('shows the first item to expressions, as item and as input', () => {
  const arriving = arrivingWith(answer(orders));
  const each = { ...node, each: { items: 'input.body' } };
  const { scope } = previewFirstItem(arriving, knownEachList(each, arriving, 'jsonata'));
  expect(scope).toMatchObject({ item: { id: 1 }, input: { id: 1 }, index: 0, items: orders });
  expect(
    knownEachList({ ...node, each: {} }, arrivingWith({ a: [1], b: [2, 3], c: null }, ['A', 'B', 'C']), 'jsonata'),
  ).toEqual([1, 2, 3]);
  expect(previewFirstItem(arriving, null).scope.items).toEqual([]);
  expect(previewFirstItem(arriving, 7).scope.items).toEqual([7]);
});
