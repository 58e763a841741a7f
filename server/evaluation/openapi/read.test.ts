import { describe, expect, it, test } from 'vitest';
import { readOpenApiDocument } from './read';
import {
  ApiConnection,
  ApiOperation,
  type DocumentRejection,
  type CompiledDocument,
  type DocumentReadOptions,
} from './record';
import { largeDocument, petStore, SWAGGER } from './testing/documents';

const ALL: DocumentReadOptions = { selection: 'all', server: null, base: null };
const textOf = (document: string | object) => (typeof document === 'string' ? document : JSON.stringify(document));

function read(document: string | object, reading: Partial<DocumentReadOptions> = {}): CompiledDocument {
  const result = readOpenApiDocument(textOf(document), { ...ALL, ...reading });
  if ('fault' in result) throw new Error(`${result.fault.field} ${result.fault.message}`);
  return result;
}

function faultOf(document: string | object, reading: Partial<DocumentReadOptions> = {}): DocumentRejection {
  const result = readOpenApiDocument(textOf(document), { ...ALL, ...reading });
  if (!('fault' in result)) throw new Error('it was read');
  return result.fault;
}

const operationOf = (document: string | object, id: string): ApiOperation => {
  const found = read(document).operations.find((one) => one.id === id);
  if (!found) throw new Error(`no operation ${id}`);
  return found;
};
const parameterOf = (document: string | object, id: string, name: string) =>
  operationOf(document, id).parameters.find((one) => one.name === name);

/** A document with these paths, and what else it has. */
const api = (paths: object, rest: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'API', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths,
  ...rest,
});
const ok = { responses: { 200: { description: 'ok' } } };

describe('a document of OpenAPI 3', () => {
  it('has a title, a server, operations and an authentication', () => {
    const { title, description, version, frame, offered, operations } = read(petStore());
    expect({ title, description, version }).toEqual({
      title: 'Pet store',
      description: 'Pets and their owners.',
      version: '1.2.0',
    });
    expect(frame.server).toBe('https://pets.example.com/v1');
    expect(frame.authentication).toMatchObject({
      isRequired: true,
      token: { fields: [{ name: 'key', isSecret: true }], headers: { 'X-API-Key': '{key}' } },
      oauth: null,
    });
    expect(frame.probe).toBe('/pets');
    expect(offered.map(({ id }) => id)).toEqual(operations.map(({ id }) => id));
    expect(operations.map(({ id, method, path }) => `${id} ${method} ${path}`)).toEqual([
      'listPets GET /pets',
      'createPet POST /pets',
      'getPet GET /pets/{petId}',
      'deletePet DELETE /pets/{petId}',
      'getPhoto GET /pets/{petId}/photo',
      'setPhoto PUT /pets/{petId}/photo',
      'status GET /status',
    ]);
  });

  it('has what the record of a connector permits', () => {
    for (const document of [petStore(), SWAGGER, largeDocument(3)]) {
      const { frame, operations } = read(document);
      expect(ApiConnection.parse(frame)).toEqual(frame);
      for (const one of operations) expect(ApiOperation.parse(one)).toEqual(one);
    }
  });

  it('has parameters of path, query, headers and body with titles, types and help', () => {
    expect(operationOf(petStore(), 'listPets')).toMatchObject({
      title: 'List pets',
      help: 'All pets that match.',
      group: 'pets',
      paging: { kind: 'page', query: 'page', size: 'limit', defaultSize: 20, first: 1, items: '' },
      example: [{ id: 1, name: 'text', kind: 'cat', owner: { name: 'text', email: 'ada@example.com' } }],
    });
    expect(parameterOf(petStore(), 'listPets', 'X_Trace')).toMatchObject({ theirs: 'X-Trace', in: 'header' });
    expect(parameterOf(petStore(), 'listPets', 'tags')).toMatchObject({ style: 'repeat' });
    expect(parameterOf(petStore(), 'listPets', 'ids')?.style).toBeUndefined();
    expect(parameterOf(petStore(), 'listPets', 'filter')).toMatchObject({ style: 'deep' });
    expect(parameterOf(petStore(), 'getPet', 'petId')).toMatchObject({
      in: 'path',
      isRequired: true,
      schema: { type: 'integer', title: 'Pet id', description: 'Its number' },
    });
    const { body, parameters, example } = operationOf(petStore(), 'createPet');
    expect(body).toEqual({ as: 'json' });
    expect(parameters.map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ['X_Trace', false],
      ['name', true],
      ['kind', false],
      ['owner', false],
      ['parents', false],
    ]);
    expect(example).toEqual({ id: 7, name: 'Rex' });
  });

  it('has files in bodies and answers, and operations that need no credential', () => {
    expect(operationOf(petStore(), 'getPhoto')).toMatchObject({ isFile: true });
    expect(operationOf(petStore(), 'setPhoto').body).toEqual({ as: 'file', type: 'image/*', whole: 'body' });
    expect(operationOf(petStore(), 'status')).toMatchObject({ isPublic: true });
    expect(operationOf(petStore(), 'getPet').isPublic).toBeUndefined();
    expect(operationOf(petStore(), 'deletePet')).toMatchObject({ isDeprecated: true });
  });

  it('is read with the selected operations only', () => {
    const { offered, operations } = read(petStore(), { selection: ['status'] });
    expect(operations.map(({ id }) => id)).toEqual(['status']);
    expect(offered).toHaveLength(7);
    expect(read(petStore(), { selection: 'none' }).operations).toEqual([]);
    expect(faultOf(petStore(), { selection: ['nothing'] })).toEqual({
      field: 'operations',
      message: 'are not in the document: nothing',
    });
    expect(read(petStore(), { selection: ['status', 'nothing'], isLenient: true }).operations).toHaveLength(1);
  });
});

