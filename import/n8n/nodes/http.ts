import { unsentHeaderReason } from '@/contract/unsent-headers';
import {
  isEmptyParameter,
  type NodeConversion,
  type WeftNodeConfig,
  parameterText,
  parameterValue,
  type NodeConverter,
} from '../conversion';
import { asN8nObject, asN8nObjects, type N8nObject } from '../file';
import { convertJsonText, escapeBraces, isN8nExpression, type NodeExpressions } from '../n8n-expressions';
import {
  convertBodyFields,
  readCertificateRule,
  readRequestOptions,
  readTimeLimit,
  reportPageRules,
  reportUnknownOptions,
} from './http-options';
import { answersWithAnyStatus } from './read-errors';
import { incomingFile, itemFileText } from './incoming-file';
import { writeTextSource } from '../items/parameter-source';

const CONVERTED_METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
const MAX_REQUEST_URL = 16_000;

/** Names and values of a list of parameters. */
function readNamedValues(
  conversion: NodeConversion,
  given: unknown,
  expressions: NodeExpressions,
): Record<string, string> | undefined {
  const rows = asN8nObjects(given);
  const names = rows.map(({ name }) => name);
  if (names.some(isN8nExpression)) conversion.addTodo('Enter the names of its parameters that are expressions.');
  if (new Set(names).size < names.length)
    conversion.addTodo('Check its parameters: of several with one name, the last is sent.');
  const entries = rows.flatMap(({ name, value }) =>
    typeof name === 'string' && name !== '' && !isN8nExpression(name) && name !== '__proto__'
      ? [[escapeBraces(name), parameterText(value, expressions) ?? ''] as const]
      : [],
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Names and values from a text of JSON, or else from a list of parameters. */
function readRequestParameters(
  conversion: NodeConversion,
  ui: unknown,
  json: unknown,
  expressions: NodeExpressions,
): Record<string, string> | undefined {
  const found =
    typeof json === 'string' && json.trim() !== '' ? convertJsonText(json, expressions, true)?.value : undefined;
  if (typeof found !== 'object' || found === null || Array.isArray(found)) {
    if (typeof found === 'string')
      conversion.addTodo('Write its query and headers by name: one expression for all of them is left out.');
    return readNamedValues(conversion, ui, expressions);
  }
  const entries = Object.entries(found).map(([name, each]) => [
    name,
    typeof each === 'object' ? JSON.stringify(each) : String(each),
  ]);
  return Object.fromEntries(entries.map(([name, each]) => [name, name && each])) as Record<string, string>;
}

const listedParameters = (given: unknown): unknown =>
  asN8nObject(given)['parameters'] ?? asN8nObject(given)['parameter'];

interface ConvertedBody {
  body?: unknown;
  bodyType?: string;
  contentType?: string;
}

/** The parts of a form with files. */
const readFormParts = (rows: readonly N8nObject[], expressions: NodeExpressions): object[] =>
  rows.map(({ name, value, parameterType, inputDataFieldName }) => ({
    name: parameterText(name, expressions) ?? '',
    ...(parameterType === 'formBinaryData'
      ? { file: itemFileText(inputDataFieldName, expressions) }
      : { value: parameterText(value, expressions) ?? '' }),
  }));

/** The body of a request, in the present form and in the one before. */
function convertRequestBody(conversion: NodeConversion, expressions: NodeExpressions): ConvertedBody {
  const { parameters, version } = conversion.node;
  const kind = String(parameters['contentType'] ?? parameters['bodyContentType'] ?? 'json');
  if (version >= 3 && parameters['sendBody'] !== true) return {};
  const rows = listedParameters(parameters['bodyParameters'] ?? parameters['bodyParametersUi']);
  const fields =
    kind === 'json' ? convertBodyFields(rows, version, expressions) : readNamedValues(conversion, rows, expressions);
  const isJson = version < 3 || parameters['specifyBody'] !== 'keypair';
  const json = isJson ? (parameters['jsonBody'] ?? parameters['bodyParametersJson']) : undefined;
  if (kind === 'binaryData') return { bodyType: 'file', body: incomingFile(conversion, expressions) };
  if (kind === 'raw') {
    const type = parameters['rawContentType'];
    return {
      body: parameterText(parameters['body'], expressions),
      ...(typeof type === 'string' && !isN8nExpression(type) ? { contentType: type } : {}),
    };
  }
  if (kind === 'multipart-form-data') {
    const parts = asN8nObjects(rows);
    const isFile = (row: N8nObject) => row['parameterType'] === 'formBinaryData';
    if (parts.some(isFile)) return { body: readFormParts(parts, expressions), bodyType: 'multipart' };
    return {
      body: Object.entries(asN8nObject(fields)).map(([name, value]) => ({ name, value })),
      bodyType: 'multipart',
    };
  }
  if (kind === 'form-urlencoded') return { body: fields ?? {}, contentType: 'application/x-www-form-urlencoded' };
  if (typeof json !== 'string')
    return typeof json === 'object' && json !== null ? { body: parameterValue(json, expressions) } : { body: fields };
  const found = convertJsonText(json, expressions);
  if (found) return { body: found.value };
  if (json.trim() === '') return { body: fields };
  conversion.addTodo('Check its body: it is no JSON as it is written.');
  return { body: parameterText(json, expressions), contentType: 'application/json' };
}

/** How the pages of a response are requested; undefined: there is one page. */
function convertPagination(conversion: NodeConversion): Record<string, unknown> | undefined {
  const given = asN8nObject(asN8nObject(readRequestOptions(conversion.node)['pagination'])['pagination']);
  const { paginationMode: mode = 'updateAParameterInEachRequest' } = given;
  if (Object.keys(given).length === 0 || mode === 'off') return undefined;
  reportPageRules(conversion, given);
  const items = 'input.body';
  if (mode === 'responseContainsNextURL' && typeof given['nextURL'] === 'string') {
    const { reportLost } = conversion.expressions;
    const next = writeTextSource(given['nextURL'].replaceAll('$response', '$json'), reportLost);
    if (isN8nExpression(given['nextURL'])) return { kind: 'next_url', next, items };
  }
  const [parameter] = asN8nObjects(listedParameters(given['parameters']));
  const value = String(parameter?.['value'] ?? '').replaceAll(' ', '');
  const name = parameter?.['name'];
  const isQuery = (parameter?.['type'] ?? 'qs') === 'qs';
  if (
    isQuery &&
    typeof name === 'string' &&
    /^[\w.-]{1,200}$/.test(name) &&
    /^=\{\{\$pageCount(\+1)?\}\}$/.test(value)
  ) {
    conversion.addRemark('It requests pages until one is empty, at most 100.');
    return { kind: 'page', parameter: name, from: value.includes('+1') ? 1 : 0, items };
  }
  conversion.addTodo('Enter how its pages follow each other.');
  return undefined;
}

/** Says which credential a node needs: those of n8n are not in its files. */
export function addCredentialTodo(conversion: NodeConversion, what = 'its credential'): void {
  conversion.addTodo(`Choose ${what}.`);
}

const convertHttpRequest: NodeConverter = (conversion) => {
  const { parameters, hasCredential, version } = conversion.node;
  const isAws =
    parameters['authentication'] === 'predefinedCredentialType' && parameters['nodeCredentialType'] === 'aws';
  const isDigest =
    parameters['authentication'] === 'genericCredentialType'
      ? parameters['genericAuthType'] === 'httpDigestAuth'
      : parameters['authentication'] === 'digestAuth';
  if (isAws) addCredentialTodo(conversion, 'a credential of AWS keys');
  else if (isDigest) addCredentialTodo(conversion, 'a credential with user name and password, with digest');
  else if (hasCredential || (parameters['authentication'] ?? 'none') !== 'none') addCredentialTodo(conversion);
  const options = readRequestOptions(conversion.node);
  const isRedirected =
    asN8nObject(asN8nObject(options['redirect'])['redirect'])['followRedirects'] !== false &&
    options['followRedirect'] !== false;
  const response = asN8nObject(asN8nObject(options['response'])['response']);
  const isWhole = response['fullResponse'] === true || options['fullResponse'] === true;
  const isAnswered = response['neverError'] === true || options['ignoreResponseCode'] === true;
  const pagination = convertPagination(conversion);
  reportUnknownOptions(conversion, pagination === undefined);
  const format = response['responseFormat'] ?? parameters['responseFormat'];
  if (isWhole) conversion.addRemark('n8n calls the status “statusCode”, Weft “status”.');
  if (asN8nObject(options['batching'])['batch'] !== undefined)
    conversion.addRemark('Its pauses between calls are left out.');
  const { expressions } = conversion;
  const readRequest = (): WeftNodeConfig => {
    const { body, bodyType, contentType } = convertRequestBody(conversion, expressions);
    const given = parameters['method'] ?? parameters['requestMethod'] ?? 'GET';
    const method = typeof given === 'string' && !given.includes('{{') ? given.replace(/^=/, '') : given;
    const isKnown = typeof method === 'string' && CONVERTED_METHODS.has(method);
    if (!isKnown) conversion.addTodo('Choose its method.');
    const isOf = (flag: string) => parameters[flag] !== false;
    const headers: Record<string, string> = {
      ...(contentType ? { 'Content-Type': contentType } : {}),
      ...(isOf('sendHeaders')
        ? readRequestParameters(
            conversion,
            listedParameters(parameters['headerParameters'] ?? parameters['headerParametersUi']),
            parameters['jsonHeaders'] ?? parameters['headerParametersJson'],
            expressions,
          )
        : {}),
    };
    for (const [name, value] of Object.entries(headers))
      if (unsentHeaderReason(name, String(value))) delete headers[name];
    if (isEmptyParameter(parameters['url'])) conversion.addChoice('config.url', 'Enter its URL.');
    const url = conversion.limitText(parameterText(parameters['url'], expressions)?.trim(), MAX_REQUEST_URL);
    return {
      type: 'http_request',
      path: isWhole ? '' : pagination ? '.items' : '.body',
      config: {
        url,
        method: isKnown ? method : 'GET',
        query: isOf('sendQuery')
          ? readRequestParameters(
              conversion,
              listedParameters(parameters['queryParameters'] ?? parameters['queryParametersUi']),
              parameters['jsonQuery'] ?? parameters['queryParametersJson'],
              expressions,
            )
          : undefined,
        headers: Object.keys(headers).length > 0 ? headers : undefined,
        bodyType,
        body: method === 'GET' && body === undefined ? undefined : body,
        responseType: format === 'file' && !pagination ? 'file' : format === 'text' ? 'text' : undefined,
        failOnError: isAnswered || answersWithAnyStatus(conversion.node, conversion.context) ? false : undefined,
        redirect: isRedirected ? undefined : 'manual',
        acceptsAnyCertificate: readCertificateRule(conversion, version < 3 ? parameters : options),
        pagination,
      },
    };
  };
  const made = conversion.createCall(readRequest(), pagination !== undefined);
  const timeoutMs = pagination === undefined ? readTimeLimit(conversion, options) : undefined;
  return timeoutMs === undefined ? made : { ...made, node: { ...made.node, timeoutMs } };
};

const convertGraphql: NodeConverter = (conversion) => {
  const { parameters, hasCredential } = conversion.node;
  if (hasCredential || (parameters['authentication'] ?? 'none') !== 'none') addCredentialTodo(conversion);
  const { expressions } = conversion;
  const variables =
    typeof parameters['variables'] === 'string'
      ? convertJsonText(parameters['variables'], expressions)?.value
      : undefined;
  return conversion.createCall({
    type: 'http_request',
    path: '.body',
    config: {
      url: conversion.limitText(parameterText(parameters['endpoint'], expressions), MAX_REQUEST_URL),
      method: 'POST',
      acceptsAnyCertificate: readCertificateRule(conversion, parameters),
      body: {
        query: parameterText(parameters['query'], expressions) ?? '',
        ...(variables === undefined ? {} : { variables }),
      },
    },
  });
};

export const HTTP_CONVERTERS: Readonly<Record<string, NodeConverter>> = {
  httpRequest: convertHttpRequest,
  graphql: convertGraphql,
};

/** A value that n8n chooses from a list: `{__rl, value}`, or the value alone. */
export const chosenListValue = (given: unknown): unknown =>
  typeof given === 'object' && given !== null ? asN8nObject(given as N8nObject)['value'] : given;
