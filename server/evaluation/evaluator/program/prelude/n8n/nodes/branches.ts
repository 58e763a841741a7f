import { areConditionsMet, type FilterConditions } from './filter-conditions';
import { areFormerConditionsMet, isFormerConditionMet } from './former-conditions';
import type { N8nParameters } from '../parameters';
import { readParameterRows, readTypedParameter } from './typed-parameters';

/** Whether an item of the node `if` goes to its first output. */
export const isIfMet = (version: number, parameters: N8nParameters): boolean =>
  version < 2
    ? areFormerConditionsMet(parameters, readTypedParameter(parameters, 'combineOperation', 'all') === 'any')
    : areConditionsMet(readTypedParameter<FilterConditions>(parameters, 'conditions', {}));

/** Whether the node `filter` keeps an item. */
export const isFilterMet = (version: number, parameters: N8nParameters): boolean =>
  version < 2
    ? areFormerConditionsMet(parameters, readTypedParameter(parameters, 'combineConditions', 'AND') === 'OR')
    : areConditionsMet(readTypedParameter<FilterConditions>(parameters, 'conditions', {}));

function requireOutput(index: unknown, count: number): number {
  const output = Number(index);
  if (!(output >= 0 && output < count))
    throw new Error(`The output ${String(index)} is not allowed. It has to be between 0 and ${count - 1}!`);
  return output;
}

interface SwitchRule {
  value2: unknown;
  operation: string;
  output: number;
}

const NO_OUTPUT = -1;
const FIRST_SWITCH_OUTPUTS = 4;

/** The defaults of a rule of the first versions, by the type of what is compared. */
const RULE_DEFAULTS: Record<string, SwitchRule> = {
  boolean: { value2: false, operation: 'equal', output: 0 },
  dateTime: { value2: '', operation: 'after', output: 0 },
  number: { value2: 0, operation: 'smaller', output: 0 },
  string: { value2: '', operation: 'equal', output: 0 },
};
const VALUE_DEFAULTS: Record<string, unknown> = { boolean: false, dateTime: '', number: 0, string: '' };

function formerOutputs(version: number, parameters: N8nParameters): number[] {
  const isExpression = readTypedParameter(parameters, 'mode', 'rules') === 'expression';
  if (isExpression) {
    const count =
      version < 2 ? FIRST_SWITCH_OUTPUTS : readTypedParameter(parameters, 'outputsAmount', FIRST_SWITCH_OUTPUTS);
    return [requireOutput(readTypedParameter<unknown>(parameters, 'output', 0), count)];
  }
  const type = readTypedParameter(parameters, 'dataType', 'number');
  const value = readTypedParameter(parameters, 'value1', VALUE_DEFAULTS[type]);
  const defaults = RULE_DEFAULTS[type] ?? { value2: '', operation: 'equal', output: 0 };
  const rules = readParameterRows(parameters, 'rules.rules', defaults);
  const count = version < 2 ? FIRST_SWITCH_OUTPUTS : rules.length;
  const found = rules.findIndex(({ operation, value2 }) => isFormerConditionMet(type, operation, value, value2));
  const rule = rules[found];
  if (rule) return [version < 2 ? requireOutput(rule.output, count) : found];
  const fallback = Number(readTypedParameter<unknown>(parameters, 'fallbackOutput', NO_OUTPUT));
  return fallback === NO_OUTPUT ? [] : [requireOutput(fallback, count)];
}

function presentOutputs(parameters: N8nParameters): number[] {
  if (readTypedParameter(parameters, 'mode', 'rules') === 'expression') {
    const count = readTypedParameter(parameters, 'numberOutputs', FIRST_SWITCH_OUTPUTS);
    return [requireOutput(readTypedParameter<unknown>(parameters, 'output', 0), count)];
  }
  // A node without rules has one that compares two empty texts, and so is met.
  const { values: rules = [] } = (parameters['rules'] ?? { values: [{}] }) as { values?: N8nParameters[] };
  const takesAll = readTypedParameter(parameters, 'options.allMatchingOutputs', false);
  const outputs: number[] = [];
  for (const [index, rule] of rules.entries()) {
    if (!areConditionsMet(readTypedParameter<FilterConditions>(rule, 'conditions', {}))) continue;
    outputs.push(index);
    if (!takesAll) break;
  }
  if (outputs.length > 0 || rules.length === 0) return outputs;
  const fallback = readTypedParameter<unknown>(parameters, 'options.fallbackOutput', 'none');
  if (fallback === 'none') return [];
  return [fallback === 'extra' ? rules.length : requireOutput(fallback, rules.length)];
}

/** The outputs of the node `switch` to which an item goes. */
export const switchOutputs = (version: number, parameters: N8nParameters): number[] =>
  version < 3 ? formerOutputs(version, parameters) : presentOutputs(parameters);
