import { codeOf, textOf, valueOf, type Conversion, type Piece } from '../conversion';
import { comparison, condition } from '../conditions';
import { bag, cut, list, type Bag } from '../file';
import { atom, part, type Code } from '../javascript/code';
import { jsonValue, type Expressions } from '../text';

export type Convert = (conversion: Conversion) => Piece;

/** Names that expressions about one item of a list can not use. */
const ELSEWHERE = /\b(?:nodes|vars|execution|input)\b/;

/** The items of the list that match, as a node of its own. */
function matching(conversion: Conversion, id: string, name: string, test: (expressions: Expressions) => string) {
  const { items } = conversion;
  const where = test(conversion.expressions('item', 'index'));
  const made = ELSEWHERE.test(where)
    ? conversion.written(id, 'transform', {
        expression: `[$filter(${items}, function($item, $index) { ${test(conversion.expressions('$item', '$index'))} })]`,
      })
    : conversion.written(id, 'filter', { items, where });
  return { ...made, name: cut(name, 200) };
}

/** A list by several conditions: one node for each output. */
function divided(
  conversion: Conversion,
  outputs: { name: string; test: (expressions: Expressions) => string }[],
): Piece {
  const { id, node, around } = conversion;
  const nodes = outputs.map(({ name, test }, index) => ({
    ...matching(conversion, index === 0 ? id : around.idOf(`${id}_${index + 1}`), `${node.name}: ${name}`, test),
    position: { x: node.position.x, y: node.position.y + index * 140 },
  }));
  return {
    nodes,
    connections: [],
    entries: nodes.map((one) => one.id),
    outputs: nodes.map((one) => ({ node: one.id, port: 'output', code: `nodes.${one.id}` })),
    failing: undefined,
    result: { path: '', code: conversion.all, isList: true },
  };
}

const UNKNOWN = 'Enter its condition.';

const branch: Convert = (conversion) => {
  const { node, source, around } = conversion;
  const test = (expressions: Expressions) => condition(node.parameters, expressions)?.code;
  if (source.isList && around.hasRoom(2)) {
    if (test(conversion.expressions('item', 'index')) === undefined) conversion.todo(UNKNOWN);
    else conversion.say('It divides a list: a filter for each output.');
    return conversion.selected(
      divided(conversion, [
        { name: 'true', test: (expressions) => test(expressions) ?? 'true' },
        { name: 'false', test: (expressions) => `(${test(expressions) ?? 'true'}) ? false : true` },
      ]),
    );
  }
  const found = test(conversion.expressions(conversion.json));
  if (found === undefined) conversion.todo(UNKNOWN);
  return conversion.passing({ type: 'condition', config: { expression: found } }, ['true', 'false']);
};

const filter: Convert = (conversion) => {
  const { node, source } = conversion;
  const test = (expressions: Expressions) => condition(node.parameters, expressions)?.code;
  if (!source.isList) {
    const found = test(conversion.expressions(conversion.json));
    if (found === undefined) conversion.todo(UNKNOWN);
    return conversion.passing({ type: 'condition', config: { expression: found } }, ['true']);
  }
  if (test(conversion.expressions('item', 'index')) === undefined) conversion.todo(UNKNOWN);
  const made = matching(conversion, conversion.id, node.name, (expressions) => test(expressions) ?? 'true');
  return conversion.selected({ ...conversion.whole({ type: 'filter', config: {} }, true), nodes: [made] });
};

const RESERVED = new Set(['default', 'error', 'output', '']);
const MAX_CASES = 100;

/** The rules of a switch, in the present form and in the one before: their ports, and their conditions. */
function rulesOf(parameters: Bag) {
  const rules = bag(parameters['rules']);
  const given = list(rules['values'] ?? rules['rules']).slice(0, MAX_CASES);
  const used = new Set(RESERVED);
  return given.map((rule, index) => {
    const wanted = typeof rule['outputKey'] === 'string' ? cut(rule['outputKey'].replaceAll('{{', ''), 80) : '';
    const name = used.has(wanted) ? `case ${index + 1}` : wanted;
    const port = used.has(name) ? `case ${index + 1}, ${wanted}` : name;
    used.add(port);
    const test = (expressions: Expressions): Code | undefined =>
      rule['conditions'] === undefined
        ? comparison(
            String(parameters['dataType'] ?? 'number'),
            String(rule['operation'] ?? 'equal'),
            parameters['value1'],
            rule['value2'] ?? rule['value'],
            expressions,
          )
        : condition(rule, expressions);
    return { port, test, output: typeof rule['output'] === 'number' ? rule['output'] : index };
  });
}

