import { afterAll, beforeAll, expect, it } from 'vitest';
import { petStore } from '@/server/evaluation/openapi/testing/documents';
import { listenOn } from '@/server/testing/listen';
import { checkServices } from './check';

let server: Awaited<ReturnType<typeof listenOn>>;

const FLOW = { authorizationUrl: 'https://id.example/in', tokenUrl: 'https://id.example/token', scopes: {} };
/** Accounts by OAuth alone. */
const BY_APP = {
  security: [{ person: [] }],
  components: { securitySchemes: { person: { type: 'oauth2', flows: { authorizationCode: FLOW } } } },
  paths: { '/pets': { get: { responses: { 200: { description: 'Pets' } } } } },
};

beforeAll(async () => {
  server = await listenOn(({ url }, response) => {
    if (url === '/gone.json') return void response.writeHead(404).end();
    const document = {
      ...(url === '/relative.json' ? petStore('/v1') : petStore()),
      ...(url === '/app.json' && BY_APP),
    };
    response.end(url === '/page' ? '<html></html>' : JSON.stringify(document));
  });
});
afterAll(() => server.close());

it('lists the services whose documents cannot be read or say something else, in their order', async () => {
  const service = (name: string, path: string) => ({ name, url: `${server.url}${path}` });
  const lines = await checkServices([
    service('Gone', '/gone.json'),
    service('Pets', '/pets.json'),
    service('Relative', '/relative.json'),
    service('Page', '/page'),
    service('App', '/app.json'),
    { ...service('Known app', '/app.json'), needsAppRegistration: true },
    { ...service('No app', '/pets.json'), needsAppRegistration: true },
    { name: 'Nowhere', url: 'http://127.0.0.1:9/openapi.json' },
  ]);
  expect(lines).toEqual([
    `Gone: The address answers 404. ${server.url}/gone.json`,
    expect.stringMatching(/^Page: The field openapi is /),
    `App: By its security schemes needsAppRegistration is true. ${server.url}/app.json`,
    `No app: By its security schemes needsAppRegistration is false. ${server.url}/pets.json`,
    expect.stringMatching(/^Nowhere: The document cannot be fetched: /),
  ]);
});
