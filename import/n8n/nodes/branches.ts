import { parameterCode, type NodeConversion, type ConvertedNodes } from '../conversion';
import { convertComparison, convertCondition } from '../conditions';
import { asN8nObject, cutWellFormed, asN8nObjects, type N8nObject } from '../file';
import { atomicCode, operandCode, type JsonataCode } from '../javascript/code';
import type { NodeExpressions } from '../n8n-expressions';
import type { NodeConverter } from './flow';

/** Names that an expression about one item of a list can not use. */
const OUTER_NAMES_PATTERN = /\b(?:nodes|vars|execution|input)\b/;

/** The items of the list that match, as a node of its own. */
function buildFilterNode(
  conversion: NodeConversion,
  id: string,
  name: string,
  test: (expressions: NodeExpressions) => string,
) {
  const { items } = conversion;
  const where = test(conversion.expressions('item', 'index'));
  const made = OUTER_NAMES_PATTERN.test(where)
    ? conversion.createNode(id, 'transform', {
        expression: `[$filter(${items}, function($item, $index) { ${test(conversion.expressions('$item', '$index'))} })]`,
      })
    : conversion.createNode(id, 'filter', { items, where });
  return { ...made, name: cutWellFormed(name, 200) };
}

/** A list by several conditions: one node for each output. */
function splitByConditions(
  conversion: NodeConversion,
  outputs: { name: string; test: (expressions: NodeExpressions) => string }[],
): ConvertedNodes {
  const { id, node, context: around } = conversion;
  const nodes = outputs.map(({ name, test }, index) => ({
    ...buildFilterNode(
      conversion,
      index === 0 ? id : around.createId(`${id}_${index + 1}`),
      `${node.name}: ${name}`,
      test,
    ),
    position: { x: node.position.x, y: node.position.y + index * 140 },
  }));
  return {
    nodes,
    connections: [],
    entries: nodes.map((one) => one.id),
    outputs: nodes.map((one) => ({ node: one.id, port: 'output', code: `nodes.${one.id}` })),
    failingNodeId: undefined,
    result: { path: '', code: conversion.all, isList: true },
  };
}

const MISSING_CONDITION = 'Enter its condition.';

const convertIf: NodeConverter = (conversion) => {
  const { node, source, context: around } = conversion;
  const test = (expressions: NodeExpressions) => convertCondition(node.parameters, expressions)?.code;
  if (source.isList && around.hasRoom(2)) {
    if (test(conversion.expressions('item', 'index')) === undefined) conversion.addTodo(MISSING_CONDITION);
    else conversion.addRemark('It divides a list: a filter for each output.');
    return conversion.asSelection(
      splitByConditions(conversion, [
        { name: 'true', test: (expressions) => test(expressions) ?? 'true' },
        { name: 'false', test: (expressions) => `(${test(expressions) ?? 'true'}) ? false : true` },
      ]),
    );
  }
  const found = test(conversion.expressions(conversion.json));
  if (found === undefined) conversion.addTodo(MISSING_CONDITION);
  return conversion.asPassThrough({ type: 'condition', config: { expression: found } }, ['true', 'false']);
};

const convertFilter: NodeConverter = (conversion) => {
  const { node, source } = conversion;
  const test = (expressions: NodeExpressions) => convertCondition(node.parameters, expressions)?.code;
  if (!source.isList) {
    const found = test(conversion.expressions(conversion.json));
    if (found === undefined) conversion.addTodo(MISSING_CONDITION);
    return conversion.asPassThrough({ type: 'condition', config: { expression: found } }, ['true']);
  }
  if (test(conversion.expressions('item', 'index')) === undefined) conversion.addTodo(MISSING_CONDITION);
  const made = buildFilterNode(conversion, conversion.id, node.name, (expressions) => test(expressions) ?? 'true');
  return conversion.asSelection({ ...conversion.asSingleNode({ type: 'filter', config: {} }, true), nodes: [made] });
};

const RESERVED_CASE_PORTS = new Set(['default', 'error', 'output', '']);
const MAX_SWITCH_CASES = 100;

