import type { FormCreate } from '@/contract/form';
import type { Definition, Node } from '@/contract/workflow';

export interface Template {
  name: string;
  description: string;
  definition: Definition;
  /** A form of the workflow. */
  form?: FormCreate;
}

/** A node at a place of the grid. */
export const node = (id: string, type: string, column: number, row: number, rest: Partial<Node>): Node => ({
  id,
  type,
  position: { x: column * 300, y: row * 140 },
  config: {},
  ...rest,
});

/** `a:true > b` connects the port `true` of a to b; the default port is `output`. */
export const connect = (...written: string[]): Definition['connections'] =>
  written.map((text) => {
    const [from = '', targetNode = ''] = text.split(' > ');
    const [sourceNode = '', sourcePort = 'output'] = from.split(':');
    return { sourceNode, sourcePort, targetNode, targetPort: 'input' };
  });

/** A note above the nodes: what has to be set up before the workflow runs. */
export const setUp = (text: string): NonNullable<Definition['notes']>[number] => ({
  id: 'set-up',
  position: { x: 0, y: -260 },
  size: { width: 560, height: 190 },
  text,
  color: 'yellow',
});
