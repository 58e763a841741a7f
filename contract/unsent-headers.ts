/** Headers that the client writes itself, or that concern the connection: they are not sent. */
const UNSENT_HEADERS: Readonly<Record<string, string>> = {
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
const PERMITTED_HEADER_VALUES: Readonly<Record<string, RegExp>> = {
  connection: /^\s*(close|keep-alive)\s*$/i,
  te: /^\s*trailers\s*$/i,
};

/** The reason why a header is not sent. Undefined: it is sent. */
export function unsentHeaderReason(header: string, value: string): string | undefined {
  const name = header.toLowerCase();
  const permitted = Object.hasOwn(PERMITTED_HEADER_VALUES, name) ? PERMITTED_HEADER_VALUES[name] : undefined;
  if (permitted && !permitted.test(value)) return 'the connection is managed by the service';
  return Object.hasOwn(UNSENT_HEADERS, name) ? UNSENT_HEADERS[name] : undefined;
}
