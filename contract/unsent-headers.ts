/** Headers that the client writes itself, or that concern the connection: they are not sent. */
const UNSENT: Readonly<Record<string, string>> = {
  'content-length': 'the length of the body is written when it is sent',
  'transfer-encoding': 'the length of the body is written when it is sent',
  trailer: 'nothing is sent after the body',
  expect: 'the body is sent at once',
  upgrade: 'the protocol of the connection cannot be changed',
  'keep-alive': 'connections are kept by the service',
  'proxy-authorization': 'the proxy is chosen by the operator',
  'proxy-connection': 'the proxy is chosen by the operator',
};

/** Values of headers that concern the connection and may be sent. */
const PERMITTED: Readonly<Record<string, RegExp>> = {
  connection: /^\s*(close|keep-alive)\s*$/i,
  te: /^\s*trailers\s*$/i,
};

/** Why a header is not sent; undefined: it is sent. */
export function whyUnsent(header: string, value: string): string | undefined {
  const name = header.toLowerCase();
  const permitted = Object.hasOwn(PERMITTED, name) ? PERMITTED[name] : undefined;
  if (permitted && !permitted.test(value)) return 'the connection is managed by the service';
  return Object.hasOwn(UNSENT, name) ? UNSENT[name] : undefined;
}
