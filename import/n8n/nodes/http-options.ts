import { parameterText, type NodeConversion } from '../conversion';
import { asN8nObject, asN8nObjects, cutWellFormed, type N8nNode, type N8nObject } from '../file';
import { writeParameter } from '../items/parameter-source';
import { escapeBraces, isN8nExpression, type NodeExpressions } from '../n8n-expressions';

/** The fields of a body in JavaScript: a value that does not exist is left out. Undefined: there are none. */
export function convertBodyFields(given: unknown, version: number, expressions: NodeExpressions): unknown {
  const isNamed = (name: unknown) => typeof name === 'string' && name !== '' && name !== '__proto__';
  const rows = asN8nObjects(given).filter(({ name }) => isNamed(name));
  if (rows.length === 0) return undefined;
  const isPlain = rows.every(({ name, value }) => ![name, value].some(isN8nExpression) && !String(name).includes('.'));
  if (isPlain)
    return Object.fromEntries(
      rows.map(({ name, value }) => [escapeBraces(String(name)), parameterText(value, expressions) ?? '']),
    );
  const fields = rows.map(({ name, value = '' }) => ({ name, value }));
  return `{{ n8n.bodyFields(${version}, ${writeParameter({ rows: fields, nests: version >= 4 }, expressions.reportLost)}) }}`;
}

/** Options of requests that have a counterpart, or that change nothing in what is sent and given. */
const KNOWN_OPTIONS: readonly string[] = [
  'allowUnauthorizedCerts',
  'batching',
  'pagination',
  'redirect',
  'response',
  'webdavMethods',
];
/** Other options that n8n has, but Weft not. */
const LACKING_OPTIONS: readonly string[] = [
  'lowercaseHeaders',
  'proxy',
  'queryParameterArrays',
  'sendCredentialsOnCrossOriginRedirect',
  'timeout',
];
/** The same of the first two versions. There certificates are no option. */
const FORMER_KNOWN_OPTIONS: readonly string[] = [
  'batchInterval',
  'batchSize',
  'bodyContentType',
  'followAllRedirects',
  'followRedirect',
  'fullResponse',
  'ignoreResponseCode',
  'splitIntoItems',
];
const FORMER_LACKING_OPTIONS: readonly string[] = ['bodyContentCustomMimeType', 'proxy', 'timeout', 'useQueryString'];
/** Values that change nothing. */
const IDLE_OPTIONS: N8nObject = {
  lowercaseHeaders: true,
  proxy: '',
  useQueryString: false,
};

/** The options of a request that its version of n8n's node has: it ignores others. */
export function readRequestOptions({ parameters, version }: N8nNode): N8nObject {
  const given = asN8nObject(parameters['options']);
  const names = version < 3 ? [FORMER_KNOWN_OPTIONS, FORMER_LACKING_OPTIONS] : [KNOWN_OPTIONS, LACKING_OPTIONS];
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.flat().includes(name)));
}

const MAX_TIME_LIMIT_MS = 86_400_000;
const isTimeLimit = (given: unknown): given is number =>
  typeof given === 'number' && given >= 0 && given <= MAX_TIME_LIMIT_MS;

/** The time limit of each request; undefined: it has none of its own. */
export function readTimeLimit(conversion: NodeConversion, { timeout }: N8nObject): number | undefined {
  if (!isTimeLimit(timeout) || Math.round(timeout) === 0) return undefined;
  conversion.addRemark('Its time limit is that of the whole answer, in n8n until the answer begins.');
  return Math.round(timeout);
}

/** Whether a request is sent whatever certificate its server has; undefined: its certificate has to be valid. */
export function readCertificateRule(
  conversion: NodeConversion,
  { allowUnauthorizedCerts: given }: N8nObject,
): true | undefined {
  if (isN8nExpression(given)) conversion.addTodo('Choose whether it accepts any certificate: n8n computes that.');
  return given === true ? true : undefined;
}

const listOptionNames = (names: readonly string[]): string =>
  names
    .slice(0, 10)
    .map((name) => cutWellFormed(name, 40))
    .join(', ');

/** Names the options that have no counterpart, and those that n8n ignores. `hasLimit`: the node takes a time limit. */
export function reportUnknownOptions(conversion: NodeConversion, hasLimit: boolean): void {
  const options = readRequestOptions(conversion.node);
  const known = new Set([...KNOWN_OPTIONS, ...FORMER_KNOWN_OPTIONS]);
  const isIdle = (name: string) => Object.hasOwn(IDLE_OPTIONS, name) && IDLE_OPTIONS[name] === options[name];
  const isLimit = (name: string) => name === 'timeout' && hasLimit && isTimeLimit(options[name]);
  const lacking = Object.keys(options).filter((name) => !known.has(name) && !isIdle(name) && !isLimit(name));
  if (lacking.length > 0) conversion.addTodo(`These options of it are left out: ${listOptionNames(lacking)}.`);
  const ignored = Object.keys(asN8nObject(conversion.node.parameters['options'])).filter((name) => !(name in options));
  if (ignored.length > 0)
    conversion.addRemark(`n8n has no such options in this version, and ignores them: ${listOptionNames(ignored)}.`);
}

/** Says which rules of pages are left out: when they end, how many there are, and where their parameters stand. */
export function reportPageRules(conversion: NodeConversion, given: N8nObject): void {
  const { paginationCompleteWhen: end = 'responseIsEmpty', limitPagesFetched, maxRequests } = given;
  if (end !== 'responseIsEmpty')
    conversion.addTodo('Check when its pages end: here at an empty page, or where no page follows.');
  if (limitPagesFetched === true)
    conversion.addTodo(`Check its pages: the limit of ${Number(maxRequests ?? 100)} is left out.`);
}