test('a document of Swagger 2.0 has the same parts', () => {
  const { title, version, frame } = read(SWAGGER);
  expect({ title, version, server: frame.server }).toEqual({
    title: 'Invoices',
    version: '3',
    server: 'https://invoices.example.com/api',
  });
  expect(frame.authentication.token).toMatchObject({ basic: { username: '{username}', password: '{password}' } });
  expect(parameterOf(SWAGGER, 'invoices.list', 'state')).toMatchObject({ style: 'repeat', schema: { type: 'array' } });
  expect(parameterOf(SWAGGER, 'invoices.list', 'sort')).toMatchObject({ style: 'pipe' });
  expect(operationOf(SWAGGER, 'invoices.list').example).toEqual([{ number: 5 }]);
  expect(operationOf(SWAGGER, 'invoices.create')).toMatchObject({
    body: { as: 'json' },
    parameters: [
      { name: 'number', in: 'body', isRequired: true },
      { name: 'total', in: 'body', isRequired: false },
    ],
  });
  expect(operationOf(SWAGGER, 'invoices.attach')).toMatchObject({
    body: { as: 'multipart' },
    parameters: [{ name: 'number' }, { name: 'file', isRequired: true, schema: { type: 'file' } }, { name: 'note' }],
  });
});

test('a large document is read, up to a thousand operations', () => {
  expect(read(largeDocument(1000)).operations).toHaveLength(1000);
  expect(faultOf(largeDocument(1001))).toEqual({
    field: 'operations',
    message: 'are 1001, more than 1000: choose fewer with `operations`',
  });
  expect(read(largeDocument(1001), { selection: ['things_create-7'] }).operations).toHaveLength(1);
});

