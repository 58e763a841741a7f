import { existsSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DirectoryService } from '@/contract/connectors/directory';
import { builtInConnectors } from '..';
import { SERVICE_DIRECTORY, findDocumentIcon, findDirectoryServices, toDirectoryService } from './directory';

const ICONS = 'public/services';

it('has services with ids, names and addresses of their own, by name', () => {
  expect(SERVICE_DIRECTORY.length).toBeGreaterThanOrEqual(150);
  for (const field of ['id', 'name', 'url'] as const)
    expect(new Set(SERVICE_DIRECTORY.map((service) => service[field].toLowerCase())).size, field).toBe(
      SERVICE_DIRECTORY.length,
    );
  const names = SERVICE_DIRECTORY.map(({ name }) => name.toLowerCase());
  expect(names).toEqual(names.toSorted());
});

it('has records of the right form', () => {
  for (const service of SERVICE_DIRECTORY) {
    expect(DirectoryService.safeParse(toDirectoryService(service, null)).error, service.id).toBeUndefined();
    expect(service.id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(service.url).toMatch(/^https:\/\/[^\s{}]+$/);
    if (service.server !== undefined) expect(service.server).toMatch(/^https:\/\/[^\s{}]*[^/\s{}]$/);
    expect(service.keywords.length, service.id).toBeGreaterThan(0);
    expect(service.keywords, service.id).toEqual(service.keywords.map((word) => word.toLowerCase()));
  }
});

it('has no service that is a connector already', () => {
  const included = new Set(builtInConnectors.flatMap(({ id, name }) => [id, name.toLowerCase()]));
  expect(SERVICE_DIRECTORY.filter(({ id, name }) => included.has(id) || included.has(name.toLowerCase()))).toEqual([]);
});

it('has an icon for each name of one, and no others', () => {
  const named = new Set(SERVICE_DIRECTORY.flatMap(({ icon }) => (icon ? [`${icon}.svg`] : [])));
  expect(readdirSync(ICONS).toSorted()).toEqual([...named].toSorted());
  expect(existsSync('public/connectors/openapi.svg')).toBe(true);
});

it('is searched by words of names, keywords and categories; names come first', () => {
  expect(findDirectoryServices('pagerduty').map(({ id }) => id)).toEqual(['pagerduty', 'pagerduty-slack']);
  expect(findDirectoryServices('on-call incidents').map(({ id }) => id)).toContain('pagerduty');
  const [first] = findDirectoryServices('translation');
  expect(first?.id).toBe('google-cloud-translation');
  expect(findDirectoryServices('', 'hr').every(({ category }) => category === 'hr')).toBe(true);
  expect(findDirectoryServices('no such service')).toEqual([]);
});

it('knows the icon of a document', () => {
  const sentry = SERVICE_DIRECTORY.find(({ id }) => id === 'sentry');
  expect(findDocumentIcon(sentry?.url ?? '')).toBe('/services/sentry.svg');
  expect(findDocumentIcon('https://pets.example.com/openapi.json')).toBeUndefined();
  expect(findDocumentIcon(null)).toBeUndefined();
});
