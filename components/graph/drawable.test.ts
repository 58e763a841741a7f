import { describe, expect, it } from 'vitest';
import { isDrawableDefinition } from './drawable';

const start = { id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} };
const connection = { sourceNode: 'start', sourcePort: 'output', targetNode: 'start', targetPort: 'input' };

describe('a drawable definition', () => {
  it('has nodes with positions, and connections with ends', () => {
    expect(isDrawableDefinition({ nodes: [], connections: [] })).toBe(true);
    expect(isDrawableDefinition({ nodes: [{ ...start, name: 'Begin' }], connections: [connection] })).toBe(true);
  });

  it.each([
    ['nothing', null],
    ['a list', []],
    ['without connections', { nodes: [start] }],
    ['a node without a place', { nodes: [{ ...start, position: null }], connections: [] }],
    ['a node that is nowhere', { nodes: [{ ...start, position: { x: null, y: 0 } }], connections: [] }],
    ['a node without config', { nodes: [{ ...start, config: undefined }], connections: [] }],
    ['a note without a size', { nodes: [], connections: [], notes: [{ id: 'n', text: '', position: { x: 0, y: 0 } }] }],
    ['a group of no list', { nodes: [], connections: [], groups: [{ id: 'g', name: '', nodeIds: 'all' }] }],
    ['a loose end', { nodes: [start], connections: [{ ...connection, targetPort: undefined }] }],
  ])('is not %s', (_, value) => {
    expect(isDrawableDefinition(value)).toBe(false);
  });
});
