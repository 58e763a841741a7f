import { parameterCode, parameterText, parameterValue, type NodeConversion, type ConvertedNodes } from '../conversion';
import { asN8nObject, cutWellFormed, asN8nObjects } from '../file';
import { convertJsonText, type NodeExpressions } from '../n8n-expressions';

export type NodeConverter = (conversion: NodeConversion) => ConvertedNodes;

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
  wait: convertWait,
  respondToWebhook: convertRespond,
  stopAndError: convertStopAndError,
  executeWorkflow: convertExecuteWorkflow,
  noOp: convertNoOp,
};
