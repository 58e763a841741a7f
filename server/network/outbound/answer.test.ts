import { expect, it } from 'vitest';
import { createRedactor } from '@/server/evaluation/redaction/redactor';
import { summarizeResponse } from './response-summary';

const json = { 'content-type': 'application/json' };
const answer = (text: string | Buffer, headers: Record<string, string> = json) => ({
  status: 500,
  headers,
  body: Buffer.from(text),
  url: 'http://api.example.com/',
});
const SECRET = 'canary-4711-canary';
const secrets = createRedactor([SECRET]);

it('shows status, headers and the beginning of the body', () => {
  expect(summarizeResponse(answer('{"reason":"busy"}'), secrets)).toEqual({
    status: 500,
    headers: json,
    body: '{"reason":"busy"}',
  });
  expect(summarizeResponse(answer('x'.repeat(5000)), secrets).body).toHaveLength(2000);
});

it('shows no binary data', () => {
  expect(summarizeResponse(answer(Buffer.from([0, 255, 1]), { 'content-type': 'image/png' }), secrets).body).toBeNull();
});

it.each([1990, 65_530])('redacts a secret that crosses the cut at %i', (at) => {
  const padding = Math.ceil(at / SECRET.length);
  for (const before of ['x'.repeat(at), SECRET.repeat(padding)]) {
    const { body } = summarizeResponse(answer(`${before}${SECRET}${'y'.repeat(9000)}`), secrets);
    expect(body).not.toContain('canary');
  }
  const headers = { 'x-mirror': `${'x'.repeat(290)}${SECRET}` };
  expect(JSON.stringify(summarizeResponse(answer('', headers), secrets))).not.toContain('canary');
});
