import { describe, expect, it } from 'vitest';
import { readinessIssues } from '@/server/workflow/definition/readiness';
import { importN8n } from '../convert';

/** The import of a node behind a trigger. */
function imported(type: string, parameters: object) {
  const node = (name: string, kind: string, own: object) => ({
    name,
    type: `n8n-nodes-base.${kind}`,
    parameters: own,
    typeVersion: 1,
    position: [0, 0],
  });
  const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
  const nodes = [node('Go', 'manualTrigger', {}), node('It', type, parameters)];
  const { definition, report } = importN8n({ name: 'x', nodes, connections: { Go: to('It') } });
  const found = definition.nodes.find(({ id }) => id === 'it_call') ?? definition.nodes.find(({ id }) => id === 'it');
  const given = definition.nodes.find(({ id }) => id === 'it');
  const said = report.find(({ node: name }) => name === 'It');
  expect(readinessIssues(definition).filter(({ field }) => field.includes('.config.'))).toEqual([]);
  return {
    type: found?.type,
    config: found?.config,
    outcome: said?.outcome,
    message: said?.message,
    given: given?.config['expression'],
  };
}

describe('redis', () => {
  it.each([
    [
      { operation: 'get', propertyName: 'value', key: '=a:{{ $json.id }}', keyType: 'string' },
      { operation: 'get', key: 'a:{{ $json.id }}' },
    ],
    [
      { operation: 'get', propertyName: 'value', key: 'h', keyType: 'hash' },
      { operation: 'hash_get_all', key: 'h' },
    ],
    [
      { operation: 'get', propertyName: 'value', key: 'l', keyType: 'list' },
      { operation: 'range', key: 'l' },
    ],
    [
      { operation: 'get', propertyName: 'value', key: 's', keyType: 'sets' },
      { operation: 'set_members', key: 's' },
    ],
    [
      { operation: 'set', key: 'a', value: '={{ $json.text }}', keyType: 'string', expire: true, ttl: 90 },
      { operation: 'set', key: 'a', value: '{{ $json.text }}', ttlMs: 90_000 },
    ],
    [
      { operation: 'set', key: 'a', value: '{"b": "c"}', keyType: 'hash', valueIsJSON: true },
      { operation: 'hash_set', key: 'a', fields: { b: 'c' } },
    ],
    [
      { operation: 'delete', key: 'a' },
      { operation: 'delete', key: 'a' },
    ],
    [
      { operation: 'incr', key: 'a' },
      { operation: 'increment', key: 'a' },
    ],
    [
      { operation: 'push', list: 'l', messageData: '={{ $json.text }}', tail: true },
      { operation: 'push', key: 'l', value: '{{ $json.text }}', end: 'last' },
    ],
    [
      { operation: 'pop', list: 'l', propertyName: 'value' },
      { operation: 'pop', key: 'l', end: 'first', readAs: 'json' },
    ],
    [
      { operation: 'publish', channel: 'c', messageData: 'hello' },
      { operation: 'publish', channel: 'c', value: 'hello' },
    ],
    [
      { operation: 'keys', keyPattern: 'a:*', getValues: false },
      { operation: 'keys', pattern: 'a:*' },
    ],
  ])('%j', (parameters, config) => {
    expect(imported('redis', parameters)).toMatchObject({ type: 'redis', config, outcome: 'partly' });
  });

  it('gives what n8n gives to the next node', () => {
    const get = { operation: 'get', propertyName: 'value', key: 'a', keyType: 'string' };
    expect(imported('redis', get).given).toContain('shape: (value) => ({ "value": value })');
    const set = { operation: 'set', key: 'a', value: 'x', keyType: 'string' };
    expect(imported('redis', set).given).toContain('shape: (_, item) => item');
  });

  it('what has no counterpart is a placeholder', () => {
    for (const parameters of [{}, { operation: 'set', key: 'a', value: 'x', keyType: 'sets' }]) {
      expect(imported('redis', parameters)).toMatchObject({ type: 'transform', outcome: 'placeholder' });
    }
  });
});

