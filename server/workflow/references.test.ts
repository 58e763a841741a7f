import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Definition, Node } from '@/contract/workflows/workflow';
import { nodeKinds } from '@/server/nodes';
import { flow, type Sketch } from '@/server/testing/flow';
import { newReferences, referencesIn, runsAlike, withReferences } from './references';

const NOTHING: Definition = { nodes: [], connections: [] };

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
const definition: fc.Arbitrary<Definition> = fc.letrec<{ definition: Definition; node: Sketch }>((tie) => ({
  definition: nodes(tie('node')),
  node: fc.oneof(
    { maxDepth: 3 },
    leaf,
    record({ type: fc.constantFrom('for_each', 'repeat'), config: record({ body: tie('definition') }) }),
  ),
})).definition;

/** The node at the beginning of a path such as `nodes[1].config.body.nodes[0].credentialId`, and the rest of the path. */
function lookUp(definition: Definition, field: string): unknown {
  return field
    .split(/[.[\]]+/)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], definition);
}

test('each reference is at its path', () => {
  fc.assert(
    fc.property(definition, (each) => {
      for (const { field, id } of referencesIn(each)) expect(lookUp(each, field)).toBe(id);
      const named = JSON.stringify(each).match(/"(credentialId|workflowId)":"(cred|wf)_/g) ?? [];
      expect(referencesIn(each)).toHaveLength(named.length);
    }),
  );
});

test('each reference is replaced, and nothing else', () => {
  fc.assert(
    fc.property(definition, (each) => {
      const before = structuredClone(each);
      const renamed = withReferences(each, ({ id }) => `another ${id}`);
      expect(each).toEqual(before);
      expect(referencesIn(renamed).map(({ id }) => id)).toEqual(referencesIn(each).map(({ id }) => `another ${id}`));
      expect(withReferences(renamed, ({ id }) => id.slice('another '.length))).toEqual(each);
    }),
  );
});

test('all references are new without an earlier definition, and none without a change', () => {
  fc.assert(
    fc.property(definition, (each) => {
      expect(newReferences(NOTHING, each)).toEqual(referencesIn(each));
      expect(newReferences(structuredClone(each), each)).toEqual([]);
      expect(runsAlike(structuredClone(each), each)).toBe(true);
    }),
  );
});

test('other references existed at the same node before', () => {
  fc.assert(
    fc.property(definition, definition, (before, after) => {
      const fresh = new Set(newReferences(before, after).map(({ field }) => field));
      const ids = new Set(referencesIn(before).map(({ id }) => id));
      const kept = referencesIn(after).filter(({ field }) => !fresh.has(field));
      for (const { id } of kept) expect(ids).toContain(id);
    }),
  );
});

const drawn = (node: Node): Node => ({ ...node, name: 'Else', notes: 'Else', position: { x: 1, y: 2 } });

test('layout and descriptions make no difference, also inside a loop', () => {
  const call: Sketch = { type: 'http_request', credentialId: 'cred_1' };
  const body = flow({ s: { type: 'start' }, call }, ['s>call']);
  const before = flow({ s: { type: 'start' }, l: { type: 'for_each', config: { body } } }, ['s>l']);
  const moved = { ...body, nodes: body.nodes.map(drawn), notes: [] };
  const after = {
    ...before,
    nodes: before.nodes.map((node) => (node.id === 'l' ? { ...node, config: { body: moved } } : node)),
  };
  expect([newReferences(before, after), runsAlike(before, after)]).toEqual([[], true]);
  expect(runsAlike(before, { ...before, connections: [] })).toBe(false);
});

test('every node type with a workflow field declares it', () => {
  for (const { config, workflowField } of nodeKinds) {
    const offering = Object.entries(config.shape).filter(([, field]) => field.meta()?.['x-editor'] === 'workflow');
    expect(offering.map(([name]) => name)).toEqual(workflowField ? [workflowField] : []);
  }
});
