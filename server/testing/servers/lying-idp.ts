import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { listenOn, textOf } from '../listen';

/** Deviations from a valid ID token. */
export interface TokenLie {
  algorithm?: 'none' | 'HS256' | 'another key';
  issuer?: string;
  audience?: string | string[];
  nonce?: string;
  /** Seconds from now. */
  issuedIn?: number;
  expiresIn?: number;
  isLeftOut?: boolean;
  /** The subject in the userinfo response. */
  otherSubject?: string;
}

/** The provider's responses, which tests can change. */
export interface Story {
  /** The profile in userinfo and in the ID token. */
  profile: Record<string, unknown>;
  /** GitHub's list of addresses. */
  emails?: unknown;
  lie?: TokenLie;
  /** Claims in userinfo only. */
  isShort?: boolean;
}

export interface LyingIdp {
  url: string;
  clientId: string;
  clientSecret: string;
  tell(story: Story): void;
  /** Simulates the browser: from the authorization URL to the redirect URL. */
  signIn(authorizationUrl: string): string;
  close(): Promise<void>;
}

/**
 * A fake OAuth 2.0 provider, with or without OpenID Connect, with configurable responses. It validates client, redirect
 * URI and PKCE like a real one.
 */
export async function startLyingIdp(): Promise<LyingIdp> {
  const [clientId, clientSecret] = ['weft-test', 'a secret between weft and a liar'];
  const [own, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const codes = new Map<string, { challenge: string; nonce: string | null; redirectUri: string }>();
  let story: Story = { profile: {} };

  const idToken = async (issuer: string, nonce: string | null): Promise<string> => {
    const { lie = {}, profile, isShort } = story;
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      ...(isShort ? { sub: profile['sub'] } : profile),
      iss: lie.issuer ?? issuer,
      aud: lie.audience ?? clientId,
      iat: now + (lie.issuedIn ?? 0),
      exp: now + (lie.expiresIn ?? 300),
      ...(nonce === null ? {} : { nonce: lie.nonce ?? nonce }),
    };
    if (lie.algorithm === 'none') return new UnsecuredJWT(claims).encode();
    if (lie.algorithm === 'HS256') {
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(clientSecret.padEnd(32)));
    }
    const { privateKey } = lie.algorithm === 'another key' ? foreign : own;
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey);
  };

  const answerTo = async (issuer: string, path: string, form: URLSearchParams): Promise<unknown> => {
    const { profile, emails, lie } = story;
    switch (path) {
      case '/.well-known/openid-configuration':
        return {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/user`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          id_token_signing_alg_values_supported: ['RS256'],
          token_endpoint_auth_methods_supported: ['client_secret_post'],
        };
      case '/jwks':
        return { keys: [{ ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] };
      case '/token': {
        const code = codes.get(form.get('code') ?? '');
        codes.delete(form.get('code') ?? '');
        const challenge = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url');
        const isGood = form.get('client_secret') === clientSecret && form.get('redirect_uri') === code?.redirectUri;
        if (!code || !isGood || code.challenge !== challenge) return null;
        const token = { access_token: 'an access token', token_type: 'Bearer', expires_in: 300 };
        return lie?.isLeftOut ? token : { ...token, id_token: await idToken(issuer, code.nonce) };
      }
      case '/user':
        return { ...profile, ...(lie?.otherSubject ? { sub: lie.otherSubject } : {}) };
      case '/user/emails':
        return emails;
      default:
        return null;
    }
  };

  const { url, close } = await listenOn((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    void textOf(request).then(async (text) => {
      const answer = await answerTo(url, path, new URLSearchParams(text));
      response.writeHead(answer === null ? 400 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? { error: 'invalid_grant' }));
    });
  });

  return {
    url,
    clientId,
    clientSecret,
    tell: (next) => void (story = next),
    signIn(authorizationUrl) {
      const query = new URL(authorizationUrl).searchParams;
      const [code, redirectUri] = [`code-${codes.size}-${Math.random()}`, query.get('redirect_uri') ?? ''];
      codes.set(code, { challenge: query.get('code_challenge') ?? '', nonce: query.get('nonce'), redirectUri });
      return `${redirectUri}?${new URLSearchParams({ code, state: query.get('state') ?? '' })}`;
    },
    close,
  };
}
