import { describe, expect, it } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { selectionToJson, pasteDefinition, parseClipboard, stripCredentials } from './edits/clipboard';
import { moveItems, removeNodes } from './edits/edits';
import { indexNodeTypes, buildCanvasEdges } from './cards-and-edges';
import { drawnIdMapper, collapseGroups, toDrawnDefinition, groupNodes, selectedNodeIds, removeGroups } from './groups';
import { buildDefinitionItems, draggedPositions } from './canvas-items';
import { layOutDefinition } from './layout/layout';
import { addNote, noteTitle, removeNotes } from './notes';
import { draw, node, connection } from './testing/graph';
import { findNeighbourId } from './walk';

const chain = draw(
  ['a', 'b', 'c', 'd'].map((id, at) => node(id, {}, { x: at * 300 })),
  'a>b',
  'b>c',
  'c>d',
);
const { definition: grouped, id: g } = groupNodes(chain, new Set(['b', 'c']));
const collapsed = collapseGroups(grouped, new Set([g]), true);
const catalogue = indexNodeTypes([]);

describe('groups', () => {
  it('remove their nodes from other groups, and vanish without nodes', () => {
    const { definition, id } = groupNodes(grouped, new Set(['c', 'd']));
    expect(definition.groups).toEqual([
      { id, name: 'Group', nodeIds: ['c', 'd'] },
      { id: g, name: 'Group', nodeIds: ['b'] },
    ]);
    expect(removeNodes(definition, new Set(['b'])).groups).toHaveLength(1);
    expect(removeNodes(grouped, new Set(['b', 'c']))).not.toHaveProperty('groups');
    expect(removeGroups(grouped, new Set([g]))).toEqual(chain);
  });

  it('are one node while collapsed, with the connections of their nodes', () => {
    const drawn = toDrawnDefinition(collapsed);
    expect(drawn.nodes.map(({ id }) => id)).toEqual(['a', 'd', g]);
    expect(drawn.connections).toEqual([connection('a', g), connection(g, 'd')]);
    expect(findNeighbourId(drawn, 'a', 'right')).toBe(g);
    expect(buildCanvasEdges(collapsed, drawnIdMapper(collapsed)).map(({ source, target }) => [source, target])).toEqual(
      [
        ['a', g],
        [g, 'd'],
      ],
    );
    expect(collapseGroups(collapseGroups(collapsed, new Set([g]), false), new Set([g]), true)).toEqual(collapsed);
  });

  it('are drawn around their nodes, and hide them while collapsed', () => {
    const frame = (definition: WorkflowDefinition) =>
      buildDefinitionItems(definition, catalogue).find(({ id }) => id === g);
    expect(frame(grouped)).toMatchObject({ position: { x: 276, y: -52 }, width: 584, height: 140 });
    expect(frame(collapsed)).toMatchObject({ position: { x: 276, y: -52 }, width: 236, height: 60 });
    const hidden = buildDefinitionItems(collapsed, catalogue).filter((item) => item.hidden);
    expect(hidden.map(({ id }) => id)).toEqual(['b', 'c']);
  });

  it('keep the identity of unchanged items', () => {
    const before = buildDefinitionItems(addNote(grouped, { x: 0, y: 0 }).definition, catalogue);
    const [note] = before;
    const definition = addNote(grouped, { x: 0, y: 0 }).definition;
    const first = buildDefinitionItems(definition, catalogue);
    const again = buildDefinitionItems({ ...definition }, catalogue, first);
    expect(again.filter(({ type }) => type !== 'frame').every((item) => first.includes(item))).toBe(true);
    expect(note?.type).toBe('note');
  });

  it('move all their nodes except dragged ones', () => {
    const drag = (id: string, x: number, y: number) => ({ type: 'position' as const, id, position: { x, y } });
    const to = draggedPositions(grouped, [drag(g, 286, -32), drag('c', 1, 2)]);
    const moved = moveItems(grouped, to);
    expect(moved.nodes.map(({ position }) => position)).toEqual([
      { x: 0, y: 0 },
      { x: 310, y: 20 },
      { x: 1, y: 2 },
      { x: 900, y: 0 },
    ]);
    expect(moveItems(grouped, draggedPositions(grouped, [drag(g, 276, -52)]))).toBe(grouped);
  });

  it('are laid out as a whole', async () => {
    const places = await layOutDefinition(collapsed, catalogue);
    const [b, c] = [places.get('b'), places.get('c')];
    expect((c?.x ?? 0) - (b?.x ?? 0)).toBe(300);
    expect((await layOutDefinition(grouped, catalogue)).size).toBe(4);
  });
});

describe('the clipboard', () => {
  it('contains notes, and groups with all nodes selected', async () => {
    const { definition, id } = addNote(grouped, { x: 10, y: 200 });
    expect(JSON.parse(selectionToJson(definition, new Set(['b']), 'jsonata'))).not.toHaveProperty('groups');
    const text = selectionToJson(definition, new Set([g, id]), 'jsonata');
    const copied = await parseClipboard(text);
    if (!copied) throw new Error('what was clipped can be read');
    const pasted = pasteDefinition(definition, copied, { x: 1000, y: 1000 });
    expect(pasted.definition.nodes).toHaveLength(6);
    expect(pasted.definition.notes).toHaveLength(2);
    expect(pasted.definition.groups?.[1]?.nodeIds).toEqual(['step', 'step_2']);
    const ids = [...pasted.definition.nodes, ...(pasted.definition.notes ?? []), ...(pasted.definition.groups ?? [])];
    expect(new Set(ids.map((item) => item.id)).size).toBe(10);
    expect(pasted.ids).toHaveLength(3);
  });

  it('leaves out credentials, also inside loops', () => {
    const body = { nodes: [{ ...node('in'), credentialId: 'cred_1' }], connections: [] };
    const loop = { ...node('loop', { body }), credentialId: 'cred_2' };
    const definition = { nodes: [loop], connections: [] };
    expect(selectionToJson(definition, new Set(['loop']), 'jsonata')).not.toContain('cred_');
    expect(JSON.stringify(stripCredentials(definition))).not.toContain('cred_');
  });
});

describe('notes', () => {
  it('are titled by their first words, and leave no field when removed', () => {
    const { definition, id } = addNote(chain, { x: 1.4, y: 2.6 });
    expect(definition.notes?.[0]?.position).toEqual({ x: 1, y: 3 });
    expect(removeNotes(definition, new Set([id]))).toEqual(chain);
    const [note] = definition.notes ?? [];
    expect(note && noteTitle({ ...note, text: '## Why this waits\nLong ago' })).toBe('Why this waits');
    expect([...selectedNodeIds(definition, [id, 'a'])]).toEqual(['a']);
  });
});
