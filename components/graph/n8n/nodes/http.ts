import { whyUnsent } from '@/contract/unsent-headers';
import type { Conversion, Made } from '../conversion';
import { textOf, valueOf } from '../conversion';
import { bag, list, type Bag } from '../file';
import { jsonValue, plain, expression, isExpression, type Expressions } from '../text';
import { quoted } from '../javascript/code';
import type { Convert } from './flow';

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
const MAX_URL = 16_000;

/** Names and values of a list of parameters. */
function pairs(given: unknown, expressions: Expressions): Record<string, string> | undefined {
  const entries = list(given).flatMap(({ name, value }) =>
    typeof name === 'string' && name !== '' && !isExpression(name) && name !== '__proto__'
      ? [[plain(name), textOf(value, expressions) ?? ''] as const]
      : [],
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The same, or the object of a text of JSON. */
function parametersOf(ui: unknown, json: unknown, expressions: Expressions): Record<string, string> | undefined {
  const found = typeof json === 'string' && json.trim() !== '' ? jsonValue(json, expressions)?.value : undefined;
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return pairs(ui, expressions);
  const entries = Object.entries(found).map(([name, each]) => [
    name,
    typeof each === 'object' ? JSON.stringify(each) : String(each),
  ]);
  return Object.fromEntries(entries.map(([name, each]) => [name, name && each])) as Record<string, string>;
}

const ui = (given: unknown): unknown => bag(given)['parameters'] ?? bag(given)['parameter'];

interface Sent {
  body?: unknown;
  bodyType?: string;
  contentType?: string;
}

/** The body of a request, in the present form and in the one before. */
function bodyOf(conversion: Conversion, expressions: Expressions): Sent {
  const { parameters, version } = conversion.node;
  const kind = String(parameters['contentType'] ?? parameters['bodyContentType'] ?? 'json');
  if (version >= 3 && parameters['sendBody'] !== true) return {};
  const fields = pairs(ui(parameters['bodyParameters'] ?? parameters['bodyParametersUi']), expressions);
  const json = parameters['jsonBody'] ?? parameters['bodyParametersJson'];
  if (kind === 'binaryData') {
    conversion.todo('Choose the file that it sends.');
    return { bodyType: 'file' };
  }
  if (kind === 'raw') {
    const type = parameters['rawContentType'];
    return {
      body: textOf(parameters['body'], expressions),
      ...(typeof type === 'string' && !isExpression(type) ? { contentType: type } : {}),
    };
  }
  if (kind === 'multipart-form-data') {
    const files = list(ui(parameters['bodyParameters'])).some(
      ({ parameterType }) => parameterType === 'formBinaryData',
    );
    if (files) conversion.todo('Choose the files that it sends.');
    return { body: Object.entries(fields ?? {}).map(([name, value]) => ({ name, value })), bodyType: 'multipart' };
  }
  if (kind === 'form-urlencoded') return { body: fields ?? {}, contentType: 'application/x-www-form-urlencoded' };
  if (typeof json !== 'string')
    return typeof json === 'object' && json !== null ? { body: valueOf(json, expressions) } : { body: fields };
  const found = jsonValue(json, expressions);
  if (found) return { body: found.value };
  if (json.trim() === '') return { body: fields };
  conversion.todo('Check its body: it is no JSON as it is written.');
  return { body: textOf(json, expressions), contentType: 'application/json' };
}

/** The pages that it requests; undefined: one. */
function paginationOf(conversion: Conversion): Record<string, unknown> | undefined {
  const given = bag(bag(bag(conversion.node.parameters['options'])['pagination'])['pagination']);
  const mode = given['paginationMode'];
  if (mode === undefined || mode === 'off') return undefined;
  const items = 'input.body';
  if (mode === 'responseContainsNextURL' && typeof given['nextURL'] === 'string') {
    const next = expression(given['nextURL'].replaceAll('$response', '$json'), conversion.expressions('input'))?.code;
    if (next !== undefined && isExpression(given['nextURL'])) return { kind: 'next_url', next, items };
  }
  const [parameter] = list(ui(given['parameters']));
  const value = String(parameter?.['value'] ?? '').replaceAll(' ', '');
  const name = parameter?.['name'];
  if (typeof name === 'string' && /^[\w.-]{1,200}$/.test(name) && /^=\{\{\$pageCount(\+1)?\}\}$/.test(value)) {
    conversion.say('It requests pages until one is empty, at most 100.');
    return { kind: 'page', parameter: name, from: value.includes('+1') ? 1 : 0, items };
  }
  conversion.todo('Enter how its pages follow each other.');
  return undefined;
}

/** Says which credential a node needs: those of n8n are not in its files. */
export function needsCredential(conversion: Conversion, what = 'its credential'): void {
  conversion.todo(`Choose ${what}.`);
}

const httpRequest: Convert = (conversion) => {
  const { parameters, hasCredential } = conversion.node;
  const isAws =
    parameters['authentication'] === 'predefinedCredentialType' && parameters['nodeCredentialType'] === 'aws';
  const isDigest =
    parameters['authentication'] === 'genericCredentialType'
      ? parameters['genericAuthType'] === 'httpDigestAuth'
      : parameters['authentication'] === 'digestAuth';
  if (isAws) needsCredential(conversion, 'a credential of AWS keys');
  else if (isDigest) needsCredential(conversion, 'a credential with user name and password, with digest');
  else if (hasCredential || (parameters['authentication'] ?? 'none') !== 'none') needsCredential(conversion);
  const options = bag(parameters['options']);
  const isRedirected =
    bag(bag(options['redirect'])['redirect'])['followRedirects'] !== false && options['followRedirect'] !== false;
  const response = bag(bag(options['response'])['response']);
  const isWhole = response['fullResponse'] === true || options['fullResponse'] === true;
  const pagination = paginationOf(conversion);
  const format = response['responseFormat'] ?? parameters['responseFormat'];
  if (isWhole) conversion.say('n8n calls the status “statusCode”, Weft “status”.');
  if (bag(options['batching'])['batch'] !== undefined) conversion.say('Its pauses between calls are left out.');
  const piece = conversion.each((expressions): Made => {
    const { body, bodyType, contentType } = bodyOf(conversion, expressions);
    const method = parameters['method'] ?? parameters['requestMethod'] ?? 'GET';
    const isKnown = typeof method === 'string' && METHODS.has(method);
    if (!isKnown) conversion.todo('Choose its method.');
    const isOf = (flag: string) => parameters[flag] !== false;
    const headers: Record<string, string> = {
      ...(contentType ? { 'Content-Type': contentType } : {}),
      ...(isOf('sendHeaders')
        ? parametersOf(
            ui(parameters['headerParameters'] ?? parameters['headerParametersUi']),
            parameters['jsonHeaders'] ?? parameters['headerParametersJson'],
            expressions,
          )
        : {}),
    };
    for (const [name, value] of Object.entries(headers)) if (whyUnsent(name, String(value))) delete headers[name];
    const url = conversion.limited(textOf(parameters['url'], expressions)?.trim(), MAX_URL);
    return {
      type: 'http_request',
      path: isWhole ? '' : pagination ? '.items' : '.body',
      config: {
        url,
        method: isKnown ? method : 'GET',
        query: isOf('sendQuery')
          ? parametersOf(
              ui(parameters['queryParameters'] ?? parameters['queryParametersUi']),
              parameters['jsonQuery'] ?? parameters['queryParametersJson'],
              expressions,
            )
          : undefined,
        headers: Object.keys(headers).length > 0 ? headers : undefined,
        bodyType,
        body: method === 'GET' && body === undefined ? undefined : body,
        responseType: format === 'file' && !pagination ? 'file' : format === 'text' ? 'text' : undefined,
        failOnError: response['neverError'] === true || options['ignoreResponseCode'] === true ? false : undefined,
        redirect: isRedirected ? undefined : 'manual',
        pagination,
      },
    };
  }, pagination !== undefined);
  const name = response['outputPropertyName'] ?? parameters['dataPropertyName'] ?? 'data';
  const { isList, code } = piece.result;
  if (format !== 'text' || isWhole || isList || typeof name !== 'string' || isExpression(name)) return piece;
  // n8n puts a text into a field.
  return { ...piece, result: { path: undefined, code: `{ ${quoted(name)}: ${code} }`, isList } };
};

const graphql: Convert = (conversion) => {
  const { parameters, hasCredential } = conversion.node;
  if (hasCredential || (parameters['authentication'] ?? 'none') !== 'none') needsCredential(conversion);
  return conversion.each((expressions) => {
    const variables =
      typeof parameters['variables'] === 'string' ? jsonValue(parameters['variables'], expressions)?.value : undefined;
    return {
      type: 'http_request',
      path: '.body',
      config: {
        url: conversion.limited(textOf(parameters['endpoint'], expressions), MAX_URL),
        method: 'POST',
        body: {
          query: textOf(parameters['query'], expressions) ?? '',
          ...(variables === undefined ? {} : { variables }),
        },
      },
    };
  });
};

export const HTTP: Readonly<Record<string, Convert>> = { httpRequest, graphql };

/** A value that n8n chooses from a list: `{__rl, value}`, or the value alone. */
export const chosen = (given: unknown): unknown =>
  typeof given === 'object' && given !== null ? bag(given as Bag)['value'] : given;