/** The rules of a switch, in the present form and in the one before: their ports, and their conditions. */
function readSwitchRules(parameters: N8nObject) {
  const rules = asN8nObject(parameters['rules']);
  const given = asN8nObjects(rules['values'] ?? rules['rules']).slice(0, MAX_SWITCH_CASES);
  const used = new Set(RESERVED_CASE_PORTS);
  return given.map((rule, index) => {
    const wanted =
      typeof rule['outputKey'] === 'string' ? cutWellFormed(rule['outputKey'].replaceAll('{{', ''), 80) : '';
    const name = used.has(wanted) ? `case ${index + 1}` : wanted;
    const port = used.has(name) ? `case ${index + 1}, ${wanted}` : name;
    used.add(port);
    const test = (expressions: NodeExpressions): JsonataCode | undefined =>
      rule['conditions'] === undefined
        ? convertComparison(
            String(parameters['dataType'] ?? 'number'),
            String(rule['operation'] ?? 'equal'),
            parameters['value1'],
            rule['value2'] ?? rule['value'],
            expressions,
          )
        : convertCondition(rule, expressions);
    return { port, test, output: typeof rule['output'] === 'number' ? rule['output'] : index };
  });
}

const NEVER_TRUE_CODE = atomicCode('false', 'boolean');

const convertSwitch: NodeConverter = (conversion) => {
  const { node, source, context: around } = conversion;
  const { parameters } = node;
  if (parameters['mode'] === 'expression') return convertNumberSwitch(conversion);
  const rules = readSwitchRules(parameters);
  const fallback = asN8nObject(parameters['options'])['fallbackOutput'] ?? parameters['fallbackOutput'];
  if (asN8nObject(parameters['options'])['allMatchingOutputs'] === true) {
    conversion.addTodo('n8n continues at all outputs that match, Weft at the first.');
  }
  if (rules.length === 0) conversion.addTodo('Enter its value and cases.');
  if (source.isList && rules.length > 0 && around.hasRoom(rules.length + 1)) {
    conversion.addRemark('It divides a list: a filter for each output.');
    const known = new Map<string, string[]>();
    const texts = (expressions: NodeExpressions) => {
      const found =
        known.get(expressions.scope.json) ?? rules.map(({ test }) => operandCode(test(expressions) ?? NEVER_TRUE_CODE));
      known.set(expressions.scope.json, found);
      return found;
    };
    const before = (expressions: NodeExpressions, index: number) =>
      texts(expressions)
        .slice(0, index)
        .map((text) => ` and (${text} ? false : true)`)
        .join('');
    return conversion.asSelection(
      splitByConditions(conversion, [
        ...rules.map(({ port }, index) => ({
          name: port,
          test: (expressions: NodeExpressions) => (texts(expressions)[index] ?? 'false') + before(expressions, index),
        })),
        ...(fallback === 'extra'
          ? [{ name: 'default', test: (expressions: NodeExpressions) => `true${before(expressions, rules.length)}` }]
          : []),
      ]),
    );
  }
  const expressions = conversion.expressions(conversion.json);
  const tests = rules.map(({ test }) => test(expressions));
  if (tests.some((test) => !test)) conversion.addTodo('Enter the conditions that are missing.');
  const config = {
    expression:
      rules
        .map(({ port }, index) => `${operandCode(tests[index] ?? NEVER_TRUE_CODE)} ? ${JSON.stringify(port)} : `)
        .join('') + '""',
    cases: rules.map(({ port }) => ({ value: port, port })),
  };
  const ports = rules.map(({ port }) => port);
  const former = parameters['rules'] && asN8nObject(parameters['rules'])['rules'];
  const ordered: string[] = [];
  if (former) for (const { port, output } of rules) ordered[Math.min(output, MAX_SWITCH_CASES)] ??= port;
  const outputs = former ? Array.from(ordered, (port) => port ?? 'default') : ports;
  return conversion.asPassThrough({ type: 'switch', config }, [...outputs, 'default']);
};

/** A switch whose expression is the number of the output. */
function convertNumberSwitch(conversion: NodeConversion): ConvertedNodes {
  const { parameters } = conversion.node;
  const count = Math.min(Math.max(Number(parameters['numberOutputs']) || 4, 1), MAX_SWITCH_CASES);
  const ports = Array.from({ length: count }, (_, index) => `case ${index + 1}`);
  const expressions = conversion.expressions(conversion.json);
  const config = {
    expression: parameterCode(parameters['output'] ?? 0, expressions),
    cases: ports.map((port, index) => ({ value: index, port })),
  };
  return conversion.asPassThrough({ type: 'switch', config }, ports);
}

export const BRANCH_CONVERTERS: Readonly<Record<string, NodeConverter>> = {
  if: convertIf,
  filter: convertFilter,
  switch: convertSwitch,
};
