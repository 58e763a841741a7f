import { describe, expect, test } from 'vitest';
import { PURPOSE } from '@/server/testing/evaluation';
import { definitionIssues } from './definition';

const node = (id: string) => ({ id, type: 'transform', position: { x: 0, y: 0 }, config: {} });
const note = (id: string, more: object = {}) => ({
  id,
  position: { x: 0, y: 0 },
  size: { width: 240, height: 160 },
  text: '# Why',
  color: 'yellow',
  ...more,
});
const group = (id: string, nodeIds: string[], more: object = {}) => ({ id, name: 'Mail', nodeIds, ...more });
const fieldsOf = async (value: unknown) => (await definitionIssues(value, PURPOSE)).map(({ field }) => field);
const fields = (more: object) => fieldsOf({ nodes: [node('a'), node('b')], connections: [], ...more });

describe('notes and groups', () => {
  test('are optional and may be empty', async () => {
    expect(await fields({})).toEqual([]);
    expect(await fields({ notes: [], groups: [] })).toEqual([]);
    const groups = [group('g', ['a'], { color: 'blue', isCollapsed: true }), group('h', ['b'])];
    expect(await fields({ notes: [note('n')], groups })).toEqual([]);
  });

  test('are refused with all their issues at once', async () => {
    expect(
      await fields({
        notes: [note('a'), note('n', { color: 'mauve', text: 'x'.repeat(10_001) }), note('n'), { id: 'm' }, 7],
        groups: [group('n', ['a', 'gone', 'a']), group('g', ['a', 'b']), group('h', []), group('i', ['b'], { x: 1 })],
      }),
    ).toEqual([
      'notes[0].id',
      'notes[1].text',
      'notes[1].color',
      'notes[2].id',
      'notes[3].position',
      'notes[3].size',
      'notes[3].text',
      'notes[3].color',
      'notes[4]',
      'groups[0].id',
      'groups[2].nodeIds',
      'groups[3].x',
      'groups[0].nodeIds[1]',
      'groups[0].nodeIds[2]',
      'groups[1].nodeIds[0]',
    ]);
  });

  test('are lists of limited length', async () => {
    expect(await fields({ notes: {}, groups: 'all' })).toEqual(['notes', 'groups']);
    expect(await fields({ notes: Array.from({ length: 501 }, (_, at) => note(`n${at}`)) })).toEqual(['notes']);
    expect(await fields({ notes: null })).toEqual(['notes']);
  });

  test('have limited sizes and positions', async () => {
    const size = { width: 0, height: Number.POSITIVE_INFINITY };
    expect(await fields({ notes: [note('n', { size, position: { x: '1', y: Number.NaN } })] })).toEqual([
      'notes[0].position.x',
      'notes[0].position.y',
      'notes[0].size.width',
      'notes[0].size.height',
    ]);
  });

  test('are checked inside loops, with their path', async () => {
    const body = { nodes: [node('inner')], connections: [], groups: [group('g', ['a'])] };
    const loop = { ...node('loop'), type: 'for_each', config: { items: 'input', body } };
    expect(await fieldsOf({ nodes: [loop], connections: [] })).toEqual(['nodes[0].config.body.groups[0].nodeIds[0]']);
  });
});
