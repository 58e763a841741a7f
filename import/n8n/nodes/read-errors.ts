import type { ConversionContext, NodeConversion } from '../conversion';
import { asN8nObject, type N8nNode } from '../file';
import { readRequestOptions } from './http-options';

/** The field of an error in the parameters of another node: read, unpacked, or named as a field. */
const READS_ERROR =
  /(?<!console)\.error\b|\[\s*(?:'|\\"|`)error\b|"error"|\{[^{}]{0,200}\berror\b[^{}]{0,200}\}\s*(?:=|\)\s*=>)/;

/** Parts of the error of a request that Weft does not give: of one without an answer, and beside the error. */
const READS_MISSING_PARTS =
  /\berror\??\.(?:stack|code|cause)\b|\bE(?:CONN|NOTFOUND|TIMEDOUT|HOSTUNREACH|AI_AGAIN|PIPE)|socket hang up|timeout of|\([^()]{0,40}tim(?:eout|ed out)/;
const READS_DETAILS = /\bdetails\b/;

/** Tests of the text of an error. */
const TESTS_ERROR_TEXT =
  /error\b[^;\n]{0,80}(?:\.(?:includes|match|matchAll|indexOf|startsWith|endsWith|search|split|replace|slice)\(|[=!]==?\s*(?:'|\\"|`)\w)|\.test\([^)]{0,60}error|"leftValue":"[^"]{0,200}\berror\b[^{}]{0,300}\}[^{}]{0,300}"operation":"(?!exists|notExists|empty|notEmpty)|"value1":"[^"]{0,200}\berror\b/;

/** Types of n8n whose error is the message alone. */
const GIVES_MESSAGE_ALONE = new Set([
  '@n8n/n8n-nodes-langchain.agent',
  'n8n-nodes-base.github',
  'n8n-nodes-base.notion',
]);

type Surroundings = Pick<ConversionContext, 'isNamedElsewhere'>;

const isErrorRead = (node: N8nNode, around: Surroundings): boolean =>
  node.onError !== 'stop' && around.isNamedElsewhere(node, READS_ERROR, true);

/** Whether a request gives its answer whatever its status is, so that its error can be made of the answer. */
export function answersWithAnyStatus(node: N8nNode, around: Surroundings): boolean {
  const { parameters, retry, type, version } = node;
  const { redirect, pagination, response } = readRequestOptions(node);
  const { responseFormat, neverError } = asN8nObject(asN8nObject(response)['response']);
  const format = responseFormat ?? parameters['responseFormat'];
  // From version 4 redirects are followed unless it says otherwise.
  const { followRedirects = version >= 4 } = asN8nObject(asN8nObject(redirect)['redirect']);
  const isRedirected = redirect === undefined || followRedirects === true;
  const isPlain = isRedirected && pagination === undefined && retry === undefined && format !== 'file';
  const isRequest = type === 'n8n-nodes-base.httpRequest' && version >= 3;
  return isRequest && isPlain && neverError !== true && isErrorRead(node, around);
}

/** Says how the error of a node differs from that of n8n, where another node reads it. */
export function reportReadError(
  conversion: Pick<NodeConversion, 'node' | 'addRemark' | 'addTodo'>,
  around: Surroundings,
): void {
  const { node } = conversion;
  if (!isErrorRead(node, around)) return;
  const reads = (pattern: RegExp) => around.isNamedElsewhere(node, pattern, true);
  const readsMissing = reads(READS_MISSING_PARTS) || (node.version >= 4.5 && reads(READS_DETAILS));
  if (answersWithAnyStatus(node, around) && !readsMissing)
    conversion.addRemark('Its error has no stack, and without an answer it has only a message of Weft.');
  else if (GIVES_MESSAGE_ALONE.has(node.type) && !reads(TESTS_ERROR_TEXT))
    conversion.addRemark('The message of its error is one of Weft.');
  else conversion.addTodo('Check what reads its error: it is a message.');
}
