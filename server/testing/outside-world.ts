import { inject } from 'vitest';
import type { TemplateCredential } from '@/contract/workflows/template';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { getRuntime } from '@/server/platform/runtime';
import { findBuiltInConnector, builtInConnectors } from '@/server/connectors';
import { sampleToken } from '@/server/connectors/testing/samples';
import type { ExampleCall } from '@/server/workflow/templates/template-file';
import { CLIENT } from './client';
import { call, unique, type TestUser } from './factories';
import { listenOn, textOf } from './listen';

/** The services that workflows call, played by this machine. */
export interface OutsideWorld {
  /** The calls that the next run makes, with their answers, each in its order. */
  expect(calls: readonly ExampleCall[]): void;
  /** Calls that were not made, and calls that nobody expected. */
  unanswered(): string[];
  /** The definition with every outside address on this machine. */
  redirect(definition: WorkflowDefinition): WorkflowDefinition;
  /** The same for addresses in the input of a run that are called. */
  redirectInput(input: Record<string, unknown>): Record<string, unknown>;
  /** The address of https://models.example.com on this machine. */
  modelUrl: string;
  /** The path of a waiting node that a call has carried, once; undefined: none yet. */
  callback(): string | undefined;
  close(): Promise<void>;
}

const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .split('*')
      .map((part) => part.replaceAll(/[.?+^$()[\]{}|\\]/g, String.raw`\$&`))
      .join('.*')}$`,
  );

/** Whether a value contains at least what is wanted. */
function contains(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(wanted).every(([name, part]) => contains((value as Record<string, unknown>)[name], part));
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

/** Starts to listen. The APIs of all connectors lead here, too. */
export async function outsideWorld(): Promise<OutsideWorld> {
  let expected: (ExampleCall & { left: number })[] = [];
  let surprises: string[] = [];
  let callbacks: string[] = [];
  const { url, close } = await listenOn(async (request, response) => {
    const text = await textOf(request);
    // SAP asks for a token before it changes something.
    if (request.method === 'HEAD') return void response.end();
    const address = decodeURIComponent((request.url ?? '').slice(1)).replace(/^https\//, 'https://');
    callbacks.push(text);
    const body = parsed(text);
    const fitting = expected.filter(
      ({ method, url: pattern, request: wanted }) =>
        method === request.method &&
        patternOf(pattern).test(address) &&
        (wanted === undefined || contains(body, wanted)),
    );
    const found = fitting.find(({ left }) => left > 0);
    if (!found) {
      surprises.push(`unexpected: ${request.method} ${address} ${text.slice(0, 500)}`);
      return void response.writeHead(404).end();
    }
    found.left -= 1;
    const isText = typeof found.body === 'string';
    const type = isText ? 'text/plain' : 'application/json';
    response.writeHead(found.status, { 'content-type': type, ...found.headers });
    return void response.end(isText ? found.body : JSON.stringify(found.body));
  });
  getRuntime().env.connectors = Object.fromEntries(
    builtInConnectors.map(({ id }) => [id, { ...CLIENT, apiUrl: `${url}/connector:${id}`, tokenUrl: `${url}/token` }]),
  );
  return {
    expect(calls) {
      expected = calls.map((one) => ({ ...one, left: one.calls }));
      surprises = [];
      callbacks = [];
    },
    unanswered: () => [
      ...surprises,
      ...expected
        .filter(({ left }) => left > 0)
        .map(({ method, url: at, left }) => `not called (${left}): ${method} ${at}`),
    ],
    redirect: (definition) =>
      JSON.parse(
        JSON.stringify(definition).replaceAll('"url":"https://', `"url":"${url}/https/`),
      ) as WorkflowDefinition,
    redirectInput: (input) => {
      const isCalled = (value: unknown) => expected.some(({ url: pattern }) => pattern === value);
      const entries = Object.entries(input).map(([name, value]) => [
        name,
        isCalled(value) ? String(value).replace('https://', `${url}/https/`) : value,
      ]);
      return Object.fromEntries(entries) as Record<string, unknown>;
    },
    modelUrl: `${url}/https/models.example.com/v1`,
    callback: () => {
      const [, path] = /"callback":"https?:\/\/[^/"]+([^"]+)"/.exec(callbacks.splice(0).join('')) ?? [];
      return path;
    },
    close,
  };
}

/** Parts of addresses that accounts have beside a token. */
const SLOTS: Record<string, Record<string, string>> = {
  supabase: { host: 'one.supabase.co' },
  jira: { site: 'one' },
  zendesk: { subdomain: 'one' },
  wordpress: { host: 'blog.example.com' },
  woocommerce: { host: 'shop.example.com' },
  mailchimp: { center: 'us6' },
  n8n: { host: 'n8n.example.com' },
};

/** A stored credential that fits a need of a template. */
export async function storeCredential(
  user: TestUser,
  need: TemplateCredential,
  { modelUrl }: OutsideWorld,
): Promise<string> {
  const [type = 'custom'] = need.types;
  const body = {
    name: unique('credential'),
    type,
    connectorId: need.connectorId ?? undefined,
    config: configOf(type, need.connectorId, modelUrl),
  };
  const { body: made } = await call<{ id: string }>('POST', '/api/credentials', { token: user.token, body });
  if (!made.id) throw new Error(`no credential: ${JSON.stringify(made)}`);
  return made.id;
}

function configOf(type: string, connectorId: string | null, modelUrl: string): Record<string, unknown> {
  const connector = findBuiltInConnector(connectorId);
  if (type === 'token' && connector) return { ...SLOTS[connector.id], ...sampleToken(connector) };
  if (type === 'llm') return { provider: 'openai_compatible', apiKey: 'a-key-of-a-test', baseUrl: modelUrl };
  if (type === 'oauth2') return { accessToken: 'a-token' };
  if (type === 'imap') return { host: '127.0.0.1', username: 'ada', password: 'a-password-of-a-test' };
  if (type === 'aws') return { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a-key-of-a-test', service: 's3' };
  if (type === 'api_key') return { apiKey: 'a-key-of-a-test' };
  const { hostname, port, pathname, username, password } = new URL(inject('postgresUrl'));
  return { host: hostname, port: Number(port), database: pathname.slice(1), username, password, tls: 'off' };
}