describe('the server', () => {
  const withServers = (servers: unknown) => ({ ...api({ '/a': { get: ok } }), servers });

  it.each<[string, unknown, Partial<DocumentReadOptions>, string]>([
    [
      'has its variables filled',
      [{ url: 'https://{region}.example.com/{v}', variables: { region: { default: 'eu' }, v: { enum: ['v2'] } } }],
      {},
      'https://eu.example.com/v2',
    ],
    [
      'is relative to the document',
      [{ url: '../v3/' }],
      { base: 'https://docs.example.com/x/openapi.json' },
      'https://docs.example.com/v3',
    ],
    [
      'is that of the document',
      undefined,
      { base: 'https://docs.example.com/x/openapi.json' },
      'https://docs.example.com',
    ],
    [
      'is the chosen one',
      [{ url: 'https://a.example' }],
      { server: 'http://localhost:8080/api?x=1' },
      'http://localhost:8080/api',
    ],
  ])('%s', (_, servers, reading, expected) => {
    expect(read(withServers(servers), reading).frame.server).toBe(expected);
  });

  it.each<[string, unknown, Partial<DocumentReadOptions>, RegExp]>([
    ['a relative one', [{ url: '/v1' }], {}, /^is needed: "\/v1" is not a whole URL/],
    ['none', undefined, {}, /^is needed: the document names no server/],
    ['one that is no web address', [{ url: 'ftp://a.example' }], {}, /is not an http or https URL/],
    ['one with a password', [{ url: 'https://a:b@a.example' }], {}, /must not contain a user name/],
    ['a chosen one that is none', [{ url: 'https://a.example' }], { server: 'javascript:alert(1)' }, /is not an http/],
  ])('%s is refused', (_, servers, reading, message) => {
    expect(faultOf(withServers(servers), reading)).toEqual({
      field: 'server',
      message: expect.stringMatching(message),
    });
  });

  it('of an operation is kept by name', () => {
    const upload = { ...ok, operationId: 'upload', servers: [{ url: 'https://upload.example.com' }] };
    const { frame, operations } = read(api({ '/a': { get: ok, post: upload } }));
    expect(frame.servers).toEqual({ server1: 'https://upload.example.com' });
    expect(operations.map(({ api: name }) => name)).toEqual([undefined, 'server1']);
  });
});

