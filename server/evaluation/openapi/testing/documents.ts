/*
 * Documents as real APIs have them.
 */

const owner = { type: 'object', properties: { name: { type: 'string' }, email: { type: 'string', format: 'email' } } };

/** OpenAPI 3.0: references, all places of parameters, bodies of all kinds, several ways of paging. */
export const petStore = (server = 'https://pets.example.com/v1') => ({
  openapi: '3.0.3',
  info: { title: 'Pet store', version: '1.2.0', description: 'Pets and\ntheir owners.' },
  servers: [{ url: server }],
  security: [{ key: [] }],
  tags: [{ name: 'pets' }],
  paths: {
    '/pets': {
      parameters: [{ $ref: '#/components/parameters/trace' }],
      get: {
        operationId: 'listPets',
        summary: 'List pets',
        description: 'All pets that match.',
        tags: ['pets'],
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100, default: 20 } },
          { name: 'page', in: 'query', schema: { type: 'integer' } },
          { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'ids', in: 'query', explode: false, schema: { type: 'array', items: { type: 'integer' } } },
          { name: 'filter', in: 'query', style: 'deepObject', schema: { type: 'object', properties: { kind: {} } } },
        ],
        responses: {
          200: {
            description: 'Pets',
            content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } } },
          },
        },
      },
      post: {
        operationId: 'createPet',
        tags: ['pets'],
        requestBody: { $ref: '#/components/requestBodies/NewPet' },
        responses: {
          201: { description: 'The pet', content: { 'application/json': { example: { id: 7, name: 'Rex' } } } },
        },
      },
    },
    '/pets/{petId}': {
      parameters: [
        { name: 'petId', in: 'path', required: true, description: 'Its number', schema: { type: 'integer' } },
      ],
      get: { operationId: 'getPet', responses: { 200: { description: 'ok' } } },
      delete: { operationId: 'deletePet', deprecated: true, responses: { 204: { description: 'gone' } } },
    },
    '/pets/{petId}/photo': {
      parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        operationId: 'getPhoto',
        responses: { 200: { description: 'A picture', content: { 'image/png': {} } } },
      },
      put: {
        operationId: 'setPhoto',
        requestBody: { required: true, content: { 'image/*': {} } },
        responses: { 204: { description: 'ok' } },
      },
    },
    '/status': { get: { operationId: 'status', security: [], responses: { 200: { description: 'ok' } } } },
  },
  components: {
    parameters: { trace: { name: 'X-Trace', in: 'header', schema: { type: 'string' } } },
    requestBodies: {
      NewPet: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/NewPet' } } } },
    },
    schemas: {
      Pet: {
        allOf: [
          { type: 'object', required: ['id'], properties: { id: { type: 'integer', readOnly: true } } },
          { $ref: '#/components/schemas/NewPet' },
        ],
      },
      NewPet: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', description: 'How it is called' },
          kind: { type: 'string', enum: ['cat', 'dog'] },
          owner,
          parents: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
        },
      },
    },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
  },
});

/** Swagger 2.0 in YAML, as older APIs have it. */
export const SWAGGER = `
swagger: "2.0"
info: { title: Invoices, version: 3 }
host: invoices.example.com
basePath: /api
schemes: [http, https]
consumes: [application/json]
produces: [application/json]
securityDefinitions:
  login: { type: basic }
security: [{ login: [] }]
paths:
  /invoices:
    get:
      operationId: invoices.list
      parameters:
        - { name: state, in: query, type: array, items: { type: string }, collectionFormat: multi }
        - { name: sort, in: query, type: array, items: { type: string }, collectionFormat: pipes }
      responses:
        200:
          description: ok
          schema: { type: array, items: { $ref: "#/definitions/Invoice" } }
          examples: { application/json: [{ number: 5 }] }
    post:
      operationId: invoices.create
      parameters:
        - { name: invoice, in: body, required: true, schema: { $ref: "#/definitions/Invoice" } }
      responses: { 201: { description: created } }
  /invoices/{number}/file:
    post:
      operationId: invoices.attach
      consumes: [multipart/form-data]
      parameters:
        - { name: number, in: path, required: true, type: integer }
        - { name: file, in: formData, required: true, type: file }
        - { name: note, in: formData, type: string }
      responses: { 200: { description: ok } }
definitions:
  Invoice:
    type: object
    required: [number]
    properties: { number: { type: integer }, total: { type: number } }
`;

/** A document with so many operations, each with parameters, a body and an answer. */
export function largeDocument(operations: number): object {
  const paths: Record<string, object> = {};
  for (let index = 0; index < operations; index += 1) {
    paths[`/repos/{owner}/things${index}`] = {
      post: {
        operationId: `things/create-${index}`,
        summary: `Create thing ${index}`,
        description: `Creates thing number ${index}. `.repeat(5),
        tags: [`group ${index % 20}`],
        parameters: [
          { name: 'owner', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'page', in: 'query', schema: { type: 'integer' } },
        ],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } } },
      },
    };
  }
  const field = (number: number) => [`field${number}`, { type: 'string', description: 'A field of a thing' }];
  const properties = Object.fromEntries(Array.from({ length: 20 }, (_, number) => field(number)));
  return {
    openapi: '3.1.0',
    info: { title: 'Code hosting', version: '1' },
    servers: [{ url: 'https://api.code.example' }],
    paths,
    components: { schemas: { Thing: { type: 'object', properties } } },
  };
}
