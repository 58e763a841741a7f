import { hostPatternAllows } from '@/server/network/outbound/host-patterns';
import { usesDigestAuth } from './digest';
import type { OpenCredential } from './open-credential';
import { isCustomConnectorId } from './custom/connector';
import { attachStaticToken, requireTokenReceiver } from './token-access';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { setQueryParameter } from '@/server/network/outbound/query';

/** The parts of an outbound request that a credential can add to. */
export interface AttachableRequest {
  url: string;
  headers: Record<string, string>;
}

/** Throws for a host that the credential is not allowed for. */
export function requireAllowedHost(credential: OpenCredential, url: URL): void {
  const hosts = (credential.config['allowedHosts'] ?? []) as string[];
  if (hosts.length > 0 && !hosts.some((pattern) => hostPatternAllows(pattern, url))) {
    throw new NodeFailure(
      'CREDENTIAL_HOST',
      `The credential "${credential.name}" may not be sent to ${url.host}; its allowed hosts are ${hosts.join(', ')}.`,
      false,
    );
  }
}

/**
 * Sends the tokens of a workspace's connector to its servers only. Once the connector is deleted, they are sent to
 * none.
 */
function requireConnectorServer(credential: OpenCredential, url: URL): void {
  const { connector, connectorId, name } = credential;
  if (!isCustomConnectorId(connectorId)) return;
  if (connector) return requireTokenReceiver(credential, connector, url);
  throw new NodeFailure(
    'CREDENTIAL_INCOMPLETE',
    `The connector of the credential "${name}" does not exist any more.`,
    false,
  );
}

const textEntries = (value: unknown) => Object.entries((value ?? {}) as Record<string, string>);

/**
 * The addresses that a request is for: its own, and the one that its header Host names, to which a server may pass it
 * on.
 */
function requestReceivers({ url, headers }: AttachableRequest): URL[] {
  const own = new URL(url);
  const host = Object.entries(headers).find(([name]) => name.toLowerCase() === 'host')?.[1];
  if (host === undefined) return [own];
  const named = `${own.protocol}//${host}/`;
  if (/[/@?#\\\s]/.test(host) || !URL.canParse(named))
    throw new NodeFailure('INVALID_REQUEST', 'The header Host must be a host, with a port or without.', false);
  return [own, new URL(named)];
}

/** Adds a credential to a request. It overrides headers that the workflow's author set by hand. */
export function attachCredential(credential: OpenCredential, request: AttachableRequest): AttachableRequest {
  const receivers = requestReceivers(request);
  for (const receiver of receivers) requireAllowedHost(credential, receiver);
  let { url } = request;
  const added: (readonly [string, string])[] = [];
  const config = credential.config;
  switch (credential.type) {
    case 'api_key': {
      const value = `${String(config['prefix'] ?? '')}${String(config['apiKey'])}`;
      if (config['queryParameter']) url = setQueryParameter(url, String(config['queryParameter']), value);
      else added.push([String(config['header'] ?? 'X-API-Key'), value]);
      break;
    }
    case 'basic_auth': {
      // The answer to a challenge is added when it is sent: see `sendWithDigest`.
      if (usesDigestAuth(credential)) break;
      const pair = `${String(config['username'] ?? '')}:${String(config['password'] ?? '')}`;
      added.push(['Authorization', `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`]);
      break;
    }
    case 'oauth2': {
      for (const receiver of receivers) requireConnectorServer(credential, receiver);
      if (!config['accessToken']) {
        throw new NodeFailure(
          'CREDENTIAL_INCOMPLETE',
          `The credential "${credential.name}" has no access token yet.`,
          false,
        );
      }
      added.push(['Authorization', `Bearer ${String(config['accessToken'])}`]);
      const { tokenHeader } = credential.connector ?? {};
      if (tokenHeader) added.push([tokenHeader, String(config['accessToken'])]);
      break;
    }
    case 'token': {
      const attached = attachStaticToken(credential, receivers, url);
      url = attached.url;
      added.push(...attached.added);
      break;
    }
    case 'aws':
      // The request is signed when it is sent: see `createAwsSigner`.
      if (receivers.length > 1) {
        const message = 'The header Host cannot be set with AWS keys: the host of the URL is signed.';
        throw new NodeFailure('INVALID_REQUEST', message, false);
      }
      break;
    case 'postgres':
    case 'mysql':
    case 'redis':
    case 'mongodb':
      throw new NodeFailure('CREDENTIAL_KIND', `The credential "${credential.name}" is one of a database.`, false);
    case 'imap':
      throw new NodeFailure('CREDENTIAL_KIND', `The credential "${credential.name}" is one of a mailbox.`, false);
    case 'ssh':
    case 'ftp':
      throw new NodeFailure('CREDENTIAL_KIND', `The credential "${credential.name}" is one of a server.`, false);
    case 'llm':
      throw new NodeFailure(
        'CREDENTIAL_KIND',
        `The credential "${credential.name}" is one of a language model.`,
        false,
      );
    case 'mcp':
      throw new NodeFailure('CREDENTIAL_KIND', `The credential "${credential.name}" is one of an MCP server.`, false);
    case 'custom': {
      added.push(...textEntries(config['headers']));
      for (const [name, value] of textEntries(config['query'])) url = setQueryParameter(url, name, value);
      break;
    }
  }
  const overridden = new Set(added.map(([name]) => name.toLowerCase()));
  const remaining = Object.entries(request.headers).filter(([name]) => !overridden.has(name.toLowerCase()));
  return { url, headers: Object.fromEntries([...remaining, ...added]) };
}
