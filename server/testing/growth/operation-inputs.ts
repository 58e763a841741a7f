import type { z } from 'zod';
import { querySchema, type OperationRecord } from '@/server/api/operation/operation';
import { DEFAULT_MAX_BODY_BYTES } from '@/server/api/pipeline/steps/parse';
import { exampleBody } from '../fixtures';
import type { HostileInput } from './growth';
import { innermost, schemaBodies } from './json-inputs';
import { prepareRequest, type Listener, type RawRequest } from './requests';
import {
  FORMS,
  HEADERS,
  JSONS,
  LONG_RUNS,
  MAX_HEAD,
  mixedRuns,
  MULTIPART_TYPE,
  MULTIPARTS,
  TABLES,
  type Family,
} from './texts';
import { BYTES_PER_MIB } from '@/contract/units';

/**
 * The largest bodies that are tried. Larger ones are read in pieces or written to a temporary file; each piece is
 * handled like the one before.
 */
const MOST_TRIED = BYTES_PER_MIB;

/** Where an operation is called, and as whom. */
export interface Target {
  listener: Listener;
  address: string;
  headers: Record<string, string>;
}

export type Make = (size: number) => Omit<RawRequest, 'method' | 'target'> & { target?: string };

export const inputOf = (
  { listener, address, headers }: Target,
  method: string,
  [name, largest, make]: [string, number, Make],
): HostileInput => ({
  name,
  largest,
  prepare(size) {
    const request = make(size);
    const target = request.target ?? address;
    return prepareRequest(listener, { ...request, method, target, headers: { ...headers, ...request.headers } });
  },
});

/** Bodies with their content type. */
type TypedBody = [string, string, Family];

const typed = (kind: string, type: string, bodies: Record<string, Family>): TypedBody[] =>
  Object.entries(bodies).map(([name, body]) => [`${kind}: ${name}`, type, body]);

const FORM = typed('form', 'application/x-www-form-urlencoded', FORMS);
const MULTIPART = typed('multipart', MULTIPART_TYPE, MULTIPARTS);
const JSON_BODIES = typed('json', 'application/json', JSONS);
/** All addresses read multipart forms with one reader; `forms.submit` has all of them. */
const SOME_MULTIPART = MULTIPART.filter(([name]) => /many parts|without names|many files/.test(name));
const CSV = typed('csv', 'text/csv', TABLES);

/** What the operations take that read their body themselves. An operation without an entry fails the test. */
const OWN_BODIES: Record<string, TypedBody[]> = {
  // What comes of the body of a call is what comes of a delivery.
  'executions.call': [JSON_BODIES, FORM, MULTIPART].flatMap(([first]) => (first ? [first] : [])),
  'webhooks.deliver': [...JSON_BODIES, ...FORM, ...SOME_MULTIPART],
  'chats.send': SOME_MULTIPART,
  'forms.submit': [...FORM, ...MULTIPART],
  // Pages of runs are read as forms are.
  'executions.submitPage': [...FORM, ...SOME_MULTIPART],
  'sso.samlAnswer': FORM,
  'sso.logoutForm': FORM.slice(0, 2),
  'files.upload': SOME_MULTIPART,
  'rows.import': CSV,
};

/** Fields of operations for members that were tried: those of many operations have the same schema. */
const KNOWN = new Set<z.ZodType>();

/** Hostile bodies of an operation. */
export function bodyInputs(operation: OperationRecord, target: Target, isOpenToAll: boolean): HostileInput[] {
  const known = isOpenToAll ? new Set<z.ZodType>() : KNOWN;
  const { id, method, body } = operation;
  const maxBytes = body?.maxBytes ?? DEFAULT_MAX_BODY_BYTES;
  const as = (name: string, type: string, largest: number, make: Family) =>
    inputOf(target, method, [name, largest, (size) => ({ headers: { 'content-type': type }, body: make(size) })]);
  if (!body) return [];
  if (body.kind !== 'json') {
    const own = OWN_BODIES[id];
    if (!own) throw new Error(`${id} reads its body itself: give it hostile bodies in ${import.meta.filename}.`);
    return own.map(([name, type, make]) => as(name, type, Math.min(maxBytes, MOST_TRIED), make));
  }
  // The rest of the body is the example.
  const most = Math.min(maxBytes, MOST_TRIED) - 4096;
  const bodies = Object.entries(schemaBodies(body.schema, exampleBody(operation), { isOpenToAll, known }));
  return bodies.map(([name, { make, largest = most }]) => as(name, 'application/json', Math.min(largest, most), make));
}

/**
 * Hostile queries of an operation. Operations for members have one text for each of their fields that no other one
 * before had.
 */
export function queryInputs(operation: OperationRecord, target: Target, isOpenToAll: boolean): HostileInput[] {
  const { method, query } = operation;
  const asking = (name: string, make: Family) =>
    inputOf(target, method, [
      name,
      MAX_HEAD - target.address.length,
      (size) => ({ target: `${target.address}?${make(size)}`, ...(method === 'GET' ? {} : { body: '' }) }),
    ]);
  const known = isOpenToAll ? new Set<z.ZodType>() : KNOWN;
  const fields = Object.entries((querySchema(operation)?.shape ?? {}) as Record<string, z.ZodType>).filter(
    ([, schema]) => {
      const inner = innermost(schema);
      const isNew = !known.has(inner);
      known.add(inner);
      return isNew;
    },
  );
  const runs = isOpenToAll ? LONG_RUNS : { 'mixed runs': mixedRuns };
  const forms = isOpenToAll && (query === 'any' || fields.length > 0) ? FORMS : {};
  return [
    ...Object.entries(forms).map(([name, make]) => asking(`query: ${name}`, make)),
    ...fields.flatMap(([field]) =>
      Object.entries(runs).map(([run, make]) =>
        asking(`query: ${run} at ${field}`, (size) => `${field}=${encodeURIComponent(make(size / 3))}`),
      ),
    ),
  ];
}

/**
 * Headers that operations read themselves. All others are read in the same way for each of them: `addresses.test.ts`
 * has them.
 */
const READ_BY_OPERATIONS = [
  'cookie',
  'accept-language',
  'accept',
  'origin',
  'if-none-match',
  'content-type',
  'authorization',
];

export const headerInputs = ({ method }: OperationRecord, target: Target): HostileInput[] =>
  READ_BY_OPERATIONS.map((name) =>
    inputOf(target, method, [
      `header ${name}`,
      MAX_HEAD - 1024,
      (size) => ({ headers: { [name]: HEADERS[name]?.(size) ?? '' }, ...(method === 'GET' ? {} : { body: '{}' }) }),
    ]),
  );
