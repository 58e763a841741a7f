import { expect, it } from 'vitest';
import { parseCurlCommand } from '@/components/editor/node/curl-command';
import { buildCurlCommand } from './curl-command';

it('writes a command that a shell and `readCurl` understand', () => {
  const command = buildCurlCommand({
    url: 'https://api.example.com/orders?a=1',
    method: 'POST',
    query: { q: 'x & y', list: [1, 2], none: null },
    headers: { 'X-Name': "O'Hara" },
    body: { n: 1 },
  });
  expect(command.split(' \\\n  ')).toEqual([
    "curl 'https://api.example.com/orders?a=1&q=x%20%26%20y&list=1&list=2'",
    '-X POST',
    "-H 'Content-Type: application/json'",
    `-H 'X-Name: O'\\''Hara'`,
    `--data-raw '{"n":1}'`,
  ]);
  expect(parseCurlCommand(command)).toMatchObject({ method: 'POST', headers: { 'X-Name': "O'Hara" }, body: { n: 1 } });
  expect(buildCurlCommand({ url: 'https://a.example' })).toBe("curl 'https://a.example'");
  expect(buildCurlCommand({ url: 'https://a.example/?b=%20#part', query: { a: 1 } })).toBe(
    "curl 'https://a.example/?b=%20&a=1'",
  );
});

it('sends bodies as the node does', () => {
  const url = 'https://a.example';
  const post = (body: unknown, headers?: object) => buildCurlCommand({ url, method: 'POST', body, headers });
  expect(post('hello')).toContain(`-H 'Content-Type: text/plain; charset=utf-8' \\\n  --data-raw 'hello'`);
  expect(post('{"a": 1}')).toContain(`-H 'Content-Type: application/json'`);
  expect(post({ a: [1, 'x y'], b: null }, { 'content-type': 'application/x-www-form-urlencoded' })).toContain(
    `--data-raw 'a=1&a=x%20y'`,
  );
  expect(post(null)).toBe(`curl '${url}' \\\n  -X POST`);
  expect(buildCurlCommand({ url, method: 'HEAD', body: 'x' })).toBe(`curl '${url}' \\\n  --head`);
});