describe('security', () => {
  const secured = (
    securitySchemes: object,
    security: object[] = Object.keys(securitySchemes).map((id) => ({ [id]: [] })),
  ) => read(api({ '/a': { get: ok } }, { security, components: { securitySchemes } }));

  it.each<[string, object, object]>([
    ['a key in the query', { type: 'apiKey', in: 'query', name: 'key' }, { query: { key: '{id}' }, headers: {} }],
    ['a key in a cookie', { type: 'apiKey', in: 'cookie', name: 'sid' }, { headers: { Cookie: 'sid={id}' } }],
    ['a bearer token', { type: 'http', scheme: 'Bearer' }, { headers: { Authorization: 'Bearer {token}' } }],
    ['a password', { type: 'http', scheme: 'basic' }, { basic: { username: '{username}', password: '{password}' } }],
    ['a token of OpenID Connect', { type: 'openIdConnect' }, { headers: { Authorization: 'Bearer {token}' } }],
  ])('%s', (_, scheme, token) => {
    expect(secured({ id: scheme }).frame.authentication).toMatchObject({ isRequired: true, token, oauth: null });
  });

  it('by OAuth has addresses and the scopes that operations need', () => {
    const flow = { authorizationUrl: 'https://id.example/login', tokenUrl: 'https://id.example/token' };
    const scopes = { read: 'Reads', write: 'Writes' };
    const scheme = { type: 'oauth2', flows: { authorizationCode: { ...flow, scopes } } };
    expect(secured({ id: scheme }, [{ id: ['read'] }]).frame.authentication).toMatchObject({
      token: { title: 'Access token' },
      oauth: {
        flow: 'authorization_code',
        authorizeUrl: flow.authorizationUrl,
        tokenUrl: flow.tokenUrl,
        scopes: ['read'],
        optionalScopes: ['write'],
      },
    });
    const machine = { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/v2/token', scopes } } };
    expect(secured({ id: machine }).frame.authentication.oauth).toMatchObject({
      flow: 'client_credentials',
      tokenUrl: 'https://api.example.com/v2/token',
    });
  });

  it('by OAuth in the name of a person alone needs an app at the service', () => {
    const flow = { authorizationUrl: 'https://id.example/in', tokenUrl: 'https://id.example/token', scopes: {} };
    const person = { type: 'oauth2', flows: { authorizationCode: flow } };
    const machine = { type: 'oauth2', flows: { clientCredentials: flow } };
    const key = { type: 'apiKey', in: 'header', name: 'X-Key' };
    const needs = (schemes: object, security?: object[]) => secured(schemes, security).needsAppRegistration;
    expect(needs({ person })).toBe(true);
    // A key goes along with each call.
    expect(needs({ person, key }, [{ person: [], key: [] }])).toBe(true);
    expect(needs({ person, key })).toBe(false);
    expect(needs({ machine })).toBe(false);
    expect(needs({ key })).toBe(false);
    expect(needs({ person }, [])).toBe(false);
    expect(needs({ person }, [{ person: [] }, {}])).toBe(false);
  });

  it('by OAuth is one token, also if each flow is a scheme of its own', () => {
    const scopes = { read: 'Reads' };
    const authorizationUrl = 'https://id.example/login';
    const { frame, notes } = secured(
      {
        page: { type: 'oauth2', flows: { implicit: { authorizationUrl, scopes } } },
        server: {
          type: 'oauth2',
          flows: { authorizationCode: { authorizationUrl, tokenUrl: 'https://id.example/token', scopes } },
        },
      },
      [{ page: ['read'], server: ['read'] }],
    );
    expect(frame.authentication).toMatchObject({
      token: { title: 'Access token', fields: [{ name: 'token' }] },
      oauth: { flow: 'authorization_code', scopes: ['read'] },
    });
    expect(notes).toEqual([]);
  });

  it('that is not supported is noted, and leaves a token where one helps', () => {
    const implicit = secured({
      id: { type: 'oauth2', flows: { implicit: { authorizationUrl: 'https://id.example' } } },
    });
    expect(implicit.frame.authentication).toMatchObject({ token: { title: 'Access token' }, oauth: null });
    expect(implicit.notes).toEqual([expect.stringContaining('its flows are not supported')]);
    const digest = secured({ id: { type: 'http', scheme: 'digest' }, other: { type: 'mutualTLS' } });
    expect(digest.frame.authentication).toEqual({ isRequired: false, token: null, oauth: null });
    expect(digest.notes).toHaveLength(2);
  });

  it('of several keys together has all of them', () => {
    const schemes = {
      app: { type: 'apiKey', in: 'header', name: 'X-App' },
      secret: { type: 'apiKey', in: 'header', name: 'X-Secret' },
    };
    expect(secured(schemes, [{ app: [], secret: [] }]).frame.authentication.token).toMatchObject({
      fields: [{ name: 'app' }, { name: 'secret' }],
      headers: { 'X-App': '{app}', 'X-Secret': '{secret}' },
    });
  });

  it('cannot begin another header', () => {
    const { notes } = secured({
      id: { type: 'apiKey', in: 'header', name: 'X\r\nHost: evil' },
      host: { type: 'apiKey', in: 'header', name: 'Host' },
    });
    expect(notes).toHaveLength(2);
  });
});

describe('paging', () => {
  const list = (parameters: string[], schema: object, headers: object = {}) => {
    const content = { 'application/json': { schema } };
    const get = {
      parameters: parameters.map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
      responses: { 200: { description: 'ok', content, headers } },
    };
    return read(api({ '/a': { get } })).operations[0]?.paging;
  };
  const items = { type: 'array', items: {} };
  const withItems = (properties: object) => ({ type: 'object', properties: { items, ...properties } });

  it.each<[string, unknown, object | undefined]>([
    ['a Link header', list([], items, { Link: {} }), { kind: 'link', items: '' }],
    [
      'a token',
      list(['cursor'], withItems({ meta: { properties: { next_cursor: { type: 'string' } } } })),
      { kind: 'token', at: 'meta.next_cursor', query: 'cursor', items: 'items' },
    ],
    [
      'an address',
      list([], withItems({ next: { type: ['string', 'null'] } })),
      { kind: 'address', at: 'next', items: 'items' },
    ],
    [
      'an offset',
      list(['offset', 'limit'], withItems({})),
      { kind: 'offset', query: 'offset', size: 'limit', defaultSize: 1, items: 'items' },
    ],
    ['nothing', list(['limit'], withItems({})), undefined],
  ])('by %s', (_, found, expected) => expect(found).toEqual(expected));
});

describe('a hostile or broken document', () => {
  it.each<[string, string | object, RegExp]>([
    ['no JSON or YAML', 'a: [', /^is neither JSON nor YAML: .* in line 1$/],
    ['a list', '[]', /is not an object/],
    ['another format', { asyncapi: '3.0.0', paths: {} }, /must have `openapi: 3.0.x`/],
    ['no paths', { openapi: '3.0.0', info: {} }, /has no `paths`/],
    ['no operations', api({}), /has no operations/],
    ['code in YAML', 'a: !!js/function "function () {}"', /is neither JSON nor YAML/],
    ['deep nesting', `${'['.repeat(5000)}${']'.repeat(5000)}`, /is neither JSON nor YAML|is not an object/],
  ])('%s', (_, document, message) => {
    expect(faultOf(document)).toEqual({ field: 'openapi', message: expect.stringMatching(message) });
  });

  it('leaves out operations that cannot be used, with their place', () => {
    const at = (get: object) => ({ get: { ...ok, ...get } });
    const { skipped, operations } = read(
      api(
        {
          '/good': { get: ok, head: ok },
          '/outside': at({ parameters: [{ $ref: 'https://evil.example/p.json#/a' }] }),
          '/file': at({ parameters: [{ $ref: 'file:///etc/passwd' }] }),
          '/missing': at({ parameters: [{ $ref: '#/components/parameters/none' }] }),
          '/circle': at({ parameters: [{ $ref: '#/x/a' }] }),
          '/cookie': at({ parameters: [{ name: 'sid', in: 'cookie', required: true }] }),
          '/slot/{id}': at({}),
          '/odd': { post: { ...ok, requestBody: { required: true, content: { 'application/x-odd': {} } } } },
          'x-extension': at({}),
        },
        { x: { a: { $ref: '#/x/b' }, b: { $ref: '#/x/a' } } },
      ),
    );
    expect(operations.map(({ id }) => id)).toEqual(['get_good']);
    expect(skipped.map(({ reason }) => reason)).toEqual([
      'the method is not supported',
      'paths./outside.get.parameters[0]: the reference https://evil.example/p.json#/a leads to another document',
      'paths./file.get.parameters[0]: the reference file:///etc/passwd leads to another document',
      'paths./missing.get.parameters[0]: the reference #/components/parameters/none leads to nothing',
      'paths./circle.get.parameters[0]: its references lead in a circle',
      'paths./cookie.get: needs the cookie "sid", which is not supported',
      'paths./slot/{id}.get: the parameter {id} of the path is not described',
      'paths./odd.post.requestBody: the media type application/x-odd is not supported',
    ]);
  });

  it('gives each operation and parameter an id of its own', () => {
    const twin = { ...ok, operationId: 'same' };
    const { operations } = read(
      api({ '/a': { get: twin, post: twin }, '/b': { get: { ...ok, operationId: 'request' } } }),
    );
    expect(operations.map(({ id }) => id)).toEqual(['same', 'same_post_a', 'request_get_b']);
    const parameters = [
      { name: 'id', in: 'path', required: true },
      { name: 'id', in: 'query' },
      { name: '__proto__', in: 'query' },
      { name: 'constructor', in: 'query' },
      { name: 'a-b', in: 'query' },
      { name: 'a.b', in: 'query' },
    ];
    const [found] = read(api({ '/{id}': { get: { ...ok, parameters } } })).operations;
    expect(found?.path).toBe('/{id}');
    expect(found?.parameters.map(({ name }) => name)).toEqual([
      'id',
      'id_query',
      'proto',
      '_constructor',
      'a_b',
      'a_b_query',
    ]);
  });

  it('does not expand what refers to itself', () => {
    const node = {
      type: 'object',
      properties: {
        child: { $ref: '#/components/schemas/Node' },
        list: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
      },
    };
    const post = {
      ...ok,
      requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } } },
    };
    const { operations } = read(api({ '/a': { post } }, { components: { schemas: { Node: node } } }));
    expect(JSON.stringify(operations).length).toBeLessThan(20_000);
  });

  it('costs little, however its schemas multiply', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 8 }, (_, level) => [
        `L${level}`,
        { allOf: Array.from({ length: 50 }, () => ({ $ref: `#/components/schemas/L${level + 1}` })) },
      ]),
    );
    const post = {
      ...ok,
      requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/L0' } } } },
    };
    expect(read(api({ '/a': { post } }, { components: { schemas } })).operations).toHaveLength(1);
    const laughs = Array.from(
      { length: 12 },
      (_, level) =>
        `l${level}: &l${level} [${Array(9)
          .fill(level === 0 ? 'x' : `*l${level - 1}`)
          .join()}]`,
    );
    const bomb = `${laughs.join('\n')}\nopenapi: 3.0.0\nservers: [{ url: "https://a.example" }]\npaths:\n  /a: { get: { responses: { 200: { content: { application/json: { example: *l11 } } } } } }\n`;
    expect(JSON.stringify(read(bomb).operations).length).toBeLessThan(10_000);
  });

  it('leaves the prototypes of objects alone', () => {
    const text = `{"openapi":"3.0.0","servers":[{"url":"https://a.example"}],"__proto__":{"polluted":1},"paths":{"__proto__":{"get":{}},"/a":{"post":{"requestBody":{"content":{"application/json":{"schema":{"type":"object","properties":{"__proto__":{"type":"string"},"toString":{"type":"string"}}}}}}}}}}`;
    const { operations } = read(text);
    expect(operations.map(({ parameters }) => parameters.map(({ name }) => name))).toEqual([['_toString']]);
    expect('polluted' in {}).toBe(false);
  });
});

