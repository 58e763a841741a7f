import { describe, expect, it } from 'vitest';
import { parseCurlCommand } from './curl-command';

describe('readCurl', () => {
  it('reads commands copied from a browser', () => {
    const text = `curl 'https://api.example.com/orders?x=1' \\
      -X POST -H 'Accept: application/json' -H "X-Quote: say \\"hi\\"" \\
      --data-raw '{"name":"Ada","tags":["a"]}' --compressed`;
    expect(parseCurlCommand(text)).toEqual({
      url: 'https://api.example.com/orders?x=1',
      method: 'POST',
      headers: { Accept: 'application/json', 'X-Quote': 'say "hi"' },
      body: { name: 'Ada', tags: ['a'] },
    });
  });

  it('derives method and scheme, and joins data', () => {
    expect(parseCurlCommand('curl example.com -d a=1 -d b=2')).toEqual({
      url: 'http://example.com',
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'a=1&b=2',
    });
    expect(parseCurlCommand('curl -G x.example/s -d q=tea')).toEqual({
      url: 'http://x.example/s?q=tea',
      method: 'GET',
    });
    expect(parseCurlCommand('curl -XDELETE https://x.example/1')).toEqual({
      url: 'https://x.example/1',
      method: 'DELETE',
    });
  });

  it('keeps backslashes in single quotes, and unescapes them in others', () => {
    expect(parseCurlCommand(String.raw`curl x.example -H 'Path: C:\' -H $'Name: O\'Hara'`)?.headers).toEqual({
      Path: 'C:\\',
      Name: "O'Hara",
    });
  });

  it('converts a user into an Authorization header', () => {
    expect(parseCurlCommand('curl -u ada:lovelace https://x.example')?.headers).toEqual({
      Authorization: 'Basic YWRhOmxvdmVsYWNl',
    });
  });

  it('rejects other texts', () => {
    for (const text of ['', 'curly https://x', 'curl', 'wget https://x', '{"nodes":[]}'])
      expect(parseCurlCommand(text)).toBeUndefined();
  });
});

it('headers that the service writes itself, and the password of digest authentication, are left out', () => {
  const text = "curl -H 'Content-Length: 3' -H 'Connection: keep-alive' --digest -u ada:secret https://example.com";
  expect(parseCurlCommand(text)).toEqual({
    url: 'https://example.com',
    method: 'GET',
    headers: { Connection: 'keep-alive' },
  });
});