describe('AWS', () => {
  const region = 'Enter its region in the URL in place of us-east-1.';

  it('a request with keys of AWS names the credential', () => {
    const parameters = {
      url: 'https://sts.amazonaws.com',
      authentication: 'predefinedCredentialType',
      nodeCredentialType: 'aws',
    };
    expect(imported('httpRequest', parameters).message).toBe('Choose a credential of AWS keys.');
  });

  it.each([
    [
      'awsS3',
      { operation: 'upload', bucketName: 'b', fileName: '={{ $json.name }}', binaryData: false, fileContent: 'text' },
      { url: 'https://s3.us-east-1.amazonaws.com/b/{{ $json.name }}', method: 'PUT', bodyType: 'text', body: 'text' },
      region,
    ],
    [
      'awsS3',
      { operation: 'upload', bucketName: 'b', fileName: 'a.txt' },
      {
        url: 'https://s3.us-east-1.amazonaws.com/b/a.txt',
        method: 'PUT',
        bodyType: 'file',
        body: '{{ input.$files?.["data"] }}',
      },
      region,
    ],
    [
      'awsS3',
      { bucketName: 'b', fileKey: 'a.txt' },
      { url: 'https://s3.us-east-1.amazonaws.com/b/a.txt', responseType: 'file' },
      region,
    ],
    [
      'awsS3',
      { operation: 'getAll', bucketName: 'b', options: { folderKey: 'in/' } },
      { url: 'https://s3.us-east-1.amazonaws.com/b', query: { 'list-type': '2', prefix: 'in/' } },
      'Its answer is XML',
    ],
    [
      's3',
      { operation: 'upload', bucketName: 'b', fileName: 'a.txt' },
      { url: 'https://s3.example.com/b/a.txt', method: 'PUT', bodyType: 'file', body: '{{ input.$files?.["data"] }}' },
      'Enter the host of its storage in the URL in place of s3.example.com.',
    ],
    [
      'awsSns',
      {
        topic: { __rl: true, mode: 'list', value: 'arn:aws:sns:eu-west-1:1:t' },
        subject: 'S',
        message: '={{ $json.m }}',
      },
      {
        url: 'https://sns.eu-west-1.amazonaws.com/',
        method: 'POST',
        bodyType: 'form',
        body: {
          Action: 'Publish',
          Version: '2010-03-31',
          TopicArn: 'arn:aws:sns:eu-west-1:1:t',
          Subject: 'S',
          Message: '{{ $json.m }}',
        },
      },
      '',
    ],
    [
      'awsSqs',
      { queue: 'https://sqs.eu-west-1.amazonaws.com/1/q' },
      {
        url: 'https://sqs.eu-west-1.amazonaws.com/1/q',
        bodyType: 'form',
        body: { Action: 'SendMessage', Version: '2012-11-05', MessageBody: '{{ JSON.stringify($json) }}' },
      },
      '',
    ],
    [
      'awsLambda',
      { function: 'arn:aws:lambda:eu-west-1:1:function:do-it', jsonInput: '{"a": 1}', invocationType: 'Event' },
      {
        url: 'https://lambda.eu-west-1.amazonaws.com/2015-03-31/functions/do-it/invocations',
        headers: { 'X-Amz-Invocation-Type': 'Event' },
        body: { a: 1 },
      },
      '',
    ],
    [
      'awsSes',
      { fromEmail: 'a@example.com', toAddresses: ['b@example.com'], subject: 'S', body: 'B', isBodyHtml: true },
      {
        url: 'https://email.us-east-1.amazonaws.com/v2/email/outbound-emails',
        body: {
          FromEmailAddress: 'a@example.com',
          Destination: { ToAddresses: ['b@example.com'] },
          Content: { Simple: { Subject: { Data: 'S' }, Body: { Html: { Data: 'B' } } } },
        },
      },
      region,
    ],
  ])('%s: %j', (type, parameters, config, message) => {
    const made = imported(type, parameters);
    expect(made).toMatchObject({ type: 'http_request', config, outcome: 'partly' });
    expect(made.message).toContain('Choose a credential of AWS keys.');
    expect(made.message).toContain(message);
  });

  it('other operations are placeholders', () => {
    expect(imported('awsS3', { resource: 'bucket', operation: 'create' })).toMatchObject({
      outcome: 'placeholder',
      message: 'Use an HTTP request with a credential of AWS keys for “bucket.create”.',
    });
  });
});
