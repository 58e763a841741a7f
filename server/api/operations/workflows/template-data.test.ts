import { describe, expect, it } from 'vitest';
import { listPlaceholderIds } from '@/contract/workflows/template-placeholder';
import { TEMPLATE_TABLE_ID, TEMPLATE_POLL_NODE_PATH, TEMPLATE_PURPOSES } from '@/contract/workflows/template-purposes';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { builtInConnectors } from '@/server/connectors';
import { findNodeType, listOutputPorts } from '@/server/workflow/nodes';
import { loadTemplateFiles } from '@/server/workflow/templates';

const FILES = await loadTemplateFiles();

/** Every definition of a template, that of the workflow and those inside loops, with the path of its nodes. */
function definitionsOf(
  definition: WorkflowDefinition,
  prefix = '',
): { definition: WorkflowDefinition; prefix: string }[] {
  const loops = definition.nodes.filter(({ type }) => type === 'for_each' || type === 'repeat');
  const inner = loops.flatMap(({ id, config }) => definitionsOf(config.body as WorkflowDefinition, `${prefix}${id}.`));
  return [{ definition, prefix }, ...inner];
}

/** Types of nodes that always have a credential. */
const NEEDING = new Set(['connector', 'sql', 'llm', 'agent']);

interface Box {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The area of a card on the canvas, with the label of its port for failures. */
function boxOf({ id, type, config, position }: WorkflowNode): Box {
  const kind = findNodeType(type);
  const ports = kind ? listOutputPorts(kind, config).filter((port) => port !== 'error').length : 1;
  return { id, ...position, width: 236, height: 76 + (ports > 1 ? ports * 30 : 0) };
}

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe('the templates', () => {
  it('cover every purpose and every connector, with names and ids of their own', () => {
    expect(FILES.length).toBeGreaterThanOrEqual(30);
    expect(new Set(FILES.map(({ id }) => id)).size).toBe(FILES.length);
    expect(new Set(FILES.map(({ name }) => name)).size).toBe(FILES.length);
    expect(new Set(FILES.map(({ purpose }) => purpose))).toEqual(new Set(Object.keys(TEMPLATE_PURPOSES)));
    const used = new Set(FILES.flatMap(({ services }) => services.map(({ connectorId }) => connectorId)));
    expect(builtInConnectors.map(({ id }) => id).filter((id) => !used.has(id))).toEqual([]);
  });

  it.each(FILES.map((file) => [file.id, file] as const))('“%s” is laid out without overlaps', (_, { definition }) => {
    for (const { definition: one } of definitionsOf(definition)) {
      const notes = (one.notes ?? []).map(({ id, position, size }) => ({ id, ...position, ...size }));
      const boxes = [...one.nodes.map(boxOf), ...notes];
      const touching = boxes.flatMap((a, index) =>
        boxes.slice(index + 1).flatMap((b) => (overlap(a, b) ? [`${a.id} and ${b.id}`] : [])),
      );
      expect(touching).toEqual([]);
    }
  });

  it.each(FILES.map((file) => [file.id, file] as const))(
    '“%s” asks for what its nodes need, and no more',
    (_, file) => {
      const nodes = definitionsOf(file.definition).flatMap(({ definition, prefix }) =>
        definition.nodes.map((node) => ({ ...node, path: prefix + node.id })),
      );
      const poll = file.triggers.find(({ kind }) => kind === 'poll');
      const text = JSON.stringify([file.definition, file.triggers]);
      const placeholders = new Set(listPlaceholderIds(text));
      expect(placeholders).toEqual(new Set(file.values.map(({ id }) => id)));
      expect(text.includes(`"${TEMPLATE_TABLE_ID}"`)).toBe(file.table !== null);

      const paths = [...nodes.map(({ path }) => path), ...(poll ? [TEMPLATE_POLL_NODE_PATH] : [])];
      const asked = file.credentials.flatMap((need) => need.nodes);
      expect(asked.filter((path) => !paths.includes(path))).toEqual([]);
      const needing = nodes.filter(({ type }) => NEEDING.has(type)).map(({ path }) => path);
      expect(needing.filter((path) => !asked.includes(path))).toEqual([]);
      // A node that has no name of its own is plain from its type.
      const plain = ['start', 'approval', 'http_request'];
      expect(nodes.filter(({ name, type }) => !name && !plain.includes(type))).toEqual([]);
    },
  );
});
