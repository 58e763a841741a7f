import type { XYPosition } from '@xyflow/react';
import type { Connection, Definition } from '@/contract/workflow';
import { addAfter, addNode } from '../canvas/edits';
import type { Catalogue } from '../canvas/flow';
import { addAtEnd, insertOn, replaceNode, type LooseEnd } from '../canvas/splice';
import { preset, type Pick } from './pick';

/** What a node type is chosen for. Positions are those of the canvas. */
export type Purpose =
  | { kind: 'add'; at: XYPosition; afterId?: string }
  | { kind: 'insert'; wire: Connection }
  | { kind: 'continue'; end: LooseEnd; at: XYPosition }
  | { kind: 'replace'; id: string };

/** The definition with what was chosen put to its purpose, and the node that it became. */
export function fulfil(definition: Definition, catalogue: Catalogue, pick: Pick, purpose: Purpose) {
  const added = put(definition, catalogue, pick, purpose);
  return added && { ...added, definition: preset(added.definition, added.id, pick) };
}

function put(definition: Definition, catalogue: Catalogue, { kind: type }: Pick, purpose: Purpose) {
  switch (purpose.kind) {
    case 'add': {
      const previous = definition.nodes.find(({ id }) => id === purpose.afterId);
      return previous ? addAfter(definition, catalogue, type, previous) : addNode(definition, type, purpose.at);
    }
    case 'insert':
      return insertOn(definition, catalogue, type, purpose.wire);
    case 'continue':
      return addAtEnd(definition, catalogue, type, purpose.end, purpose.at);
    case 'replace':
      return { id: purpose.id, definition: replaceNode(definition, catalogue, purpose.id, type) };
  }
}
