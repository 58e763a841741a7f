import { MS_PER_DAY } from '@/contract/units';
import { convertCalledWorkflow } from '../convert-called-workflow';
import { asN8nObject, asN8nObjects } from '../file';
import { convertForm, convertFormPage } from './form-pages';
import type { ItemConversion, ItemNodes } from './item-conversion';
import { connectNodes } from './connect-nodes';
import { MAX_WAIT_MS, readWaitLimit, WAIT_UNIT_MS } from './wait-limit';

type FlowConverter = (conversion: ItemConversion) => ItemNodes;

/** How long a call is awaited that has no limit in n8n. */
const UNLIMITED_WAIT_MS = 30 * MS_PER_DAY;

const passItems: FlowConverter = (conversion) =>
  conversion.eachNode({ type: 'transform', config: { expression: 'input' } });

/** A wait for a call, and a node that gives its body as n8n does. */
function waitForCall(conversion: ItemConversion): ItemNodes {
  const { parameters } = conversion.node;
  const isLimited = parameters['limitWaitTime'] === true;
  const limitMs = isLimited ? readWaitLimit(conversion, parameters, [1, 'hours']) : undefined;
  conversion.addTodo('Check what it gives: the body of the call, without its headers and query.');
  if (!isLimited) conversion.addRemark('It waits for 30 days at most.');
  const call = conversion.createId(`${conversion.id}_call`);
  const expiresInMs = limitMs ?? UNLIMITED_WAIT_MS;
  const { each: _, ...waiting } = conversion.createHelper(
    call,
    'call',
    { type: 'wait_for_call', config: { expiresInMs } },
    -1,
  );
  const made = conversion.wholeNode({ type: 'transform', config: { expression: '[{ body: input }]' } });
  // With a limit, n8n continues when the time has passed.
  const connections = [
    connectNodes(call, conversion.id, 'output'),
    ...(isLimited ? [connectNodes(call, conversion.id, 'expired')] : []),
  ];
  return {
    ...made,
    nodes: [waiting, ...made.nodes],
    connections: [...made.connections, ...connections],
    entries: [call],
  };
}

const convertWait: FlowConverter = (conversion) => {
  const { parameters, version } = conversion.node;
  const isFirst = version < 1.1;
  const { resume = 'timeInterval', unit = isFirst ? 'hours' : 'seconds', dateTime } = parameters;
  const { amount = isFirst ? 1 : 5 } = parameters;
  if (resume === 'webhook') return waitForCall(conversion);
  if (resume === 'form') return convertFormPage(conversion, { ...asN8nObject(parameters['options']), ...parameters });
  if (resume === 'specificTime')
    return conversion.wholeNode({ type: 'delay', config: { until: conversion.code(dateTime ?? '') } });
  const unitMs = WAIT_UNIT_MS[String(unit)] ?? 1000;
  const durationMs = Math.round(Number(amount) * unitMs);
  if (durationMs >= 0 && durationMs <= MAX_WAIT_MS)
    return conversion.wholeNode({ type: 'delay', config: { durationMs } });
  const until = `new Date(Date.now() + Number(${conversion.code(amount)}) * ${unitMs}).toISOString()`;
  return conversion.wholeNode({ type: 'delay', config: { until } });
};

const convertStopAndError: FlowConverter = (conversion) => {
  const { errorType = 'errorMessage', errorMessage = '', errorObject = '' } = conversion.node.parameters;
  const source =
    errorType === 'errorObject'
      ? [
          `const given = ${conversion.code(errorObject)};`,
          "const error = typeof given === 'string' ? JSON.parse(given) : given;",
          'throw new Error(error.message || error.description || error.error || JSON.stringify(error));',
        ].join('\n')
      : `throw new Error(${conversion.code(errorMessage)});`;
  return conversion.wholeNode({ type: 'code', config: { source } });
};

/** What a response says, by the kind that n8n calls it. */
function responseConfig(conversion: ItemConversion, kind: string): Record<string, unknown> | undefined {
  const { responseBody = '', redirectURL = '' } = conversion.node.parameters;
  switch (kind) {
    case 'noData':
      return {};
    case 'redirect':
      return { status: 302, headers: { location: conversion.text(redirectURL) ?? '' } };
    case 'text':
      return { body: conversion.text(responseBody) ?? '', contentType: 'text/html; charset=utf-8' };
    case 'json':
      return { body: conversion.text(responseBody) ?? '', contentType: 'application/json; charset=utf-8' };
    case 'allIncomingItems':
      return { body: '{{ $input.all().map((item) => item.json) }}' };
    case 'firstIncomingItem':
      return { body: '{{ $input.first().json }}' };
    default:
      return undefined;
  }
}

