import { describe, expect, it } from 'vitest';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { definitionAtPath } from './body';
import { draggedPositions } from './canvas-items';
import { areInOneScope, type DrawnDefinition } from './drawn';
import { addConnection, connectionIssue, moveItems } from './edits/edits';
import { drawOpenLoops, findScopeAt, nodeIdsInFrame, toScopePosition, undrawOpenLoops } from './frames';

const node = (id: string, x: number, y = 0, type = 'transform', config = {}): WorkflowNode => ({
  id,
  type,
  position: { x, y },
  config,
});
const wire = (sourceNode: string, targetNode: string) => ({
  sourceNode,
  sourcePort: 'output',
  targetNode,
  targetPort: 'input',
});
const inner: WorkflowDefinition = {
  nodes: [node('start', 0, 0, 'start'), node('mail', 300, 80)],
  connections: [wire('start', 'mail')],
};
const outer: WorkflowDefinition = {
  nodes: [node('first', 40, 20, 'start'), node('each', 340, 20, 'for_each', { body: inner })],
  connections: [wire('first', 'each')],
};
const whole: WorkflowDefinition = {
  nodes: [
    node('start', -300),
    node('loop', 0, 0, 'for_each', { body: outer }),
    node('after', 300),
    node('below', 0, 200),
    node('plain', -300, 0, 'for_each', { body: inner }),
  ],
  connections: [wire('start', 'loop'), wire('loop', 'after')],
};
const opened = new Set(['loop', 'loop/each']);
const draw = (definition = whole) => drawOpenLoops(definition, [], (path) => opened.has(path.join('/')), new Map());
const placeOf = ({ nodes }: DrawnDefinition, id: string) =>
  nodes.find((one) => one.id === id)?.position ?? { x: 0, y: 0 };
const move = (drawn: DrawnDefinition, id: string, x: number, y: number) => {
  const to = draggedPositions(drawn, [{ type: 'position', id, position: { x, y } }]);
  return undrawOpenLoops(drawn, moveItems(drawn, to));
};

describe('bodies of open loops', () => {
  it('are drawn in the frames of their loops, and what is behind makes room', () => {
    const drawn = draw();
    expect(drawn.nodes.map(({ id }) => id)).toEqual([
      'start',
      'loop',
      'after',
      'below',
      'plain',
      'loop/first',
      'loop/each',
      'loop/each/start',
      'loop/each/mail',
    ]);
    expect(drawn.connections.map(({ sourceNode, targetNode }) => `${sourceNode}>${targetNode}`)).toEqual([
      'start>loop',
      'loop>after',
      'loop/first>loop/each',
      'loop/each/start>loop/each/mail',
    ]);
    for (const { frameId, size, nodes } of drawn.scopes ?? []) {
      const corner = placeOf(drawn, frameId ?? '');
      for (const id of frameId === undefined ? [] : nodes.keys()) {
        const { x, y } = placeOf(drawn, id);
        expect(x).toBeGreaterThan(corner.x);
        expect(y).toBeGreaterThan(corner.y);
        expect(x + 236).toBeLessThan(corner.x + size.width);
        expect(y + 60).toBeLessThan(corner.y + size.height);
      }
    }
    const frame = drawn.scopes?.find(({ frameId }) => frameId === 'loop')?.size ?? { width: 0, height: 0 };
    expect(placeOf(drawn, 'start')).toEqual({ x: -300, y: 0 });
    expect(placeOf(drawn, 'after').x).toBeGreaterThan(frame.width);
    expect(placeOf(drawn, 'below').y).toBeGreaterThan(frame.height);
  });

  it('are the same objects until something changes, and a closed loop is drawn as before', () => {
    const [one, other] = [draw(), draw()];
    expect(one.nodes.every((drawn, index) => drawn === other.nodes[index])).toBe(true);
    expect(undrawOpenLoops(one, one)).toBe(whole);
    expect(drawOpenLoops(whole, [], () => false, new Map())).toBe(whole);
  });

  it('are edited where they stand', () => {
    const drawn = draw();
    const mail = placeOf(drawn, 'loop/each/mail');
    const edited = move(drawn, 'loop/each/mail', mail.x + 20, mail.y + 30);
    expect(definitionAtPath(edited, ['loop', 'each']).nodes[1]?.position).toEqual({ x: 320, y: 110 });
    expect(definitionAtPath(edited, ['loop']).nodes[0]).toBe(outer.nodes[0]);
    expect(edited.nodes[0]).toBe(whole.nodes[0]);
    const joined = undrawOpenLoops(drawn, addConnection(drawn, wire('loop/each/mail', 'loop/each/start')));
    const innermost = definitionAtPath(joined, ['loop', 'each']);
    expect(innermost.connections).toEqual([wire('start', 'mail'), wire('mail', 'start')]);
  });

  it('move with their frame, without a change inside', () => {
    const drawn = draw();
    const loop = placeOf(drawn, 'loop');
    const edited = move(drawn, 'loop', loop.x + 50, loop.y - 10);
    expect(edited.nodes[1]).toEqual({ ...whole.nodes[1], position: { x: 50, y: -10 } });
    expect(edited.nodes[1]?.config.body).toBe(outer);
    expect(nodeIdsInFrame(drawn, 'loop')).toEqual(['loop/first', 'loop/each', 'loop/each/start', 'loop/each/mail']);
  });

  it('keep what is behind in its order, wherever it is put', () => {
    const drawn = draw();
    const after = placeOf(drawn, 'after');
    expect(move(drawn, 'after', after.x + 40, after.y).nodes[2]?.position).toEqual({ x: 340, y: 0 });
    expect(move(drawn, 'after', 400, 0).nodes[2]?.position.x).toBeGreaterThan(100);
  });

  it('have no connections across the frame', () => {
    const drawn = draw();
    expect(areInOneScope(drawn, 'loop/first', 'loop/each')).toBe(true);
    expect(connectionIssue(drawn, new Map(), wire('start', 'loop/first'))).toBe(
      'A connection can’t cross the frame of a loop.',
    );
    expect(connectionIssue(drawn, new Map(), wire('start', 'after'))).toBeUndefined();
  });

  it('take what is dropped into their frame', () => {
    const drawn = draw();
    const mail = placeOf(drawn, 'loop/each/mail');
    const scope = findScopeAt(drawn, { x: mail.x + 5, y: mail.y + 5 });
    expect(scope?.path).toEqual(['loop', 'each']);
    expect(scope && toScopePosition(scope, mail)).toEqual({ x: 300, y: 80 });
    expect(findScopeAt(drawn, { x: -290, y: 5 })?.path).toEqual([]);
  });
});
