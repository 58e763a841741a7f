import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { request, type Dispatcher } from 'undici';
import { operatorAgent } from '@/server/outbound/connections';
import { storageProblem } from './disk-problem';
import type { ByteRange, Content, FileStorage } from './file-storage';

interface Keys {
  accessKeyId: string;
  secretAccessKey: string;
}

interface Call {
  method: 'GET' | 'PUT' | 'DELETE';
  key: string;
  headers?: Record<string, string>;
  content?: Content;
}

const TRIES = 3;
const BACKOFF_MS = 500;
/** Until the storage begins to answer; a body of 100 MiB is sent before that. */
const HEADERS_MS = 300_000;
/** Between two parts of an answer. */
const BODY_MS = 60_000;
const NO_CONTENT = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/**
 * Files in a bucket of an S3-compatible storage. With an endpoint of its own, addresses have the bucket in the path, as such storages
 * understand it. Requests are signed with the hash of the content, so that the storage refuses changed bytes.
 */
export class S3Storage implements FileStorage {
  private readonly base: string;
  private readonly region: string;

  constructor(
    address: string,
    private readonly keys: Keys,
  ) {
    const { hostname: bucket, pathname, searchParams } = new URL(address);
    const endpoint = searchParams.get('endpoint')?.replace(/\/+$/, '');
    this.region = searchParams.get('region') ?? 'us-east-1';
    const host = endpoint ? `${endpoint}/${bucket}` : `https://${bucket}.s3.${this.region}.amazonaws.com`;
    this.base = host + pathname.replace(/\/+$/, '');
  }

  async put(key: string, content: Content): Promise<void> {
    const { statusCode, body } = await this.call({ method: 'PUT', key, content });
    await expectOk('store', statusCode, body);
  }

  async read(key: string, range?: ByteRange): Promise<Readable | null> {
    const headers = range && { range: `bytes=${range.start}-${range.end}` };
    const { statusCode, body } = await this.call({ method: 'GET', key, headers });
    if (statusCode === 200 || statusCode === 206) return body;
    if (statusCode !== 404) await expectOk('read', statusCode, body);
    await body.dump();
    return null;
  }

  async remove(key: string): Promise<void> {
    const { statusCode, body } = await this.call({ method: 'DELETE', key });
    if (statusCode === 404) await body.dump();
    else await expectOk('remove', statusCode, body);
  }

  /** Sends a request, again after a failure that may pass. */
  private async call(call: Call): Promise<Dispatcher.ResponseData> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await this.send(call);
        if (answer.statusCode < 500 || attempt === TRIES) return answer;
        await answer.body.dump();
      } catch (error) {
        if (attempt === TRIES) throw storageProblem(error);
      }
      await pause(BACKOFF_MS * attempt);
    }
  }

  private async send({ method, key, headers = {}, content }: Call): Promise<Dispatcher.ResponseData> {
    const url = `${this.base}/${key}`;
    const named = { ...headers, 'x-amz-content-sha256': content?.sha256 ?? NO_CONTENT };
    const signer = new AwsV4Signer({
      ...this.keys,
      method,
      url,
      headers: named,
      service: 's3',
      region: this.region,
    });
    const signed = Object.fromEntries((await signer.sign()).headers);
    const length = content && { 'content-length': String(content.size) };
    return request(url, {
      method,
      headers: { ...signed, ...length },
      // An empty stream with a length of 0 is not an empty body for undici.
      body: content && content.size > 0 ? createReadStream(content.path) : undefined,
      headersTimeout: HEADERS_MS,
      bodyTimeout: BODY_MS,
      dispatcher: operatorAgent(),
    });
  }
}

async function expectOk(what: string, status: number, body: Dispatcher.ResponseData['body']): Promise<void> {
  if (status < 300) return body.dump();
  const text = await body.text();
  const failure = new Error(`The file storage could not ${what} a file: ${status} ${text.slice(0, 300)}`);
  throw status >= 500 ? storageProblem(failure) : failure;
}
