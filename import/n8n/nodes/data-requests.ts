import { dropUndefinedFields, type NodeConverter, type WeftNodeConfig } from '../conversion';
import { addCredentialTodo } from './http';
import { describeOtherOperation } from './requests';
import { ParameterReader } from './services/service';

// Services that are asked for data, each time by one request.

/** The request for an operation of n8n, and where its answer has what n8n gives. */
interface DataRequest {
  url: string;
  query: Record<string, unknown>;
  path?: string;
  isList?: true;
  /** What n8n leaves out of the answer, as JavaScript. */
  shape?: string;
}

/** The request of a node; undefined: an operation or an option of it has no counterpart. */
type DataRequestReader = (read: ParameterReader) => DataRequest | undefined;

/** `account`: what has to be connected; absent: anybody may ask. */
const dataRequestConverter =
  (service: string, account: string | undefined, readRequest: DataRequestReader): NodeConverter =>
  (conversion) => {
    const read = new ParameterReader(conversion, conversion.expressions);
    const request = readRequest(read);
    if (!request) return conversion.placeholder(describeOtherOperation(service));
    if (account !== undefined) addCredentialTodo(conversion, account);
    const { url, query, path = '.body', isList, shape } = request;
    const config: WeftNodeConfig = { type: 'http_request', path, config: { url, query: dropUndefinedFields(query) } };
    const call = conversion.createCall(config, isList);
    return shape === undefined ? call : { ...call, shape };
  };

/** A field that the node needs, or the task to fill it. */
function readNeeded(read: ParameterReader, path: string, sentence: string): unknown {
  if (read.isEmpty(path)) read.conversion.addChoice('config.query', sentence);
  return read.value(path);
}

const readWeatherPlace: Readonly<Record<string, (read: ParameterReader) => Record<string, unknown>>> = {
  cityName: (read) => ({ q: readNeeded(read, 'cityName', 'Enter its city.') }),
  cityId: (read) => ({ id: read.value('cityId') ?? 160_001_123 }),
  coordinates: (read) => ({ lat: read.value('latitude'), lon: read.value('longitude') }),
  zipCode: (read) => ({ zip: readNeeded(read, 'zipCode', 'Enter its zip code.') }),
};

// https://openweathermap.org/current, https://openweathermap.org/forecast5
const readWeatherRequest: DataRequestReader = (read) => {
  const place = String(read.get('locationSelection') ?? 'cityName');
  const operation = read.get('operation') ?? 'currentWeather';
  if (!Object.hasOwn(readWeatherPlace, place) || !['currentWeather', '5DayForecast'].includes(String(operation)))
    return undefined;
  const units = read.text('format') ?? 'metric';
  return {
    url: `https://api.openweathermap.org/data/2.5/${operation === 'currentWeather' ? 'weather' : 'forecast'}`,
    query: { units, ...readWeatherPlace[place]?.(read), lang: read.filledText('language') },
  };
};

/** Names of the query by those of n8n's fields. */
const CLEARBIT_FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  person: {
    givenName: 'given_name',
    familyName: 'family_name',
    ipAddress: 'ip_address',
    location: 'location',
    company: 'company',
    companyDomain: 'company_domain',
    linkedIn: 'linkedin',
    twitter: 'twitter',
    facebook: 'facebook',
  },
  company: { companyName: 'company_name', linkedin: 'linkedin', twitter: 'twitter', facebook: 'facebook' },
};

const readClearbitRequest: DataRequestReader = (read) => {
  const { resource = 'company', operation = 'enrich' } = read.conversion.node.parameters;
  if (resource === 'company' && operation === 'autocomplete')
    return {
      url: 'https://autocomplete.clearbit.com/v1/companies/suggest',
      query: { query: readNeeded(read, 'name', 'Enter the name that it looks for.') },
    };
  if (operation !== 'enrich' || !Object.hasOwn(CLEARBIT_FIELDS, String(resource))) return undefined;
  const more = Object.entries(CLEARBIT_FIELDS[String(resource)] ?? {}).map(([theirs, name]) => [
    name,
    read.filledText(`additionalFields.${theirs}`),
  ]);
  const key = resource === 'person' ? 'email' : 'domain';
  return {
    url: `https://${String(resource)}-stream.clearbit.com/v2/${resource === 'person' ? 'people' : 'companies'}/find`,
    query: { [key]: readNeeded(read, key, `Enter its ${key}.`), ...Object.fromEntries(more) },
  };
};

