import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseExactJson } from '@/contract/exact-json';
import type { FileValue } from '@/contract/file-value';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { storeUpload } from '@/server/data/files/store';
import { closeMailTransports } from '@/server/network/mail/smtp';
import { nodeTypeDefinitions } from '@/server/workflow/nodes';
import { closeMongoPools } from '@/server/network/mongodb/mongodb';
import { closeRedisPools } from '@/server/network/redis/redis';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { closeSqlPools } from '@/server/network/sql/sql';
import { useDatabase } from '@/server/testing/database';
import { buildUser, type TestUser } from '@/server/testing/factories';
import { startMariaDb } from '@/server/testing/servers/mariadb';
import { startMcpServer } from '@/server/testing/servers/mcp';
import { startModels } from '@/server/testing/servers/models';
import { startMongo } from '@/server/testing/servers/mongodb/mongodb';
import { startRedis } from '@/server/testing/servers/redis';
import { startMailSink } from '@/server/testing/servers/smtp';
import { buildCertificate } from '../certificates';
import { listenOn, textOf } from '../listen';
import { CHAINED, meaningOf, REFUSED, TYPED, variantsOf } from './chain';
import { givenOf, KINDS, type Given, type Kind, type Place } from './kinds';
import { rowOf } from './outcome';
import { ODD_EXCEPTIONS, ODD_VALUE, readOddJson } from './odd-json';
import { placesOf } from './places';
import type { World } from './world';

useDatabase();

let worker: EngineWorker;
let world: World;
const closings: (() => Promise<unknown>)[] = [];

async function upload({ workspaceId }: TestUser): Promise<FileValue> {
  async function* content() {
    yield Buffer.from([0, 255, 128]);
  }
  return storeUpload(content(), { workspaceId });
}

beforeAll(async () => {
  const user = await buildUser();
  const tls = await buildCertificate();
  const [mariaDb, redis, mongo, models, mcp, mail] = await Promise.all([
    startMariaDb(tls),
    startRedis(),
    startMongo(),
    startModels(),
    startMcpServer('key'),
    startMailSink(),
  ]);
  const echo = await listenOn(async (request, response) => {
    const body = await textOf(request);
    response.setHeader('content-type', request.headers['content-type'] ?? 'text/plain').end(body);
  });
  setRuntime({ ...getRuntime(), env: { ...getRuntime().env, smtpUrl: mail.url, mailFrom: 'a@example.com' } });
  worker = await startWorker({
    concurrency: 50,
    kinds: new Map(nodeTypeDefinitions.map((kind) => [kind.type, kind])),
    graceMs: 200,
  });
  closings.push(
    () => mariaDb.remove(),
    () => redis.remove(),
    () => mongo.close(),
    () => models.close(),
    () => mcp.close(),
    () => mail.close(),
    () => echo.close(),
  );
  world = { user, mariaDb, redis, mongo, models, mcp, mail, echoUrl: echo.url };
}, 120_000);
afterAll(async () => {
  await worker?.stop();
  closeSqlPools();
  closeRedisPools();
  closeMongoPools();
  closeMailTransports();
  await Promise.all(closings.map((close) => close()));
});

const PAGE = path.resolve('docs/data/values.md');
const TABLE = /(?<=^## What each place gives back\n\n)\|[^]*?\n(?=\n)/m;

let places: Record<string, Place>;
let json: Record<Kind, string>;
let values: Given;
/** What each place gave back. */
const given = new Map<string, Given>();

beforeAll(async () => {
  places = await placesOf(world);
  json = { ...KINDS, file: JSON.stringify(await upload(world.user)) };
  values = givenOf((kind) => parseExactJson(json[kind]));
});

describe('values keep what they mean', { tags: 'long' }, () => {
  it(
    'each place gives back what it takes, or says why it does not, as docs/data/values.md says',
    { timeout: 300_000 },
    async () => {
      for (const [name, place] of Object.entries(places)) given.set(name, await place(json, values));
      const rows = [...given].map(([name, back]) => rowOf(name, back, values));
      const table = `| Place | Not as it was given |\n|---|---|\n${rows.join('')}`;
      const page = readFileSync(PAGE, 'utf8');
      expect(page).toMatch(TABLE);
      await expect(page.replace(TABLE, () => table)).toMatchFileSnapshot(PAGE);
    },
  );

  it.each(TYPED)('%s takes what the other places gave', { timeout: 120_000 }, async (name) => {
    for (const variant of variantsOf(given)) {
      const back = await places[name]!(json, variant);
      for (const kind of CHAINED) {
        const refused = REFUSED[`${name}: ${kind} ${String(variant[kind])}`];
        const got = back[kind];
        if (refused !== undefined) expect(got).toMatchObject({ reason: expect.stringContaining(refused) as string });
        else
          expect(meaningOf(kind, got), `${kind} ${String(variant[kind])}: ${JSON.stringify(got)}`).toEqual(
            meaningOf(kind, values[kind]),
          );
      }
    }
  });
});

it('JSON that is unusual is read alike wherever it comes from', { tags: 'long' }, async () => {
  const read = await readOddJson(world);
  const wanted = Object.keys(read).map((place) => [place, ODD_EXCEPTIONS[place] ?? ODD_VALUE]);
  // Minus zero is zero.
  expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(Object.fromEntries(wanted))));
});
