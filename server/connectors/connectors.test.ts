import { existsSync } from 'node:fs';
import path from 'node:path';
import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import { z, type ZodType } from 'zod';
import {
  findOperationServiceId,
  listOperationGroups,
  operationIconPath,
  serviceIconPath,
} from '@/contract/connectors/connector-icons';
import { describeOperations, REQUEST_OPERATION_ID } from './catalogue';
import { listSourceFields } from './choices';
import { operationParameters } from './operation';
import { ALL_PAGES_PARAMETER } from './parameters';
import { builtInConnectors } from './index';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { templateSlots } from './url-template';

/** The first connectors; later ones explain each operation and parameter. */
const FIRST = 'shopify spotify servicenow trello dynamics365 google_cloud docusign salesforce sap'.split(' ');
const root = path.resolve(import.meta.dirname, '../..');
const KNOWN_SLOTS = ['instance_url', 'account_id'];

/** Services whose limits are settings of each installation, or that document none. */
const UNDOCUMENTED_LIMITS = ['sap', 'servicenow', 'supabase', 'wordpress', 'woocommerce', 'n8n', 'phantombuster'];

describe.each(builtInConnectors.map((connector) => [connector.id, connector] as const))('%s', (id, connector) => {
  const { operations, parameters = [], flow } = connector;

  it('has an icon, a setup text and at least six operations besides `request`', () => {
    expect(existsSync(path.join(root, 'public/connectors', `${id}.svg`))).toBe(true);
    expect(connector.setup).not.toBe('');
    expect(operations.length).toBeGreaterThanOrEqual(6);
    expect(new Set(operations.map((operation) => operation.id)).size).toBe(operations.length);
  });

  it('has https addresses whose slots are its parameters', () => {
    const tokens = connector.token?.fields.map(({ name }) => name) ?? [];
    const slots = [...parameters.map(({ name }) => name), ...tokens];
    const addresses = [
      connector.authorizeUrl,
      connector.tokenUrl,
      connector.apiUrl,
      ...Object.values(connector.apis ?? {}),
    ];
    for (const address of addresses.filter((one) => one !== undefined)) {
      expect(address).toMatch(/^(https:\/\/|\{instance_url\})/);
      for (const slot of templateSlots(address)) expect([...slots, ...KNOWN_SLOTS]).toContain(slot);
    }
    if (flow === 'authorization_code') expect(connector.authorizeUrl).toBeDefined();
    for (const { pattern } of parameters) {
      expect(pattern.source.startsWith('^')).toBe(true);
      expect(pattern.source.endsWith('$')).toBe(true);
      expect(pattern.test('evil.example/')).toBe(false);
    }
  });

  it('states limits of its provider with their source', () => {
    const { limits } = connector;
    if (!limits) {
      expect(UNDOCUMENTED_LIMITS, connector.id).toContain(connector.id);
      return;
    }
    expect(limits.source).toMatch(/^https:\/\//);
    for (const limit of [limits.perMinute ?? 1, limits.concurrent ?? 1]) {
      expect(Number.isInteger(limit)).toBe(true);
      expect(limit).toBeGreaterThan(0);
    }
  });

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s has each parameter in one place',
    (_, operation) => {
      if (operation.steps) return;
      const { inPath = {}, inQuery = {}, inBody = {}, names = {}, wholeBody, method } = operation;
      const all = [inPath, inQuery, inBody].flatMap((shape) => Object.keys(shape));
      expect(new Set(all).size).toBe(all.length);
      expect(templateSlots(operation.path).sort()).toEqual(Object.keys(inPath).sort());
      const { pathWithout } = operation;
      if (pathWithout) {
        const left = Object.keys(inPath).filter((name) => name !== pathWithout.parameter);
        expect(templateSlots(pathWithout.path).sort()).toEqual(left.sort());
        expect((inPath[pathWithout.parameter] as ZodType).safeParse(undefined).success).toBe(true);
      }
      if (wholeBody) expect(Object.keys(inBody)).toEqual([wholeBody]);
      if (method === 'GET') expect(Object.keys(inBody)).toEqual([]);
      for (const shape of [inPath, inQuery, inBody]) {
        for (const field of Object.values(shape)) expect(field).toBeDefined();
      }
      expect(Object.values(names).every((name) => name.length > 0)).toBe(true);
    },
  );

  it('has icons of its services, and every operation belongs to one', () => {
    const { services } = connector;
    if (!services) return;
    const ids = services.map((service) => service.id);
    for (const service of ids) {
      const [group = ''] = listOperationGroups(id, service);
      expect(operationIconPath(id, `${group}.get`)).toBe(serviceIconPath(id, service));
      expect(existsSync(path.join(root, `public${serviceIconPath(id, service)}`))).toBe(true);
    }
    for (const operation of operations) expect(ids).toContain(findOperationServiceId(id, operation.id));
  });

  it('lists choices by operations that read, and names no other sources', () => {
    const { choices = {}, subscriptions } = connector;
    for (const source of Object.values(choices)) {
      if ('choices' in source || 'steps' in source) continue;
      const { operation: listing, items, isQuery, parameters: fixed = {}, parametersFrom = {}, search } = source;
      const operation = operations.find((one) => one.id === listing);
      if (!operation) throw new Error(`${listing} is no operation`);
      if (!operation.steps) {
        expect(isQuery ? 'GET' : operation.method).toBe('GET');
        if (items === undefined) expect(operation.items).toBeTypeOf('string');
      }
      const given = [...Object.keys(fixed), ...Object.keys(parametersFrom), ...(search === undefined ? [] : [search])];
      const { shape } = operationParameters(operation);
      expect(Object.keys(shape)).toEqual(expect.arrayContaining(given));
      const sent = given.filter((name) => parametersFrom[name]?.endsWith('?') !== true);
      const missing = Object.entries(shape).filter(
        ([name, field]) => !sent.includes(name) && !(field as ZodType).safeParse(undefined).success,
      );
      expect(missing).toEqual([]);
    }
    const shapes = [
      ...operations.map((operation) => operationParameters(operation).shape),
      ...(subscriptions?.events ?? []).map((event) => event.parameters),
    ];
    for (const shape of shapes) {
      for (const field of Object.values(shape) as ZodType[]) {
        const meta = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' });
        for (const kind of ['x-choices', 'x-columns'] as const) {
          const named = meta[kind] as { source: string; dependsOn: string[]; uses?: string[] } | undefined;
          if (!named) continue;
          const source = choices[named.source];
          if (!source) throw new Error(`${named.source} is no source`);
          const { needed, optional } = listSourceFields(source);
          expect([named.source, ...needed].sort()).toEqual([named.source, ...named.dependsOn].sort());
          expect(optional).toEqual(expect.arrayContaining(named.uses ?? []));
          expect(Object.keys(shape)).toEqual(expect.arrayContaining([...named.dependsOn, ...(named.uses ?? [])]));
          // Columns that are the same for every account have their types at once.
          const hasColumns =
            'choices' in source ? source.choices.every(({ type }) => type) : source.column !== undefined;
          if (kind === 'x-columns') expect(hasColumns, named.source).toBe(true);
        }
      }
    }
  });

  it('sends only what its token has, and only fields with whole patterns', () => {
    const { token } = connector;
    if (!token) return;
    const known = [...token.fields.map(({ name }) => name), ...parameters.map(({ name }) => name)];
    const templates = [token.headers, token.query, token.basic].flatMap((each) => Object.values(each ?? {}));
    const inPath = [connector.apiUrl, ...Object.values(connector.apis ?? {})].flatMap((url) =>
      templateSlots(url ?? ''),
    );
    const used = [...templates.flatMap(templateSlots), ...inPath];
    for (const slot of used) expect(known).toContain(slot);
    for (const { name, isSecret, pattern } of token.fields) {
      if (isSecret) expect(used).toContain(name);
      expect(pattern?.source ?? '^$').toMatch(/^\^.*\$$/);
      expect(pattern?.test('a\r\nb') ?? false).toBe(false);
    }
    expect(token.fields.some(({ isSecret }) => isSecret)).toBe(true);
    expect(token.setup).not.toBe('');
  });

  it.each(operations.flatMap(({ id: name, poll, ...operation }) => (poll ? [[name, poll, operation] as const] : [])))(
    '%s finds new items by valid expressions and parameters that it has',
    async (name, { parameters: given = {}, items, key, cursor, title }) => {
      const operation = operations.find((one) => one.id === name);
      if (!operation) throw new Error('no operation');
      expect(Object.keys(operationParameters(operation).shape)).toEqual(expect.arrayContaining(Object.keys(given)));
      expect(title).not.toBe('');
      const inside = Object.values(given).flatMap((value) =>
        typeof value === 'string' ? [...value.matchAll(/\{\{(.+?)\}\}/g)].map(([, code = '']) => code) : [],
      );
      for (const code of [items, key, cursor ?? 'input', ...inside]) expect(() => jsonata(code)).not.toThrow();
      const list = operation.steps || given['allPages'] !== true ? '' : (operation.items ?? '');
      const scope = { input: { body: getAtPath(operation.example, list) }, cursor: null };
      const found = [await jsonata(items).evaluate(scope)].flat() as unknown[];
      expect(found).toHaveLength(1);
      expect(['string', 'number']).toContain(typeof (await jsonata(key).evaluate({ item: found[0] })));
      if (cursor !== undefined) expect(await jsonata(cursor).evaluate(scope)).toBeDefined();
    },
  );

  it('describes its operations as JSON Schema with titles', () => {
    for (const { parameters: schema } of describeOperations(connector)) {
      const { type, properties } = schema as { type: string; properties: Record<string, { title?: string }> };
      expect(type).toBe('object');
      for (const field of Object.values(properties)) expect(field.title).toBeTruthy();
    }
  });
});

it.each(
  builtInConnectors.filter(({ id }) => !FIRST.includes(id)).map((connector) => [connector.id, connector] as const),
)('%s explains its operations and their parameters, with an example of each answer', (_, connector) => {
  for (const { id: name, description, example, parameters: schema } of describeOperations(connector)) {
    if (name === REQUEST_OPERATION_ID) continue;
    expect(description, name).toMatch(/^[^a-z].*\.$/s);
    expect(example, name).toBeDefined();
    const { properties } = schema as { properties: Record<string, { title?: string; description?: string }> };
    const unexplained = Object.entries(properties).filter(
      ([parameter, field]) => parameter !== ALL_PAGES_PARAMETER && !(field.title && field.description),
    );
    expect(unexplained, name).toEqual([]);
  }
});
