import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { operationsOf } from './catalogue';
import { connectors } from './index';
import { slotsOf } from './url-template';

const root = path.resolve(import.meta.dirname, '../..');
const KNOWN_SLOTS = ['instance_url', 'account_id'];

describe.each(connectors.map((connector) => [connector.id, connector] as const))('%s', (id, connector) => {
  const { operations, parameters = [], flow } = connector;

  it('has an icon, a setup text and at least six operations besides `request`', () => {
    expect(existsSync(path.join(root, 'public/connectors', `${id}.svg`))).toBe(true);
    expect(connector.setup).not.toBe('');
    expect(operations.length).toBeGreaterThanOrEqual(6);
    expect(new Set(operations.map((operation) => operation.id)).size).toBe(operations.length);
  });

  it('has https addresses whose slots are its parameters', () => {
    const slots = parameters.map(({ name }) => name);
    const addresses = [
      connector.authorizeUrl,
      connector.tokenUrl,
      connector.apiUrl,
      ...Object.values(connector.apis ?? {}),
    ];
    for (const address of addresses.filter((one) => one !== undefined)) {
      expect(address).toMatch(/^(https:\/\/|\{instance_url\})/);
      for (const slot of slotsOf(address)) expect([...slots, ...KNOWN_SLOTS]).toContain(slot);
    }
    if (flow === 'authorization_code') expect(connector.authorizeUrl).toBeDefined();
    for (const { pattern } of parameters) {
      expect(pattern.source.startsWith('^')).toBe(true);
      expect(pattern.source.endsWith('$')).toBe(true);
      expect(pattern.test('evil.example/')).toBe(false);
    }
  });

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s has each parameter in one place',
    (_, operation) => {
      const { inPath = {}, inQuery = {}, inBody = {}, names = {}, wholeBody, method } = operation;
      const all = [inPath, inQuery, inBody].flatMap((shape) => Object.keys(shape));
      expect(new Set(all).size).toBe(all.length);
      expect(slotsOf(operation.path).sort()).toEqual(Object.keys(inPath).sort());
      if (wholeBody) expect(Object.keys(inBody)).toEqual([wholeBody]);
      if (method === 'GET') expect(Object.keys(inBody)).toEqual([]);
      for (const shape of [inPath, inQuery, inBody]) {
        for (const field of Object.values(shape)) expect(field).toBeDefined();
      }
      expect(Object.values(names).every((name) => name.length > 0)).toBe(true);
    },
  );

  it('describes its operations as JSON Schema with titles', () => {
    for (const { parameters: schema } of operationsOf(connector)) {
      const { type, properties } = schema as { type: string; properties: Record<string, { title?: string }> };
      expect(type).toBe('object');
      for (const field of Object.values(properties)) expect(field.title).toBeTruthy();
    }
  });
});
