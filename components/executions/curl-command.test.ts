import { expect, it } from 'vitest';
import { readCurl } from '../editor/curl';
import { curlCommand } from './curl-command';

it('says the request in a way that a terminal, and our own reader, understands', () => {
  const command = curlCommand({
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
  expect(readCurl(command)).toMatchObject({ method: 'POST', headers: { 'X-Name': "O'Hara" }, body: { n: 1 } });
  expect(curlCommand({ url: 'https://a.example' })).toBe("curl 'https://a.example'");
});
