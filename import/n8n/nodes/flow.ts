import { parameterCode, parameterText, parameterValue, type NodeConversion, type ConvertedNodes } from '../conversion';
import { convertComparison, convertCondition } from '../conditions';
import { asN8nObject, cutWellFormed, asN8nObjects, type N8nObject } from '../file';
import { atomicCode, operandCode, type JsonataCode } from '../javascript/code';
import { convertJsonText, type NodeExpressions } from '../n8n-expressions';

export type NodeConverter = (conversion: NodeConversion) => ConvertedNodes;

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

const WAIT_UNIT_MS: Readonly<Record<string, number>> = {
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
};
const MAX_CONVERTED_WAIT_MS = 366 * 86_400_000 - 86_400_000;
const MS_PER_DAY = 86_400_000;

const convertWait: NodeConverter = (conversion) => {
  const { parameters, version } = conversion.node;
  const { resume = 'timeInterval', amount = 1, unit = version >= 1.1 ? 'seconds' : 'hours', dateTime } = parameters;
  if (resume === 'webhook' || resume === 'form') {
    const isLimited = parameters['limitWaitTime'] === true;
    const ms =
      Number(parameters['resumeAmount'] ?? 1) *
      (WAIT_UNIT_MS[String(parameters['resumeUnit'] ?? 'hours')] ?? 3_600_000);
    const expiresInMs = isLimited && ms >= 1 && ms <= MAX_CONVERTED_WAIT_MS ? Math.round(ms) : 30 * MS_PER_DAY;
    if (!isLimited) conversion.addRemark('It waits for 30 days at most: change it if needed.');
    if (resume === 'form')
      conversion.addTodo('Its form becomes a call that is awaited: use an approval with fields, or a form of its own.');
    conversion.addRemark('It gets the body of the call, without headers and query.');
    const { id } = conversion;
    return {
      ...conversion.asSingleNode({ type: 'wait_for_call', config: { expiresInMs } }),
      // With a time limit, n8n continues when the time has passed.
      outputs: [{ node: id, port: 'output', ...(isLimited ? { also: ['expired'] } : {}) }],
      result: { path: undefined, code: `{ "body": nodes.${id} }`, isList: false },
    };
  }
  if (resume === 'specificTime') {
    const until = parameterCode(dateTime, conversion.expressions(conversion.json));
    return conversion.asPassThrough({ type: 'delay', config: { until } });
  }
  const durationMs = Math.round(Number(amount) * (WAIT_UNIT_MS[String(unit)] ?? 1000));
  if (durationMs >= 0 && durationMs <= MAX_CONVERTED_WAIT_MS)
    return conversion.asPassThrough({ type: 'delay', config: { durationMs } });
  conversion.addTodo('Enter how long it waits.');
  return conversion.asPassThrough({ type: 'delay', config: {} });
};

const convertRespond: NodeConverter = (conversion) => {
  const { parameters } = conversion.node;
  const { respondWith = 'firstIncomingItem', responseBody, redirectURL } = parameters;
  const { responseCode, responseHeaders } = asN8nObject(parameters['options']);
  const { isList } = conversion.source;
  const first = isList ? `(${conversion.all})[0]` : conversion.json;
  const expressions = conversion.expressions(first);
  const entries = asN8nObjects(asN8nObject(responseHeaders)['entries']).flatMap(({ name, value }) => {
    const text = parameterText(value, expressions);
    return typeof name === 'string' && /^[\w-]+$/.test(name) && text !== undefined ? [[name, text] as const] : [];
  });
  const headers = Object.fromEntries(entries);
  const status =
    typeof responseCode === 'number' && responseCode >= 200 && responseCode <= 599
      ? Math.round(responseCode)
      : undefined;
  const config = (): Record<string, unknown> => {
    switch (respondWith) {
      case 'noData':
        return { status: status ?? 200, headers };
      case 'redirect':
        return {
          status: status ?? 302,
          headers: { ...headers, location: parameterText(redirectURL, expressions) ?? '' },
        };
      case 'text':
        return { status, headers, body: parameterText(responseBody, expressions) ?? '' };
      case 'json':
        return { status, headers, body: responseJsonBody(responseBody, expressions) };
      case 'allIncomingItems':
        return { status, headers, body: `{{ ${conversion.all} }}` };
      case 'firstIncomingItem':
        return { status, headers, body: `{{ ${first} }}` };
      default:
        conversion.addTodo('Enter what it answers.');
        return { status, headers };
    }
  };
  const written = config();
  if (Object.keys(asN8nObject(written['headers'])).length === 0) delete written['headers'];
  return conversion.asPassThrough({ type: 'respond', config: written });
};

const responseJsonBody = (given: unknown, expressions: NodeExpressions): unknown =>
  typeof given === 'string'
    ? (convertJsonText(given, expressions)?.value ?? parameterText(given, expressions))
    : parameterValue(given, expressions);

const convertStopAndError: NodeConverter = (conversion) => {
  const { errorMessage, errorObject } = conversion.node.parameters;
  const text =
    typeof errorMessage === 'string' && errorMessage
      ? errorMessage
      : typeof errorObject === 'string'
        ? errorObject
        : 'Stopped';
  if (text.startsWith('=')) conversion.addTodo('Its message has expressions: write it in the code.');
  return conversion.asSingleNode({
    type: 'code',
    config: { source: `throw new Error(${JSON.stringify(cutWellFormed(text, 2000))});` },
  });
};

const convertExecuteWorkflow: NodeConverter = (conversion) => {
  const { parameters } = conversion.node;
  conversion.addTodo('Choose its workflow.');
  const wanted = asN8nObject(parameters['workflowInputs'])['value'];
  const waits = asN8nObject(parameters['options'])['waitForSubWorkflow'];
  if (parameters['mode'] !== 'each' && Object.keys(asN8nObject(wanted)).length === 0) {
    const config = { input: `{{ ${conversion.json} }}`, ...(waits === false ? { wait: false } : {}) };
    return conversion.asSingleNode({ type: 'sub_workflow', config }, conversion.source.isList);
  }
  return conversion.forEachItem((expressions) => {
    const given = asN8nObject(wanted);
    const input =
      Object.keys(given).length > 0 ? parameterValue(given, expressions) : `{{ ${expressions.scope.json} }}`;
    return { type: 'sub_workflow', config: { input, ...(waits === false ? { wait: false } : {}) } };
  });
};

const convertNoOp: NodeConverter = (conversion) =>
  conversion.asPassThrough({ type: 'transform', config: { expression: 'input' } });

export const FLOW_CONVERTERS: Readonly<Record<string, NodeConverter>> = {
  if: convertIf,
  filter: convertFilter,
  switch: convertSwitch,
  wait: convertWait,
  respondToWebhook: convertRespond,
  stopAndError: convertStopAndError,
  executeWorkflow: convertExecuteWorkflow,
  noOp: convertNoOp,
};