const convertRespondToWebhook: FlowConverter = (conversion) => {
  const { respondWith = 'firstIncomingItem', options } = conversion.node.parameters;
  const { responseCode, responseHeaders, responseKey, enableStreaming } = asN8nObject(options);
  const config = responseConfig(conversion, String(respondWith));
  if (!config) return conversion.placeholder('Enter what it answers: a file or a token has no counterpart here.');
  if (responseKey !== undefined || enableStreaming === true)
    conversion.addTodo('Check its options: a key around the response and streaming are left out.');
  const given = asN8nObjects(asN8nObject(responseHeaders)['entries']);
  const entries = given.flatMap(({ name, value }) => {
    const text = conversion.text(value);
    return typeof name === 'string' && /^[\w-]+$/.test(name) && text !== undefined ? [[name, text] as const] : [];
  });
  if (entries.length < given.length) conversion.addTodo('Enter its other headers: their names or values are computed.');
  const status = Number(responseCode);
  const isStatus = Number.isInteger(status) && status >= 200 && status <= 599;
  if (responseCode !== undefined && !isStatus) conversion.addTodo('Enter its status.');
  const headers = { ...(config['headers'] as object | undefined), ...Object.fromEntries(entries) };
  return conversion.wholeNode({
    type: 'respond',
    config: {
      ...config,
      ...(isStatus ? { status } : {}),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
    },
  });
};

/** What finds the item of a node before a call by what comes behind it. */
const READS_PAIRED = /\.(?:item|itemMatching|pairedItem)\b/;

/** A call of another workflow that is not waited for: its items go on as they were sent. */
function startWorkflow(conversion: ItemConversion, config: Record<string, unknown>, expression: string): ItemNodes {
  const { id, node, createId, parts } = conversion;
  const [items = '', call = ''] = ['items', 'call'].map((word) => createId(`${id}_${word}`));
  const isEach = node.parameters['mode'] === 'each';
  const before = conversion.createItemsNode(items);
  const { each, ...calling } = conversion.createHelper(call, 'call', { type: 'sub_workflow', config }, -1);
  if (!isEach && parts.isNamedElsewhere(node, READS_PAIRED))
    conversion.addTodo('Check what comes after it: its items cannot be traced to those before it.');
  const made = isEach
    ? conversion.eachNode({ type: 'transform', config: { expression: `paired.${items}` } })
    : conversion.listNode(`nodes.${items}`);
  return {
    ...made,
    nodes: [{ ...before, config: { expression } }, isEach ? { ...calling, each } : calling, ...made.nodes],
    connections: [...made.connections, connectNodes(items, call), connectNodes(call, id)],
    entries: [items],
  };
}

/** A call of another workflow: with the whole list, or once for each item. */
const convertExecuteWorkflow: FlowConverter = (conversion) => {
  const { node } = conversion;
  const { parameters } = node;
  const waits = asN8nObject(parameters['options'])['waitForSubWorkflow'] !== false;
  const hasFields = Object.keys(asN8nObject(asN8nObject(parameters['workflowInputs'])['value'])).length > 0;
  const config = {
    ...convertCalledWorkflow(conversion, conversion.parts.workflows),
    input: '{{ input }}',
    ...(waits ? {} : { wait: false }),
  };
  const expression = hasFields ? conversion.callPrelude('workflowInputs') : 'input';
  if (!waits && node.onError === 'stop') return startWorkflow(conversion, config, expression);
  if (!waits) conversion.addTodo('Check what comes after it: it gives the id of the run that it started.');
  const made =
    parameters['mode'] === 'each'
      ? conversion.eachNode({ type: 'sub_workflow', config }, ['output'], true)
      : conversion.wholeNode({ type: 'sub_workflow', config });
  if (!hasFields) return made;
  const fields = conversion.createId(`${conversion.id}_fields`);
  const before = conversion.createHelper(fields, 'fields', { type: 'transform', config: { expression } }, -1);
  const connection = connectNodes(fields, conversion.id);
  return { ...made, nodes: [before, ...made.nodes], connections: [...made.connections, connection], entries: [fields] };
};

/** How nodes that lead a run are converted, by the short name of the type. */
export const FLOW_ITEM_CONVERTERS: Readonly<Record<string, FlowConverter>> = {
  executionData: passItems,
  form: convertForm,
  executeWorkflow: convertExecuteWorkflow,
  respondToWebhook: convertRespondToWebhook,
  stopAndError: convertStopAndError,
  wait: convertWait,
};