/** A list that the query has as one text; undefined: it is empty, null: it is computed. */
function readJoinedList(read: ParameterReader, path: string): string | null | undefined {
  const given = read.get(path);
  if (read.isEmpty(path)) return undefined;
  return Array.isArray(given) ? given.map(String).join(',') || undefined : null;
}

// https://hunter.io/api-documentation/v2
const readHunterRequest: DataRequestReader = (read) => {
  const base = 'https://api.hunter.io/v2';
  const { operation = 'domainSearch' } = read.conversion.node.parameters;
  const domain = () => readNeeded(read, 'domain', 'Enter its domain.');
  if (operation === 'emailVerifier')
    return {
      url: `${base}/email-verifier`,
      query: { email: readNeeded(read, 'email', 'Enter the address that it verifies.') },
      path: '.body.data',
    };
  if (operation === 'emailFinder')
    return {
      url: `${base}/email-finder`,
      query: { first_name: read.value('firstname'), last_name: read.value('lastname'), domain: domain() },
      path: '.body.data',
    };
  const lists = [readJoinedList(read, 'filters.seniority'), readJoinedList(read, 'filters.department')] as const;
  // All pages of a search are put together in n8n.
  if (operation !== 'domainSearch' || (read.get('returnAll') ?? false) !== false || lists.includes(null))
    return undefined;
  const onlyEmails = read.get('onlyEmails') ?? true;
  if (typeof onlyEmails !== 'boolean') return undefined;
  const [seniority, department] = lists;
  return {
    url: `${base}/domain-search`,
    query: {
      domain: domain(),
      type: read.filledText('filters.type'),
      seniority,
      department,
      limit: read.value('limit') ?? 100,
    },
    path: onlyEmails ? '.body.data.emails' : '.body.data',
    ...(onlyEmails ? { isList: true } : {}),
  };
};

// https://hn.algolia.com/api
const readHackerNewsRequest: DataRequestReader = (read) => {
  const base = 'https://hn.algolia.com/api/v1';
  const { resource = 'article' } = read.conversion.node.parameters;
  if (resource === 'all') {
    const tags = readJoinedList(read, 'additionalFields.tags');
    // n8n requests the first page again and again until it has as many as there are.
    if ((read.get('returnAll') ?? false) !== false || tags === null) return undefined;
    const query = { query: read.value('additionalFields.keyword'), tags, hitsPerPage: read.value('limit') ?? 100 };
    return { url: `${base}/search`, query, path: '.body.hits', isList: true };
  }
  if (resource === 'user') return { url: `${base}/users/${read.text('username') ?? ''}`, query: {} };
  if (resource !== 'article') return undefined;
  const comments = read.get('additionalFields.includeComments') ?? false;
  if (typeof comments !== 'boolean') return undefined;
  const url = `${base}/items/${read.text('articleId') ?? ''}`;
  return { url, query: {}, ...(comments ? {} : { shape: '({ children, ...article }) => article' }) };
};

export const DATA_REQUEST_CONVERTERS: Readonly<Record<string, NodeConverter>> = {
  openWeatherMap: dataRequestConverter(
    'OpenWeatherMap',
    'a credential with the API key of OpenWeatherMap as the query parameter appid',
    readWeatherRequest,
  ),
  clearbit: dataRequestConverter(
    'Clearbit',
    'a credential with the API key of Clearbit as a bearer token',
    readClearbitRequest,
  ),
  hunter: dataRequestConverter(
    'Hunter',
    'a credential with the API key of Hunter as the query parameter api_key',
    readHunterRequest,
  ),
  hackerNews: dataRequestConverter('Hacker News', undefined, readHackerNewsRequest),
};
