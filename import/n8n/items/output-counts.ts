import { asN8nObject, asN8nObjects, type N8nNode } from '../file';
import { shortNodeType } from '../starts/convert-trigger';

/** The number of outputs of a switch, without one for errors. */
export function countSwitchOutputs({ parameters, version }: N8nNode): number {
  const rules = asN8nObject(parameters['rules']);
  if (parameters['mode'] === 'expression')
    return Number(parameters['numberOutputs'] ?? parameters['outputsAmount'] ?? 4);
  if (version < 3) return 4 + Number(parameters['fallbackOutput'] === 'extra');
  const fallback = asN8nObject(parameters['options'])['fallbackOutput'] ?? parameters['fallbackOutput'];
  return asN8nObjects(rules['values'] ?? rules['rules']).length + Number(fallback === 'extra');
}

function countOwnOutputs(node: N8nNode): number {
  const options = asN8nObject(node.parameters['options']);
  switch (shortNodeType(node.type)) {
    case 'if':
      return 2;
    case 'compareDatasets':
      return 4;
    case 'switch':
      return countSwitchOutputs(node);
    case 'textClassifier': {
      const { categories } = asN8nObject(node.parameters['categories']);
      return asN8nObjects(categories).length + Number(options['fallback'] === 'other');
    }
    case 'sentimentAnalysis': {
      const { categories = 'Positive, Neutral, Negative' } = options;
      return String(categories).split(',').length;
    }
    default:
      return 1;
  }
}

const MAX_OUTPUTS = 50;

/** How many outputs a node has. */
export function countNodeOutputs(node: N8nNode): number {
  if (node.isDisabled) return 1;
  return Math.min(Math.max(countOwnOutputs(node) || 1, 1), MAX_OUTPUTS) + Number(node.onError === 'output');
}
