import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ENVIRONMENT_VARIABLES } from '@/server/platform/env/variables';

interface Service {
  image: string;
  environment?: Record<string, string>;
  command?: string[];
  volumes?: string[];
  [setting: string]: unknown;
}

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, 'deploy', file), 'utf8');
const FILES = ['compose.yaml', 'compose.single.yaml'];
const composed = (file: string) =>
  parse(read(file), { merge: true }) as { services: Record<string, Service>; volumes: Record<string, null> };
const own = (file: string) => Object.values(composed(file).services).filter(({ image }) => image === 'weft');

test.each(FILES)('the service in %s has limits, no rights, and only variables that it knows', (file) => {
  expect(own(file).length).toBeGreaterThan(0);
  for (const service of own(file)) {
    expect(service).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: '2g',
      stop_grace_period: '35s',
      restart: 'unless-stopped',
    });
    expect(Object.keys(service.environment ?? {}).filter((name) => !(name in ENVIRONMENT_VARIABLES))).toEqual([]);
  }
});

test.each(FILES)('%s asks for every secret and has none', (file) => {
  for (const { environment = {} } of own(file)) {
    for (const name of ['DATABASE_PASSWORD', 'JWT_SECRET', 'ENCRYPTION_KEY', 'MFA_SECRET_KEY']) {
      expect(environment[name], name).toMatch(/^\$\{\w+:\?\}$/);
    }
  }
  // The comment at the top names everything that must be set.
  const comment = read(file).split('\nname:')[0] ?? '';
  const needed = [...read(file).matchAll(/\$\{(\w+):\?\}/g)].map(([, name = '']) => name);
  expect(needed.filter((name) => !comment.includes(name))).toEqual([]);
});

test.each(FILES)(
  '%s rotates the logs of all containers and names its volumes; the database flushes its commits',
  (file) => {
    const { services, volumes } = composed(file);
    for (const [name, { logging, volumes: mounts = [], command = [] }] of Object.entries(services)) {
      expect(logging, name).toEqual({ driver: 'json-file', options: { 'max-size': '50m', 'max-file': '5' } });
      const named = mounts.map((mount) => mount.split(':')[0] ?? '').filter((one) => !one.startsWith('.'));
      expect(Object.keys(volumes)).toEqual(expect.arrayContaining(named));
      expect(command.join(' ')).not.toMatch(/fsync|synchronous_commit|full_page_writes/);
    }
  },
);

test('a single process knows the same variables as a fleet, save what a fleet needs', () => {
  const [single] = own('compose.single.yaml');
  const [web] = own('compose.yaml');
  const more = Object.keys(web?.environment ?? {}).filter((name) => !(name in (single?.environment ?? {})));
  expect(more).toEqual(['REDIS_URL']);
  // Reached through a proxy of this machine, unless it is said otherwise.
  expect(composed('compose.single.yaml').services.weft?.ports).toEqual(['${BIND_ADDRESS:-127.0.0.1}:8080:8080']);
});
