import { describe, expect, it, test } from 'vitest';
import { importN8n } from '../convert';

const node = (name: string, type: string, parameters: object, more: object = {}) => ({
  name,
  type: `n8n-nodes-base.${type}`,
  parameters,
  typeVersion: 4.2,
  position: [0, 0],
  ...more,
});
const link = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });

/** What becomes of a node, with code behind it. */
function importBefore(type: string, parameters: object, { code = 'return items;', more = {} } = {}) {
  const nodes = [
    node('Go', 'manualTrigger', {}),
    node('Ask', type, parameters, more),
    node('Then', 'code', { jsCode: code }, { typeVersion: 2 }),
  ];
  const { definition, report } = importN8n({ name: 'X', nodes, connections: { Go: link('Ask'), Ask: link('Then') } });
  const { outcome, message } = report.find((one) => one.node === 'Ask') ?? {};
  return { call: definition.nodes.find(({ id }) => id === 'ask_call'), outcome, message };
}

describe('the time limit of a request', () => {
  it('is that of the node for each item', () => {
    const { call, outcome, message } = importBefore('httpRequest', {
      url: 'https://a.example',
      options: { timeout: 5000 },
    });
    expect([call?.timeoutMs, outcome]).toEqual([5000, 'converted']);
    expect(message).toContain('time limit');
  });

  it.each([[0], ['={{ 5 }}'], [-1], [1e9]])('of %j is none', (timeout) => {
    const { call, outcome } = importBefore('httpRequest', { url: 'https://a.example', options: { timeout } });
    expect([call?.timeoutMs, outcome]).toEqual([undefined, timeout === 0 ? 'converted' : 'partly']);
  });

  it('is left out of several pages', () => {
    const page = { name: 'page', value: '={{ $pageCount + 1 }}' };
    const pagination = { pagination: { parameters: { parameters: [page] } } };
    const { call, message } = importBefore('httpRequest', {
      url: 'https://a.example',
      options: { timeout: 5000, pagination },
    });
    expect(call?.timeoutMs).toBeUndefined();
    expect(message).toContain('These options of it are left out: timeout.');
  });
});

test.each([
  [4.2, { options: { allowUnauthorizedCerts: true } }, true],
  [4.2, { options: { allowUnauthorizedCerts: false } }, undefined],
  [4.2, { allowUnauthorizedCerts: true }, undefined],
  [1, { allowUnauthorizedCerts: true }, true],
  [2, { options: { allowUnauthorizedCerts: true } }, undefined],
])('the certificate of a server in version %d with %j', (typeVersion, parameters, expected) => {
  const { call, outcome } = importBefore(
    'httpRequest',
    { url: 'https://a.example', ...parameters },
    { more: { typeVersion } },
  );
  expect([call?.config['acceptsAnyCertificate'], outcome]).toEqual([expected, 'converted']);
});

test('whether a certificate is verified is not computed', () => {
  const options = { allowUnauthorizedCerts: '={{ $json.isLocal }}' };
  const { call, message } = importBefore('httpRequest', { url: 'https://a.example', options });
  expect(call?.config).not.toHaveProperty('acceptsAnyCertificate');
  expect(message).toContain('Choose whether it accepts any certificate');
});

test('a mail server whose certificate n8n does not verify is to check', () => {
  const say = (allowUnauthorizedCerts: boolean) =>
    importBefore('emailSend', { toEmail: 'a@example.com', options: { allowUnauthorizedCerts } }).message ?? '';
  expect(say(true)).toContain('Check the certificate of its mail server');
  expect(say(false)).not.toContain('certificate');
});

it.each([
  [4.2, { continueOnFail: true, ignoreResponseCode: true, allowUnauthorizedCerts: false }, 'converted', undefined],
  [2, { ignoreResponseCode: true, response: { response: { neverError: true } } }, 'converted', false],
  [4.2, { proxy: 'http://a.example' }, 'partly', undefined],
])('a request of version %d has the options that n8n has there: %j', (typeVersion, options, expected, failOnError) => {
  const { call, outcome } = importBefore(
    'httpRequest',
    { url: 'https://a.example', options },
    { more: { typeVersion } },
  );
  expect([outcome, call?.config['failOnError']]).toEqual([expected, failOnError]);
});

