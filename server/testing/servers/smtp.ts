import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';

export interface MailSink {
  readonly port: number;
  readonly url: string;
  readonly received: ParsedMail[];
  /** Returns the SMTP code to refuse a recipient with; null: accepts the recipient. */
  refuse: (address: string) => number | null;
  close(): Promise<void>;
}

/** A mail server that records received mails. */
export async function startMailSink(): Promise<MailSink> {
  const received: ParsedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onAuth: ({ username }, _, done) => done(null, { user: username }),
    onRcptTo: ({ address }, _, done) => {
      const code = sink.refuse(address);
      done(code === null ? null : Object.assign(new Error('no'), { responseCode: code }));
    },
    onData(stream, _, done) {
      simpleParser(stream).then((parsed) => {
        received.push(parsed);
        done();
      }, done);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  const sink: MailSink = {
    port,
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuse: () => null,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
  return sink;
}
