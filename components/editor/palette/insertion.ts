import type { XYPosition } from '@xyflow/react';
import type { Connection, Definition } from '@/contract/workflows/workflow';
import { addNode } from '@/components/graph/edits/edits';
import type { Catalogue } from '@/components/graph/flow';
import { addAfter, addAtEnd, insertOn, replaceNode, type LooseEnd } from '@/components/graph/edits/splice';
import { preset, type Pick } from './pick';

/** Where the chosen node type goes. Positions are canvas coordinates. */
export type Insertion =
  | { kind: 'add'; at: XYPosition; afterId?: string }
  | { kind: 'insert'; connection: Connection }
  | { kind: 'continue'; end: LooseEnd; at: XYPosition }
  | { kind: 'replace'; id: string };

/** Inserts the picked node. Returns the new definition and the id of the node. */
export function insert(definition: Definition, catalogue: Catalogue, pick: Pick, insertion: Insertion) {
  const added = put(definition, catalogue, pick, insertion);
  return added && { ...added, definition: preset(added.definition, added.id, pick) };
}

function put(definition: Definition, catalogue: Catalogue, { kind: type }: Pick, insertion: Insertion) {
  switch (insertion.kind) {
    case 'add': {
      const previous = definition.nodes.find(({ id }) => id === insertion.afterId);
      return previous ? addAfter(definition, catalogue, type, previous) : addNode(definition, type, insertion.at);
    }
    case 'insert':
      return insertOn(definition, catalogue, type, insertion.connection);
    case 'continue':
      return addAtEnd(definition, catalogue, type, insertion.end, insertion.at);
    case 'replace':
      return { id: insertion.id, definition: replaceNode(definition, catalogue, insertion.id, type) };
  }
}