const TASK = 'Check what reads its error';
const NO_STACK = 'Its error has no stack';
test.each([
  ['return [{ failed: $json.error.message }];', NO_STACK],
  ["return [{ failed: item.json['error'] }];", NO_STACK],
  ['const { error } = $json; return [{ failed: error.message, at: error.status }];', NO_STACK],
  ['return [{ failed: $json.error.stack }];', TASK],
  ["return [{ isDown: $json.error?.code === 'ECONNREFUSED' }];", TASK],
  ["return [{ isSlow: $json.error.message.includes('timeout') }];", TASK],
  ['try { go(); } catch (error) { console.error(error.message); }', undefined],
  ['return [{ error: null }];', undefined],
])('code “%s” reads an error of a request: %s', (code, said) => {
  const more = { onError: 'continueRegularOutput' };
  const { call, message = '' } = importBefore('httpRequest', { url: 'https://a.example' }, { code, more });
  expect([TASK, NO_STACK].filter((one) => message.includes(one))).toEqual(said === undefined ? [] : [said]);
  expect(call?.config['failOnError']).toBe(said === undefined ? undefined : false);
});

test.each([
  [{ retryOnFail: true }, {}],
  [{}, { response: { response: { responseFormat: 'file' } } }],
  [{}, { redirect: { redirect: { followRedirects: false } } }],
  [{ typeVersion: 4.5 }, {}],
])('the error of a request is to check where its answer tells too little: %j %j', (changes, options) => {
  const more = { onError: 'continueRegularOutput', ...changes };
  const code = 'return [{ failed: $json.error.message, details: $json.details }];';
  const { message } = importBefore('httpRequest', { url: 'https://a.example', options }, { code, more });
  expect(message).toContain(TASK);
});

test.each([
  ['return [{ failed: $json.error ? 1 : 0, why: $json.error }];', 'The message of its error is one of Weft.'],
  ["return [{ isGone: $json.error.includes('not be found') }];", TASK],
  ["return [{ isGone: $json.error === 'Not found' }];", TASK],
])('code “%s” reads the error of another node', (code, said) => {
  const parameters = { resource: 'repository', operation: 'get', owner: { value: 'a' }, repository: { value: 'b' } };
  const more = { typeVersion: 1.1, onError: 'continueRegularOutput' };
  expect(importBefore('github', parameters, { code, more }).message).toContain(said);
});

test.each([
  ['emailSend', { toEmail: 'a@example.com' }, 'return [{ id: $json.messageId }];', 'return [{ done: true }];'],
  ['extractFromFile', { operation: 'pdf' }, 'return [{ pages: $json.numpages }];', 'return [{ words: $json.text }];'],
])('the result of %s is to check where its fields are read', (type, parameters, reading, other) => {
  const more = { typeVersion: 1 };
  expect(importBefore(type, parameters, { code: reading, more }).message).toContain('Check what reads');
  const { outcome, message } = importBefore(type, parameters, { code: other, more });
  expect(outcome).toBe('converted');
  expect(message).not.toBe('');
});

test('only what can read the result of a node has to be checked', () => {
  const ask = node(
    'Ask',
    'httpRequest',
    { url: 'https://a.example' },
    { onError: 'continueErrorOutput', typeVersion: 4.5 },
  );
  const reading = 'return [{ why: $json.error.message, more: $json.details }];';
  const reader = (code: string) => node('Reader', 'code', { jsCode: code }, { typeVersion: 2 });
  const outcome = (code: string, connections: object) => {
    const nodes = [node('Go', 'manualTrigger', {}), ask, reader(code), node('Other', 'noOp', {})];
    const { report } = importN8n({ name: 'X', nodes, connections });
    return report.find((one) => one.node === 'Ask')?.outcome;
  };
  const to = (name: string) => [{ node: name, type: 'main', index: 0 }];
  const beside = { Go: { main: [[...to('Ask'), ...to('Reader')]] }, Ask: { main: [to('Other'), to('Other')] } };
  expect(outcome(reading, beside)).toBe('converted');
  expect(outcome(`${reading} $('Ask')`, beside)).toBe('partly');
  expect(outcome(`${reading} $(name)`, beside)).toBe('partly');
  expect(outcome(`${reading} $('A' + 'sk')`, beside)).toBe('partly');
  expect(outcome(`${reading} $( 'Other' ) $items("Other", 0) $node["Other"]`, beside)).toBe('converted');
  const done = { Go: { main: [to('Ask')] }, Ask: { main: [to('Reader'), to('Other')] } };
  expect(outcome(reading, done)).toBe('converted');
  const failed = { Go: { main: [to('Ask')] }, Ask: { main: [to('Other'), to('Reader')] } };
  expect(outcome(reading, failed)).toBe('partly');
});
