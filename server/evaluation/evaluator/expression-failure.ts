import { createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { locateTextProblem } from '@/server/evaluation/expressions/template';
import type { EvaluationFailedError } from './evaluation';

const MAX_EXPRESSION_SOURCE = 4000;
const MAX_EXCERPT_LENGTH = 80;

/**
 * The failure of a node whose expression failed. `nodeId` undefined: the message does not name the node and the field.
 */
export function createExpressionFailure({ failure }: EvaluationFailedError, nodeId?: string): NodeFailure {
  const { code, field, problem, message } = failure;
  if (!field || !problem) return new NodeFailure(code, message, false);
  const { source, position } = problem;
  const expression = { field: `config.${field}`, source: source.slice(0, MAX_EXPRESSION_SOURCE), position };
  const named = nodeId === undefined ? {} : { nodeId, field: expression.field };
  switch (code) {
    case 'EXPRESSION':
      return createNodeFailure(
        code,
        { ...named, problem: problem.message, ...locateTextProblem(problem) },
        { expression },
      );
    case 'EVALUATION_TIMEOUT':
    case 'EVALUATION_MEMORY':
      return createNodeFailure(
        code,
        { ...named, problem: message, excerpt: source.trim().slice(0, MAX_EXCERPT_LENGTH) },
        { expression },
      );
    default:
      return new NodeFailure(code, message, false, 0, { expression });
  }
}
