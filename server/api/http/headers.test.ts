import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { testEnv } from '@/server/testing/database';
import { setPageSecurityPolicy } from './headers';

/** The headers of a page, and the headers that Next receives for it. */
function pageOf(changes: Parameters<typeof testEnv>[0], sent: Record<string, string> = {}) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, sent);
  const response = new ServerResponse(request);
  setPageSecurityPolicy(request, response, testEnv(changes));
  return { policy: String(response.getHeader('content-security-policy')), response, request };
}

const directive = (policy: string, name: string) =>
  policy.split('; ').find((part) => part.startsWith(`${name} `)) ?? '';

test('a page runs only scripts with the nonce of its own response', () => {
  const [one, other] = [pageOf({ isProduction: true }), pageOf({ isProduction: true })];
  const scripts = directive(one.policy, 'script-src');
  expect(scripts).toMatch(/^script-src 'self' 'nonce-[\w-]{24}'$/);
  expect(scripts).not.toBe(directive(other.policy, 'script-src'));
  expect(scripts).toContain(String(one.request.headers['x-nonce']));
});

test('it can’t be framed, moved to another base, or made to send its forms elsewhere', () => {
  const { policy, response } = pageOf({ isProduction: true });
  for (const [name, value] of [
    ['frame-ancestors', "'none'"],
    ['base-uri', "'self'"],
    ['form-action', "'self'"],
    ['object-src', "'none'"],
    ['connect-src', "'self'"],
  ] as const) {
    expect(directive(policy, name)).toBe(`${name} ${value}`);
  }
  expect(response.getHeader('x-frame-options')).toBe('DENY');
  expect(response.getHeader('referrer-policy')).toBe('strict-origin-when-cross-origin');
  expect(String(response.getHeader('permissions-policy'))).toContain('camera=()');
});

test('clients cannot set the nonce', () => {
  const sent = { 'x-nonce': 'mine', 'content-security-policy': "script-src 'nonce-mine'" };
  const { policy, request } = pageOf({ isProduction: true }, sent);
  expect([policy, request.headers['x-nonce'], request.headers['content-security-policy']].join()).not.toContain('mine');
});
