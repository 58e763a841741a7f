import type { ConvertedCall, NodeConverter } from '../conversion';
import { shortNodeType } from '../starts/convert-trigger';
import { ITEM_JSON_TEXT } from '../n8n-expressions';
import { addCredentialTodo } from './http';
import { ParameterReader } from './services/service';

/** Builds the config of a request for an operation of n8n. */
type AwsConfigBuilder = (read: ParameterReader) => Record<string, unknown>;

const MAX_AWS_URL = 16_000;
/** n8n keeps the region in its credential, which is not in the file. */
const DEFAULT_AWS_REGION = 'us-east-1';
const DEFAULT_S3_HOST = 's3.example.com';

/** The region in an ARN (`arn:aws:sns:eu-west-1:…`), or a standard one to be replaced. */
function awsRegion(read: ParameterReader, arn: string | undefined): string {
  const [, region] = /^arn:aws[\w-]*:\w+:([a-z0-9-]+):/.exec(arn ?? '') ?? [];
  if (region === undefined) read.addTodo(`Enter its region in the URL in place of ${DEFAULT_AWS_REGION}.`);
  return region ?? DEFAULT_AWS_REGION;
}

/** The address of a bucket or a file. That of a storage with the interface of S3 stands in the credential of n8n. */
function s3ObjectUrl(read: ParameterReader, key: string | undefined): string {
  const path = [read.text('bucketName') ?? '', key ?? ''].join('/');
  if (shortNodeType(read.conversion.node.type) !== 's3') {
    return `https://s3.${awsRegion(read, undefined)}.amazonaws.com/${path}`;
  }
  read.addTodo(`Enter the host of its storage in the URL in place of ${DEFAULT_S3_HOST}.`);
  return `https://${DEFAULT_S3_HOST}/${path}`;
}

/** An action of a service that takes forms. */
const awsFormAction = (url: string, name: string, version: string, fields: Record<string, unknown>) => ({
  url,
  method: 'POST',
  bodyType: 'form',
  body: Object.fromEntries(
    Object.entries({ Action: name, Version: version, ...fields }).filter(([, value]) => value !== undefined),
  ),
});

const uploadS3File: AwsConfigBuilder = (read) => {
  const url = s3ObjectUrl(read, read.text('fileName'));
  const isText = read.get('binaryData') === false;
  return isText
    ? { url, method: 'PUT', bodyType: 'text', body: read.text('fileContent') ?? '' }
    : { url, method: 'PUT', bodyType: 'file', body: read.file() };
};

const listS3Files: AwsConfigBuilder = (read) => {
  read.addTodo('Its answer is XML: put a convert node behind it.');
  const query = {
    'list-type': '2',
    ...(read.text('options.folderKey') ? { prefix: read.text('options.folderKey') } : {}),
  };
  return { url: s3ObjectUrl(read, undefined).replace(/\/$/, ''), query };
};

const sendSesMail: AwsConfigBuilder = (read) => {
  const body = { Data: read.text('body') ?? '' };
  return {
    url: `https://email.${awsRegion(read, undefined)}.amazonaws.com/v2/email/outbound-emails`,
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

const invokeLambda: AwsConfigBuilder = (read) => {
  const arn = read.text('function');
  const name = arn?.startsWith('arn:') ? arn.split(':')[6] : arn;
  const input = read.json('jsonInput');
  return {
    url: `https://lambda.${awsRegion(read, arn)}.amazonaws.com/2015-03-31/functions/${name ?? ''}/invocations`,
    method: 'POST',
    headers: { 'X-Amz-Invocation-Type': read.text('invocationType') ?? 'RequestResponse' },
    ...(read.text('qualifier') ? { query: { Qualifier: read.text('qualifier') } } : {}),
    ...(input === undefined ? {} : { body: input }),
  };
};

const S3_FILE_CONFIGS: Readonly<Record<string, AwsConfigBuilder>> = {
  'file.upload': uploadS3File,
  'file.download': (read) => ({ url: s3ObjectUrl(read, read.text('fileKey')), responseType: 'file' }),
  'file.delete': (read) => ({ url: s3ObjectUrl(read, read.text('fileKey')), method: 'DELETE' }),
  'file.getAll': listS3Files,
};

/** By type, resource and operation of n8n; those without a resource by their operation. */
const AWS_CONFIGS: Readonly<Record<string, Readonly<Record<string, AwsConfigBuilder>>>> = {
  awsS3: S3_FILE_CONFIGS,
  s3: S3_FILE_CONFIGS,
  awsSns: {
    publish: (read) => {
      const topic = read.text('topic');
      const fields = { TopicArn: topic, Subject: read.text('subject'), Message: read.text('message') ?? '' };
      return awsFormAction(`https://sns.${awsRegion(read, topic)}.amazonaws.com/`, 'Publish', '2010-03-31', fields);
    },
  },
  awsSqs: {
    sendMessage: (read) => {
      const isItem = read.get('sendInputData') !== false;
      const message = isItem ? ITEM_JSON_TEXT : read.text('message');
      return awsFormAction(read.text('queue') ?? '', 'SendMessage', '2012-11-05', { MessageBody: message ?? '' });
    },
  },
  awsLambda: { invoke: invokeLambda },
  awsSes: { 'email.send': sendSesMail },
};

/** The default operations. The file omits parameters that have their default value. */
const DEFAULT_AWS_OPERATIONS: Readonly<Record<string, { resource?: string; operation: string }>> = {
  awsS3: { resource: 'file', operation: 'download' },
  s3: { resource: 'file', operation: 'download' },
  awsSns: { operation: 'publish' },
  awsSqs: { operation: 'sendMessage' },
  awsLambda: { operation: 'invoke' },
  awsSes: { resource: 'email', operation: 'send' },
};

const convertAwsNode =
  (type: string): NodeConverter =>
  (conversion): ConvertedCall => {
    const { parameters } = conversion.node;
    const { resource, operation } = { operation: '', ...DEFAULT_AWS_OPERATIONS[type] };
    const chosen = String(parameters['operation'] ?? operation);
    const key = resource === undefined ? chosen : `${String(parameters['resource'] ?? resource)}.${chosen}`;
    const calls = AWS_CONFIGS[type] ?? {};
    const configOf = Object.hasOwn(calls, key) ? calls[key] : undefined;
    if (!configOf) return conversion.placeholder(`Use an HTTP request with a credential of AWS keys for “${key}”.`);
    addCredentialTodo(conversion, 'a credential of AWS keys');
    const config = configOf(new ParameterReader(conversion, conversion.expressions));
    const url = conversion.limitText(String(config['url']), MAX_AWS_URL);
    return conversion.createCall({ type: 'http_request', path: '.body', config: { ...config, url } });
  };

export const AWS_CONVERTERS: Readonly<Record<string, NodeConverter>> = Object.fromEntries(
  Object.keys(AWS_CONFIGS).map((type) => [type, convertAwsNode(type)]),
);
