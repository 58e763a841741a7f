import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { request, type Dispatcher } from 'undici';
import { operatorAgent } from '@/server/network/outbound/connections';
import { toStorageProblem } from './disk-problem';
import type { ByteRange, TemporaryFile, FileStorage } from './file-storage';

interface S3AccessKeys {
  accessKeyId: string;
  secretAccessKey: string;
}

interface S3Request {
  method: 'GET' | 'PUT' | 'DELETE';
  key: string;
  headers?: Record<string, string>;
  content?: TemporaryFile;
}

const MAX_S3_ATTEMPTS = 3;
const S3_BACKOFF_MS = 500;
/** Limits the time until the storage begins its response; a body of 100 MiB is sent before that. */
const S3_HEADERS_TIMEOUT_MS = 300_000;
/** Limits the time between two parts of a response. */
const S3_BODY_TIMEOUT_MS = 60_000;
/** The number of characters of a refusal that are read. */
const MAX_S3_REASON_LENGTH = 300;
const EMPTY_CONTENT_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/**
 * Files in a bucket of an S3-compatible storage. With an endpoint of its own, addresses have the bucket in the path, as
 * such storages understand it. Requests are signed with the hash of the content, so that the storage refuses changed
 * bytes.
 */
export class S3Storage implements FileStorage {
  private readonly base: string;
  private readonly region: string;

  constructor(
    address: string,
    private readonly keys: S3AccessKeys,
  ) {
    const { hostname: bucket, pathname, searchParams } = new URL(address);
    const endpoint = searchParams.get('endpoint')?.replace(/\/+$/, '');
    this.region = searchParams.get('region') ?? 'us-east-1';
    const host = endpoint ? `${endpoint}/${bucket}` : `https://${bucket}.s3.${this.region}.amazonaws.com`;
    this.base = host + pathname.replace(/\/+$/, '');
  }

  async put(key: string, content: TemporaryFile): Promise<void> {
    const { statusCode, body } = await this.call({ method: 'PUT', key, content });
    await requireS3Success('store', statusCode, body);
  }

  async read(key: string, range?: ByteRange): Promise<Readable | null> {
    const headers = range && { range: `bytes=${range.start}-${range.end}` };
    const { statusCode, body } = await this.call({ method: 'GET', key, headers });
    if (statusCode === 200 || statusCode === 206) return body;
    if (statusCode !== 404) await requireS3Success('read', statusCode, body);
    await body.dump();
    return null;
  }

  async remove(key: string): Promise<void> {
    const { statusCode, body } = await this.call({ method: 'DELETE', key });
    if (statusCode === 404) await body.dump();
    else await requireS3Success('remove', statusCode, body);
  }

  /** Sends a request, again after a failure that may pass. */
  private async call(call: S3Request): Promise<Dispatcher.ResponseData> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await this.send(call);
        if (answer.statusCode < 500 || attempt === MAX_S3_ATTEMPTS) return answer;
        await answer.body.dump();
      } catch (error) {
        if (attempt === MAX_S3_ATTEMPTS) throw toStorageProblem(error);
      }
      await pause(S3_BACKOFF_MS * attempt);
    }
  }

  private async send({ method, key, headers = {}, content }: S3Request): Promise<Dispatcher.ResponseData> {
    const url = `${this.base}/${key}`;
    const named = { ...headers, 'x-amz-content-sha256': content?.sha256 ?? EMPTY_CONTENT_SHA256 };
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
      headersTimeout: S3_HEADERS_TIMEOUT_MS,
      bodyTimeout: S3_BODY_TIMEOUT_MS,
      dispatcher: operatorAgent(),
    });
  }
}

async function requireS3Success(what: string, status: number, body: Dispatcher.ResponseData['body']): Promise<void> {
  if (status < 300) return body.dump();
  let text = '';
  for await (const part of body as AsyncIterable<Buffer>) {
    text += part.toString();
    if (text.length >= MAX_S3_REASON_LENGTH) break;
  }
  const failure = new Error(
    `The file storage could not ${what} a file: ${status} ${text.slice(0, MAX_S3_REASON_LENGTH)}`,
  );
  throw status >= 500 ? toStorageProblem(failure) : failure;
}
