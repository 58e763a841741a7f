import { expect, it } from 'vitest';
import { parseMongoAddress } from './mongodb-address';

it.each([
  ['mongodb://db.example.com', { hosts: [{ host: 'db.example.com', port: 27_017 }], tls: 'off', isListedByDns: false }],
  [
    'mongodb://ada:p%40ss%3A@a.example.com:1,[2001:db8::1]:2/shop?authSource=admin&ssl=true&directConnection=true',
    {
      hosts: [
        { host: 'a.example.com', port: 1 },
        { host: '2001:db8::1', port: 2 },
      ],
      username: 'ada',
      password: 'p@ss:',
      database: 'shop',
      authSource: 'admin',
      tls: 'verify',
      isDirect: true,
    },
  ],
  [
    ' mongodb+srv://ada:p:q@cluster0.abc.example.net/?retryWrites=true&w=majority&appName=Cluster0 ',
    { isListedByDns: true, tls: 'verify', username: 'ada', password: 'p:q', isDirect: false },
  ],
  ['mongodb+srv://c.example.net/?tls=false', { tls: 'off' }],
  ['mongodb://c.example.net/?tls=true&tlsAllowInvalidCertificates=true', { tls: 'require' }],
  ['mongodb://c.example.net/?authMechanism=SCRAM-SHA-1', { mechanism: 'SCRAM-SHA-1' }],
])('%s is read', (text, expected) => {
  expect(parseMongoAddress(text)).toMatchObject(expected);
});

it.each([
  ['', 'must be mongodb://'],
  ['http://db.example.com', 'must be mongodb://'],
  ['mongodb://', 'must be mongodb://'],
  ['mongodb://ada:p@ss@db.example.com', 'must be mongodb://'],
  ['mongodb://db.example.com:0', 'must be mongodb://'],
  ['mongodb://%2Ftmp%2Fmongodb.sock', 'must be mongodb://'],
  ['mongodb+srv://a.example.com,b.example.com', 'must have one host'],
  ['mongodb+srv://a.example.com:27017', 'must have one host'],
  [`mongodb://${Array.from({ length: 21 }, (_, index) => `h${index}`).join(',')}`, 'at most 20 hosts'],
  ['mongodb://a.example.com/?tlsCAFile=/etc/passwd', 'names a file'],
  ['mongodb://a.example.com/?proxyHost=10.0.0.1', 'asks for a proxy'],
  ['mongodb://a.example.com/?loadBalanced=true', 'load balancers'],
  ['mongodb://a.example.com/?authMechanism=MONGODB-AWS', 'not supported'],
  ['mongodb://a:%zz@a.example.com', 'encodes nothing'],
])('%s is refused', (text, problem) => {
  expect(parseMongoAddress(text)).toEqual({ problem: expect.stringContaining(problem) });
});
