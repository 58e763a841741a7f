import { expect, it } from 'vitest';
import { readMcpResponse } from './mcp-response';

const answerTo = (method: string, text: string, type = 'application/json') =>
  readMcpResponse(Buffer.from(text), { id: 3, method, type });
const result = (json: string, id: unknown = 3) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}`;

it('the library gets nothing of what a server gives, which is found beside its events and other messages', () => {
  const called = '{"content":[{"type":"text","text":"a"},{"type":"image","data":"aGk="},{"type":"text","text":"b"}]}';
  const events = [
    'data:',
    'data: {',
    'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"id":3}}',
    `event: message\r\ndata: ${result('{}', 2)}`,
    `id: 7\ndata: ${result(called).replace('"result"', '\ndata: "result"')}`,
    `data: ${result('{"content":1}')}`,
  ];
  expect(answerTo('tools/call', events.join('\n\n'), 'text/event-stream; charset=utf-8')).toEqual({
    message: { jsonrpc: '2.0', id: 3, result: { content: [] } },
    parts: { isError: false, text: 'a\nb', content: [{ type: 'image', data: 'aGk=' }] },
  });
  const listed = '{"tools":[{"name":"x","inputSchema":{"type":"object"},"annotations":{}}],"nextCursor":"c"}';
  expect(answerTo('tools/list', `[${result(listed)}]`)).toEqual({
    message: { jsonrpc: '2.0', id: 3, result: { tools: [], nextCursor: 'c' } },
    parts: { tools: [{ name: 'x', description: '', inputSchema: { type: 'object' } }] },
  });
  const about = '{"protocolVersion":"2025-06-18","capabilities":{"tools":{"x":1}},"serverInfo":[1],"instructions":"x"}';
  expect(answerTo('initialize', result(about)).message).toMatchObject({
    result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: '', version: '' } },
  });
  expect(answerTo('ping', '{"id":3,"error":{"code":1.5,"message":"no","data":[1]}}').message).toEqual({
    jsonrpc: '2.0',
    id: 3,
    error: { code: -32_603, message: 'no' },
  });
});

it.each([
  ['tools/list', result('1'), /result is not an object/],
  ['tools/list', result('{"tools":{}}'), /tools are not a list/],
  ['tools/list', result('{"tools":[{"name":"x","inputSchema":[]}]}'), /tool 1 has no name, or no schema/],
  ['tools/list', result('{"tools":[{"inputSchema":{}}]}'), /tool 1/],
  ['tools/call', result('{"content":[1]}'), /part 1 of what the tool gave has no type/],
  ['tools/call', result('{"content":[{"type":"text"}]}'), /part 1 of what the tool gave has no text/],
  ['tools/call', result('{}', '3'), /has no result/],
  ['tools/call', 'nothing', /has no result/],
  ['tools/call', result(`{"content":${'['.repeat(2000)}${']'.repeat(2000)}}`), /nested deeper than 1000 levels/],
])('an answer to %s that is wrong is told: %s', (method, text, message) => {
  expect(() => answerTo(method, text)).toThrow(message);
});

it('of many tools the first 500 are read, and no longer texts than a list needs', () => {
  const tools = (description: string) =>
    result(`{"tools":[${Array(600).fill(`{"name":"x","description":"${description}","inputSchema":{}}`).join()}]}`);
  expect(answerTo('tools/list', tools('short')).parts['tools']).toHaveLength(500);
  expect(() => answerTo('tools/list', tools('x'.repeat(1100)))).toThrow(/more than 524288 characters/);
});

it('integers that a tool gives keep their digits, and schemas of tools keep their numbers', () => {
  const big = '9223372036854775807';
  const called = `{"content":[{"type":"resource","size":${big}}],"structuredContent":{"id":${big},"n":1e20}}`;
  expect(answerTo('tools/call', result(called)).parts).toMatchObject({
    content: [{ size: big }],
    structured: { id: big, n: 1e20 },
  });
  const tool = `{"name":"x","inputSchema":{"type":"object","properties":{"n":{"maximum":${big}}}}}`;
  expect(answerTo('tools/list', result(`{"tools":[${tool}]}`)).parts).toMatchObject({
    tools: [{ inputSchema: { properties: { n: { maximum: Number(big) } } } }],
  });
});