const NEVER = atom('false', 'boolean');

const choose: Convert = (conversion) => {
  const { node, source, around } = conversion;
  const { parameters } = node;
  if (parameters['mode'] === 'expression') return byNumber(conversion);
  const rules = rulesOf(parameters);
  const fallback = bag(parameters['options'])['fallbackOutput'] ?? parameters['fallbackOutput'];
  if (bag(parameters['options'])['allMatchingOutputs'] === true) {
    conversion.todo('n8n continues at all outputs that match, Weft at the first.');
  }
  if (rules.length === 0) conversion.todo('Enter its value and cases.');
  if (source.isList && rules.length > 0 && around.hasRoom(rules.length + 1)) {
    conversion.say('It divides a list: a filter for each output.');
    const known = new Map<string, string[]>();
    const texts = (expressions: Expressions) => {
      const found = known.get(expressions.scope.json) ?? rules.map(({ test }) => part(test(expressions) ?? NEVER));
      known.set(expressions.scope.json, found);
      return found;
    };
    const before = (expressions: Expressions, index: number) =>
      texts(expressions)
        .slice(0, index)
        .map((text) => ` and (${text} ? false : true)`)
        .join('');
    return conversion.selected(
      divided(conversion, [
        ...rules.map(({ port }, index) => ({
          name: port,
          test: (expressions: Expressions) => (texts(expressions)[index] ?? 'false') + before(expressions, index),
        })),
        ...(fallback === 'extra'
          ? [{ name: 'default', test: (expressions: Expressions) => `true${before(expressions, rules.length)}` }]
          : []),
      ]),
    );
  }
  const expressions = conversion.expressions(conversion.json);
  const tests = rules.map(({ test }) => test(expressions));
  if (tests.some((test) => !test)) conversion.todo('Enter the conditions that are missing.');
  const config = {
    expression:
      rules.map(({ port }, index) => `${part(tests[index] ?? NEVER)} ? ${JSON.stringify(port)} : `).join('') + '""',
    cases: rules.map(({ port }) => ({ value: port, port })),
  };
  const ports = rules.map(({ port }) => port);
  const former = parameters['rules'] && bag(parameters['rules'])['rules'];
  const ordered: string[] = [];
  if (former) for (const { port, output } of rules) ordered[Math.min(output, MAX_CASES)] ??= port;
  const outputs = former ? Array.from(ordered, (port) => port ?? 'default') : ports;
  return conversion.passing({ type: 'switch', config }, [...outputs, 'default']);
};

/** A switch whose expression is the number of the output. */
function byNumber(conversion: Conversion): Piece {
  const { parameters } = conversion.node;
  const count = Math.min(Math.max(Number(parameters['numberOutputs']) || 4, 1), MAX_CASES);
  const ports = Array.from({ length: count }, (_, index) => `case ${index + 1}`);
  const expressions = conversion.expressions(conversion.json);
  const config = {
    expression: codeOf(parameters['output'] ?? 0, expressions),
    cases: ports.map((port, index) => ({ value: index, port })),
  };
  return conversion.passing({ type: 'switch', config }, ports);
}

const UNITS: Readonly<Record<string, number>> = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
const YEAR_MS = 366 * 86_400_000 - 86_400_000;
const DAY_MS = 86_400_000;

