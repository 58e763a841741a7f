import type { FormCreate } from '@/contract/triggers/form';
import type { TableCreate } from '@/contract/tables/table';
import type { Definition, Node } from '@/contract/workflows/workflow';

export interface Template {
  name: string;
  description: string;
  definition: Definition;
  /** A form of the workflow. */
  form?: FormCreate;
  /** A table that is created with the workflow. Its nodes name it by `OWN_TABLE`. */
  table?: TableCreate;
}

/** The id of a template's own table, before it is created. */
export const OWN_TABLE = 'own-table';

/** The definition with the id of the created table; undefined: it was not created, and the nodes are left incomplete. */
export function withTable(definition: Definition, tableId: string | undefined): Definition {
  const nodes = definition.nodes.map((each) => {
    if (each.config.tableId !== OWN_TABLE) return each;
    const { tableId: _, ...config } = each.config;
    return { ...each, config: tableId === undefined ? config : { ...config, tableId } };
  });
  return { ...definition, nodes };
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
