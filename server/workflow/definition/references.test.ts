import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { nodeTypeDefinitions } from '@/server/workflow/nodes';
import { flow, type Sketch } from '@/server/testing/flow';
import { addedReferences, definitionReferences, runsIdentically, replaceReferences } from './references';

const NOTHING: WorkflowDefinition = { nodes: [], connections: [] };

/** An object as parsed from JSON. */
const record = <T>(model: { [Key in keyof T]: fc.Arbitrary<T[Key]> }) => fc.record(model, { noNullPrototype: true });

const leaf: fc.Arbitrary<Sketch> = fc.oneof(
  record({
    type: fc.constantFrom('http_request', 'send_email', 'gone_since'),
    config: record({ url: fc.constantFrom('a', 'b') }),
    credentialId: fc.constantFrom('cred_1', 'cred_2'),
    disabled: fc.boolean(),
  }),
  record({
    type: fc.constant('sub_workflow'),
    config: record({ workflowId: fc.constantFrom('wf_1', 'wf_2', '', '{{ input.id }}') }),
  }),
  record({ type: fc.constant('transform') }),
);
const nodes = (node: fc.Arbitrary<Sketch>) =>
  fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), node, { noNullPrototype: true }).map((each) => flow(each));
const definition: fc.Arbitrary<WorkflowDefinition> = fc.letrec<{ definition: WorkflowDefinition; node: Sketch }>(
  (tie) => ({
    definition: nodes(tie('node')),
    node: fc.oneof(
      { maxDepth: 3 },
      leaf,
      record({ type: fc.constantFrom('for_each', 'repeat'), config: record({ body: tie('definition') }) }),
    ),
  }),
).definition;

/**
 * The node at the beginning of a path such as `nodes[1].config.body.nodes[0].credentialId`, and the rest of the path.
 */
function lookUp(definition: WorkflowDefinition, field: string): unknown {
  return field
    .split(/[.[\]]+/)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], definition);
}

test('each reference is at its path', () => {
  fc.assert(
    fc.property(definition, (each) => {
      for (const { field, id } of definitionReferences(each)) expect(lookUp(each, field)).toBe(id);
      const named = JSON.stringify(each).match(/"(credentialId|workflowId)":"(cred|wf)_/g) ?? [];
      expect(definitionReferences(each)).toHaveLength(named.length);
    }),
  );
});

test('each reference is replaced, and nothing else', () => {
  fc.assert(
    fc.property(definition, (each) => {
      const before = structuredClone(each);
      const renamed = replaceReferences(each, ({ id }) => `another ${id}`);
      expect(each).toEqual(before);
      expect(definitionReferences(renamed).map(({ id }) => id)).toEqual(
        definitionReferences(each).map(({ id }) => `another ${id}`),
      );
      expect(replaceReferences(renamed, ({ id }) => id.slice('another '.length))).toEqual(each);
    }),
  );
});

test('all references are new without an earlier definition, and none without a change', () => {
  fc.assert(
    fc.property(definition, (each) => {
      expect(addedReferences(NOTHING, each)).toEqual(definitionReferences(each));
      expect(addedReferences(structuredClone(each), each)).toEqual([]);
      expect(runsIdentically(structuredClone(each), each)).toBe(true);
    }),
  );
});

test('other references existed at the same node before', () => {
  fc.assert(
    fc.property(definition, definition, (before, after) => {
      const fresh = new Set(addedReferences(before, after).map(({ field }) => field));
      const ids = new Set(definitionReferences(before).map(({ id }) => id));
      const kept = definitionReferences(after).filter(({ field }) => !fresh.has(field));
      for (const { id } of kept) expect(ids).toContain(id);
    }),
  );
});

const drawn = (node: WorkflowNode): WorkflowNode => ({
  ...node,
  name: 'Else',
  notes: 'Else',
  position: { x: 1, y: 2 },
});

test('layout and descriptions make no difference, also inside a loop', () => {
  const call: Sketch = { type: 'http_request', credentialId: 'cred_1' };
  const body = flow({ s: { type: 'start' }, call }, ['s>call']);
  const before = flow({ s: { type: 'start' }, l: { type: 'for_each', config: { body } } }, ['s>l']);
  const moved = { ...body, nodes: body.nodes.map(drawn), notes: [] };
  const after = {
    ...before,
    nodes: before.nodes.map((node) => (node.id === 'l' ? { ...node, config: { body: moved } } : node)),
  };
  expect([addedReferences(before, after), runsIdentically(before, after)]).toEqual([[], true]);
  expect(runsIdentically(before, { ...before, connections: [] })).toBe(false);
  expect(runsIdentically(before, { ...before, language: 'jsonata' })).toBe(true);
  expect(runsIdentically(before, { ...before, language: 'javascript' })).toBe(false);
});

test('every node type with a workflow field declares it', () => {
  for (const { config, workflowField } of nodeTypeDefinitions) {
    const offering = Object.entries(config.shape).filter(([, field]) => field.meta()?.['x-editor'] === 'workflow');
    expect(offering.map(([name]) => name)).toEqual(workflowField ? [workflowField] : []);
  }
});