const wait: Convert = (conversion) => {
  const { parameters, version } = conversion.node;
  const { resume = 'timeInterval', amount = 1, unit = version >= 1.1 ? 'seconds' : 'hours', dateTime } = parameters;
  if (resume === 'webhook' || resume === 'form') {
    const isLimited = parameters['limitWaitTime'] === true;
    const ms =
      Number(parameters['resumeAmount'] ?? 1) * (UNITS[String(parameters['resumeUnit'] ?? 'hours')] ?? 3_600_000);
    const expiresInMs = isLimited && ms >= 1 && ms <= YEAR_MS ? Math.round(ms) : 30 * DAY_MS;
    if (!isLimited) conversion.say('It waits for 30 days at most: change it if needed.');
    if (resume === 'form')
      conversion.todo('Its form becomes a call that is awaited: use an approval with fields, or a form of its own.');
    conversion.say('It gets the body of the call, without headers and query.');
    const { id } = conversion;
    return {
      ...conversion.whole({ type: 'wait_for_call', config: { expiresInMs } }),
      // n8n goes on when the time has passed, if there is one.
      outputs: [{ node: id, port: 'output', ...(isLimited ? { also: ['expired'] } : {}) }],
      result: { path: undefined, code: `{ "body": nodes.${id} }`, isList: false },
    };
  }
  if (resume === 'specificTime') {
    const until = codeOf(dateTime, conversion.expressions(conversion.json));
    return conversion.passing({ type: 'delay', config: { until } });
  }
  const durationMs = Math.round(Number(amount) * (UNITS[String(unit)] ?? 1000));
  if (durationMs >= 0 && durationMs <= YEAR_MS) return conversion.passing({ type: 'delay', config: { durationMs } });
  conversion.todo('Enter how long it waits.');
  return conversion.passing({ type: 'delay', config: {} });
};

const respond: Convert = (conversion) => {
  const { parameters } = conversion.node;
  const { respondWith = 'firstIncomingItem', responseBody, redirectURL } = parameters;
  const { responseCode, responseHeaders } = bag(parameters['options']);
  const { isList } = conversion.source;
  const first = isList ? `(${conversion.all})[0]` : conversion.json;
  const expressions = conversion.expressions(first);
  const entries = list(bag(responseHeaders)['entries']).flatMap(({ name, value }) => {
    const text = textOf(value, expressions);
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
        return { status: status ?? 302, headers: { ...headers, location: textOf(redirectURL, expressions) ?? '' } };
      case 'text':
        return { status, headers, body: textOf(responseBody, expressions) ?? '' };
      case 'json':
        return { status, headers, body: jsonBody(responseBody, expressions) };
      case 'allIncomingItems':
        return { status, headers, body: `{{ ${conversion.all} }}` };
      case 'firstIncomingItem':
        return { status, headers, body: `{{ ${first} }}` };
      default:
        conversion.todo('Enter what it answers.');
        return { status, headers };
    }
  };
  const written = config();
  if (Object.keys(bag(written['headers'])).length === 0) delete written['headers'];
  return conversion.passing({ type: 'respond', config: written });
};

const jsonBody = (given: unknown, expressions: Expressions): unknown =>
  typeof given === 'string'
    ? (jsonValue(given, expressions)?.value ?? textOf(given, expressions))
    : valueOf(given, expressions);

const stop: Convert = (conversion) => {
  const { errorMessage, errorObject } = conversion.node.parameters;
  const text =
    typeof errorMessage === 'string' && errorMessage
      ? errorMessage
      : typeof errorObject === 'string'
        ? errorObject
        : 'Stopped';
  if (text.startsWith('=')) conversion.todo('Its message has expressions: write it in the code.');
  return conversion.whole({ type: 'code', config: { source: `throw new Error(${JSON.stringify(cut(text, 2000))});` } });
};

const child: Convert = (conversion) => {
  const { parameters } = conversion.node;
  conversion.todo('Choose its workflow.');
  const wanted = bag(parameters['workflowInputs'])['value'];
  const waits = bag(parameters['options'])['waitForSubWorkflow'];
  if (parameters['mode'] !== 'each' && Object.keys(bag(wanted)).length === 0) {
    const config = { input: `{{ ${conversion.json} }}`, ...(waits === false ? { wait: false } : {}) };
    return conversion.whole({ type: 'sub_workflow', config }, conversion.source.isList);
  }
  return conversion.each((expressions) => {
    const given = bag(wanted);
    const input = Object.keys(given).length > 0 ? valueOf(given, expressions) : `{{ ${expressions.scope.json} }}`;
    return { type: 'sub_workflow', config: { input, ...(waits === false ? { wait: false } : {}) } };
  });
};

const nothing: Convert = (conversion) => conversion.passing({ type: 'transform', config: { expression: 'input' } });

export const FLOW: Readonly<Record<string, Convert>> = {
  if: branch,
  filter,
  switch: choose,
  wait,
  respondToWebhook: respond,
  stopAndError: stop,
  executeWorkflow: child,
  noOp: nothing,
};
