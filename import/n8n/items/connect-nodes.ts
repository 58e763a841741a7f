import type { NodeConnection } from '@/contract/workflows/workflow';

/** A connection from an output of one node to the input of another. */
export const connectNodes = (sourceNode: string, targetNode: string, sourcePort = 'output'): NodeConnection => ({
  sourceNode,
  sourcePort,
  targetNode,
  targetPort: 'input',
});
