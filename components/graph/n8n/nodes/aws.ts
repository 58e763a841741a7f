import type { Piece } from '../conversion';
import { shortType } from '../starts/starts';
import type { Convert } from './flow';
import { needsCredential } from './http';
import { Reader } from './services/service';

/** How an operation of n8n becomes the config of a request. */
type ConfigOf = (read: Reader) => Record<string, unknown>;

const MAX_URL = 16_000;
/** The region stands in the credential of n8n, which is not in the file. */
const STANDARD_REGION = 'us-east-1';
const STANDARD_HOST = 's3.example.com';

/** The region in an ARN (`arn:aws:sns:eu-west-1:…`), or a standard one to be replaced. */
function regionOf(read: Reader, arn: string | undefined): string {
  const [, region] = /^arn:aws[\w-]*:\w+:([a-z0-9-]+):/.exec(arn ?? '') ?? [];
  if (region === undefined) read.todo(`Enter its region in the URL in place of ${STANDARD_REGION}.`);
  return region ?? STANDARD_REGION;
}

/** The address of a bucket or a file. That of a storage with the interface of S3 stands in the credential of n8n. */
function objectUrl(read: Reader, key: string | undefined): string {
  const path = [read.text('bucketName') ?? '', key ?? ''].join('/');
  if (shortType(read.conversion.node.type) !== 's3') {
    return `https://s3.${regionOf(read, undefined)}.amazonaws.com/${path}`;
  }
  read.todo(`Enter the host of its storage in the URL in place of ${STANDARD_HOST}.`);
  return `https://${STANDARD_HOST}/${path}`;
}

/** An action of a service that takes forms. */
const action = (url: string, name: string, version: string, fields: Record<string, unknown>) => ({
  url,
  method: 'POST',
  bodyType: 'form',
  body: Object.fromEntries(
    Object.entries({ Action: name, Version: version, ...fields }).filter(([, value]) => value !== undefined),
  ),
});

const upload: ConfigOf = (read) => {
  const url = objectUrl(read, read.text('fileName'));
  const isText = read.get('binaryData') === false;
  return isText
    ? { url, method: 'PUT', bodyType: 'text', body: read.text('fileContent') ?? '' }
    : { url, method: 'PUT', bodyType: 'file', body: read.file() };
};

const list: ConfigOf = (read) => {
  read.todo('Its answer is XML: put a convert node behind it.');
  const query = {
    'list-type': '2',
    ...(read.text('options.folderKey') ? { prefix: read.text('options.folderKey') } : {}),
  };
  return { url: objectUrl(read, undefined).replace(/\/$/, ''), query };
};

const sendMail: ConfigOf = (read) => {
  const body = { Data: read.text('body') ?? '' };
  return {
    url: `https://email.${regionOf(read, undefined)}.amazonaws.com/v2/email/outbound-emails`,
    method: 'POST',
    body: {
      FromEmailAddress: read.text('fromEmail') ?? '',
      Destination: { ToAddresses: read.list('toAddresses') ?? [] },
      Content: {
        Simple: {
          Subject: { Data: read.text('subject') ?? '' },
          Body: read.isSet('isBodyHtml') ? { Html: body } : { Text: body },
        },
      },
    },
  };
};

const invoke: ConfigOf = (read) => {
  const arn = read.text('function');
  const name = arn?.startsWith('arn:') ? arn.split(':')[6] : arn;
  const input = read.json('jsonInput');
  return {
    url: `https://lambda.${regionOf(read, arn)}.amazonaws.com/2015-03-31/functions/${name ?? ''}/invocations`,
    method: 'POST',
    headers: { 'X-Amz-Invocation-Type': read.text('invocationType') ?? 'RequestResponse' },
    ...(read.text('qualifier') ? { query: { Qualifier: read.text('qualifier') } } : {}),
    ...(input === undefined ? {} : { body: input }),
  };
};

const FILES: Readonly<Record<string, ConfigOf>> = {
  'file.upload': upload,
  'file.download': (read) => ({ url: objectUrl(read, read.text('fileKey')), responseType: 'file' }),
  'file.delete': (read) => ({ url: objectUrl(read, read.text('fileKey')), method: 'DELETE' }),
  'file.getAll': list,
};

/** By type, resource and operation of n8n; those without a resource by their operation. */
const CALLS: Readonly<Record<string, Readonly<Record<string, ConfigOf>>>> = {
  awsS3: FILES,
  s3: FILES,
  awsSns: {
    publish: (read) => {
      const topic = read.text('topic');
      const fields = { TopicArn: topic, Subject: read.text('subject'), Message: read.text('message') ?? '' };
      return action(`https://sns.${regionOf(read, topic)}.amazonaws.com/`, 'Publish', '2010-03-31', fields);
    },
  },
  awsSqs: {
    sendMessage: (read) => {
      const isItem = read.get('sendInputData') !== false;
      const message = isItem ? `{{ $string(${read.expressions.scope.json}) }}` : read.text('message');
      return action(read.text('queue') ?? '', 'SendMessage', '2012-11-05', { MessageBody: message ?? '' });
    },
  },
  awsLambda: { invoke },
  awsSes: { 'email.send': sendMail },
};

/** What nodes have whose parameters are not in the file, because they are the standard ones. */
const STANDARD: Readonly<Record<string, { resource?: string; operation: string }>> = {
  awsS3: { resource: 'file', operation: 'download' },
  s3: { resource: 'file', operation: 'download' },
  awsSns: { operation: 'publish' },
  awsSqs: { operation: 'sendMessage' },
  awsLambda: { operation: 'invoke' },
  awsSes: { resource: 'email', operation: 'send' },
};

const aws =
  (type: string): Convert =>
  (conversion): Piece => {
    const { parameters } = conversion.node;
    const { resource, operation } = { operation: '', ...STANDARD[type] };
    const chosen = String(parameters['operation'] ?? operation);
    const key = resource === undefined ? chosen : `${String(parameters['resource'] ?? resource)}.${chosen}`;
    const calls = CALLS[type] ?? {};
    const configOf = Object.hasOwn(calls, key) ? calls[key] : undefined;
    if (!configOf) return conversion.placeholder(`Use an HTTP request with a credential of AWS keys for “${key}”.`);
    needsCredential(conversion, 'a credential of AWS keys');
    return conversion.each((expressions) => {
      const config = configOf(new Reader(conversion, expressions));
      const url = conversion.limited(String(config['url']), MAX_URL);
      return { type: 'http_request', path: '.body', config: { ...config, url } };
    });
  };

export const AWS: Readonly<Record<string, Convert>> = Object.fromEntries(
  Object.keys(CALLS).map((type) => [type, aws(type)]),
);
