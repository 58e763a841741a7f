import type { FailureRecord } from './failure-record';

/** What fails before a node runs: its fields, their expressions and its code. */
export const EVALUATION_FAILURES = {
  CONFIG: {
    title: 'A field has a wrong value',
    advice: 'Correct the field. If it has an expression, check the value that it computes.',
    parameters: { field: 'text', problem: 'text' },
    sentence: '{field}: {problem}',
  },
  EXPRESSION: {
    title: 'An expression failed',
    advice: 'Correct the expression at the marked place.',
    parameters: { nodeId: 'text?', field: 'text?', problem: 'text', position: 'number?', excerpt: 'text?' },
    sentence: '[Node {nodeId}, {field}: ]{problem}[ (at position {position} of "{excerpt}")]',
  },
  EVALUATION_TIMEOUT: {
    title: 'The expression took too long',
    advice: 'Simplify the expression, or process fewer items.',
    parameters: { nodeId: 'text?', field: 'text?', problem: 'text', excerpt: 'text' },
    sentence: '[Node {nodeId}, {field}: ]{problem} in "{excerpt}"',
  },
  EVALUATION_MEMORY: {
    title: 'The expression needs too much memory',
    advice: 'Process fewer items at a time.',
    parameters: { nodeId: 'text?', field: 'text?', problem: 'text', excerpt: 'text' },
    sentence: '[Node {nodeId}, {field}: ]{problem} in "{excerpt}"',
  },
  EVALUATION_BUSY: {
    title: 'Too many expressions are waiting',
    advice: 'Run again later, or process fewer items at a time.',
  },
  EVALUATION_ENDED: { title: 'The evaluation was interrupted', advice: 'Run again.' },
  CODE_ERROR: { title: 'The code failed', advice: 'Correct the code. The message names the line.' },
  CODE_TIMEOUT: {
    title: 'The code took too long',
    advice: 'Reduce the work of the code, or raise the timeout in the node’s settings.',
  },
  CODE_MEMORY: {
    title: 'The code needs too much memory',
    advice: 'Reduce the memory of the code, for example by processing fewer items at a time.',
  },
  NOT_A_NUMBER: {
    title: 'A value is not a number',
    advice: 'Convert the value with $number(), or choose another field.',
  },
  UNKNOWN_TYPE: {
    title: 'The node type is unknown',
    advice: 'Replace the node with another type.',
    parameters: { type: 'text' },
    sentence: 'There is no node type "{type}".',
  },
} as const satisfies Record<string, FailureRecord>;