describe('choices of parameters', () => {
  const list = (properties: object, parameters: object[] = []) => ({
    operationId: 'listThings',
    parameters,
    responses: {
      200: {
        description: 'ok',
        content: { 'application/json': { schema: { type: 'array', items: { type: 'object', properties } } } },
      },
    },
  });
  const text = { type: 'string' };
  const slot = (name: string, more: object = {}) => ({ name, in: 'path', required: true, schema: text, ...more });
  const named = { id: text, name: text };
  const choicesIn = (paths: object, id: string, name: string) => parameterOf(api(paths), id, name)?.choices;

  it('are proposed for the slot of a path that an operation lists', () => {
    const one = { operationId: 'getThing', parameters: [slot('thingId')], ...ok };
    const paths = { '/things': { get: list(named) }, '/things/{thingId}': { get: one } };
    const source = { source: 'listThings', operation: 'listThings', items: '', value: 'id', label: ['name'], from: {} };
    expect(choicesIn(paths, 'getThing', 'thingId')).toEqual({ ...source, isProposed: true });
    expect(ApiOperation.safeParse(operationOf(api(paths), 'getThing')).success).toBe(true);
    // Without a name people would pick among ids, and without a list there is nothing to pick.
    expect(choicesIn({ ...paths, '/things': { get: list({ id: text }) } }, 'getThing', 'thingId')).toBeUndefined();
    expect(choicesIn({ ...paths, '/things': { post: list(named) } }, 'getThing', 'thingId')).toBeUndefined();
    const needy = list(named, [{ name: 'q', in: 'query', required: true, schema: text }]);
    expect(choicesIn({ ...paths, '/things': { get: needy } }, 'getThing', 'thingId')).toBeUndefined();
  });

  it('depend on the slots before', () => {
    const inner = { ...list({ id: text, title: text }, [slot('boxId')]), operationId: 'listParts' };
    const paths = {
      '/boxes/{boxId}/parts': { get: inner },
      '/boxes/{box_id}/parts/{part}': {
        get: { operationId: 'getPart', parameters: [slot('box_id'), slot('part')], ...ok },
      },
      '/boxes/{boxId}/parts/{partId}': {
        put: { operationId: 'putPart', parameters: [slot('boxId'), slot('partId')], ...ok },
      },
    };
    expect(choicesIn(paths, 'putPart', 'partId')).toMatchObject({ operation: 'listParts', from: { boxId: 'boxId' } });
    expect(choicesIn(paths, 'getPart', 'part')).toBeUndefined();
  });

  it('that the document names count only if a GET of the same document lists them', () => {
    const paths = (source: unknown) => ({
      '/things': { get: list(named), post: { operationId: 'postThing', ...ok } },
      '/orders': {
        get: {
          operationId: 'listOrders',
          parameters: [
            { name: 'thing', in: 'query', schema: text, 'x-choices': { source, value: 'id', label: 'name' } },
          ],
          ...ok,
        },
      },
    });
    expect(choicesIn(paths('listThings'), 'listOrders', 'thing')).toMatchObject({ source: 'listThings', value: 'id' });
    for (const source of ['postThing', 'nothing', 'https://elsewhere.example/things', 7, null, {}])
      expect(choicesIn(paths(source), 'listOrders', 'thing')).toBeUndefined();
  });
});
